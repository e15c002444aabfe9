import type { Finding } from '../../../../../shared/model/finding.ts';
import { formatDuration } from '../../../../../shared/util/format.ts';
import { noProgress } from '../../seconds.ts';
import type { ParsedSample } from '../../tool.ts';
import { LatencyBins } from './bins.ts';
import type { Counters, Report, Times } from './figures.ts';
import { LEAST_TOLD_MS, longestRuntime, metricsOf, stepBetween } from './interval.ts';

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
function isOfAnotherRun(before: Report | undefined, after: Report, usual: number | undefined): boolean {
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

/** fio prints its last document up to 0.6 s behind the last full second, and its first at about 0.9 s: that is a sample, this is none. */
const SHORTEST_MS = 700;
/** A first document that comes later is the only one, or asked for by hand: a mean of the whole, and no second of it. */
const LONGEST_FIRST_MS = 1500;

/** Documents after which one that was late has been caught up with. */
const CAUGHT_UP = 3;

/** The same jobs, in the same order. Their names are not compared: they may be damaged, and they do not change. */
const comparable = (before: Report, after: Report): boolean => before.jobs.length === after.jobs.length;

/** Turns documents that count since the start into what happened between them. */
export class Series {
  readonly #emit: (sample: ParsedSample) => void;
  #last: Report | undefined;
  /** The latest document of a later run. */
  #behind: Report | undefined;
  /** Time since the load's start in ms, by fio's own clock. */
  #clock = 0;
  /** Length of an ordinary interval in ms. */
  #usual: number | undefined;
  readonly #clockSet: { t: number; by: number; ahead: number; documents: number }[] = [];
  /** By how many ms the host's clock has gone on further than fio's own since the load's start. */
  #ahead = 0;
  #documents = 0;
  #gap = false;
  #count = 0;
  #runs = 1;
  readonly #firsts: Report[] = [];
  #lost = 0;
  readonly #zero: number[] = [];
  readonly #bins = new LatencyBins();

  constructor(emit: (sample: ParsedSample) => void) {
    this.#emit = emit;
  }

  get last(): Report | undefined {
    return this.#last;
  }
  get any(): boolean {
    return this.#count > 0;
  }

  /** How many I/Os took how long, where fio tells it. */
  get latencies(): LatencyBins['latencies'] {
    return this.#bins.latencies;
  }

  /** A document could not be read: the next difference is over more than its own second, and is left out. */
  broken(): void {
    this.#lost += 1;
    this.#gap = true;
  }

  /** How many runs the documents are of; those behind the first are left out. */
  get runs(): number {
    return this.#runs;
  }

  /** What tells the runs from one another: options that differ, else when each was reported. */
  get runNames(): string {
    const names = namesOf(this.#firsts);
    return names.length > 1
      ? ` (${names.slice(0, MOST_NAMED).join(', ')}${names.length > MOST_NAMED ? ' and more' : ''})`
      : '';
  }

  add(report: Report): void {
    const before = this.#last;
    if (before === undefined) this.#firsts.push(report);
    if (this.#runs > 1 || isOfAnotherRun(before, report, this.#usual)) {
      this.#another(report);
      return;
    }
    const gap = this.#gap || (before !== undefined && !comparable(before, report));
    this.#last = report;
    this.#gap = false;
    const runtime = longestRuntime(report);
    if (runtime === 0) return;
    const step = stepBetween(before, report, this.#usual);
    this.#clock += step.passed;
    const t = this.#clock / 1000;
    this.#bins.add(report, t);
    this.#documents += 1;
    if (step.clockSet !== undefined)
      this.#clockSet.push({ t, by: step.clockSet, ahead: this.#ahead, documents: this.#documents });
    this.#ahead += step.ahead ?? 0;
    this.#dropLate();
    const late = step.before === undefined && step.length > LONGEST_FIRST_MS;
    if (gap || late || step.length < SHORTEST_MS) return;
    if (step.before) this.#usual = step.passed;
    const metrics = metricsOf(step);
    if (metrics.iops === 0) this.#zero.push(t);
    this.#count += 1;
    this.#emit({ t, metrics });
  }

  /** A document that a busy host wrote late carries a later time, and the next ones do not: nobody set the clock. */
  #dropLate(): void {
    const isBack = ({ ahead, documents }: { ahead: number; documents: number }): boolean =>
      this.#documents - documents <= CAUGHT_UP && Math.abs(this.#ahead - ahead) < LEAST_TOLD_MS;
    const first = this.#clockSet.findIndex((each) => each.documents < this.#documents && isBack(each));
    if (first >= 0) this.#clockSet.splice(first);
  }

  #another(report: Report): void {
    if (this.#runs === 1 || isOfAnotherRun(this.#behind, report, this.#usual)) {
      this.#runs += 1;
      this.#firsts.push(report);
    }
    this.#behind = report;
  }

  /** What to tell at the end. */
  findings(): Finding[] {
    const findings: Finding[] = [];
    if (this.#zero.length > 0) findings.push(noProgress('I/O', 'the storage', this.#zero.map(Math.round)));
    if (this.#lost > 0)
      findings.push({
        code: 'seconds-missing',
        severity: 'warn',
        message: `${this.#lost} of fio’s status documents could not be read, so the seconds that end and begin with them have no values.`,
        next: 'The raw output shows what is there. Check whether the disk of the generator was full.',
      });
    if (this.#clockSet.length > 0) findings.push(clockFinding(this.#clockSet));
    return findings;
  }
}

/** Most runs that are named. */
const MOST_NAMED = 12;

function namesOf(runs: readonly Report[]): string[] {
  const options = runs.map(({ jobs }) => JSON.parse(jobs[0]?.options ?? '{}') as Record<string, unknown>);
  const differing = [...new Set(options.flatMap((each) => Object.keys(each)))].filter(
    (name) => new Set(options.map((each) => String(each[name]))).size > 1,
  );
  if (differing.length > 0)
    return options.map((each) => differing.map((name) => `${name}=${String(each[name] ?? '')}`).join(' '));
  return runs.flatMap(({ wall }) =>
    wall === undefined ? [] : [`reported at ${new Date(wall).toISOString().slice(0, 19).replace('T', ' ')} UTC`],
  );
}

/** Most changes of the clock that are told one by one. */
const MOST_TOLD = 5;

function clockFinding(all: readonly { t: number; by: number }[]): Finding {
  const told = all
    .slice(0, MOST_TOLD)
    .map(
      ({ t, by }) =>
        `${by > 0 ? 'forward' : 'back'} by ${formatDuration(Math.abs(by) / 1000)} at second ${Math.round(t)}`,
    );
  return {
    code: 'clock-set',
    severity: 'note',
    message: `The host’s clock was set during the run: ${told.join(', ')}${all.length > MOST_TOLD ? ' and more' : ''}. Seconds and rates follow fio’s own clock, so they are correct.`,
    next: 'Compare times of day of this run with other logs with care. A host that was asleep for a while looks the same.',
  };
}
