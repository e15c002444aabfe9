import { latencyFamily, metricOf, percentileIn } from '../../../shared/metrics/index.ts';
import { mergeHistograms, percentileOf } from '../../../shared/stats/index.ts';
import type { RunsContext } from '../runs/index.ts';
import type { Latencies, RunRow } from '../store/store.ts';
import type { ParseOutcome } from '../tools/tool.ts';
import { toolStart } from './zero.ts';

type Summary = Readonly<Record<string, number>>;

/**
 * Merges the final figures of several generators: adds rates and counts, keeps extremes, weights a mean latency by its events, and takes percentiles
 * again from all histograms. Omits a figure that one of them lacks, or that cannot be merged (a percentile without histograms): each generator keeps
 * its own.
 */
export function mergeSummaries(
  outcomes: readonly Pick<ParseOutcome, 'summary' | 'latencies'>[],
): Record<string, number> {
  const summaries = outcomes.map(({ summary }) => summary);
  const [first = {}, ...rest] = summaries;
  const common = Object.keys(first).filter((key) => rest.every((summary) => Object.hasOwn(summary, key)));
  const merged: Record<string, number> = {};
  for (const key of common) {
    const value = mergedFigure(key, summaries);
    if (value !== undefined) merged[key] = value;
  }
  const { latency_sum_ms: sum, events_total: events } = merged;
  if (common.includes('latency_avg_ms') && sum !== undefined && events) merged.latency_avg_ms = sum / events;
  const latencies = mergeLatencies(outcomes);
  for (const key of common) {
    const [percentile, parts] = [percentileIn(key), latencies[latencyFamily(key) ?? '']];
    if (percentile === undefined || parts === undefined) continue;
    const ms = percentileOf(mergeHistograms(parts.map(({ histogram }) => histogram)), percentile);
    if (ms !== undefined) merged[key] = ms;
  }
  return merged;
}

/** Events of all generators by duration; omits a family that one of them did not count. */
export function mergeLatencies(outcomes: readonly Pick<ParseOutcome, 'latencies'>[]): Latencies {
  const [first = {}, ...rest] = outcomes.map(({ latencies = {} }) => latencies);
  const families = Object.keys(first).filter((family) => rest.every((other) => other[family] !== undefined));
  return Object.fromEntries(
    families.map((family) => [family, outcomes.flatMap(({ latencies }) => latencies?.[family] ?? [])]),
  );
}

function mergedFigure(key: string, summaries: readonly Summary[]): number | undefined {
  const values = summaries.map((summary) => summary[key] as number);
  const sum = (): number => values.reduce((total, value) => total + value, 0);
  const { combine, statistic } = metricOf(key);
  if (combine === 'sum') return sum();
  if (combine === 'max') return Math.max(...values);
  return statistic === 'minimum' ? Math.min(...values) : undefined;
}

const MOST = 10_000;
/** A busy machine prints a report up to this much late. */
const LATE_SECONDS = 1;

/**
 * Stores intermediate reports that the tools of a run printed (sysbench `--report-checkpoints`) as events at their seconds. Reports of several
 * generators at the same second form one event. The report at the end of the warm-up is none: that end is stored already. Safe to repeat: stored
 * events stay as they are.
 */
export function noteCheckpoints(
  { store }: Pick<RunsContext, 'store'>,
  run: RunRow,
  outcomes: readonly Pick<ParseOutcome, 'checkpoints'>[],
): void {
  const noted = store.events
    .ofSession(run.sessionId, ['checkpoint'], 0, MOST, [run.id])
    .filter(({ runId }) => runId === run.id)
    .map(({ t }) => t);
  const endsWarmUp = (t: number): boolean => run.warmup > 0 && t >= run.warmup && t <= run.warmup + LATE_SECONDS;
  const printed = outcomes.flatMap(({ checkpoints = [] }) => checkpoints.map(({ t }) => t));
  const seconds = new Set(printed.filter((t) => !endsWarmUp(t)));
  for (const t of [...seconds].filter((second) => !noted.includes(second)).sort((left, right) => left - right))
    store.events.add({
      sessionId: run.sessionId,
      runId: run.id,
      kind: 'checkpoint',
      at: Math.round(toolStart(store, run, 0) + t * 1000),
      t,
      level: 'info',
      message: `Trial ${run.trial + 1} printed a checkpoint report.`,
      detail: outcomes.map(({ checkpoints = [] }) => checkpoints.find((each) => each.t === t)?.summary ?? null),
    });
}
