import {
  completionLatency,
  operationLatency,
  percentileIn,
  percentileMetric,
} from '../../../../../shared/metrics/index.ts';
import { sumBy } from '../../../../../shared/util/numbers.ts';
import { completions, latencies, meansOfParts, milliseconds } from './bins.ts';
import { type Counters, DIRECTIONS, type Job, type Report, type Times } from './figures.ts';
import { between, EMPTY, mergeSpreads } from './times.ts';

const MIB = 1_048_576;

const spreadOf = (times: Times) => between(EMPTY, times);

/** Percentiles printed by fio. Only for a single set of counters, since percentiles cannot be merged. */
function printed(times: readonly Times[], idOf: (latency: string) => string): Record<string, number> {
  const [only] = times;
  if (times.length !== 1 || !only) return {};
  const found: Record<string, number> = {};
  for (const [percentile, ns] of only.percentiles) found[idOf(percentileMetric(percentile))] = milliseconds(ns);
  return found;
}

function latencyOf(
  counted: readonly { times: Times; completion?: Times; submission?: Times }[],
  operation?: string,
): Record<string, number> {
  const some = counted.filter(({ times }) => times.count > 0);
  const whole = some.map(({ times }) => times);
  const completion = some.flatMap((entry) => entry.completion ?? []);
  return {
    ...latencies(mergeSpreads(whole.map(spreadOf)), operation),
    ...printed(whole, (id) => (operation ? operationLatency(operation, id) : id)),
    ...completions(mergeSpreads(completion.map(spreadOf)), operation),
    ...meansOfParts(
      mergeSpreads(some.flatMap((entry) => entry.submission ?? []).map(spreadOf)),
      mergeSpreads(completion.map(spreadOf)),
      operation,
    ),
    ...(completion.length === whole.length && printed(completion, (id) => completionLatency(id, operation))),
  };
}

/** Minimum relative run time of jobs that count as ending together. */
const TOGETHER = 0.98;

/**
 * The share with which a job's rate counts in a sum: 1, unless the job ended well before the longest one, as when limited by its size. Its rate does
 * not cover the whole time, by which fio also divides the total of a group.
 */
export function shareOfTime(runtimes: readonly number[]): (runtime: number) => number {
  const longest = Math.max(0, ...runtimes);
  return (runtime) => (runtime < longest * TOGETHER ? runtime / longest : 1);
}

/** Final figures of concurrent jobs. Rates are fio's own, summed up, each weighted by its share of the time. */
function figuresOf(jobs: readonly Job[]): Record<string, number> {
  const figures: Record<string, number> = {};
  const share = shareOfTime(jobs.flatMap(({ directions }) => [...directions.values()].map(({ runtime }) => runtime)));
  const all: Counters[] = [];
  const kinds = DIRECTIONS.filter((direction) => jobs.some((job) => (job.directions.get(direction)?.ios ?? 0) > 0));
  for (const direction of kinds) {
    const done = jobs.flatMap((job) => job.directions.get(direction) ?? []).filter(({ ios }) => ios > 0);
    all.push(...done);
    figures[`iops_${direction}`] = sumBy(done, ({ iops, runtime }) => iops * share(runtime));
    figures[`${direction}_mib_s`] = sumBy(done, ({ bytesPerSecond, runtime }) => bytesPerSecond * share(runtime)) / MIB;
    figures[`ios_${direction}_total`] = sumBy(done, ({ ios }) => ios);
    figures[`${direction}_mib_total`] = sumBy(done, ({ bytes }) => bytes) / MIB;
    if (kinds.length > 1) Object.assign(figures, latencyOf(done, direction));
  }
  if (all.length > 0) figures.iops = sumBy(all, ({ iops, runtime }) => iops * share(runtime));
  figures.ios_total = sumBy(all, ({ ios }) => ios);
  Object.assign(figures, latencyOf(all));
  const syncs = jobs.flatMap((job) => job.sync ?? []).filter(({ ios }) => ios > 0);
  if (syncs.length > 0) {
    figures.fsyncs_total = sumBy(syncs, ({ ios }) => ios);
    Object.assign(figures, latencyOf(syncs, 'sync'));
  }
  const [only] = jobs;
  if (jobs.length === 1 && only) Object.assign(figures, { cpu_user_pct: only.cpuUser, cpu_system_pct: only.cpuSystem });
  return Object.fromEntries(Object.entries(figures).filter(([, value]) => Number.isFinite(value)));
}

const prefixed = (prefix: string, figures: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(figures).map(([key, value]) => [prefix + key, value]));

/** Percentiles of a place. fio prints about twenty, and a load has up to 32 places. */
const OF_A_PLACE: readonly number[] = [50, 90, 95, 99, 99.9];

/** Figures by which places are compared: without the parts of latency, and with a few percentiles. */
const ofPlace = (figures: Record<string, number>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(figures).filter(([id]) => {
      const percentile = percentileIn(id);
      return !/(?:completion|submission)_/.test(id) && (percentile === undefined || OF_A_PLACE.includes(percentile));
    }),
  );

/**
 * Figures of all jobs if they form one group, that is, ran concurrently; otherwise of each group as `group_N_…`. With several jobs, also of each as
 * `job_N_…`, or under the place that it measures. Numbered as in fio: jobs from 1, groups from 0.
 */
export function byGroupAndJob<Each extends { group: number; part?: string }>(
  jobs: readonly Each[],
  of: (jobs: readonly Each[]) => Record<string, number>,
): Record<string, number> {
  const groups = [...new Set(jobs.map(({ group }) => group))];
  const parts: Record<string, number>[] = [];
  if (groups.length === 1) parts.push(of(jobs));
  if (groups.length > 1)
    for (const group of groups) parts.push(prefixed(`group_${group}_`, of(jobs.filter((job) => job.group === group))));
  if (jobs.length > 1)
    jobs.forEach((job, index) => {
      const figures = of([job]);
      parts.push(
        job.part === undefined ? prefixed(`job_${index + 1}_`, figures) : prefixed(`${job.part}_`, ofPlace(figures)),
      );
    });
  return Object.assign({}, ...parts) as Record<string, number>;
}

/** Final figures by metric id. For consecutive groups, the only total is the number of I/Os. */
export const summaryOf = ({ jobs }: Report): Record<string, number> => ({
  ios_total: figuresOf(jobs).ios_total ?? 0,
  ...byGroupAndJob(jobs, figuresOf),
});
