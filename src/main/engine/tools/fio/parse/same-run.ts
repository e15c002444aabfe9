import type { Counters, Report, Times } from './figures.ts';
import { longestRuntime } from './interval.ts';

const SECOND_MS = 1000;
/** fio reads its counters, and the clock, at slightly different moments of one document. */
const TOLERANCE_MS = 100;
/** The final document comes right behind the one before it, in the same second of fio's own clock. */
const SAME_SECOND_MS = 2000;
/** Documents that are asked for every second come no later than this, by fio's clock in whole seconds. */
const EVERY_SECOND = 2;
/** I/Os that end while no time passes, as a share of all before them, and at least. */
const AT_REST = { share: 0.01, least: 256 };

const sameJobs = (before: Report, after: Report): boolean =>
  before.jobs.length === after.jobs.length &&
  before.jobs.every(({ name, options }, index) => {
    const other = after.jobs[index];
    return name === other?.name && options === other.options;
  });

/** Since a start the shortest only gets shorter, the longest longer, and each bin fuller. */
const grows = (before: Times, after: Times): boolean =>
  before.count === 0 ||
  after.count === 0 ||
  (after.min <= before.min &&
    after.max >= before.max &&
    [...(before.bins ?? [])].every(([ns, count]) => after.bins === undefined || (after.bins.get(ns) ?? 0) >= count));

const beganAnew = (before: Counters, after: Counters): boolean =>
  after.ios < before.ios || after.runtime < before.runtime;

/** Whether nothing in two documents contradicts that the later one counts on from the earlier. */
const goesOn = (before: Report, after: Report): boolean =>
  sameJobs(before, after) &&
  before.jobs.every(({ directions }, index) =>
    [...directions].every(([direction, counters]) => {
      const later = after.jobs[index]?.directions.get(direction);
      return later !== undefined && (beganAnew(counters, later) || grows(counters.times, later.times));
    }),
  );

/** Of one second: less was done, or far more than in the time that passed. */
const jumps = (before: Report, after: Report): boolean =>
  before.jobs.some(({ directions }, index) =>
    [...directions].some(([direction, from]) => {
      const to = after.jobs[index]?.directions.get(direction);
      if (to === undefined || from.ios === 0) return false;
      const atRest = to.runtime - from.runtime <= 1;
      return to.ios < from.ios || (atRest && to.ios - from.ios > Math.max(AT_REST.least, from.ios * AT_REST.share));
    }),
  );

/**
 * Whether a document is of another run than the one before it. By fio's own clock, which nobody sets, by the host's, which somebody
 * may, and by counters that only grow. `usual`: ms between two documents of this run, once it is known.
 */
export function isOfAnotherRun(before: Report | undefined, after: Report, usual: number | undefined): boolean {
  if (before?.elapsed === undefined || after.elapsed === undefined) return false;
  if (before.version !== after.version) return true;
  const passed = before.wall === undefined || after.wall === undefined ? undefined : after.wall - before.wall;
  const seconds = after.elapsed - before.elapsed;
  if (seconds < 0) return true;
  if (seconds === 0) {
    const atOnce = passed === undefined || Math.abs(passed) <= SAME_SECOND_MS;
    if (jumps(before, after)) return true;
    // The first second of a run can be one and a half: then its first two documents are of the same.
    const ran = longestRuntime(after) - longestRuntime(before);
    return !atOnce && !(goesOn(before, after) && (usual !== undefined || Math.abs(ran - SECOND_MS) < SECOND_MS / 2));
  }
  const believed = passed === undefined || Math.abs(passed - seconds * SECOND_MS) <= SECOND_MS + TOLERANCE_MS;
  const inStep =
    (seconds <= EVERY_SECOND && (usual !== undefined || before.elapsed <= EVERY_SECOND)) ||
    (usual !== undefined && Math.abs(seconds * SECOND_MS - usual) <= SECOND_MS + TOLERANCE_MS);
  return !inStep && (!believed || usual === undefined) && !(believed && goesOn(before, after));
}
