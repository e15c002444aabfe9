import { describe, expect, it } from 'vitest';
import { chartTheme, sessionCurve } from '../../../shared/chart-models/index.ts';
import { type PickRule, picked } from '../../../shared/model/measure.ts';
import { valueWords } from '../../../shared/model/result-words.ts';
import type { SessionDetail } from '../../../shared/model/session.ts';
import { basisSentences, bestSentence, figureTitle } from '../../../shared/stats/index.ts';
import { compareLevels } from '../comparing/index.ts';
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
const REPEATS = [
  [100, 110, 90, 104],
  [200, 180, 190, 240],
];

function session(pick: PickRule | undefined, metric = 'tps') {
  const experiment = experimentOf(FACTORS);
  if (pick) experiment.measure.pick = pick;
  const runs = [0, 1, 2, 3].flatMap((repeat) =>
    [0, 1].map((cell): Measured => {
      const value = REPEATS[cell]?.[repeat] ?? 0;
      return { cell, repeat, seconds: { [metric]: [value, value, value, value, value, value] } };
    }),
  );
  const id = storeSession(store, cells, runs, experiment);
  const context = { experiment, plan: { cells, trials: [], seconds: 0, findings: [] } };
  return { id, result: sessionResult(store, context, { primary: metric, failures: [] }, { sessionId: id, metric }) };
}

describe('the picked repeat of a cell', () => {
  it.each([
    [undefined, 101, 'Mean'],
    ['mean', 101, 'Mean'],
    ['median', 102, 'Median of the repeats'],
    ['best', 110, 'Best repeat'],
    ['second-best', 104, 'Second-best repeat'],
  ] as const)('is chosen by the document: %s', (pick, value, title) => {
    const { result } = session(pick);
    expect(result.cells[0]?.value).toBeCloseTo(value, 9);
    expect(figureTitle('tps', result.pick)).toBe(title);
    // Whatever the pick, all repeats are stored and shown, and the interval is that of their mean.
    expect(result.cells[0]?.means).toEqual(REPEATS[0]);
    expect(result.cells[0]?.interval).toEqual(session(undefined).result.cells[0]?.interval);
    expect(result.cells[0]?.range).toEqual(title === 'Mean' ? undefined : { low: 90, high: 110 });
  });

  it('is the best one by the metric, or the mean without a direction', () => {
    expect(session('best', 'latency_avg_ms').result.cells[0]?.value).toBe(90);
    expect(session('second-best', 'latency_p95_ms').result.cells[0]?.value).toBe(100);
    expect(session('best', 'errors_per_s').result.cells[0]?.value).toBe(90);
    const neither = session('best', 'rollbacks').result;
    expect(neither.cells[0]?.value).toBe(101);
    expect(neither).not.toHaveProperty('pick');
  });

  it('is named with its figure, together with the basis of intervals and verdicts', () => {
    const { result, id } = session('best');
    expect(bestSentence(result)).toContain('threads 2 with 240 tps (best repeat)');
    expect(basisSentences(result)).toEqual([
      'Best repeat: the figure of that repeat alone; intervals, ratios and verdicts use all repeats.',
    ]);
    expect(sessionCurve(result, chartTheme('light')).description).toContain('Transactions, best repeat (tps)');
    const row = store.sessions.get(id);
    if (!row) throw new Error('no session');
    expect(new Overviews(store).of(row).best?.value).toBe(240);
  });

  it('does not change ratios or verdicts', () => {
    const compared = (pick?: PickRule) =>
      compareLevels(
        {
          detail: { session: { id: 1, name: 'one' }, experiment: {} } as unknown as SessionDetail,
          result: session(pick).result,
        },
        { factor: 'threads', level: 1 },
      ).cells.map(({ ratio, interval, verdict }) => ({ ratio, interval, verdict }));
    expect(compared('best')).toEqual(compared());
    expect(compared('all')).toEqual(compared());
  });

  it('is absent if each repeat is shown: all are listed, and each is a line of the curve', () => {
    const { result } = session('all');
    expect(result.cells[0]).not.toHaveProperty('value');
    expect(result).not.toHaveProperty('best');
    expect(result.cells.map((cell) => valueWords(cell, 0))).toEqual(['100 / 110 / 90 / 104', '200 / 180 / 190 / 240']);
    expect(bestSentence(result)).toBe('Repeats are shown individually, so no best cell is named.');
    const curve = sessionCurve(result, chartTheme('light'));
    expect(curve.table().rows.map(([threads, repeat, tps]) => [threads, repeat, tps])).toEqual(
      REPEATS.flatMap((repeats, cell) => repeats.map((tps, index) => [String(cell + 1), String(index + 1), tps])),
    );
    const { series = [] } = curve.option;
    expect([series].flat().filter(({ type }) => type === 'line')).toHaveLength(4);
  });

  it('is absent with a single repeat', () => {
    expect(picked('second-best', [100], { better: 'higher' })).toBeUndefined();
    expect(picked('median', [3, 1, 2], { better: 'higher' })).toBe(2);
    expect(picked('best', [], { better: 'higher' })).toBeUndefined();
  });
});
