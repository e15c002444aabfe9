import { expect, it } from 'vitest';
import type { Finding } from '../../../shared/model/finding.ts';
import { compareLevels } from '../comparing/index.ts';
import { cellsOf, experimentOf, type Measured, storeSession } from '../figures/testing/measured.ts';
import type { Store } from '../store/store.ts';
import { withStore } from '../store/testing/for-each.ts';
import { Overviews, sessionResult } from './index.ts';

let store: Store;
withStore((opened) => {
  store = opened;
});

const [WARMUP, DURATION] = [5, 30];
const FACTORS = { threads: [1, 2] };

/** 30 measured seconds with this rate in each run. */
const runs = (cell: number, ...rates: number[]): Measured[] =>
  rates.map((rate, repeat) => ({
    ...{ cell, repeat, startedAt: 0 },
    seconds: { tps: Array.from({ length: WARMUP + DURATION }, (_, second) => rate + (rate > 10 ? second % 2 : 0)) },
  }));

function measured(...all: Measured[][]) {
  const cells = cellsOf(FACTORS);
  const plain = experimentOf(FACTORS);
  const experiment = { ...plain, measure: { ...plain.measure, warmup: WARMUP, duration: DURATION } };
  const id = storeSession(store, cells, all.flat(), experiment);
  const context = { experiment, plan: { cells, trials: [], seconds: 0, findings: [] } };
  const result = () =>
    sessionResult(store, context, { primary: 'tps', failures: ['errors_total'] }, { sessionId: id, metric: 'tps' });
  return { id, result, runs: store.runs.ofSession(id), context };
}
const hardly = ({ findings = [] }: { findings?: Finding[] | undefined }) =>
  findings.filter(({ code }) => code === 'hardly-measured');

it('reports a run with one transaction among runs with thousands', () => {
  const cut: Measured = { ...(runs(0, 0)[0] as Measured), repeat: 3 };
  cut.seconds = { tps: Array.from({ length: WARMUP + DURATION }, (_, second) => (second === 9 ? 1 : 0)) };
  const { result, runs: stored } = measured(runs(0, 300, 310, 305), [cut], runs(1, 500, 505));
  const [found, ...others] = hardly(result());
  expect(others).toEqual([]);
  // This alone makes it differ from the other repeats.
  expect(result().findings?.filter(({ runId }) => runId === stored[3]?.id)).toEqual([found]);
  expect(found?.runId).toBe(stored[3]?.id);
  expect(found?.message).toBe(
    'Trial 4 (threads 1) ended without an error, but only 1 event completed in 30 s. It counts in the figures of its cell.',
  );
});

it('reports a run below a tenth, and one whose tool was mostly silent', () => {
  const { id, result, runs: stored } = measured(runs(0, 300, 310, 25), runs(1, 500));
  expect(hardly(result()).map(({ message }) => message)).toEqual([
    expect.stringContaining('it reached 25.5 events/s, while the other repeats of its cell reached 306'),
  ]);
  for (const run of stored) store.runs.update(run.id, { endedAt: (WARMUP + DURATION) * 1000 });
  const silent = store.runs.ofSession(id)[3];
  store.samples.clearSamples(silent?.id ?? 0);
  store.samples.ingest({
    ...{ runId: silent?.id ?? 0, generator: 0, stream: 'stdout', bytes: new Uint8Array(0) },
    offset: store.samples.offset(silent?.id ?? 0, 0, 'stdout'),
    samples: Array.from({ length: 12 }, (_, index) => ({ t: index + 1, metrics: { tps: 500 } })),
  });
  store.samples.seal(silent?.id ?? 0);
  expect(hardly(result()).map(({ runId, message }) => [runId, message])).toContainEqual([
    silent?.id,
    expect.stringContaining('only 7 s of its 30 s have values'),
  ]);
});

it('is silent about repeats that vary as in noisy systems', () => {
  expect(hardly(measured(runs(0, 300, 100, 600), runs(1, 40, 45)).result())).toEqual([]);
});

it('keeps an excluded run out of figures and verdicts and lists it with its reason', () => {
  const { id, result, runs: stored, context } = measured(runs(0, 300, 310, 1), runs(1, 500, 505, 510));
  const overviews = new Overviews(store);
  const listed = () => overviews.of(store.sessions.get(id) as NonNullable<ReturnType<typeof store.sessions.get>>);
  expect(result().cells[0]?.means).toHaveLength(3);
  store.runs.update(stored[2]?.id ?? 0, {
    excluded: { reason: 'The link was cut.', at: 1 },
    summary: { errors_total: 7 },
  });
  store.runs.update(stored[5]?.id ?? 0, { excluded: { reason: 'a backup ran', at: 2 } });
  const { cells, findings } = result();
  expect(cells[0]).toMatchObject({ means: [300.5, 310.5], value: 305.5, errors: 0 });
  expect(cells[0]?.runs.map(({ runId }) => runId)).toEqual([stored[0]?.id, stored[1]?.id]);
  expect(cells[0]?.excluded).toMatchObject([{ runId: stored[2]?.id, trial: 2, value: 1, reason: 'The link was cut.' }]);
  expect(hardly(result())).toEqual([]);
  expect(findings?.find(({ code }) => code === 'runs-excluded')?.message).toBe(
    '2 runs excluded (trial 3: The link was cut; trial 6: a backup ran).',
  );
  const detail = { session: store.sessions.get(id), experiment: context.experiment, findings: [] } as never;
  const compared = compareLevels({ detail, result: result() }, { factor: 'threads', level: 1 });
  expect(compared.cells[0]?.sentence).toMatch(
    /2 runs excluded \(trial 3: The link was cut; trial 6: a backup ran\)\.$/,
  );
  expect(listed().best).toMatchObject({
    ...{ value: 503, caveats: [{ id: 'excluded', words: '1 run excluded (trial 6: a backup ran)' }] },
  });
});

it('has no figure for a cell whose runs are all excluded', () => {
  const { result, runs: stored } = measured(runs(0, 300), runs(1, 500, 505));
  store.runs.update(stored[0]?.id ?? 0, { excluded: { reason: 'cut', at: 1 } });
  expect(result().cells[0]).toMatchObject({ means: [], runs: [], partial: false, excluded: [{ trial: 0 }] });
  expect(result().cells[0]).not.toHaveProperty('value');
});
