import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BoundVerdict } from '../../../shared/model/analysis.ts';
import { MECHANICS_SENTENCE } from '../../../shared/model/finding.ts';
import { valueWords } from '../../../shared/model/result-words.ts';
import { bestSentence } from '../../../shared/stats/index.ts';
import { runBuckets, runQuantiles, runSeconds, runSeries, thin } from '../figures/index.ts';
import { cellsOf, experimentOf, type Measured, storeSession } from '../figures/testing/measured.ts';
import { LIBRARY_FILE, openStore } from '../store/open.ts';
import type { SessionRow, Store } from '../store/store.ts';
import { libraryFolder } from '../store/testing/library.ts';
import { Overviews, sessionResult } from './index.ts';

let folder: ReturnType<typeof libraryFolder>;
let store: Store;
beforeEach(() => {
  folder = libraryFolder();
  store = openStore(folder.path, { mode: 'test' });
});
afterEach(() => {
  store.close();
  folder.remove();
});

const FACTORS = { threads: [1, 2] };

function resultOf(runs: readonly Measured[], query: { metric?: string; warmup?: number } = {}, factors = FACTORS) {
  const cells = cellsOf(factors);
  const sessionId = storeSession(store, cells, runs);
  const context = { experiment: experimentOf(factors), plan: { cells, trials: [], seconds: 0, findings: [] } };
  const figures = {
    primary: 'tps',
    failures: ['errors_total', 'deadlocks_total'],
    loads: { threads: 'concurrency' as const },
  };
  return sessionResult(store, context, figures, { sessionId, metric: 'tps', ...query });
}

function resultSeries(runs: readonly Measured[], metric: string) {
  const id = storeSession(store, cellsOf(FACTORS), runs);
  return store.runs.ofSession(id).flatMap((row) => runSeries(store, row, metric));
}

/** Two seconds of warm-up, then four measured ones. */
const run = (cell: number, ...tps: number[]): Measured => ({ cell, seconds: { tps } });

describe('a session that is mechanics only', () => {
  it('shows its figures without a best cell, ratios or a load curve, and states that as its answer', () => {
    const cells = cellsOf({ threads: [1, 2, 4] });
    const experiment = experimentOf({ threads: [1, 2, 4] });
    const runs = cells.flatMap(({ index }) => [1, 2].map((more) => run(index, ...Array<number>(6).fill(index + more))));
    const sessionId = storeSession(store, cells, runs);
    const figures = { primary: 'tps', failures: [], loads: { threads: 'concurrency' as const } };
    const ask = (mechanics: 'only' | undefined) =>
      sessionResult(
        store,
        {
          experiment: { ...experiment, ...(mechanics && { mechanics }) },
          plan: { cells, trials: [], seconds: 0, findings: [] },
        },
        figures,
        { sessionId, metric: 'tps', baselines: { threads: 1 } },
      );
    expect(ask(undefined)).toMatchObject({ best: { cell: 2 }, ratios: [{ factor: 'threads' }], scaling: [{}] });
    const only = ask('only');
    expect(bestSentence(ask(undefined))).toBeDefined();
    expect(bestSentence(only)).toBeUndefined();
    expect(only.cells.map(({ value }) => value)).toEqual([1.5, 2.5, 3.5]);
    expect(only.answer?.sentences).toEqual([[{ text: MECHANICS_SENTENCE }]]);
    for (const conclusion of ['best', 'ratios', 'scaling', 'crossings', 'trend'])
      expect(only).not.toHaveProperty(conclusion);
  });
});

it('lists cells by the size of their levels, whatever their order in the document', () => {
  const factors = { threads: [8, 1, 4] };
  const result = resultOf(
    [0, 1, 2].map((cell) => run(cell, 9, 9, 9, 9, 9, 9)),
    {},
    factors,
  );
  expect(result.cells.map(({ cell, levels }) => [cell, levels.threads])).toEqual([
    [1, 1],
    [2, 4],
    [0, 8],
  ]);
  expect(result.factors).toMatchObject([{ levels: [8, 1, 4] }]);
});

describe('recovery from events', () => {
  const recovering = (cell: number, seconds: number | undefined, depth: number): Measured => ({
    ...run(cell, 9, 9, 9, 9, 9, 9),
    findings: [
      {
        ...{ code: 'scenario-effect', severity: 'note', message: 'It fell.' },
        recovery: { at: 3, event: 'The server is killed.', depth, ...(seconds !== undefined && { seconds }) },
      },
    ],
  });
  const runs = [recovering(0, 10, 1), recovering(0, 12, 0.8), recovering(1, 5, 0.6), recovering(1, 6, 0.4)];

  it('is a metric of each cell, with ratio and best cell', () => {
    const seconds = resultOf(runs, { metric: 'recovery_s' });
    expect(seconds.cells.map(({ value }) => value)).toEqual([11, 5.5]);
    expect(seconds).toMatchObject({ best: { cell: 1, value: 5.5 }, overTime: 'tps' });
    expect(bestSentence(seconds)).toMatch(/threads 2.*5\.5 s/);
    const depth = resultOf(runs, { metric: 'recovery_depth_pct' });
    expect(depth.cells.map(({ value }) => value)).toEqual([90, 50]);
    expect(depth.runFigures).toEqual(expect.arrayContaining(['recovery_s', 'recovery_depth_pct']));
  });

  it('answers a session of a single cell', () => {
    const only = resultOf([recovering(0, 8, 1), recovering(0, 9, 1)], { metric: 'recovery_s' }, {} as typeof FACTORS);
    expect(bestSentence(only)).toBe('Time to recover: 8.5 s.');
    expect(only.cells[0]?.basis).toEqual({ from: 'computed' });
  });

  it('has no figure for a run that did not recover, and is not offered without events', () => {
    const { cells } = resultOf([recovering(0, undefined, 1), recovering(1, 5, 1)], { metric: 'recovery_s' });
    expect(cells.map(({ value }) => value)).toEqual([undefined, 5]);
    expect(resultOf([run(0, 9, 9, 9, 9, 9, 9)]).runFigures).not.toContain('recovery_s');
  });

  it('is the figure of a monitoring session', () => {
    const watched = runs.map((each) => ({ ...each, seconds: {} }));
    const result = resultOf(watched, { metric: 'recovery_s' });
    expect(result.cells.map(({ value }) => value)).toEqual([11, 5.5]);
    expect(result).toMatchObject({ metrics: [], best: { cell: 1 } });
    expect(result.overTime).toBeUndefined();
  });
});

describe('a run whose samples are damaged', () => {
  it('is excluded from figures and named, while its other data and other runs are read', () => {
    const cells = cellsOf(FACTORS);
    const both = (...tps: number[]): Measured => ({ cell: 0, seconds: { tps, qps: tps } });
    const sessionId = storeSession(store, cells, [
      both(1, 1, 1, 1, 1, 1),
      both(9, 9, 9, 9, 9, 9),
      run(1, 4, 4, 4, 4, 4, 4),
    ]);
    const [broken] = store.runs.ofSession(sessionId);
    store.close();
    const db = new Database(join(folder.path, LIBRARY_FILE));
    db.exec(`UPDATE chunk SET data = zeroblob(length(data)) WHERE metric_id = (SELECT id FROM metric WHERE name = 'tps')
      AND feed_id = (SELECT id FROM feed WHERE run_id = ${broken?.id} AND kind = 'samples')`);
    db.close();
    store = openStore(folder.path, { mode: 'test' });
    const context = { experiment: experimentOf(FACTORS), plan: { cells, trials: [], seconds: 0, findings: [] } };
    const tps = sessionResult(store, context, { primary: 'tps', failures: [] }, { sessionId, metric: 'tps' });
    expect(tps.cells[0]).toMatchObject({ means: [9], spread: { mean: 9 } });
    expect(tps.cells[1]).toMatchObject({ means: [4] });
    expect(tps.damage).toEqual([{ runId: broken?.id, generator: 0, metric: 'tps', first: 0, last: 5 }]);
    const qps = sessionResult(store, context, { primary: 'tps', failures: [] }, { sessionId, metric: 'qps' });
    expect(qps.cells[0]?.means).toEqual([1, 9]);
    expect(qps).not.toHaveProperty('damage');
  });
});

describe('the figures of a session', () => {
  it('are measured, not the configured values repeated by the report', () => {
    const cells = cellsOf(FACTORS);
    const summary = { tps: 4, lag_avg_ms: 1, clients: 8, script_2_weight: 3 };
    const sessionId = storeSession(store, cells, [{ ...run(0, 4, 4, 4, 4, 4, 4), summary }]);
    const context = { experiment: experimentOf(FACTORS), plan: { cells, trials: [], seconds: 0, findings: [] } };
    const figures = { primary: 'tps', failures: [], settings: /^(?:script_\d+_)?(?:clients|weight)$/ };
    const { runFigures } = sessionResult(store, context, figures, { sessionId, metric: 'tps' });
    expect(runFigures).toContain('lag_avg_ms');
    expect((runFigures ?? []).filter((id) => /clients|weight/.test(id))).toEqual([]);
  });

  it('exclude the warm-up and seconds after the measured time', () => {
    const result = resultOf([run(0, 9, 9, 10, 20, 30, 40, 999), run(1, 0, 0, 5, 5, 5, 5)]);
    expect(result.warmup).toBe(2);
    expect(result.cells[0]?.spread).toMatchObject({ n: 4, mean: 25, median: 25, min: 10, max: 40 });
    expect(result.cells[1]?.spread).toMatchObject({ n: 4, mean: 5, cv: 0 });
    expect(result.best).toEqual({ cell: 0, value: 25 });
  });

  it('follow another warm-up cut, limited to the measured time', () => {
    const runs = [run(0, 9, 9, 10, 20, 30, 40, 999)];
    expect(resultOf(runs, { warmup: 0 }).cells[0]?.spread).toMatchObject({ n: 6, min: 9, max: 40 });
    expect(resultOf(runs, { warmup: 5 }).cells[0]?.spread).toMatchObject({ n: 1, mean: 40 });
    expect(resultOf(runs, { warmup: 6 }).cells[0]?.spread).toBeUndefined();
  });

  it('pool the seconds of all repeats and give the interval of their means', () => {
    const result = resultOf([
      { ...run(0, 0, 0, 90, 90, 110, 110), repeat: 0 },
      { ...run(0, 0, 0, 100, 100, 104, 104), repeat: 1 },
    ]);
    const [cell] = result.cells;
    expect(cell?.means).toEqual([100, 102]);
    expect(cell?.spread).toMatchObject({ n: 8, mean: 101, min: 90, max: 110 });
    // Student's t with one degree of freedom on the logarithms of 100 and 102: 12.7062 × half their difference, around their mean.
    const half = (12.7062 * Math.log(102 / 100)) / 2;
    expect(cell?.interval?.low).toBeCloseTo(101 * Math.exp(-half), 3);
    expect(cell).toMatchObject({ trials: [0, 1], means: [100, 102] });
    expect(cell?.runs.map((entry) => entry.spread?.mean)).toEqual([100, 102]);
  });

  it.each([
    ['one', { errors_total: 5, events_total: 900 }, 5],
    ['several', { errors_total: 5, deadlocks_total: 2 }, 7],
    ['none', { failed_total: 4 }, 0],
  ])('count failures reported by the tool as errors: %s', (_name, summary, errors) => {
    const [cell] = resultOf([{ ...run(0, 0, 0, 8, 8), summary }]).cells;
    expect(cell).toMatchObject({ errors, runs: [{ errors }] });
  });

  it('come from complete runs, or from partial ones with a note if there is no other', () => {
    const partial = { ...run(0, 0, 0, 1, 1), state: 'failed' as const, partial: true, errors: 3 };
    const mixed = resultOf([partial, { ...run(0, 0, 0, 8, 8, 8, 8), errors: 1 }]);
    expect(mixed.cells[0]).toMatchObject({ partial: false, means: [8], errors: 4, spread: { n: 4, mean: 8 } });
    const alone = resultOf([partial]);
    expect(alone.cells[0]).toMatchObject({ partial: true, means: [], spread: { n: 2, mean: 1 } });
    expect(alone.best).toBeUndefined();
  });

  it('include cells that were never measured, without figures', () => {
    const result = resultOf([{ cell: 0, state: 'skipped', seconds: {} }]);
    expect(result.cells.map((cell) => [cell.spread, cell.means, cell.partial])).toEqual([
      [undefined, [], false],
      [undefined, [], false],
    ]);
    expect(result).toMatchObject({ metrics: [], factors: [{ name: 'threads', levels: [1, 2] }] });
  });

  it('name the best cell by the direction of the metric, and list the primary metric first', () => {
    const latency = (cell: number, value: number): Measured => ({
      cell,
      seconds: { latency_p95_ms: [9, 9, value, value], tps: [1, 1, value, value] },
    });
    const result = resultOf([latency(0, 4), latency(1, 3)], { metric: 'latency_p95_ms' });
    expect(result.best).toEqual({ cell: 1, value: 3 });
    expect(result.metrics).toEqual(['tps', 'latency_p95_ms']);
  });

  it('add up generators second by second and never average their percentiles', () => {
    const both = (tps: number[], p95: number[]) => ({ tps, latency_p95_ms: p95, latency_max_ms: p95 });
    const runs = [{ cell: 0, seconds: [both([0, 0, 10, 20, 30], [9, 9, 1, 2, 3]), both([0, 0, 1, 2], [9, 9, 5, 1])] }];
    // A second is left out if only one generator has a value.
    expect(resultOf(runs).cells[0]?.spread).toMatchObject({ n: 2, min: 11, max: 22, mean: (11 + 22) / 2 });
    const latency = resultOf(runs, { metric: 'latency_p95_ms' }).cells[0];
    expect(latency?.spread).toBeUndefined();
    expect(latency?.generators?.map(({ host, spread }) => [host, spread.n, spread.mean])).toEqual([
      ['generator 0', 3, 2],
      ['generator 1', 2, 3],
    ]);
    expect(valueWords(latency ?? {}, 1)).toBe('2.0 … 3.0 (2 generators)');
    expect(resultOf(runs, { metric: 'latency_max_ms' }).cells[0]?.spread).toMatchObject({ n: 2, min: 2, max: 5 });
  });

  it('align the seconds of generators with different starts', () => {
    const seconds = [{ tps: [1, 2, 3, 4, 5, 6] }, { tps: [10, 20, 30, 40] }];
    const started = [1_000_000, 1_002_040.5];
    const [cell] = resultOf([{ cell: 0, seconds, started }]).cells;
    // The second one began two seconds later: its first second is the third of the run.
    expect(cell?.spread).toMatchObject({ n: 4, min: 13, max: 46 });
    const series = resultSeries([{ cell: 0, seconds, started }], 'tps');
    expect(series.map(({ generator, t, v }) => [generator, [...t], [...v]])).toEqual([
      [null, [3, 4, 5, 6], [13, 24, 35, 46]],
      [0, [1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6]],
      [1, [1, 2, 3, 4], [10, 20, 30, 40]],
    ]);
  });

  it('have no sum for a run if one of its generators measured nothing', () => {
    const [cell] = resultOf([{ cell: 0, state: 'failed', partial: true, seconds: [{ tps: [0, 0, 5, 5] }, {}] }]).cells;
    expect(cell?.spread).toBeUndefined();
    expect(cell).toMatchObject({ partial: true, generators: [{ host: 'generator 0', spread: { mean: 5 } }] });
  });
});

describe('the overview in a list of sessions', () => {
  it('shows the means and the best cell of the results table', () => {
    const cells = cellsOf(FACTORS);
    const runs = [run(0, 0, 0, 10, 20), { ...run(0, 0, 0, 30), repeat: 1 }, run(1, 0, 0, 19)];
    const id = storeSession(store, cells, runs);
    const result = resultOf(runs);
    const overview = new Overviews(store).of(store.sessions.get(id) as SessionRow);
    expect(overview.sparkline).toEqual(result.cells.map((cell) => cell.spread?.mean));
    expect(overview.best).toMatchObject({ value: 20, levels: { threads: 1 } });
    expect(overview.best?.confidence).toEqual(result.cells[0]?.interval);
  });

  it('keeps cells of different curves separate and counts the errors of the best cell', () => {
    const factors = { threads: [1, 2, 4], mode: ['off', 'on'] };
    const runs = [1, 10, 2, 20, 4, 40].map((tps, cell) => ({
      ...run(cell, 0, 0, tps),
      summary: { errors_total: cell },
    }));
    const id = storeSession(store, cellsOf(factors), runs, experimentOf(factors));
    const overview = new Overviews(store, () => ({ failures: ['errors_total'] })).of(
      store.sessions.get(id) as SessionRow,
    );
    expect(overview.sparkline).toEqual([1, 10, 2, 20, 4, 40]);
    expect(overview.curves).toEqual([
      [1, 2, 4],
      [10, 20, 40],
    ]);
    expect(overview.best).toMatchObject({
      value: 40,
      caveats: [{ id: 'errors', short: '5 errors' }, { id: 'one-repeat' }],
    });
  });

  it('waits for a complete run and is then read from storage', () => {
    const cells = cellsOf(FACTORS);
    const id = storeSession(store, cells, [
      { ...run(0, 0, 0, 5, 5), partial: true, state: 'stopped' },
      run(1, 0, 0, 7, 7),
    ]);
    const session = () => store.sessions.get(id) as SessionRow;
    const overview = { sparkline: [null, 7], best: { value: 7, levels: { threads: 2 } } };
    expect(store.headlines.get(id)).toBeUndefined();
    expect(new Overviews(store).kept(session())).toEqual({ overview: { sparkline: [] }, follow: true });
    expect(new Overviews(store).known(session())).toMatchObject(overview);
    expect(store.headlines.get(id)).toMatchObject({ stale: false, overview });
    expect(new Overviews(store).kept(session())).toMatchObject({ overview, follow: false });
    const [stopped] = store.runs.ofSession(id);
    store.runs.update(stopped?.id ?? 0, { state: 'done', partial: false });
    expect(new Overviews(store).kept(session())).toMatchObject({ overview, follow: true });
    expect(new Overviews(store).known(session()).sparkline).toEqual([5, 7]);
  });
});

describe('the bottleneck of the best cell in a list', () => {
  const judge = (runId: number, verdict: BoundVerdict) =>
    store.judgements.set(runId, {
      ...{ version: 1, warmup: 0, operations: [] },
      bound: { verdict, share: 1, sentence: `Run ${runId}.`, evidence: [], runnersUp: [], notWatched: [] },
    });

  it('is that of its complete runs and follows their judgement', () => {
    const runs = [0, 1, 2].flatMap((repeat) => [run(0, repeat, 0, 5, 5), run(1, repeat, 0, 7, 7)]);
    const id = storeSession(store, cellsOf(FACTORS), runs);
    const bestOf = () => new Overviews(store).known(store.sessions.get(id) as SessionRow).best;
    const ofCell = (cell: number) => store.runs.ofSession(id).filter((each) => each.cell === cell);
    expect(bestOf()?.bound).toBeUndefined();
    for (const each of ofCell(0)) judge(each.id, 'cpu');
    expect(bestOf()?.bound).toBeUndefined();
    const [first, second, third] = ofCell(1).map((each) => each.id);
    for (const each of [first, second]) judge(each ?? 0, 'generator-core');
    judge(third ?? 0, 'cpu');
    expect(bestOf()?.bound).toEqual({ verdict: 'generator-core', sentence: `Run ${first}.` });
    expect(bestOf()?.caveats).toMatchObject([{ id: 'bound-by-generator', evidence: `Run ${first}.` }]);
    judge(second ?? 0, 'cpu');
    expect(bestOf()).not.toHaveProperty('caveats');
    store.judgements.forgetSession(id);
    expect(bestOf()?.bound).toBeUndefined();
  });

  it('is in the stored answer: with a saturated generator no setting is called faster', () => {
    const factors = { sync: ['on', 'off'] };
    const runs = [0, 1, 2].flatMap((repeat) => [
      { ...run(0, repeat, 0, 500 + repeat, 500), repeat },
      { ...run(1, repeat, 0, 700 + repeat, 700), repeat },
    ]);
    const id = storeSession(store, cellsOf(factors), runs, experimentOf(factors));
    const answerOf = () => new Overviews(store).known(store.sessions.get(id) as SessionRow).answer;
    expect(answerOf()).toMatch(/^sync off is faster than on: ×1\.4/);
    for (const each of store.runs.ofSession(id)) judge(each.id, 'generator-cpu');
    expect(answerOf()).toMatch(/^Undetermined, because the load generator was the limit: ×1\.4/);
    for (const each of store.runs.ofSession(id)) judge(each.id, each.cell === 0 ? 'cpu' : 'generator-cpu');
    expect(answerOf()).toMatch(/^At least ×1\.4.+ with sync off vs\. on, because the load generator was the limit\.$/);
  });

  it('is recalculated if an earlier version stored another format', () => {
    const id = storeSession(store, cellsOf(FACTORS), [run(0, 0, 0, 5, 5)]);
    const [first] = store.runs.ofSession(id);
    judge(first?.id ?? 0, 'network');
    store.headlines.keep(id, 0, { sparkline: [4], best: { value: 4, levels: { threads: 1 } } });
    const session = store.sessions.get(id) as SessionRow;
    expect(new Overviews(store).kept(session)).toEqual({ overview: { sparkline: [] }, follow: true });
    const known = new Overviews(store).known(session);
    expect(known.best).toMatchObject({ value: 5, bound: { verdict: 'network' } });
  });
});

describe('the best cell of a ranking', () => {
  const failed = (cell: number, tps: number): Measured => ({
    ...run(cell, 0, 0, tps, tps),
    ...{ state: 'failed', partial: true },
  });

  it('is never one of failed or partial runs', () => {
    const factors = { threads: [1, 2, 4, 8] };
    const rates = [100, 190, 195, 9000];
    const result = resultOf(
      [0, 1, 2].flatMap((repeat) =>
        rates.map((rate, cell) => ({
          ...(cell === 3 ? failed(cell, rate) : run(cell, 1, 1, rate, rate, rate + repeat, rate)),
          repeat,
        })),
      ),
      {},
      factors,
    );
    expect(result.cells[3]).toMatchObject({ partial: true, means: [], spread: { mean: 9000 } });
    expect(result.best).toMatchObject({ cell: 2 });
    expect(bestSentence(result)).toMatch(/threads 4 with 195 tps/);
    expect(result.scaling?.every(({ knee }) => knee.load !== 8)).toBe(true);
  });

  it('is absent for a metric without a direction', () => {
    const seconds = (rate: number) => ({ seconds: { rollbacks_per_s: [1, 1, rate, rate, rate, rate] } });
    const result = resultOf(
      [
        { cell: 0, ...seconds(5) },
        { cell: 1, ...seconds(9) },
      ],
      { metric: 'rollbacks_per_s' },
    );
    expect(result.best).toBeUndefined();
    expect(bestSentence(result)).toBe(
      'From 5.00 per s (threads 1) to 9.00 per s (threads 2). This metric has no better direction.',
    );
  });

  it('follows the warm-up cut', () => {
    const runs = [run(0, 9, 9, 9, 9, 1, 1), run(1, 1, 1, 1, 1, 5, 5)];
    expect(resultOf(runs, { warmup: 0 }).best).toEqual({ cell: 0, value: 38 / 6 });
    expect(resultOf(runs, { warmup: 4 }).best).toEqual({ cell: 1, value: 5 });
  });
});

describe('errors of a cell', () => {
  it('are counted for each complete run by the seconds of its tool', () => {
    const failed = { ...run(0, 0, 0, 1, 1), state: 'failed' as const, partial: true, errors: 300 };
    const { cells } = resultOf([{ ...run(0, 1, 1, 8, 8, 8, 8), errors: 12 }, failed]);
    expect(cells[0]).toMatchObject({ errors: 312, failures: [{ events: 12, seconds: 6 }] });
  });
});

describe('runs by time interval', () => {
  const bucketsOf = async (runs: readonly Measured[], points = 10) => {
    const id = storeSession(store, cellsOf(FACTORS), runs);
    const ids = store.runs.ofSession(id).map((row) => row.id);
    return runBuckets(store, { groups: [ids, [ids[0] ?? 0], [999]], metric: 'tps', points });
  };

  it('merge the runs of each group and skip unknown runs', async () => {
    const { seconds, groups } = await bucketsOf([run(0, 10, 20, 30), run(0, 30, 10, 90)]);
    expect(seconds).toBe(1);
    expect([...(groups[0]?.median ?? [])]).toEqual([20, 15, 60]);
    expect([...(groups[0]?.high ?? [])]).toEqual([30, 20, 90]);
    expect([...(groups[1]?.median ?? [])]).toEqual([10, 20, 30]);
    expect(groups[2]?.t).toHaveLength(0);
  });

  it('are limited to the requested number, based on the longest run', async () => {
    const long = Array.from({ length: 100 }, (_, second) => (second === 57 ? 1 : 50));
    const { seconds, groups } = await bucketsOf([run(0, ...long), run(1, 5, 5)]);
    expect(seconds).toBe(10);
    expect(groups[1]?.t).toHaveLength(10);
    expect(Math.min(...(groups[1]?.low ?? []))).toBe(1);
  });
});

describe('quantiles of seconds', () => {
  const quantilesOf = async (runs: readonly Measured[], warmup = 2) => {
    const id = storeSession(store, cellsOf(FACTORS), runs);
    const ids = store.runs.ofSession(id).map((row) => row.id);
    return runQuantiles(store, { groups: [ids, [999]], metric: 'tps', warmup });
  };

  it('cover all measured seconds of a group: neither warm-up nor seconds after the planned end', async () => {
    const [all, none] = await quantilesOf([run(0, 9, 9, 3, 1, 2, 8, 999), run(0, 9, 9, 5, 4, 6, 7, 999)]);
    expect([...(all ?? [])]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(none).toHaveLength(0);
  });

  it('are percentiles if there are more seconds than points', async () => {
    const many = Array.from({ length: 30 }, (_, index) => [6, 5, 4, 3].map((value) => value + 4 * index));
    const [all] = await quantilesOf(many.map((seconds) => run(0, 0, 0, ...seconds)));
    expect(all).toHaveLength(101);
    expect([all?.[0], all?.[50], all?.[100]]).toEqual([3, 62.5, 122]);
  });
});

describe('seconds for charts', () => {
  const secondsOf = (runs: readonly Measured[], query: { clip?: number; points: number; inTime?: true }) => {
    const id = storeSession(store, cellsOf(FACTORS), runs);
    const ids = store.runs.ofSession(id).map((row) => row.id);
    return runSeconds(store, { groups: [ids, [999]], metric: 'tps', warmup: 2, ...query });
  };

  it('are all measured ones of a group, without the warm-up, with a count of those beyond the axis', () => {
    const runs = [run(0, 9, 9, 3, 1, 2, 8, 999), run(0, 9, 9, 5, 4, 6, 7, 999)];
    const [all, none] = secondsOf(runs, { points: 100 });
    expect(all).toMatchObject({ count: 8, above: 0 });
    expect([...(all?.ascending ?? [])]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(none).toMatchObject({ count: 0, above: 0 });
    const [cut] = secondsOf(runs, { points: 100, clip: 5 });
    expect(cut).toMatchObject({ count: 8, above: 3 });
    expect([...(cut?.ascending ?? [])]).toEqual([1, 2, 3, 4, 5]);
  });

  it('include those of the first run in order, from the warm-up cut on', () => {
    const [first] = secondsOf([run(0, 9, 9, 3, 1, 2, 8), run(0, 9, 9, 5, 4, 6, 7)], { points: 100, inTime: true });
    expect([...(first?.inTime?.t ?? [])]).toEqual([1, 2, 3, 4]);
    expect([...(first?.inTime?.v ?? [])]).toEqual([3, 1, 2, 8]);
    expect([...(first?.ascending ?? [])]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('are evenly ranked if there are many, including minimum and maximum', () => {
    const many = Array.from({ length: 25 }, (_, index) => [3, 2, 1, 0].map((value) => value + 4 * index));
    const [few] = secondsOf(
      many.map((values) => run(0, 0, 0, ...values)),
      { points: 12 },
    );
    expect(few?.count).toBe(100);
    expect([...(few?.ascending ?? [])]).toEqual([0, 9, 18, 27, 36, 45, 54, 63, 72, 81, 90, 99]);
  });
});

describe('thinning', () => {
  const series = (values: readonly number[]) => ({
    runId: 1,
    generator: 0,
    metric: 'tps',
    t: Float64Array.from(values, (_, index) => index + 1),
    v: Float64Array.from(values),
  });

  it('keeps a one-second stall and a one-second peak, in time order', () => {
    const values = Array.from({ length: 36_000 }, () => 1000);
    values[12_345] = 0;
    values[12_346] = 5000;
    const thinned = thin(series(values), 600);
    expect(thinned.t.length).toBeLessThanOrEqual(600);
    expect(Math.min(...thinned.v)).toBe(0);
    expect(Math.max(...thinned.v)).toBe(5000);
    expect(thinned.t[thinned.v.indexOf(0)]).toBe(12_346);
    expect([...thinned.t]).toEqual([...thinned.t].sort((a, b) => a - b));
  });

  it('keeps a short series unchanged', () => {
    const short = series([1, 2, 3]);
    expect(thin(short, 10)).toBe(short);
  });
});
