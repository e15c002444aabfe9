import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../shared/model/plan.ts';
import { cellsOf, experimentOf, type Measured, storeSession } from '../figures/testing/measured.ts';
import type { Store } from '../store/store.ts';
import { withStore } from '../store/testing/for-each.ts';
import { Overviews, sessionResult } from './index.ts';

let store: Store;
withStore((opened) => {
  store = opened;
});

const FACTORS = { threads: [1, 2] };
const cells = cellsOf(FACTORS);

/** Cell 0 twice, cell 1 twice, and cell 0 as the canary before, between and after them. */
function session(canary: readonly number[]) {
  const run = (cell: number, repeat: number, tps: number, at: number): Measured => ({
    ...{ cell, repeat, startedAt: at * 60_000, errors: 1 },
    seconds: { tps: [tps, tps, tps - 1, tps + 1, tps, tps] },
  });
  const [first = 0, ...rest] = canary;
  const runs = [
    run(0, 2, first, 0),
    run(0, 0, 100, 1),
    run(1, 0, 200, 2),
    run(0, 1, 102, 3),
    run(1, 1, 202, 4),
    ...rest.map((tps, index) => run(0, index + 3, tps, 5 + index)),
  ];
  const trials: Plan['trials'] = runs.map(({ cell, repeat = 0 }, index) => ({
    ...{ index, cell, repeat },
    ...(cell === 0 && repeat > 1 && { canary: true as const }),
  }));
  const plan = { cells, trials, seconds: 0, findings: [] };
  const id = storeSession(store, cells, runs, experimentOf(FACTORS), plan);
  const context = { experiment: experimentOf(FACTORS), plan };
  return {
    id,
    result: sessionResult(
      store,
      context,
      { primary: 'tps', failures: ['errors_total'] },
      { sessionId: id, metric: 'tps' },
    ),
  };
}

describe('canary trials', () => {
  it('are not repeats of their cell: not in its figure, interval, runs or errors', () => {
    const { result } = session([900, 900, 900, 900]);
    expect(result.cells[0]).toMatchObject({ value: 101, means: [100, 102], trials: [1, 3], errors: 2 });
    expect(result.cells[0]?.runs.map(({ repeat }) => repeat)).toEqual([0, 1]);
    expect(result.cells[0]?.interval?.high).toBeLessThan(120);
    expect(result.best).toEqual({ cell: 1, value: 201 });
  });

  it('are not in the best cell of lists', () => {
    const { id } = session([900, 900, 900, 900]);
    const row = store.sessions.get(id);
    if (!row) throw new Error('no session');
    const overview = new Overviews(store, () => ({ failures: ['errors_total'] })).of(row);
    expect(overview.sparkline).toEqual([101, 201]);
    expect(overview.best).toMatchObject({
      value: 201,
      caveats: [{ id: 'errors', short: '2 errors' }],
    });
  });

  it('show the drift of the machines over the session by time', () => {
    const { canary } = session([1000, 952, 941, 929]).result;
    expect(canary).toMatchObject({ cell: 0, levels: { threads: 1 }, verdict: 'drift' });
    expect(canary?.runs.map(({ trial, value }) => [trial, value])).toEqual([
      [0, 1000],
      [5, 952],
      [6, 941],
      [7, 929],
    ]);
    // 0.92 … 0.93 over the session: the last three follow the first after minutes, one by one.
    expect(canary?.change?.ratio).toBeCloseTo(0.93, 2);
    expect(canary?.sentence).toContain('transactions fell by');
  });

  it('do not show a drift with only three', () => {
    expect(session([1000, 952, 941]).result.canary).toMatchObject({ verdict: 'unknown' });
  });
});
