import type { Job, Report } from './figures.ts';

/** fio reads its counters, and the clock, at slightly different moments of one document. */
const TOLERANCE_MS = 100;
/** `elapsed` is in whole seconds. */
const SECOND_MS = 1000;
/** A clock that is set by less is not told of: a run can wait about as long at its end, with its counters at rest. */
export const LEAST_TOLD_MS = 500;

const runtimeOf = (job: Job): number => Math.max(0, ...[...job.directions.values()].map(({ runtime }) => runtime));

/** Of all jobs, or of those with these places. */
export const longestRuntime = ({ jobs }: Report, places?: ReadonlySet<number>): number =>
  Math.max(0, ...jobs.filter((_, index) => places?.has(index) ?? true).map(runtimeOf));

export interface TimeBetween {
  passed: number;
  clockSet?: number;
  /** By how many ms the host's clock went on further than fio's own; absent where the host's is not told. */
  ahead?: number;
}

const difference = (before: number | undefined, after: number | undefined): number | undefined =>
  before === undefined || after === undefined ? undefined : after - before;

/**
 * The time between two documents. A job's own runtime counts it by a clock that nobody sets, as long as the job runs. Only
 * where that cannot be known (jobs that wait for others, counters that began again) the host's clock is asked, and believed when it agrees
 * with what fio counts besides. `again`: places of jobs whose counters began again.
 */
export function timeBetween(
  before: Report,
  after: Report,
  anew: ReadonlySet<number>,
  usual: number | undefined,
): TimeBetween {
  const places = after.jobs.map((_, index) => index);
  const begun = places.filter((index) => {
    const job = before.jobs[index];
    return job !== undefined && runtimeOf(job) > 0 && !anew.has(index);
  });
  const advance = Math.max(
    0,
    ...begun.map((index) => runtimeOf(after.jobs[index] as Job) - runtimeOf(before.jobs[index] as Job)),
  );
  const least = Math.max(advance, longestRuntime(after, anew));
  const wall = difference(before.at, after.at);
  const seconds = difference(before.elapsed, after.elapsed);
  const believed = wall !== undefined && agrees(wall, least, seconds);
  const ordinary = believed ? wall : usual;
  const ran = begun.length === places.length || (ordinary !== undefined && advance >= ordinary - TOLERANCE_MS);
  const passed = ran ? advance : believed ? wall : Math.max(least, usual ?? 0);
  const ahead = wall === undefined ? {} : { ahead: wall - passed };
  return { passed, ...ahead, ...(wall !== undefined && !believed && toldOf(wall - passed)) };
}

/** No job runs longer than the time that passed, and whole seconds are at most one off. */
const agrees = (wall: number, least: number, seconds: number | undefined): boolean =>
  wall >= least - TOLERANCE_MS &&
  (seconds === undefined || Math.abs(wall - seconds * SECOND_MS) <= SECOND_MS + TOLERANCE_MS);

const toldOf = (by: number): { clockSet?: number } => (Math.abs(by) >= LEAST_TOLD_MS ? { clockSet: by } : {});
