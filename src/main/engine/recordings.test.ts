import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { percentileIn, statisticOf } from '../../shared/metrics/index.ts';
import { basisWords } from '../../shared/stats/index.ts';
import { atDepth, NIGHT } from '../../shared/util/testing/depth.ts';
import { storeRead } from './figures/testing/measured.ts';
import { sessionResult } from './results/index.ts';
import { openStore } from './store/open.ts';
import type { Store } from './store/store.ts';
import { libraryFolder } from './store/testing/library.ts';
import { RECORDINGS as command, readOutput as readCommand } from './tools/command/testing/recordings.ts';
import { embeddedTool } from './tools/embedded/index.ts';
import { RECORDINGS as fio, readRecording as readFio } from './tools/fio/testing/recordings.ts';
import { RECORDINGS as pgbench, readRecording as readPgbench } from './tools/pgbench/testing/bench.ts';
import { queriesTool } from './tools/queries/index.ts';
import { readRecording as readSysbench, RECORDINGS as sysbench } from './tools/sysbench/testing/recordings.ts';
import { outputReader, type Read, recordingsIn } from './tools/testing/recordings.ts';
import { readRecording as readYcsb, RECORDINGS as ycsb } from './tools/ycsb/testing/recordings.ts';

const TOOLS = join(import.meta.dirname, './tools');
const readQueries = outputReader(queriesTool);
const readEmbedded = outputReader(embeddedTool);
const EMBEDDED = join(TOOLS, 'embedded/fixtures');

/** Every recorded run of every tool. */
const ALL: { name: string; read(): Read }[] = [
  ...command.map((entry) => ({ name: `command ${entry.name}`, read: () => readCommand(entry.stdout, entry.stderr) })),
  ...fio.map((entry) => ({ name: `fio ${entry.name}`, read: () => readFio(entry) })),
  ...pgbench.map((entry) => ({ name: `pgbench ${entry.name}`, read: () => readPgbench(entry) })),
  ...sysbench.map((entry) => ({ name: `sysbench ${entry.name}`, read: () => readSysbench(entry) })),
  ...ycsb.map((entry) => ({ name: `ycsb ${entry.name}`, read: () => readYcsb(entry) })),
  ...recordingsIn(join(TOOLS, 'queries/fixtures')).map((entry) => ({
    name: `queries ${entry.name}`,
    read: () => readQueries(entry.stdout, entry.stderr),
  })),
  ...readdirSync(EMBEDDED).map((name) => ({
    name: `embedded ${name}`,
    read: () => readEmbedded(readFileSync(join(EMBEDDED, name, 'stdout.txt'), 'utf8'), ''),
  })),
];

let folder: ReturnType<typeof libraryFolder>;
let store: Store;
beforeAll(() => {
  folder = libraryFolder();
  store = openStore(folder.path, { mode: 'test' });
});
afterAll(() => {
  store.close();
  folder.remove();
});

/** The figures of a cell with as many repeats as readings, by metric. */
function stored(reads: readonly Read[]) {
  const { id, context } = storeRead(store, reads);
  return (metric: string) => {
    const result = sessionResult(store, context, { primary: 'tps', failures: [] }, { sessionId: id, metric });
    return { result, cell: result.cells[0] };
  };
}
const shown = (reads: readonly Read[], metric: string) => stored(reads)(metric);

const read = ALL.map((entry) => ({ name: entry.name, recorded: entry.read() }));
/**
 * By day the figures that no earlier recording of the tool has, or has from elsewhere: its events, its seconds or its report. By night all of each.
 */
const seenFigures = new Set<string>();
const chosen = read.flatMap(({ name, recorded }) => {
  const { summary, latencies, samples } = recorded;
  const from = `${name.split(' ')[0]} ${latencies !== undefined} ${samples.length > 0}`;
  const metrics = Object.keys(summary).filter((metric) => NIGHT || !seenFigures.has(`${from} ${metric}`));
  for (const metric of metrics) seenFigures.add(`${from} ${metric}`);
  return metrics.length === 0 ? [] : [{ name, recorded, metrics: new Set(metrics) }];
});

/** These recordings, stored once, with their figures, each worked out once. */
const known = chosen.map(({ name, recorded, metrics }) => ({ name, of: once(() => figuresOf(recorded, metrics)) }));

function figuresOf(recorded: Read, metrics: ReadonlySet<string>) {
  const figures = once(() => stored([recorded]));
  const seen = new Map<string, ReturnType<ReturnType<typeof stored>>>();
  const figureOf = (metric: string) => {
    const figure = seen.get(metric) ?? figures()(metric);
    seen.set(metric, figure);
    return figure;
  };
  const own = Object.entries(recorded.summary).filter(([metric]) => metrics.has(metric));
  return { recorded, own, figureOf };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const isExtreme = (id: string): boolean => ['maximum', 'minimum'].includes(statisticOf(id));

describe('figures of every recorded run', () => {
  it('match each percentile of the tool within 5 % and name its basis', () => {
    const seen: Record<string, number> = {};
    for (const { name, of } of known) {
      const { own: figures, figureOf } = of();
      for (const [metric, own] of figures) {
        if (percentileIn(metric) === undefined) continue;
        const { cell } = figureOf(metric);
        expect(cell?.value, `${name}, ${metric}`).toBeGreaterThanOrEqual(own * 0.95);
        expect(cell?.value, `${name}, ${metric}`).toBeLessThanOrEqual(own * 1.05);
        expect(['histogram', 'tool']).toContain(cell?.basis?.from);
        expect(basisWords(metric, cell?.basis ?? { from: 'seconds' })).toMatch(/over all events|by the tool/);
        const key = `${name.split(' ')[0]} ${cell?.basis?.from}`;
        seen[key] = (seen[key] ?? 0) + 1;
      }
    }
    // Every tool that tells percentiles is among them, and those with histograms by their histograms.
    expect(seen).toMatchObject({
      'sysbench tool': expect.any(Number),
      'sysbench histogram': expect.any(Number),
      'fio histogram': expect.any(Number),
      'ycsb tool': expect.any(Number),
      'embedded tool': expect.any(Number),
    });
    expect(seen['fio histogram']).toBeGreaterThan(atDepth(20, 3));
    expect(Object.values(seen).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(atDepth(300, 40));
  });

  it('include every figure of a final report as a metric', () => {
    for (const { name, of } of known) {
      const { recorded, own: figures, figureOf } = of();
      for (const [metric, own] of figures) {
        const { result, cell } = figureOf(metric);
        expect([...result.metrics, ...(result.runFigures ?? [])], name).toContain(metric);
        if (percentileIn(metric) !== undefined) continue;
        // A checkpoint begins the tool's figures again: those of the run are of its seconds.
        if (cell?.basis?.from === 'seconds')
          expect(recorded.summary.counted_from_s, `${name}, ${metric}`).toBeDefined();
        else if (!isExtreme(metric)) expect(cell?.value, `${name}, ${metric}`).toBe(own);
      }
    }
  });

  it('have the largest of seconds and tool as maximum', () => {
    let count = 0;
    for (const { name, of } of known) {
      const { recorded, figureOf } = of();
      const largest = new Map<string, number>();
      for (const metrics of [...recorded.samples.map((sample) => sample.metrics), recorded.summary])
        for (const [metric, value] of Object.entries(metrics))
          if (statisticOf(metric) === 'maximum') largest.set(metric, Math.max(value, largest.get(metric) ?? 0));
      for (const [metric, most] of largest) {
        count += 1;
        expect(figureOf(metric).cell?.value, `${name}, ${metric}`).toBe(most);
      }
    }
    expect(count).toBeGreaterThan(atDepth(100, 15));
  });
});

describe('percentiles of several repeats', () => {
  it('are of all events if the tool has histograms, not a mean', () => {
    const one = fio.map((entry) => readFio(entry)).find(({ latencies }) => latencies?.latency) as Read;
    // The same run on a disk that is ten times as slow and did a tenth of the work.
    const slow = (one.latencies?.latency ?? []).map(({ from, to, histogram }) => ({
      ...{ from, to },
      histogram: histogram.map(({ ms, count }) => ({ ms: ms * 10, count: Math.ceil(count / 10) })),
    }));
    const other = { ...one, latencies: { latency: slow } };
    // Counted by hand: each event of both, in rising order.
    const times = [one, other].flatMap((read) =>
      (read.latencies?.latency ?? []).flatMap(({ histogram }) => histogram.map(({ ms, count }) => ({ ms, count }))),
    );
    const total = times.reduce((sum, { count }) => sum + count, 0);
    expect(total).toBeGreaterThan((one.summary.ios_total ?? 0) * 1.1);
    let rest = total * 0.99;
    const p99 = times
      .sort((a, b) => a.ms - b.ms)
      .find(({ count }) => {
        rest -= count;
        return rest <= 0;
      })?.ms;
    const { cell } = shown([one, other], 'latency_p99_ms');
    expect(cell?.value).toBe(p99);
    expect(cell?.basis).toEqual({ from: 'histogram' });
    expect(cell?.range).toEqual({ low: Math.min(...(cell?.means ?? [])), high: Math.max(...(cell?.means ?? [])) });
    expect(cell?.interval).toBeUndefined();
    const [low = 0, high = 0] = [...(cell?.means ?? [])].sort((a, b) => a - b);
    expect(p99).not.toBeCloseTo((low + high) / 2, 1);
  });

  it('are those of the median run if it has none, with the range of all repeats', () => {
    const reads = sysbench
      .map((entry) => readSysbench(entry))
      .filter((read) => read.ok && read.summary.latency_p95_ms !== undefined && !read.latencies)
      .slice(0, 3);
    const { cell } = shown(reads, 'latency_p95_ms');
    const own = reads.map((read) => read.summary.latency_p95_ms as number).sort((a, b) => a - b);
    expect(cell).toMatchObject({ value: own[1], basis: { from: 'tool' }, range: { low: own[0], high: own[2] } });
  });
});
