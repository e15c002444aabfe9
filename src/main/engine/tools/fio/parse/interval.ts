import { partMetric } from '../../../../../shared/metrics/index.ts';
import { completions, latencies, meansOfParts } from './bins.ts';
import { type Counters, DIRECTIONS, type Direction, type Job, type Report, type Times } from './figures.ts';
import { between, EMPTY, mergeSpreads, type Spread } from './times.ts';

const MIB = 1_048_576;
/** Maximum jobs and groups with their own series: a run of hundreds would flood every list of metrics. */
const MOST_PARTS = 16;

/** Changes in one direction between two documents. */
interface Change {
  ios: number;
  bytes: number;
  spread: Spread;
  completion: Spread;
  submission: Spread;
}

const NOTHING: Counters = { ios: 0, bytes: 0, runtime: 0, iops: 0, bytesPerSecond: 0, times: EMPTY };

/** Whether counters were reset, as fio does at the end of its ramp: they are lower than before. */
const restarted = (before: Counters, after: Counters): boolean =>
  after.ios < before.ios ||
  after.runtime < before.runtime ||
  (after.times.count > 0 && after.times.count < before.times.count);

const counted = (job: Job | undefined, direction: Direction): Counters => job?.directions.get(direction) ?? NOTHING;

/** The interval between two documents. */
export interface Step {
  before: Report | undefined;
  after: Report;
  /** Jobs whose counters were reset in between. */
  restarted: ReadonlySet<number>;
  /** Time in ms that the counters cover. */
  length: number;
  /** Time in ms since the previous document; longer than `length` if counters were reset in between. */
  passed: number;
  /** Adjustment of the host's clock in between in ms, if any. */
  clockSet?: number;
  /** Advance of the host's clock over fio's own in ms. */
  drift?: number;
}

/** `usual`: length in ms of an ordinary interval of this run, once known. */
export function stepBetween(before: Report | undefined, after: Report, usual?: number): Step {
  const resetJobs = new Set<number>();
  after.jobs.forEach((job, index) => {
    const earlier = before?.jobs[index];
    if (DIRECTIONS.some((direction) => restarted(counted(earlier, direction), counted(job, direction))))
      resetJobs.add(index);
  });
  const first = !before || longestRuntime(before) === 0;
  if (first) {
    const length = longestRuntime(after);
    return { before: undefined, after, restarted: resetJobs, length, passed: length };
  }
  const time = timeBetween(before, after, resetJobs, usual);
  return {
    before,
    after,
    restarted: resetJobs,
    ...time,
    length: resetJobs.size > 0 ? longestRuntime(after, resetJobs) : time.passed,
  };
}

const baseOf = ({ before, restarted }: Step, index: number): Job | undefined =>
  restarted.has(index) ? undefined : before?.jobs[index];

/** A job at both ends of an interval. `from` is undefined if it counts from zero. */
interface Pair {
  from: Job | undefined;
  to: Job;
}

const pairsOf = (step: Step): Pair[] => step.after.jobs.map((to, index) => ({ from: baseOf(step, index), to }));

function change(pairs: readonly Pair[], direction: Direction): Change {
  const whole = { ios: 0, bytes: 0 };
  const spreads: Spread[] = [];
  const completed: Spread[] = [];
  const submitted: Spread[] = [];
  for (const pair of pairs) {
    const [from, to] = [counted(pair.from, direction), counted(pair.to, direction)];
    const ios = to.ios - from.ios;
    whole.ios += ios;
    whole.bytes += to.bytes - from.bytes;
    if (ios <= 0) continue;
    spreads.push(timesBetween(from, from.times, to.times));
    completed.push(timesBetween(from, from.completion, to.completion));
    submitted.push(timesBetween(from, from.submission, to.submission));
  }
  return { ...whole, spread: ofAll(spreads), completion: ofAll(completed), submission: ofAll(submitted) };
}

/** Times since the previous document. Empty if that one had I/Os without their times. */
const timesBetween = ({ ios }: Counters, from: Times = EMPTY, to: Times = EMPTY): Spread =>
  ios > 0 && from.count === 0 ? { count: 0, sum: 0 } : between(from, to);

/** If any job has I/Os without times, the times of the others do not represent all. */
const ofAll = (spreads: readonly Spread[]): Spread =>
  spreads.every(({ count }) => count > 0) ? mergeSpreads(spreads) : mergeSpreads([]);

/** Completed fsyncs and their times. Undefined if either document lacks them. */
function syncs(pairs: readonly Pair[]): { ios: number; spread: Spread } | undefined {
  let ios = 0;
  const spreads: Spread[] = [];
  for (const { from, to } of pairs) {
    if (!to.sync || (from && !from.sync)) return undefined;
    ios += to.sync.ios - (from?.sync?.ios ?? 0);
    spreads.push(between(from?.sync?.times ?? EMPTY, to.sync.times));
  }
  return { ios, spread: mergeSpreads(spreads) };
}

/** CPU time of jobs as a percentage of their run time. fio reports both for the whole run so far. */
function processor(pairs: readonly Pair[]): Record<string, number> {
  let [user, system, ran] = [0, 0, 0];
  for (const { from, to } of pairs) {
    if (to.runtime === undefined || (from && from.runtime === undefined)) return {};
    const [before, after] = [from?.runtime ?? 0, to.runtime];
    user += to.cpuUser * after - (from?.cpuUser ?? 0) * before;
    system += to.cpuSystem * after - (from?.cpuSystem ?? 0) * before;
    ran += after - before;
  }
  // Rounded figures of an idle job can have a negative difference.
  return ran > 0 && Number.isFinite(user + system)
    ? { cpu_user_pct: Math.max(0, user / ran), cpu_system_pct: Math.max(0, system / ran) }
    : {};
}

const everDone = (pairs: readonly Pair[], direction: Direction): boolean =>
  pairs.some(({ to }) => counted(to, direction).ios > 0);

function partsOf(changes: readonly Change[], operation?: string): Record<string, number> {
  const completion = mergeSpreads(changes.map((change) => change.completion));
  const submission = mergeSpreads(changes.map((change) => change.submission));
  return { ...completions(completion, operation), ...meansOfParts(submission, completion, operation) };
}

function figuresOf(pairs: readonly Pair[], seconds: number): Record<string, number> {
  const used = DIRECTIONS.filter((direction) => everDone(pairs, direction));
  const changes = new Map(used.map((direction) => [direction, change(pairs, direction)]));
  const all = [...changes.values()];
  const metrics: Record<string, number> = {
    iops: all.reduce((sum, { ios }) => sum + ios, 0) / seconds,
    ...latencies(mergeSpreads(all.map(({ spread }) => spread))),
    ...partsOf(all),
  };
  for (const direction of ['read', 'write'] as const) {
    const done = changes.get(direction);
    if (!done) continue;
    metrics[`iops_${direction}`] = done.ios / seconds;
    // This counter can be missing from a damaged document that has the others.
    if (done.bytes >= 0) metrics[`${direction}_mib_s`] = done.bytes / MIB / seconds;
    if (changes.size > 1) Object.assign(metrics, latencies(done.spread, direction), partsOf([done], direction));
  }
  if (pairs.some(({ to }) => (to.sync?.ios ?? 0) > 0)) {
    const done = syncs(pairs);
    if (done) Object.assign(metrics, { fsyncs_per_s: done.ios / seconds }, latencies(done.spread, 'sync'));
  }
  return metrics;
}

/** Metrics worth having for parts of a run; the others are available for the whole. */
const OF_A_PART = new Set([
  ...['iops', 'iops_read', 'iops_write', 'read_mib_s', 'write_mib_s', 'fsyncs_per_s'],
  ...['latency_avg_ms', 'latency_p99_ms', 'sync_latency_avg_ms', 'sync_latency_p99_ms'],
]);

/** Places are compared with each other by these too. */
const OF_A_PLACE = new Set([...OF_A_PART, 'latency_p50_ms', 'latency_max_ms']);

function partOf(name: string, pairs: readonly Pair[], seconds: number, shown = OF_A_PART): Record<string, number> {
  const figures = Object.entries(figuresOf(pairs, seconds)).filter(([id]) => shown.has(id));
  return Object.fromEntries(figures.map(([id, value]) => [partMetric(name, id), value]));
}

/** Before its stage begins and after it ends, a job has no rate, not even 0. While it runs, its run time advances even without progress. */
const isRunning = ({ from, to }: Pair): boolean => {
  const time = (job: Job | undefined): number =>
    Math.max(0, ...[...(job?.directions.values() ?? [])].map(({ runtime }) => runtime));
  return time(to) > time(from);
};

/** Metrics of an interval: of all jobs together, and of each group, job or place if there are several. */
export function metricsOf(step: Step): Record<string, number> {
  const seconds = step.length / 1000;
  const pairs = pairsOf(step);
  const metrics = { ...figuresOf(pairs, seconds), ...processor(pairs) };
  const groups = Map.groupBy(pairs, ({ to }) => to.group);
  if (groups.size > 1)
    for (const [group, members] of [...groups].slice(0, MOST_PARTS).filter(([, each]) => each.some(isRunning)))
      Object.assign(metrics, partOf(`group_${group}`, members, seconds));
  if (pairs.length > 1)
    for (const [index, pair] of pairs.entries()) {
      const { part } = pair.to;
      if (part === undefined && index < MOST_PARTS) Object.assign(metrics, partOf(`job_${index + 1}`, [pair], seconds));
      // One that has done all of its passes has no rate while others go on.
      if (part !== undefined && isRunning(pair)) Object.assign(metrics, partOf(part, [pair], seconds, OF_A_PLACE));
    }
  return metrics;
}

/** fio reads its counters and the clock of a document at slightly different moments. */
const TOLERANCE_MS = 100;
/** `elapsed` is in whole seconds. */
const SECOND_MS = 1000;
/** Smaller clock adjustments are not reported: at its end, a run can pause for about as long, with its counters at rest. */
export const LEAST_REPORTED_MS = 500;

const runtimeOf = (job: Job): number => Math.max(0, ...[...job.directions.values()].map(({ runtime }) => runtime));

/** Longest runtime of all jobs, or of those at these indexes. */
export const longestRuntime = ({ jobs }: Report, places?: ReadonlySet<number>): number =>
  Math.max(0, ...jobs.filter((_, index) => places?.has(index) ?? true).map(runtimeOf));

interface TimeBetween {
  passed: number;
  clockSet?: number;
  /** Advance of the host's clock over fio's own in ms. Undefined if the host's is not reported. */
  drift?: number;
}

const difference = (before: number | undefined, after: number | undefined): number | undefined =>
  before === undefined || after === undefined ? undefined : after - before;

/**
 * The time between two documents. A job's own runtime measures it with a monotonic clock while the job runs. Only if that is not possible (jobs that
 * wait for others, counters that were reset), the host's clock is used, provided that it agrees with fio's other counts. `anew`: indexes of jobs
 * whose counters were reset.
 */
function timeBetween(
  before: Report,
  after: Report,
  restarted: ReadonlySet<number>,
  usual: number | undefined,
): TimeBetween {
  const places = after.jobs.map((_, index) => index);
  const begun = places.filter((index) => {
    const job = before.jobs[index];
    return job !== undefined && runtimeOf(job) > 0 && !restarted.has(index);
  });
  const advance = Math.max(
    0,
    ...begun.map((index) => runtimeOf(after.jobs[index] as Job) - runtimeOf(before.jobs[index] as Job)),
  );
  const least = Math.max(advance, longestRuntime(after, restarted));
  const wall = difference(before.at, after.at);
  const seconds = difference(before.elapsed, after.elapsed);
  const believed = wall !== undefined && agrees(wall, least, seconds);
  const ordinary = believed ? wall : usual;
  const ran = begun.length === places.length || (ordinary !== undefined && advance >= ordinary - TOLERANCE_MS);
  const passed = ran ? advance : believed ? wall : Math.max(least, usual ?? 0);
  const drift = wall === undefined ? {} : { drift: wall - passed };
  return { passed, ...drift, ...(wall !== undefined && !believed && clockSetBy(wall - passed)) };
}

/** No job runs longer than the time that passed, and whole seconds are off by at most one. */
const agrees = (wall: number, least: number, seconds: number | undefined): boolean =>
  wall >= least - TOLERANCE_MS &&
  (seconds === undefined || Math.abs(wall - seconds * SECOND_MS) <= SECOND_MS + TOLERANCE_MS);

const clockSetBy = (by: number): { clockSet?: number } => (Math.abs(by) >= LEAST_REPORTED_MS ? { clockSet: by } : {});
