import { describe, expect, it } from 'vitest';
import type { CellResult } from '../../../shared/model/result.ts';
import { basisSentences, bestSentence } from '../../../shared/stats/index.ts';
import { randomFrom } from '../../../shared/util/numbers.ts';
import { compareLevels } from '../comparing/index.ts';
import { cellsOf, experimentOf, storeReadCells } from '../figures/testing/measured.ts';
import type { IngestBatch, SessionRow, Store } from '../store/store.ts';
import { withStore } from '../store/testing/for-each.ts';
import { Overviews, sessionResult } from './index.ts';

let store: Store;
withStore((opened) => {
  store = opened;
});

type ParsedSample = IngestBatch['samples'][number];

interface Stored {
  samples: ParsedSample[];
  summary?: Record<string, number>;
  latencies?: Record<string, { from: number; to: number; histogram: { ms: number; count: number }[] }[]>;
}
const FACTORS = { server: ['steady', 'stalling'] };
const CLIENTS = 16;
const LONGEST = 100_000;

/** Interleaved repeats of two cells. */
function session(
  cells: readonly (readonly Stored[])[],
  warmup = 0,
  factors: Record<string, string[]> = FACTORS,
  duration = 600,
) {
  const reads = cells.map((runs) => runs.map((run) => ({ summary: {}, latencies: {}, ...run })));
  const { id, context } = storeReadCells(store, factors, reads, { warmup, duration });
  return (metric: string, cut?: number) =>
    sessionResult(
      store,
      context,
      { primary: 'tps', failures: [], longest: LONGEST, clientsOf: () => CLIENTS },
      { sessionId: id, metric, ...(cut !== undefined && { warmup: cut }) },
    );
}

const one = (run: Stored, warmup = 0) => {
  const result = session([[run]], warmup, { server: ['only'] });
  return (metric: string, cut?: number): CellResult => result(metric, cut).cells[0] as CellResult;
};

const seconds = (from: number, to: number, metrics: Record<string, number>): ParsedSample[] =>
  Array.from({ length: to - from }, (_, index) => ({ t: from + index + 1, metrics }));

describe('silence beyond the planned end', () => {
  // Seconds 11 to 70 are measured; the tool is silent from 50 to 74.
  const measured = (line: Record<string, number>) =>
    session(
      [[{ samples: [...seconds(0, 50, { tps: 1000, qps: 20_000 }), { t: 74, metrics: line }] }]],
      10,
      { server: ['only'] },
      60,
    );

  it('is a stall up to the end and counts in every throughput', () => {
    const of = measured({ tps: 1000 / 24, qps: 20_000 / 24 });
    expect(of('tps').cells[0]?.value).toBeCloseTo((40 * 1000) / 60, 6);
    expect(of('qps').cells[0]?.value).toBeCloseTo((40 * 20_000) / 60, 6);
    expect(of('tps').cells[0]?.stalls).toMatchObject({ count: 1, longest: 20, share: 1 / 3 });
  });

  it('is not a stall if the line was late but all of its work was done', () => {
    const of = measured({ tps: 1000, qps: 20_000 });
    expect(of('tps').cells[0]?.value).toBeCloseTo(1000, 6);
    expect(of('tps').cells[0]?.stalls).toMatchObject({ count: 0 });
  });

  it('counts work between the end of the stall and the planned end', () => {
    // Ten seconds of work in a line of 24 s: idle for the first 14, busy for six of the planned ones.
    const of = measured({ tps: 10_000 / 24 });
    expect(of('tps').cells[0]?.value).toBeCloseTo((40 * 1000 + 6 * 1000) / 60, 6);
    expect(of('tps').cells[0]?.stalls?.longest).toBeCloseTo(14, 6);
  });
});

describe('seconds', () => {
  it('are weighted by the time they cover', () => {
    // 48 s at 1,000 tps, and a line after twelve seconds with 40 transactions in total.
    const samples = [
      ...seconds(0, 24, { tps: 1000 }),
      { t: 36, metrics: { tps: 40 / 12 } },
      ...seconds(36, 60, { tps: 1000 }),
    ];
    const cell = one({ samples })('tps');
    expect(cell.value).toBeCloseTo((48_000 + 40) / 60, 9);
    expect(cell.spread).toMatchObject({ n: 60, median: 1000 });
    expect(cell.spread?.p5).toBeCloseTo(40 / 12, 9);
    expect(cell.stalls).toMatchObject({ count: 1 });
    expect(cell.stalls?.longest).toBeCloseTo(12 - 0.04, 9);
    expect(cell.stalls?.share).toBeCloseTo((12 - 0.04) / 60, 9);
  });

  it('are named as the basis of a rate, unless tool counters cover all of it', () => {
    const samples = seconds(0, 60, { tps: 1000 });
    const figure = one({ samples, summary: { tps: 990 } });
    expect(figure('tps')).toMatchObject({ value: 990, basis: { from: 'tool' } });
    expect(figure('tps', 10)).toMatchObject({ value: 1000, basis: { from: 'seconds' } });
    expect(figure('tps', 10).means).toEqual([1000]);
    const result = { metric: 'tps', cells: [figure('tps', 10)] };
    expect(basisSentences(result)).toEqual([
      'Mean: over per-second values after the warm-up cut, weighted by the time they cover.',
    ]);
  });

  it('of a mean latency are weighted by their events', () => {
    // 900 events of 1 ms, then 100 of 11 ms: the mean of all events is 2 ms, that of the seconds 6 ms.
    const samples = [
      { t: 1, metrics: { tps: 900, latency_avg_ms: 1 } },
      { t: 2, metrics: { tps: 100, latency_avg_ms: 11 } },
    ];
    expect(one({ samples })('latency_avg_ms').value).toBeCloseTo(2, 9);
  });

  it('give lists the same figure as results', () => {
    const samples = [...seconds(0, 10, { tps: 100 }), { t: 20, metrics: { tps: 50 } }];
    const result = one({ samples })('tps');
    const overview = new Overviews(store).of(store.sessions.get(1) as SessionRow);
    expect(overview.sparkline[0]).toBeCloseTo(result.value ?? 0, 3);
  });
});

describe('percentiles', () => {
  const part = (from: number, ms: number, count: number) => ({ from, to: from + 1, histogram: [{ ms, count }] });

  it('of all events follow the warm-up cut if their histograms do', () => {
    const parts = [part(0, 50, 10), part(1, 50, 10), part(2, 1, 500), part(3, 2, 500)];
    const figure = one({ samples: seconds(0, 4, { tps: 100 }), latencies: { latency: parts } });
    expect(figure('latency_p99_ms')).toMatchObject({ value: 50, basis: { from: 'histogram' } });
    expect(figure('latency_p99_ms', 2)).toMatchObject({ value: 2, basis: { from: 'histogram' } });
    expect(figure('latency_p50_ms', 2)).toMatchObject({ value: 1 });
  });

  it('of a histogram of the whole run are marked as including the warm-up', () => {
    const whole = [{ from: 0, to: 60, histogram: [{ ms: 7, count: 100 }] }];
    const figure = one({ samples: seconds(0, 60, { tps: 100 }), latencies: { latency: whole } }, 10);
    const cell = figure('latency_p95_ms');
    expect(cell).toMatchObject({ value: 7, basis: { from: 'histogram', wholeRun: true } });
    expect(basisSentences({ metric: 'latency_p95_ms', cells: [cell] })[0]).toContain(
      'over the whole run including warm-up',
    );
  });

  it('that the tool does not report for the run are marked as those of the seconds, not as a mean', () => {
    const samples = [1, 1, 1, 1, 100].map((latency_p99_ms, index) => ({ t: index + 1, metrics: { latency_p99_ms } }));
    const cell = one({ samples })('latency_p99_ms');
    expect(cell).toMatchObject({ value: 1, basis: { from: 'seconds' } });
    expect(basisSentences({ metric: 'latency_p99_ms', cells: [cell] })[0]).toMatch(
      /median of per-second percentiles.*not a percentile of all events/,
    );
  });

  it('are merged over repeats by their events, never averaged', () => {
    const fast = { samples: seconds(0, 2, { tps: 1 }), latencies: { latency: [part(0, 1, 9_900), part(1, 1, 0)] } };
    const slow = { samples: seconds(0, 2, { tps: 1 }), latencies: { latency: [part(0, 100, 100)] } };
    const result = session([[fast, slow]], 0, { server: ['only'] });
    const [cell] = result('latency_p99_ms').cells;
    expect(cell).toMatchObject({ value: 1, means: [1, 100], range: { low: 1, high: 100 } });
    expect(result('latency_p999_ms').cells[0]?.value).toBe(100);
  });
});

/** A minute that stalls for its last twelve seconds; otherwise latencies are `faster` times those of a steady server. */
function world(random: () => number, stalled: number, faster: number): Stored {
  const samples: ParsedSample[] = [];
  const counts = new Map<number, number>();
  for (let t = 1; t <= 300; t++) {
    if ((t - 1) % 60 >= 60 - stalled) {
      samples.push({ t, metrics: { tps: 0 } });
      continue;
    }
    const latency = (10 / faster) * (1 + 0.01 * (random() - 0.5));
    const tps = (CLIENTS / latency) * 1000;
    const p95 = latency * 1.5;
    samples.push({ t, metrics: { tps, latency_avg_ms: latency, latency_p95_ms: p95 } });
    counts.set(Number(p95.toFixed(2)), tps);
  }
  return { samples };
}

describe('a server that stalls for 12 s of every minute', () => {
  const SEED = 20_261_122;
  const random = randomFrom(SEED);
  const repeats = (stalled: number, faster: number): Stored[] =>
    Array.from({ length: 5 }, () => world(random, stalled, faster));

  it(`never appears better by latency, although 5 % faster between stalls, seed ${SEED}`, () => {
    const resultOf = session([repeats(0, 1), repeats(12, 1.05)]);
    const [steady, stalling] = resultOf('latency_p95_ms').cells as [CellResult, CellResult];
    // The percentile is 5 % better, and only that was judged.
    expect((stalling.value ?? 0) / (steady.value ?? 1)).toBeCloseTo(1 / 1.05, 2);
    expect(stalling.stalls).toEqual({ count: 25, longest: 12, share: 0.2 });
    expect(stalling.caveats).toEqual([
      { id: 'stalled', words: '25 stalls, 20.0 % of the time, longest 12.0 s', leavesOut: 0.2 },
    ]);
    expect(steady.stalls).toEqual({ count: 0, longest: 0, share: 0 });
    for (const metric of ['latency_p95_ms', 'latency_avg_ms']) {
      const compared = compare(resultOf(metric), 'steady').find(({ levels }) => levels.server === 'stalling');
      expect(compared?.verdict).toBe('cannot-tell');
      expect(compared?.sentence).toMatch(
        /excludes stalled time, which differs \(20 % of the time, longest 12.0 s; baseline: none\)/,
      );
      expect(compared?.sentence).toMatch(/Clients ÷ throughput is 11\.9\d ms vs\. 10\.0\d ms/);
      const other = compare(resultOf(metric), 'stalling').find(({ levels }) => levels.server === 'steady');
      expect(other?.verdict).toBe('cannot-tell');
      expect(resultOf(metric).best?.cell).toBe(steady.cell);
      expect(bestSentence(resultOf(metric))).toMatch(/^server steady.*Not ranked: server stalling, which stalled/);
    }
    // Throughput and Little's law include the time without events.
    const judged = (metric: string) =>
      compare(resultOf(metric), 'steady').find(({ levels }) => levels.server === 'stalling')?.verdict;
    expect(judged('tps')).toBe('worse');
    expect(judged('latency_little_ms')).toBe('worse');
    expect(resultOf('tps').cells[1]?.value).toBeCloseTo(0.8 * 1.05 * (resultOf('tps').cells[0]?.value ?? 0), -1);
    expect(resultOf('stalled_pct').cells.map(({ value }) => value)).toEqual([0, 20]);
    expect(resultOf('stalls').cells.map(({ value }) => value)).toEqual([0, 5]);
    expect(resultOf('stall_longest_s').cells.map(({ value }) => value)).toEqual([0, 12]);
  });

  it('appears better if neither stalled', () => {
    const resultOf = session([repeats(0, 1), repeats(0, 1.05)]);
    const compared = compare(resultOf('latency_p95_ms'), 'steady').find(({ levels }) => levels.server === 'stalling');
    expect(compared?.verdict).toBe('better');
  });

  it('has no stalls if empty seconds are chance', () => {
    const slow = Array.from({ length: 300 }, (_, index) => ({
      t: index + 1,
      metrics: { tps: random() < 0.5 ? 0 : 2 },
    }));
    expect(one({ samples: slow })('tps').stalls).toMatchObject({ count: 0, share: 0 });
  });

  function compare(result: ReturnType<ReturnType<typeof session>>, level: string) {
    const detail = { session: { id: 1, name: 'World' }, experiment: experimentOf(FACTORS) } as never;
    return compareLevels({ detail, result }, { factor: 'server', level }).cells;
  }
});

describe('the caveats of a percentile', () => {
  const idsOf = ({ caveats = [] }: CellResult) => caveats.map(({ id }) => id).filter((id) => id !== 'one-repeat');
  const histogram = (count: number, slow = 50) => [
    {
      from: 0,
      to: 600,
      histogram: [
        { ms: 5, count: count * 0.9 },
        { ms: slow, count: count * 0.1 },
      ],
    },
  ];

  it('come from its underlying events', () => {
    const of = (count: number) =>
      one({ samples: seconds(0, 600, { tps: 1 }), latencies: { latency: histogram(count) } });
    expect(idsOf(of(990)('latency_p99_ms'))).toEqual(['few-operations']);
    expect(idsOf(of(1000)('latency_p99_ms'))).toEqual([]);
    expect(idsOf(of(990)('latency_p95_ms'))).toEqual([]);
    expect(idsOf(of(10)('tps'))).toEqual([]);
  });

  it('add up the events of merged repeats, or take the fewest of the runs', () => {
    const run = { samples: seconds(0, 600, { tps: 1, latency_p95_ms: 7 }), latencies: { latency: histogram(600) } };
    const merged = session([[run, run]], 0, { server: ['only'] })('latency_p99_ms').cells[0] as CellResult;
    expect(idsOf(merged)).toEqual([]);
    const { latencies: _, ...rest } = run;
    const tool = session([[{ ...rest, summary: { latency_p95_ms: 7 } }]], 0, { server: ['only'] });
    // 600 operations, 30 of them slower than the 95th percentile, and only six slower than the 99th.
    expect(idsOf(tool('latency_p95_ms').cells[0] as CellResult)).toEqual([]);
    const few = { samples: seconds(0, 600, { tps: 1, latency_p99_ms: 9 }), summary: { latency_p99_ms: 9 } };
    expect(idsOf(one(few)('latency_p99_ms'))).toEqual(['few-operations']);
  });

  it('of seconds count the operations per second', () => {
    const of = (tps: number) => one({ samples: seconds(0, 600, { tps, latency_p99_ms: 9 }) });
    expect(of(990)('latency_p99_ms').caveats?.[0]?.words).toMatch(
      /^percentile of 990 operations in each second: only 9 slower/,
    );
    expect(idsOf(of(1000)('latency_p99_ms'))).toEqual([]);
  });

  it('are absent if the number of operations is unknown', () => {
    expect(idsOf(one({ samples: seconds(0, 600, { read_latency_p99_ms: 9, tps: 1 }) })('read_latency_p99_ms'))).toEqual(
      [],
    );
  });

  it('report the upper limit of the histogram of the tool', () => {
    const of = (slow: number) =>
      one({ samples: seconds(0, 600, { tps: 5 }), latencies: { latency: histogram(3000, slow) } });
    expect(idsOf(of(LONGEST)('latency_p99_ms'))).toEqual(['clipped']);
    expect(idsOf(of(LONGEST - 1)('latency_p99_ms'))).toEqual([]);
    expect(idsOf(of(LONGEST)('tps'))).toEqual([]);
  });
});

it('lists figures of whole runs besides the metrics by the second', () => {
  const resultOf = session([[{ samples: seconds(0, 9, { tps: 5 }), summary: { transactions_total: 45 } }]], 0, {
    server: ['only'],
  });
  expect(resultOf('tps')).toMatchObject({
    metrics: ['tps'],
    runFigures: [
      'stalls',
      'stall_longest_s',
      'stalled_pct',
      'latency_little_ms',
      'transactions_total',
      'variation_pct',
    ],
  });
  expect(resultOf('transactions_total').cells[0]).toMatchObject({ value: 45, basis: { from: 'tool' } });
  expect(resultOf('latency_little_ms').cells[0]?.value).toBeCloseTo((CLIENTS / 5) * 1000, 9);
  expect(cellsOf(FACTORS)).toHaveLength(2);
});

it('counts each execution of a query once, whenever it ended', () => {
  const samples = [1, 2, 12].map((t, index) => ({ t, metrics: { latency_avg_ms: [10, 20, 60][index] as number } }));
  expect(one({ samples })('latency_avg_ms')).toMatchObject({ value: 30, spread: { n: 3, mean: 30, median: 20 } });
});

describe('the list of sessions', () => {
  const constant = (latency: number, metric: string): Stored => ({
    samples: seconds(0, 60, { ops: 100, [metric]: latency }),
  });
  const stalling = (latency: number, metric: string): Stored => ({
    samples: [...seconds(0, 40, { ops: 100, [metric]: latency }), ...seconds(40, 60, { ops: 0, [metric]: 0 })],
  });

  it.each([
    // A mean of a percentile's seconds would be 13 and 16, making the other cell the lower one.
    [
      'latency_p99_ms',
      [
        [5, 10, 40],
        [12, 20, 20],
      ].map((cell) => cell.map((each) => constant(each, 'latency_p99_ms'))),
    ],
    [
      'latency_max_ms',
      [
        [1, 50],
        [40, 40],
      ].map((cell) => cell.map((each) => constant(each, 'latency_max_ms'))),
    ],
    [
      'latency_avg_ms',
      [
        [constant(10, 'latency_avg_ms'), constant(10, 'latency_avg_ms')],
        [stalling(9, 'latency_avg_ms'), stalling(9, 'latency_avg_ms')],
      ],
    ],
    [
      'tps',
      [
        [constant(900, 'tps'), constant(1100, 'tps')],
        [constant(1010, 'tps'), constant(1020, 'tps')],
      ],
    ],
  ] as const)('names the best cell and the figures of results, by %s', (metric, cells) => {
    const result = session(cells as readonly (readonly Stored[])[])(metric);
    const row = store.sessions.get(1) as SessionRow;
    const { best, sparkline } = new Overviews(store).of({ ...row, steps: [{ tool: 'sysbench', metric }] });
    expect(best?.levels).toEqual(result.cells.find(({ cell }) => cell === result.best?.cell)?.levels);
    expect(best?.value).toBe(result.best?.value);
    expect(sparkline).toEqual(result.cells.map(({ value = Number.NaN }) => Number(value.toPrecision(5))));
  });

  it('publishes the progress of figures cell by cell, once, and then has them', () => {
    session([[constant(900, 'tps')], [constant(1100, 'tps')]])('tps');
    const overviews = new Overviews(store);
    const row = store.sessions.get(1) as SessionRow;
    expect([...overviews.calculate(row)].at(-1)).toEqual({ done: 2, of: 2 });
    expect(overviews.kept(row)).toMatchObject({ follow: false, overview: { best: { value: 1100 } } });
    expect([...overviews.calculate(row)]).toEqual([]);
  });
});
