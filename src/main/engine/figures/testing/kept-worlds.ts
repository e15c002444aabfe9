import type { Cell } from '../../../../shared/model/plan.ts';
import type { HistogramPart } from '../../../../shared/stats/index.ts';
import { randomFrom } from '../../../../shared/util/numbers.ts';
import type { IngestBatch, Store } from '../../store/store.ts';
import { cellsOf, experimentOf } from './measured.ts';

type Samples = IngestBatch['samples'];

/** A session of random runs, and its inputs. */
export interface StoredWorld {
  readonly sessionId: number;
  readonly runs: readonly number[];
  readonly cells: readonly Cell[];
  readonly factors: Record<string, number[]>;
}

/** Metrics that are combined and calculated in different ways. The last ones are per run, or exist in no run. */
export const METRICS = [
  'tps',
  'latency_avg_ms',
  'latency_p95_ms',
  'latency_max_ms',
  'read_latency_avg_ms',
  'errors_per_s',
  'errors_total',
  'stalls',
  'latency_little_ms',
  'nothing',
] as const;

export const WARMUP = 5;

/**
 * Stores a session of few cells with runs of all kinds: one or two generators, with and without gaps, stalls, long intervals, the tool's
 * own figures and histograms. Some were cut short, some failed without a sample, some have several chunks.
 */
export function storeWorld(store: Store, seed: number): StoredWorld {
  const random = randomFrom(seed);
  const within = (low: number, high: number): number => Math.floor(low + random() * (high - low + 1));
  const factors = { threads: [1, 2, 4].slice(0, within(1, 3)) };
  const cells = cellsOf(factors);
  const duration = within(0, 4) === 0 ? within(1100, 2400) : within(5, 300);
  const experiment = experimentOf(factors);
  experiment.measure = { ...experiment.measure, warmup: WARMUP, duration };
  const plan = { cells, trials: [], seconds: 0, findings: [] };
  const snapshot = {
    experiment,
    experimentText: '',
    plan,
    findings: [],
    appVersion: '0.1.0',
    steps: [{ tool: 'sysbench', metric: 'tps' }],
  };
  const trials = Array.from({ length: within(1, 4) }, (_, repeat) => cells.map(({ index }) => ({ repeat, index })));
  const { id } = store.sessions.insert(
    { uuid: crypto.randomUUID(), state: 'done', tags: [], createdAt: 0, snapshot },
    trials.flat().map(({ repeat, index }, trial) => ({
      ...{ trial, cell: index, repeat, warmup: WARMUP, duration },
      levels: cells[index]?.levels ?? {},
    })),
  );
  const rows = store.runs.ofSession(id);
  const generators = random() < 0.3 ? 2 : 1;
  const hasRates = random() < 0.8;
  for (const row of rows) {
    const kind = random();
    const length = kind < 0.1 ? 0 : kind < 0.2 ? Math.ceil(duration / 2) : duration + WARMUP + within(0, 2);
    const made = Array.from({ length: generators }, () => samplesOf(random, length, hasRates));
    made.forEach((samples, generator) => {
      const bytes = Buffer.from('x');
      store.samples.ingest({ runId: row.id, generator, stream: 'stdout', offset: 0, bytes, samples });
    });
    if (random() < 0.5) store.latencies.set(row.id, { latency: histograms(random, length) });
    store.samples.seal(row.id);
    store.runs.update(row.id, {
      state: kind < 0.1 ? 'failed' : 'done',
      partial: kind < 0.2,
      startedAt: row.trial * 1_000_000,
      jobs: made.map((_, index) => ({
        host: `host ${index}`,
        jobId: `job ${index}`,
        startedAt: index * within(0, 3000),
      })),
      summary: {
        errors_total: within(0, 3),
        ...(random() < 0.4 && { tps: 900 + random(), latency_p95_ms: 20, latency_max_ms: 300, events_total: 1e5 }),
        ...(random() < 0.3 && { counted_from_s: within(0, 8) }),
      },
    });
  }
  return { sessionId: id, runs: rows.map((row) => row.id), cells, factors };
}

function samplesOf(random: () => number, length: number, hasRates: boolean): Samples {
  const every = random() < 0.15 ? 10 : 1;
  const [level, dips, gaps] = [200 + 2000 * random(), random() < 0.3, random() < 0.3];
  const cents = (value: number): number => Math.round(value * 100) / 100;
  return Array.from({ length: Math.floor(length / every) }, (_, index) => index).flatMap((index) => {
    if (gaps && random() < 0.05) return [];
    const stalled = dips && index % 40 > 36;
    const tps = stalled ? 0 : cents(level * (1 + 0.1 * (random() - 0.5)));
    const metrics: Record<string, number> = {
      latency_p95_ms: cents(10 + 5 * random()),
      ...(random() < 0.97 && { latency_avg_ms: random() * 20 }),
      latency_max_ms: cents(50 * random()),
      read_latency_avg_ms: cents(3 + random()),
      errors_per_s: random() < 0.02 ? 1 : 0,
      ...(hasRates && { tps, ops_read: cents(tps * 7) }),
    };
    return [{ t: every * (index + 1) + (every > 1 ? cents(random() / 4) : 0), metrics }];
  });
}

const histograms = (random: () => number, length: number): HistogramPart[] =>
  Array.from({ length: Math.ceil(length / 10) }, (_, part) => ({
    from: part * 10,
    to: (part + 1) * 10,
    histogram: [1, 2, 5, 10, 50].map((ms) => ({ ms, count: Math.floor(random() * 100) })),
  }));
