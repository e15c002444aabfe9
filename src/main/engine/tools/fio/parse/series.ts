import type { Finding } from '../../../../../shared/model/finding.ts';
import { formatDuration } from '../../../../../shared/util/format.ts';
import { noProgress } from '../../faults.ts';
import type { ParsedSample } from '../../tool.ts';
import { LatencyBins } from './bins.ts';
import type { Counters, Report, Times } from './figures.ts';
import { LEAST_REPORTED_MS, longestRuntime, metricsOf, stepBetween } from './interval.ts';

const SECOND_MS = 1000;
/** fio reads its counters and the clock of a document at slightly different moments. */
const TOLERANCE_MS = 100;
/** The final document follows the previous one immediately, in the same second of fio's own clock. */
const SAME_SECOND_MS = 2000;
/** Maximum distance between documents requested every second, by fio's clock in whole seconds. */
const EVERY_SECOND = 2;
/** Maximum I/Os that complete while no time passes, as a share of all previous ones, and the minimum of this limit. */
const AT_REST = { share: 0.01, least: 256 };

const sameJobs = (before: Report, after: Report): boolean =>
  before.jobs.length === after.jobs.length &&
  before.jobs.every(({ name, options }, index) => {
    const other = after.jobs[index];
    return name === other?.name && options === other.options;
  });

/** Since the start, the minimum only decreases, the maximum increases, and each bin grows. */
const grows = (before: Times, after: Times): boolean =>
  before.count === 0 ||
  after.count === 0 ||
  (after.min <= before.min &&
    after.max >= before.max &&
    [...(before.bins ?? [])].every(([ns, count]) => after.bins === undefined || (after.bins.get(ns) ?? 0) >= count));

const wasReset = (before: Counters, after: Counters): boolean =>
  after.ios < before.ios || after.runtime < before.runtime;

/** Whether two documents are consistent with the later one continuing the earlier one. */
const continues = (before: Report, after: Report): boolean =>
  sameJobs(before, after) &&
  before.jobs.every(({ directions }, index) =>
    [...directions].every(([direction, counters]) => {
      const later = after.jobs[index]?.directions.get(direction);
      return later !== undefined && (wasReset(counters, later) || grows(counters.times, later.times));
    }),
  );

/** Within one second: fewer I/Os than before, or far more than possible in the time that passed. */
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
 * Whether a document belongs to a different run than the previous one. Decided by fio's own monotonic clock, by the host's, which may be adjusted,
 * and by counters that only grow. `usual`: ms between two documents of this run, once known.
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
    // The first second of a run can last one and a half: its first two documents then have the same second.
    const ran = longestRuntime(after) - longestRuntime(before);
    return !atOnce && !(continues(before, after) && (usual !== undefined || Math.abs(ran - SECOND_MS) < SECOND_MS / 2));
  }
  const believed = passed === undefined || Math.abs(passed - seconds * SECOND_MS) <= SECOND_MS + TOLERANCE_MS;
  const inStep =
    (seconds <= EVERY_SECOND && (usual !== undefined || before.elapsed <= EVERY_SECOND)) ||
    (usual !== undefined && Math.abs(seconds * SECOND_MS - usual) <= SECOND_MS + TOLERANCE_MS);
  return !inStep && (!believed || usual === undefined) && !(believed && continues(before, after));
}

/** fio prints its last document up to 0.6 s after the last full second, which is not a sample, and its first at about 0.9 s, which is one. */
const SHORTEST_MS = 700;
/** A first document later than this is the only one, or requested manually: a mean of the whole run rather than a second of it. */
const LONGEST_FIRST_MS = 1500;

/** Number of documents after which a late one has been compensated. */
const CAUGHT_UP = 3;

/** The same jobs in the same order. Names are not compared: they may be damaged, and they do not change. */
const comparable = (before: Report, after: Report): boolean => before.jobs.length === after.jobs.length;

/** Converts documents that count since the start to the changes between them. */
export class Series {
  readonly #emit: (sample: ParsedSample) => void;
  readonly #progress: (report: Report) => Record<string, number>;
  #last: Report | undefined;
  /** The latest document of a later run. */
  #behind: Report | undefined;
  /** Time since the load's start in ms, by fio's own clock. */
  #clock = 0;
  /** Length of an ordinary interval in ms. */
  #usual: number | undefined;
  readonly #clockSet: { t: number; by: number; drift: number; documents: number }[] = [];
  /** Advance of the host's clock over fio's own since the load's start in ms. */
  #drift = 0;
  #documents = 0;
  #gap = false;
  #count = 0;
  #runs = 1;
  readonly #firsts: Report[] = [];
  #lost = 0;
  readonly #zero: number[] = [];
  readonly #bins = new LatencyBins();

  /** `progress`: metrics of a document by itself. */
  constructor(emit: (sample: ParsedSample) => void, progress: (report: Report) => Record<string, number> = () => ({})) {
    this.#emit = emit;
    this.#progress = progress;
  }

  get last(): Report | undefined {
    return this.#last;
  }
  get any(): boolean {
    return this.#count > 0;
  }

  /** Latency histograms, if fio reports them. */
  get latencies(): LatencyBins['latencies'] {
    return this.#bins.latencies;
  }

  /** Called for an unreadable document: the next difference covers more than its own second, and is omitted. */
  broken(): void {
    this.#lost += 1;
    this.#gap = true;
  }

  /** Number of runs in the documents. Those after the first are ignored. */
  get runs(): number {
    return this.#runs;
  }

  /** Distinguishes the runs: by options that differ, or else by the time of their reports. */
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
      this.#clockSet.push({ t, by: step.clockSet, drift: this.#drift, documents: this.#documents });
    this.#drift += step.drift ?? 0;
    this.#dropLate();
    const late = step.before === undefined && step.length > LONGEST_FIRST_MS;
    if (gap || late || step.length < SHORTEST_MS) return;
    if (step.before) this.#usual = step.passed;
    const metrics = { ...metricsOf(step), ...this.#progress(report) };
    if (metrics.iops === 0) this.#zero.push(t);
    this.#count += 1;
    this.#emit({ t, metrics });
  }

  /** A document written late by a busy host has a later time, unlike those that follow: the clock was not adjusted. */
  #dropLate(): void {
    const isBack = ({ drift, documents }: { drift: number; documents: number }): boolean =>
      this.#documents - documents <= CAUGHT_UP && Math.abs(this.#drift - drift) < LEAST_REPORTED_MS;
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

  /** Findings at the end of the output. */
  findings(): Finding[] {
    const findings: Finding[] = [];
    if (this.#zero.length > 0) findings.push(noProgress('I/O', 'the storage', this.#zero.map(Math.round)));
    if (this.#lost > 0)
      findings.push({
        code: 'seconds-missing',
        severity: 'warn',
        message: `${this.#lost} of fio’s status documents could not be read, so the adjacent seconds have no values.`,
        next: 'Check the raw output, and whether the disk of the generator was full.',
      });
    if (this.#clockSet.length > 0) findings.push(clockFinding(this.#clockSet));
    return findings;
  }
}

/** Maximum runs named. */
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

/** Maximum clock adjustments listed. */
const MOST_LISTED = 5;

function clockFinding(all: readonly { t: number; by: number }[]): Finding {
  const listed = all
    .slice(0, MOST_LISTED)
    .map(
      ({ t, by }) =>
        `${by > 0 ? 'forward' : 'back'} by ${formatDuration(Math.abs(by) / 1000)} at second ${Math.round(t)}`,
    );
  return {
    code: 'clock-set',
    severity: 'note',
    message: `The host’s clock was set during the run: ${listed.join(', ')}${all.length > MOST_LISTED ? ' and more' : ''}. Seconds and rates follow fio’s own clock, so they are correct.`,
    next: 'Be careful when comparing times of day of this run with other logs. A host that was suspended looks the same.',
  };
}
