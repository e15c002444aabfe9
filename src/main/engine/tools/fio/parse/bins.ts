import {
  completionLatency,
  operationLatency,
  partMetric,
  percentileMetric,
  submissionLatency,
} from '../../../../../shared/metrics/index.ts';
import { type HistogramPart, HistogramParts } from '../../../../../shared/stats/index.ts';
import { DIRECTIONS, type Report, type Times } from './figures.ts';
import { percentileOf, type Spread } from './times.ts';

type Bins = ReadonlyMap<number, number>;

/** Times of all jobs by metric family, and of each place. Those of single kinds only if there are several. */
function familiesOf({ jobs }: Report): Map<string, Times[]> {
  const families = new Map<string, Times[]>();
  const add = (family: string, times: Times | undefined): void => {
    if (times && times.count > 0) families.set(family, [...(families.get(family) ?? []), times]);
  };
  const kinds = DIRECTIONS.filter((direction) => jobs.some((job) => (job.directions.get(direction)?.ios ?? 0) > 0));
  for (const { directions, sync, part } of jobs) {
    for (const kind of kinds) {
      const counters = directions.get(kind);
      add('latency', counters?.times);
      if (part !== undefined) add(partMetric(part, 'latency'), counters?.times);
      add('completion_latency', counters?.completion);
      if (kinds.length > 1) add(`${kind}_latency`, counters?.times);
      if (kinds.length > 1) add(`${kind}_completion_latency`, counters?.completion);
    }
    add('sync_latency', sync?.times);
  }
  return families;
}

/** Counts by latency in ns, of all jobs since their start. Undefined if any job has no bins. */
function binsOf(times: readonly Times[]): Bins | undefined {
  const sum = new Map<number, number>();
  for (const { bins } of times) {
    if (!bins) return undefined;
    for (const [ns, count] of bins) sum.set(ns, (sum.get(ns) ?? 0) + count);
  }
  return sum;
}

/** Converts the bins of `json+`, which count since the start, to those of each interval. */
export class LatencyBins {
  readonly #families = new Map<string, { parts: HistogramParts; last: Bins }>();
  /** Families for which a document had no bins: their total is unknown. */
  readonly #unknown = new Set<string>();

  /** `t`: seconds since the load's start. */
  add(report: Report, t: number): void {
    for (const [family, times] of familiesOf(report)) {
      const bins = binsOf(times);
      if (!bins) this.#unknown.add(family);
      else this.#step(family, bins, t);
    }
  }

  #step(family: string, bins: Bins, t: number): void {
    const known = this.#families.get(family) ?? { parts: new HistogramParts(), last: new Map() };
    const isReset = [...known.last].some(([ns, count]) => (bins.get(ns) ?? 0) < count);
    const added = new Map<number, number>();
    for (const [ns, count] of bins) added.set(milliseconds(ns), count - (isReset ? 0 : (known.last.get(ns) ?? 0)));
    known.parts.add(t, added);
    known.last = bins;
    this.#families.set(family, known);
  }

  get latencies(): Readonly<Record<string, readonly HistogramPart[]>> {
    return Object.fromEntries(
      [...this.#families].flatMap(([family, { parts }]) =>
        parts.parts && !this.#unknown.has(family) ? [[family, parts.parts]] : [],
      ),
    );
  }
}

const NS_PER_MS = 1_000_000;
const PERCENTILES = [50, 90, 95, 99, 99.9];
const PERCENTILES_OF_ONE = [99];

export const milliseconds = (ns: number): number => ns / NS_PER_MS;

/** Percentiles by metric id, if the distribution is known. */
function percentiles(
  spread: Spread,
  wanted: readonly number[],
  id: (latency: string) => string,
): Record<string, number> {
  const found: Record<string, number> = {};
  for (const percentile of wanted) {
    const value = spread.bins && percentileOf(spread.bins, percentile);
    if (value !== undefined) found[id(percentileMetric(percentile))] = milliseconds(value);
  }
  return found;
}

/** Percentiles of completion latency, a part of the total latency. */
export const completions = (spread: Spread, operation?: string): Record<string, number> =>
  percentiles(spread, operation ? PERCENTILES_OF_ONE : PERCENTILES, (id) => completionLatency(id, operation));

/** Means of the two parts of latency: submission and completion. Empty if fio does not report them separately. */
export function meansOfParts(submission: Spread, completion: Spread, operation?: string): Record<string, number> {
  if (submission.count <= 0 || submission.sum < 0 || completion.count <= 0 || completion.sum < 0) return {};
  return {
    [submissionLatency('latency_avg_ms', operation)]: milliseconds(submission.sum / submission.count),
    [completionLatency('latency_avg_ms', operation)]: milliseconds(completion.sum / completion.count),
  };
}

/** Latencies of all operations, or a subset of them for one kind. Empty if there were none. */
export function latencies(spread: Spread, operation?: string): Record<string, number> {
  if (spread.count <= 0 || spread.sum < 0) return {};
  const id = (latency: string): string => (operation ? operationLatency(operation, latency) : latency);
  const found: Record<string, number> = { [id('latency_avg_ms')]: milliseconds(spread.sum / spread.count) };
  if (spread.max !== undefined) found[id('latency_max_ms')] = milliseconds(spread.max);
  return Object.assign(found, percentiles(spread, operation ? PERCENTILES_OF_ONE : PERCENTILES, id));
}
