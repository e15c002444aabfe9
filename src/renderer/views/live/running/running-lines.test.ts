import { describe, expect, it } from 'vitest';
import { painterOf } from '../../../../shared/chart-models/index.ts';
import type { LinkState } from '../../../../shared/model/host.ts';
import type { Run } from '../../../../shared/model/session.ts';
import { normalFrom } from '../../../../shared/stats/testing/load-worlds.ts';
import { randomFrom } from '../../../../shared/util/numbers.ts';
import { newest } from './MetricTiles.tsx';
import {
  earlierOfLadder,
  gapOf,
  headlines,
  interruptionOf,
  interruptionWords,
  lacksHead,
  lineWords,
  metricsOf,
  placed,
  plannedNames,
  runningLines,
  settlingWords,
} from './running-lines.ts';

const run = (id: number, changes: Partial<Run> = {}): Run => ({
  id,
  sessionId: 1,
  trial: id,
  cell: id,
  repeat: 0,
  levels: { mode: 'on', threads: id },
  state: 'done',
  warmup: 0,
  duration: 10,
  summary: {},
  findings: [],
  partial: false,
  seconds: 4,
  ...changes,
});
const series = (runId: number, t: number[]) => ({
  runId,
  generator: 0,
  metric: 'tps',
  t: Float64Array.from(t),
  v: Float64Array.from(t, (second) => 10 * second),
});
const samples = (t: number[]) => {
  const { v, ...rest } = series(2, t);
  return { ...rest, columns: { tps: v } };
};
const now = run(2, { state: 'running' });
const factors = [
  { name: 'mode', levels: ['off', 'on'] },
  { name: 'threads', levels: [1, 2, 4] },
];
const data = { run: now, earlier: [run(1)], metric: 'tps', factor: 'threads', paint: painterOf(factors) };

const OTHERS = 'earlier trials: band, repeats of its cell; thin lines, other cells';

describe('lines of the live chart', () => {
  it('are bold for the running trial above earlier ones, with the level of the ladder as name', () => {
    const lines = runningLines({ ...data, stored: [series(1, [1, 2])], samples: [samples([1, 2, 3])] });
    expect(lines.map(({ label, weight }) => [label, weight])).toEqual([
      ['threads 1, repeat 1', 'thin'],
      ['threads 2, repeat 1', 'bold'],
    ]);
  });
  it('have the hue of their load curve, deeper along the ladder', () => {
    const lines = runningLines({ ...data, stored: [series(1, [1, 2])], samples: [samples([1])] });
    expect(lines.map(({ slot, shade }) => [slot, shade])).toEqual([
      [1, 0],
      [1, 0.5],
    ]);
  });
  it('are in the order of the ladder, whichever was measured first', () => {
    const earlier = [run(8), run(1), run(4)];
    const stored = earlier.map(({ id }) => series(id, [1]));
    const lines = runningLines({ ...data, earlier, stored, samples: [samples([1])] });
    expect(lines.map(({ name }) => name)).toEqual(['threads 1', 'threads 2', 'threads 4', 'threads 8']);
  });
  it('show repeats of the same cell as a band, and another cell as the median of its repeats', () => {
    const of = (id: number, cell: number, factor: number) => {
      const { v, ...rest } = series(id, [1, 2]);
      return {
        run: run(id, { cell, repeat: id, levels: { mode: 'on', threads: cell } }),
        data: { ...rest, v: v.map((value) => factor * value) },
      };
    };
    const own = [of(11, 2, 1), of(12, 2, 3)];
    const other = [of(21, 4, 1), of(22, 4, 2), of(23, 4, 5)];
    const all = [...own, ...other];
    const lines = runningLines({
      ...{
        ...data,
        earlier: all.map((each) => each.run),
        stored: all.map((each) => each.data),
        samples: [samples([1])],
      },
    });
    const shown = lines.map(({ label, weight, t, v, band }) => [label, weight, [...t], [...v], band && [...band.high]]);
    expect(shown).toEqual([
      ['threads 2, earlier repeats', 'thin', [1, 2], [20, 40], [30, 60]],
      ['threads 2, repeat 1', 'bold', [1], [10], undefined],
      ['threads 4, median of 3 repeats', 'thin', [1, 2], [20, 40], undefined],
    ]);
  });
  it('join stored and streamed seconds without duplicates', () => {
    const [line] = runningLines({ ...data, earlier: [], stored: [series(2, [1, 2, 3])], samples: [samples([3, 4])] });
    expect([...(line?.t ?? [])]).toEqual([1, 2, 3, 4]);
    expect([...(line?.v ?? [])]).toEqual([10, 20, 30, 40]);
  });
  it('come from the store for an ended trial', () => {
    const lines = runningLines({ ...data, run: run(2), stored: [series(2, [1, 2])], samples: [] });
    expect(lines.map(({ key, weight }) => [key, weight])).toEqual([['run 2/0', 'bold']]);
  });
  it('load only missing seconds from the store', () => {
    expect(lacksHead(now, [])).toBe(true);
    expect(lacksHead(now, [samples([1, 2])])).toBe(false);
    expect(lacksHead(now, [samples([601, 602])])).toBe(true);
    expect(lacksHead(run(3, { seconds: 0 }), [])).toBe(false);
  });
});

describe('several generators', () => {
  const generator = (host: string) => ({ host, seconds: 4, summary: {} });
  const several = run(2, { state: 'running', generators: [generator('gen1'), generator('gen2')] });
  const part = (index: number, t: number[], metric = 'tps') => ({
    runId: 2,
    generator: index,
    t: Float64Array.from(t),
    columns: { [metric]: Float64Array.from(t, (second) => 10 ** index * second) },
  });
  const shown = (lines: ReturnType<typeof runningLines>) =>
    lines.map(({ label, weight, t, v }) => [label, weight, [...t], [...v]]);

  it('have a sum that ends at their last common second, and a line each', () => {
    const lines = runningLines({
      ...{ ...data, run: several, earlier: [], stored: [] },
      samples: [part(0, [1, 2, 3]), part(1, [1, 2])],
    });
    expect(shown(lines)).toEqual([
      ['threads 2, repeat 1, all generators', 'bold', [1, 2], [11, 22]],
      ['threads 2, repeat 1, generator 1', 'part', [1, 2, 3], [1, 2, 3]],
      ['threads 2, repeat 1, generator 2', 'part', [1, 2], [10, 20]],
    ]);
    expect(lines.map(({ name }) => name)).toEqual(['threads 2', ...Array(2).fill('threads 2, each generator')]);
  });

  it('have no sum before each has samples, or for metrics that cannot be summed', () => {
    const lines = (samples: ReturnType<typeof part>[], metric: string) =>
      runningLines({ ...data, run: several, earlier: [], stored: [], samples, metric }).map(({ label, t }) => [
        label?.replace(/.*, /, ''),
        t.length,
      ]);
    expect(lines([part(0, [1, 2])], 'tps')).toEqual([
      ['all generators', 0],
      ['generator 1', 2],
    ]);
    const p95 = [part(0, [1], 'latency_p95_ms'), part(1, [1], 'latency_p95_ms')];
    expect(lines(p95, 'latency_p95_ms')).toEqual([
      ['generator 1', 1],
      ['generator 2', 1],
    ]);
  });

  it('continue after the stored part, including the sum', () => {
    const whole = { ...series(2, [1, 2]), generator: null };
    const [line] = runningLines({
      ...{ ...data, run: several, earlier: [], stored: [whole, series(2, [1, 2])] },
      samples: [part(0, [3, 4]), part(1, [3, 4])],
    });
    expect([[...(line?.t ?? [])], [...(line?.v ?? [])]]).toEqual([
      [1, 2, 3, 4],
      [10, 20, 33, 44],
    ]);
  });

  it('appear only as a sum in earlier trials', () => {
    const stored = [{ ...series(1, [1]), generator: null }, series(1, [1]), { ...series(1, [1]), generator: 1 }];
    const lines = runningLines({ ...data, run: several, stored, samples: [part(0, [1]), part(1, [1])] });
    expect(lines.map(({ key }) => key)).toEqual(['run 1/all', 'run 2/all', 'run 2/0', 'run 2/1']);
  });

  it('sum their newest common second, and list percentiles from lowest to highest', () => {
    const now = (metric: string, ...seconds: number[][]) => [
      ...newest(
        metric,
        several,
        seconds.map((t, index) => part(index, t, metric)),
      ),
    ];
    expect(now('tps', [1, 2, 3], [1, 2])).toEqual([22]);
    expect(now('tps', [1, 2, 3])).toEqual([]);
    expect(now('latency_max_ms', [1, 2], [1, 2, 3])).toEqual([20]);
    expect(now('latency_p95_ms', [1, 2, 3], [1, 2])).toEqual([3, 20]);
    expect([...newest('tps', run(2), [part(0, [1, 2])])]).toEqual([2]);
  });
});

describe('texts of the live chart', () => {
  it('explain the lines unless they are of a single run', () => {
    expect(lineWords(0, 1, 'tps')).toBe('');
    expect(lineWords(3, 1, 'tps')).toBe(`vs. ${OTHERS}`);
    expect(lineWords(3, 2, 'latency_p95_ms')).toBe(`vs. ${OTHERS} · one line per generator`);
    expect(lineWords(0, 2, 'tps')).toBe('sum of 2 generators, and each generator');
    expect(lineWords(0, 1, 'tps', 2.4)).toBe('');
    expect(lineWords(3, 1, 'tps', 7.2)).toBe(`vs. ${OTHERS} · arrives 7 s late`);
    expect(lineWords(0, 4, 'latency_max_ms')).toBe('highest of 4 generators, and each generator');
  });

  it('list the available metrics, with the primary one first', () => {
    expect(metricsOf('tps', ['qps', 'tps'])).toEqual(['tps', 'qps']);
    expect(metricsOf('tps', ['qps'])).toEqual(['qps']);
  });
});

it('names all planned lines of a ladder, in the order of its levels', () => {
  const unordered = [{ name: 'threads', levels: [8, 1, 4] }];
  expect(plannedNames(unordered, 'threads', 3)).toEqual(['threads 1', 'threads 4', 'threads 8']);
  expect(plannedNames([], undefined, 2)).toEqual(['repeat 1', 'repeat 2']);
});

describe('metrics with a tile', () => {
  it('are the primary one, latency and errors first, four at most', () => {
    const present = ['qps', 'tps', 'latency_avg_ms', 'errors_per_s', 'latency_p95_ms', 'reconnects_per_s'];
    expect(headlines('tps', present)).toEqual(['tps', 'latency_p95_ms', 'errors_per_s', 'qps']);
  });
  it('include the percentile that the tool prints', () => {
    const present = ['tps', 'qps', 'errors_per_s', 'threads_running', 'latency_p99_ms'];
    expect(headlines('tps', present)).toEqual(['tps', 'latency_p99_ms', 'errors_per_s', 'qps']);
  });
  it('are latencies of fsyncs before those of writes if each write waits for one', () => {
    const writes = ['iops', 'latency_avg_ms', 'latency_p95_ms', 'latency_max_ms', 'write_mib_s', 'fsyncs_per_s'];
    const syncs = ['sync_latency_avg_ms', 'sync_latency_p95_ms', 'sync_latency_p99_ms', 'sync_latency_max_ms'];
    expect(headlines('iops', [...writes, ...syncs])).toEqual([
      'iops',
      'sync_latency_p95_ms',
      'sync_latency_max_ms',
      'latency_p95_ms',
    ]);
  });
  it('are only those with values', () => {
    expect(headlines('tps', ['read_mib_s'])).toEqual(['read_mib_s']);
  });
});

describe('places of the tiles', () => {
  const [first, late] = [
    ['tps', 'errors_per_s', 'qps', 'threads_running'],
    ['tps', 'latency_p95_ms', 'errors_per_s', 'qps'],
  ];
  it('follow the order of the metrics at first', () => {
    expect(placed([], first)).toEqual(first);
  });
  it('stay the same for a late metric, which replaces one no longer shown', () => {
    expect(placed(first, late)).toEqual(['tps', 'errors_per_s', 'qps', 'latency_p95_ms']);
  });
  it('grow at the end while there is room', () => {
    expect(placed(['tps', 'errors_per_s'], late)).toEqual(['tps', 'errors_per_s', 'latency_p95_ms', 'qps']);
  });
  it('are reserved for metrics that the next trial does not have yet', () => {
    expect(placed(late, ['tps', 'errors_per_s'])).toEqual(late);
  });
});

describe('earlier trials of the same ladder', () => {
  const run = (id: number, levels: Run['levels'], state: Run['state'] = 'done'): Run => ({
    id,
    sessionId: 1,
    trial: id,
    cell: 0,
    repeat: 0,
    levels,
    state,
    warmup: 0,
    duration: 10,
    summary: {},
    findings: [],
    partial: false,
    seconds: 10,
  });
  const runs = [
    run(1, { sync: 'OFF', threads: 1 }),
    run(2, { sync: 'FULL', threads: 1 }),
    run(3, { sync: 'OFF', threads: 2 }),
    run(4, { sync: 'OFF', threads: 4 }, 'failed'),
    run(5, { sync: 'OFF', threads: 8 }, 'running'),
  ];
  const now = runs[4] as Run;
  it('are completed ones that differ only in the ladder', () => {
    expect(earlierOfLadder(now, runs, 'threads').map(({ id }) => id)).toEqual([1, 3]);
  });
  it('are only those of the same step', () => {
    const steps = runs.map((each) => ({ ...each, step: each.id % 2 }));
    expect(earlierOfLadder({ ...now, step: 1 }, steps, 'threads').map(({ id }) => id)).toEqual([1, 3]);
    expect(earlierOfLadder({ ...now, step: 0 }, steps, 'threads').map(({ id }) => id)).toEqual([]);
  });
  it('include the progress of a load with an end', () => {
    const present = ['write_mib_s', 'latency_p95_ms', 'errors_per_s', 'progress_pct', 'iops'];
    expect(headlines('write_mib_s', present)).toEqual([
      'write_mib_s',
      'progress_pct',
      'latency_p95_ms',
      'errors_per_s',
    ]);
  });
  it('are repeats of the same cell without a ladder', () => {
    expect(earlierOfLadder(now, [...runs, run(6, { sync: 'OFF', threads: 8 })], undefined).map(({ id }) => id)).toEqual(
      [6],
    );
  });
});

describe('interruptions', () => {
  const run: Run = {
    ...{ id: 1, sessionId: 1, trial: 0, cell: 0, repeat: 0, levels: {}, state: 'running', warmup: 5, duration: 55 },
    ...{ summary: {}, findings: [], partial: false, seconds: 20 },
  };
  const link = (host: string, state: LinkState['state']): LinkState => ({ host, state, since: 9000 });
  const connections = { engineLost: false, links: [link('load1', 'up')], generators: ['load1'], lastEventAt: 5000 };
  const samples = (...lasts: number[]) =>
    lasts.map((last, generator) => ({ runId: 1, generator, t: Float64Array.of(1, last), columns: {} }));

  describe('an interruption of the data', () => {
    it('lasts while a generator is unreachable, from its last seconds on', () => {
      expect(interruptionOf(run, connections, 60_000)).toBeUndefined();
      const links = [link('load1', 'down'), link('db1', 'down')];
      expect(interruptionOf(run, { ...connections, links }, 60_000)).toEqual({ since: 5000, hosts: ['load1'] });
      const again = [link('load1', 'connecting')];
      expect(interruptionOf(run, { ...connections, links: again, lastEventAt: undefined }, 60_000)?.since).toBe(9000);
    });
    it('lasts while the engine is unreachable, only while a tool runs', () => {
      const lost = { ...connections, engineLost: true };
      expect(interruptionOf(run, lost, 60_000)).toEqual({ since: 5000, hosts: [] });
      expect(interruptionOf({ ...run, state: 'done' }, lost, 60_000)).toBeUndefined();
      expect(interruptionOf({ ...run, state: 'launching' }, lost, 60_000)).toBeUndefined();
      expect(interruptionOf(undefined, lost, 60_000)).toBeUndefined();
    });
    it('names the hosts and the duration', () => {
      expect(interruptionWords({ since: 5000, hosts: ['load1', 'load2'] }, 47_000)).toMatch(
        /^No data from load1, load2 since \d\d:\d\d:05 \(42 s\)\./,
      );
    });
  });

  describe('the gap of an interruption', () => {
    it('extends from the last second of all generators to the end of the trial at most', () => {
      const interruption = { since: 5000, hosts: ['load1'] };
      expect(gapOf(run, samples(22, 20), interruption, 17_000)).toEqual({ from: 20, to: 32 });
      expect(gapOf(run, samples(20), interruption, 900_000)).toEqual({ from: 20, to: 60 });
      expect(gapOf(run, [], interruption, 17_000)).toBeUndefined();
    });
  });
});

describe('settling', () => {
  const run: Run = {
    ...{ id: 1, sessionId: 1, trial: 0, cell: 0, repeat: 0, levels: {}, state: 'running', warmup: 10, duration: 60 },
    ...{ startedAt: 1000, summary: {}, findings: [], partial: false, seconds: 0 },
  };
  const normal = normalFrom(randomFrom(11));

  /** The words at a second of a run whose throughput follows the shape. */
  function wordsAt(second: number, shape: (t: number) => number, metric = 'tps'): string | undefined {
    const t = Float64Array.from({ length: second }, (_, index) => index + 1);
    const v = t.map((at) => 1000 * shape(at) * (1 + 0.01 * normal()));
    return settlingWords(run, [{ runId: 1, generator: 0, t, columns: { [metric]: v } }], metric);
  }

  it('follows a trial from its warm-up to the end', () => {
    const flat = (): number => 1;
    expect(wordsAt(4, flat)).toBe('Warming up: second 4 of 10.');
    expect(wordsAt(20, flat)).toBe('Steady state: needs 30 samples, 10 so far.');
    expect(wordsAt(65, flat)).toBe('Settled so far: no change of 10 % or more since the warm-up.');
  });

  it('states during the trial that it has not settled, or that the level changed', () => {
    expect(wordsAt(60, (t) => 1 - 0.6 * Math.exp(-t / 30))).toMatch(/^Not settled: throughput has changed by \+\d+ %/);
    expect(wordsAt(70, (t) => (t < 40 ? 1 : 0.7))).toMatch(
      /^Not at one level: throughput changed by −30 % at second (39|40|41)\./,
    );
  });

  it('is undefined for other metrics, and before the first second', () => {
    expect(wordsAt(60, () => 1, 'latency_p95_ms')).toBeUndefined();
    expect(wordsAt(0, () => 1)).toBeUndefined();
  });
});
