import { describe, expect, it } from 'vitest';
import { measuresOf } from '../../../shared/measures/index.ts';
import { metricOf } from '../../../shared/metrics/index.ts';
import type { DerivedMeasure } from '../../../shared/model/derived.ts';
import type { SeriesRule } from '../../../shared/model/monitored.ts';
import { basisSentences } from '../../../shared/stats/index.ts';
import { runBuckets, runQuantiles, seriesOfRuns } from '../figures/index.ts';
import { cellsOf, experimentOf, type Measured, storeSession } from '../figures/testing/measured.ts';
import type { Source, Store } from '../store/store.ts';
import { withStore } from '../store/testing/for-each.ts';
import { figureOfRun, Overviews, sessionResult } from './index.ts';

let store: Store;
withStore((opened) => {
  store = opened;
});

const START = 1_800_000_000_000;
/** Each run has 2 s of warm-up and 4 measured seconds, and begins a minute after the previous one. */
const begins = (run: number): number => START + run * 60_000;

const gauge = (id: string, of: string): SeriesRule => ({
  ...{ id, label: id, unit: '', lane: 'own' },
  reading: { kind: 'gauge', of: [of] },
});
const RULES: Readonly<Record<string, readonly SeriesRule[]>> = {
  dTLB: [gauge('dtlb_misses', 'dtlb_misses')],
  shop: [
    { ...gauge('rows.written', ''), reading: { kind: 'rate', of: ['Innodb_rows_inserted', 'Innodb_rows_updated'] } },
    gauge('running', 'Threads_running'),
  ],
};
const rulesOf = ({ name }: Source) => RULES[name] ?? [];

/** Stores a sample per second, from a few seconds before a run to its end. */
function watch(
  sessionId: number,
  source: { kind: 'server' | 'own' | 'host'; name: string },
  counters: readonly [name: string, of: (second: number, run: number) => number][],
): void {
  const { id } = store.sources.ensure(sessionId, { ...source, position: 0 });
  const runs = store.runs.ofSession(sessionId).length;
  for (let run = 0; run < runs; run += 1) {
    const rows = Array.from({ length: 10 }, (_, index) => {
      const second = index - 3;
      const metrics = Object.fromEntries(counters.map(([name, of]) => [name, of(second, run)]));
      return { t: begins(run) / 1000 + second, metrics };
    });
    store.monitored.ingest({ sourceId: id, rows });
  }
}

/** Cells with 1 and 4 threads, two interleaved repeats each. Both read 40 MiB/s; 4 threads write 10, one writes nothing. */
function stored(derived: DerivedMeasure[], change: (run: number) => Partial<Measured> = () => ({})) {
  const factors = { threads: [1, 4] };
  const experiment = { ...experimentOf(factors), derived };
  const cells = cellsOf(factors);
  const runs = [0, 1, 0, 1].map((cell, run): Measured => {
    const writes = cell === 0 ? 0 : 10;
    return {
      ...{ cell, repeat: run < 2 ? 0 : 1, startedAt: begins(run), started: [begins(run)] },
      seconds: {
        tps: [1, 1, 100, 200, 100, 200].map((rate) => rate * (cell + 1)),
        read_mib_s: [7, 7, 40, 40, 40, 40],
        write_mib_s: [7, 7, writes, writes, writes, writes],
      },
      summary: {
        'fact:columns:uncompressed_bytes': 3000 + run,
        'fact:columns:compressed_bytes': 1000,
        pages_total: 12,
      },
      ...change(run),
    };
  });
  const sessionId = storeSession(store, cells, runs, experiment);
  watch(sessionId, { kind: 'server', name: 'shop' }, [
    ['Innodb_rows_inserted', () => 0],
    // 300 rows per second during the warm-up, 600 after it.
    ['Innodb_rows_updated', (second) => 10_000 + (second <= 2 ? 300 * second : 600 + 600 * (second - 2))],
    ['Threads_running', (second) => second],
  ]);
  watch(sessionId, { kind: 'own', name: 'dTLB' }, [
    ['dtlb_misses', (second, run) => 1000 * (run + 1) + (second === 4 ? 400 : 0)],
  ]);
  const context = { experiment, plan: { cells, trials: [], seconds: 0, findings: [] } };
  const figures = { primary: 'tps', failures: [], rulesOf };
  const ids = [...measuresOf(derived).keys()].slice(1);
  return {
    ...{ sessionId, ids, context, figures },
    of: (metric = ids[0] ?? '', warmup?: number) =>
      sessionResult(store, context, figures, { sessionId, metric, ...(warmup !== undefined && { warmup }) }),
  };
}

const valuesOf = (derived: DerivedMeasure, warmup?: number): (number | undefined)[] =>
  stored([derived])
    .of(undefined, warmup)
    .cells.map(({ value }) => value);

describe('a measure with a known result', () => {
  it.each<[string, DerivedMeasure, (number | undefined)[]]>([
    ['a sum of rates', { name: 'm', is: 'read_mib_s + write_mib_s' }, [40, 50]],
    ['a ratio of rates', { name: 'm', is: 'write_mib_s / read_mib_s' }, [0, 0.25]],
    ['a division by zero', { name: 'm', is: 'read_mib_s / write_mib_s' }, [undefined, 4]],
    [
      'a figure that one cell lacks, and what takes its place',
      { name: 'm', is: 'or(read_mib_s / write_mib_s, 9)' },
      [9, 4],
    ],
    ['what nobody reports', { name: 'm', is: 'read_mib_s + joules' }, [undefined, undefined]],
    ['a series of a command', { name: 'm', of: 'command dTLB', series: 'dtlb_misses', take: 'mean' }, [2100, 3100]],
    ['its largest value', { name: 'm', of: 'command dTLB', series: 'dtlb_misses', take: 'max' }, [3400, 4400]],
    ['its median', { name: 'm', of: 'command dTLB', series: 'dtlb_misses', take: 'median' }, [3000, 4000]],
    ['all of it together', { name: 'm', of: 'command dTLB', series: 'dtlb_misses', take: 'total' }, [8400, 12_400]],
    ['a counter of the server', { name: 'm', is: 'server.Innodb_rows_updated / operations' }, [4, 2]],
    ['a series of the server', { name: 'm', is: 'server.rows.written' }, [600, 600]],
    [
      'a gauge that no series is named after',
      { name: 'm', of: 'server shop', series: 'Threads_running', take: 'last' },
      [6, 6],
    ],
    ['what a gauge gained', { name: 'm', is: 'series(server, running, change)' }, [3, 3]],
    [
      'a fact',
      { name: 'm', is: 'fact(columns, uncompressed_bytes) / fact(columns, compressed_bytes)' },
      [3.001, 3.002],
    ],
    ['the same name twice', { name: 'm', is: 'read_mib_s / (read_mib_s + write_mib_s) + read_mib_s * 0' }, [1, 0.8]],
    ['a final figure', { name: 'm', is: 'pages_total * 2' }, [24, 24]],
    ['a level', { name: 'm', is: 'tps / level(threads)' }, [150, 75]],
    ['its slowest second', { name: 'm', series: 'tps', take: 'min' }, [100, 200]],
    ['a server that was not watched', { name: 'm', of: 'server other', series: 'running' }, [undefined, undefined]],
  ])('%s', (_, measure, wanted) => {
    const values = valuesOf(measure);
    expect(values.map((value) => value !== undefined)).toEqual(wanted.map((value) => value !== undefined));
    values.forEach((value, index) => {
      if (value !== undefined) expect(value).toBeCloseTo(wanted[index] ?? Number.NaN, 9);
    });
  });

  it('follows the warm-up cut', () => {
    expect(valuesOf({ name: 'm', is: 'read_mib_s + write_mib_s' }, 0)).toEqual([
      (4 * 40 + 2 * 14) / 6,
      (4 * 50 + 2 * 14) / 6,
    ]);
    expect(valuesOf({ name: 'm', is: 'server.Innodb_rows_updated' }, 0)[0]).toBeCloseTo(500, 9);
    expect(valuesOf({ name: 'm', of: 'command dTLB', series: 'dtlb_misses', take: 'max' }, 5)).toEqual([3000, 4000]);
  });

  it('uses measures defined before it', () => {
    const { of, ids } = stored([
      { name: 'all traffic', is: 'read_mib_s + write_mib_s' },
      { name: 'share', is: 'write_mib_s / all_traffic' },
    ]);
    expect(of(ids[1]).cells.map(({ value }) => value)).toEqual([0, 0.2]);
  });
});

it('uses numbers of captured tables, and the growth of differences', () => {
  const fact = (name: string, is: string): DerivedMeasure => ({ name, is });
  const { of, ids, sessionId } = stored([
    fact('a', 'fact(sizes, data_bytes, t1) / fact(total, bytes)'),
    fact('b', 'fact(growth, calls, select)'),
    fact('c', 'fact(sizes, data_bytes)'),
    fact('d', 'fact(sizes, name, t1)'),
    fact('e', 'fact(growth, calls, delete)'),
    fact('f', 'fact(kernel, value, swappiness)'),
  ]);
  const table = (
    name: string,
    moment: 'start' | 'end',
    as: 'table' | 'difference' | 'fact',
    rows: (string | number | null)[][],
    columns: string[],
  ) => {
    for (const { id } of store.runs.ofSession(sessionId))
      store.captures.add({
        runId: id,
        name,
        as,
        moment,
        at: 0,
        tookMs: 1,
        bytes: 1,
        content: { table: { columns, rows } },
      });
  };
  table('sizes', 'start', 'table', [['t1', '1']], ['name', 'data_bytes']);
  table(
    'sizes',
    'end',
    'table',
    [
      ['t1', '600'],
      ['t2', '1e3'],
    ],
    ['name', 'data_bytes'],
  );
  table('total', 'end', 'table', [[1200]], ['bytes']);
  table('kernel', 'end', 'fact', [['swappiness', '10']], ['fact', 'value']);
  table(
    'growth',
    'start',
    'difference',
    [
      ['select', 10],
      ['insert', 0],
    ],
    ['query', 'calls'],
  );
  table(
    'growth',
    'end',
    'difference',
    [
      ['select', 35],
      ['insert', 5],
    ],
    ['query', 'calls'],
  );
  expect(ids.map((id) => of(id).cells[0]?.value)).toEqual([0.5, 25, undefined, undefined, undefined, 10]);
});

describe('a measure as a metric', () => {
  it('is listed with those of the tool: by the second if all its terms are, else of whole runs', () => {
    const { of, ids } = stored([
      { name: 'traffic', is: 'read_mib_s + write_mib_s' },
      { name: 'ratio', is: 'fact(columns, uncompressed_bytes) / 1000' },
      { name: 'misses', of: 'command dTLB', series: 'dtlb_misses' },
    ]);
    const { metrics, runFigures } = of('tps');
    expect(metrics).toEqual(['tps', 'read_mib_s', 'write_mib_s', 'read_write_mib_s', ids[0], ids[2]]);
    expect(runFigures).toContain(ids[1]);
    expect(of('read_write_mib_s').cells.map(({ value }) => value)).toEqual([40, 50]);
  });

  it('has repeats, an interval, seconds and a comparison', () => {
    const { of, context, figures, sessionId, ids } = stored(
      [{ name: 'traffic', is: 'read_mib_s + write_mib_s' }],
      (run) => (run === 2 ? { seconds: { read_mib_s: [7, 7, 38, 42, 44, 44], write_mib_s: [0, 0, 0, 0, 0, 0] } } : {}),
    );
    const result = of();
    expect(result.cells[0]).toMatchObject({
      ...{ value: 41, means: [40, 42] },
      spread: { n: 8, min: 38, max: 44 },
      interval: { low: expect.any(Number), high: expect.any(Number) },
    });
    const [ratios] =
      sessionResult(store, context, figures, {
        ...{ sessionId, metric: ids[0] ?? '', baselines: { threads: 4 } },
      }).ratios ?? [];
    expect(ratios?.cells.find(({ cell }) => cell === 0)?.ratio).toBeCloseTo(41 / 50, 9);
  });

  it('is drawn by the second', async () => {
    const { ids, sessionId } = stored([
      { name: 'rows for each', is: 'server.Innodb_rows_updated / operations' },
      { name: 'misses', of: 'command dTLB', series: 'dtlb_misses' },
    ]);
    const [first] = store.runs.ofSession(sessionId);
    const runIds = [first?.id ?? 0];
    const series = await seriesOfRuns(store, { runIds, metrics: ids }, rulesOf);
    expect(series.map(({ t, v }) => [[...t], [...v]])).toEqual([
      [
        [1, 2, 3, 4, 5, 6],
        [300, 300, 6, 3, 6, 3],
      ],
      [
        [1, 2, 3, 4, 5, 6],
        [1000, 1000, 1000, 1400, 1000, 1000],
      ],
    ]);
    const buckets = await runBuckets(store, { groups: [runIds], metric: ids[1] ?? '', points: 10 }, rulesOf);
    expect([...(buckets.groups[0]?.high ?? [])]).toContain(1400);
    const [quantiles] = await runQuantiles(store, { groups: [runIds], metric: ids[1] ?? '', warmup: 2 }, rulesOf);
    expect([...(quantiles ?? [])]).toEqual([1000, 1000, 1000, 1400]);
  });

  it('is shown first in the overview if it is the primary metric', () => {
    const { sessionId, ids, context } = stored([
      { name: 'misses', of: 'command dTLB', series: 'dtlb_misses', better: 'lower' },
    ]);
    const row = store.sessions.get(sessionId);
    if (!row) throw new Error('It is stored.');
    const overviews = new Overviews(store, () => ({ failures: [], rulesOf }));
    const overview = overviews.of({ ...row, steps: [{ tool: 'sysbench', metric: ids[0] ?? '' }] });
    expect(overview.best).toMatchObject({ value: 2100, levels: { threads: 1 } });
    expect(context.plan.cells).toHaveLength(2);
    const [run] = store.runs.ofSession(sessionId);
    expect(run && figureOfRun(store, run, ids[0] ?? '', rulesOf)).toBe(1100);
    expect(metricOf(ids[0] ?? '')).toMatchObject({ label: 'misses', better: 'lower' });
  });

  it('is recalculated when a run is excluded or the figures of its output change', () => {
    const { of, sessionId } = stored([{ name: 'ratio', is: 'fact(columns, uncompressed_bytes) / 1000' }]);
    const runs = store.runs.ofSession(sessionId);
    const [first, , third] = runs;
    if (!first || !third) throw new Error('They are stored.');
    expect(of().cells[0]?.value).toBeCloseTo(3.001, 9);
    store.runs.update(first.id, { excluded: { reason: 'cut', at: 0 } });
    expect(of().cells[0]?.value).toBeCloseTo(3.002, 9);
    store.runs.update(third.id, { summary: { 'fact:columns:uncompressed_bytes': 5000 } });
    expect(of().cells[0]?.value).toBe(5);
  });

  it('is read from storage only if its samples and its formula are unchanged', () => {
    const { of, ids, sessionId } = stored([{ name: 'traffic', is: 'read_mib_s + write_mib_s' }]);
    expect(of().cells[1]?.value).toBe(50);
    expect(of().cells[1]?.spread?.mean).toBe(50);
    const other = stored([{ name: 'traffic', is: 'read_mib_s + 2 * write_mib_s', unit: 'MiB/s', better: 'higher' }]);
    expect(other.ids).toEqual(ids);
    const both = stored([
      { name: 'one', is: 'read_mib_s + write_mib_s' },
      { name: 'other', is: 'read_mib_s - write_mib_s' },
    ]);
    expect(both.ids.map((id) => both.of(id).cells[1]?.spread?.mean)).toEqual([50, 30]);
    expect(both.ids.map((id) => both.of(id).cells[1]?.spread?.mean)).toEqual([50, 30]);
    expect(other.of().cells[1]?.spread?.mean).toBe(60);
    expect(
      sessionResult(store, { ...other.context }, other.figures, { sessionId, metric: ids[0] ?? '' }).cells[1]?.spread
        ?.mean,
    ).toBe(50);
  });
});

it('shows sizes on disk of each complete run without a warm-up cut', () => {
  const { of, ids } = stored([{ name: 'bytes per row', is: 'stored_data_mib * 1048576 / stored_rows' }], (run) => ({
    summary: { stored_data_mib: 100 + run, stored_rows: 1000, stored_data_growth_mib_h: 60 * run },
    ...(run === 2 && { partial: true }),
  }));
  const result = of('stored_data_mib');
  expect(result.cells.map(({ value, means, basis }) => [value, means, basis?.from])).toEqual([
    [100, [100], 'computed'],
    [102, [101, 103], 'computed'],
  ]);
  expect(result.runFigures).toEqual(
    expect.arrayContaining(['stored_data_mib', 'stored_data_growth_mib_h', 'stored_rows']),
  );
  expect(of('stored_data_mib', 4).cells.map(({ value }) => value)).toEqual([100, 102]);
  expect(basisSentences(result)).toEqual(['Mean: read before and after each run, so no cut applies.']);
  expect(of(ids[0]).cells[0]?.value).toBeCloseTo((100 * 1024 ** 2) / 1000, 6);
});
