import type { Finding } from '../../../../shared/model/finding.ts';
import { noProgress } from '../seconds.ts';
import type { ParsedSample } from '../tool.ts';
import { type Counters, DIRECTIONS, type Direction, type Job, type Report } from './figures.ts';
import { latencies } from './latencies.ts';
import { between, EMPTY, type Spread, together } from './times.ts';

const MIB = 1_048_576;
/** fio prints its last document up to 0.6 s behind the last full second, and its first at about 0.9 s: that is a sample, this is none. */
const SHORTEST_MS = 700;
/** A first document that comes later is the only one, or asked for by hand: a mean of the whole, and no second of it. */
const LONGEST_FIRST_MS = 1500;

/** What happened in one direction between two documents. */
interface Change {
  ios: number;
  bytes: number;
  spread: Spread;
}

const NOTHING: Counters = { ios: 0, bytes: 0, runtime: 0, iops: 0, bytesPerSecond: 0, times: EMPTY };

/** Counters that are smaller than before were started anew, as fio does at the end of its ramp. */
const restarted = (before: Counters, after: Counters): boolean =>
  after.ios < before.ios || after.runtime < before.runtime || after.times.count < before.times.count;

const counted = (job: Job | undefined, direction: Direction): Counters => job?.directions.get(direction) ?? NOTHING;
const runtimeOf = (job: Job): number => Math.max(0, ...[...job.directions.values()].map(({ runtime }) => runtime));
const longestRuntime = (report: Report): number => Math.max(0, ...report.jobs.map(runtimeOf));

/** The same jobs, in the same order. Their names are not compared: they may be damaged, and they do not change. */
const comparable = (before: Report, after: Report): boolean =>
  before.jobs.length === after.jobs.length && after.at > before.at;

interface Step {
  before: Report | undefined;
  after: Report;
  /** Jobs whose counters began anew in between. */
  anew: ReadonlySet<number>;
  /** Length in ms. */
  length: number;
}

function stepBetween(before: Report | undefined, after: Report): Step {
  const anew = new Set<number>();
  after.jobs.forEach((job, index) => {
    const earlier = before?.jobs[index];
    if (DIRECTIONS.some((direction) => restarted(counted(earlier, direction), counted(job, direction))))
      anew.add(index);
  });
  const first = !before || longestRuntime(before) === 0;
  if (first) return { before: undefined, after, anew, length: longestRuntime(after) };
  const length =
    anew.size > 0
      ? Math.max(0, ...after.jobs.filter((_, index) => anew.has(index)).map(runtimeOf))
      : after.at - before.at;
  return { before, after, anew, length };
}

const baseOf = ({ before, anew }: Step, index: number): Job | undefined =>
  anew.has(index) ? undefined : before?.jobs[index];

function change(step: Step, direction: Direction): Change {
  const whole: Change = { ios: 0, bytes: 0, spread: { count: 0, sum: 0 } };
  const spreads: Spread[] = [];
  step.after.jobs.forEach((job, index) => {
    const [from, to] = [counted(baseOf(step, index), direction), counted(job, direction)];
    whole.ios += to.ios - from.ios;
    whole.bytes += to.bytes - from.bytes;
    spreads.push(between(from.times, to.times));
  });
  return { ...whole, spread: together(spreads) };
}

/** Completed fsyncs, and how long they took. Undefined when one of the two documents does not tell of them. */
function syncs(step: Step): { ios: number; spread: Spread } | undefined {
  let ios = 0;
  const spreads: Spread[] = [];
  for (const [index, job] of step.after.jobs.entries()) {
    const base = baseOf(step, index);
    if (!job.sync || (base && !base.sync)) return undefined;
    ios += job.sync.ios - (base?.sync?.ios ?? 0);
    spreads.push(between(base?.sync?.times ?? EMPTY, job.sync.times));
  }
  return { ios, spread: together(spreads) };
}

const everDone = (report: Report, direction: Direction): boolean =>
  report.jobs.some((job) => counted(job, direction).ios > 0);

function metricsOf(step: Step): Record<string, number> {
  const seconds = step.length / 1000;
  const used = DIRECTIONS.filter((direction) => everDone(step.after, direction));
  const changes = new Map(used.map((direction) => [direction, change(step, direction)]));
  const all = [...changes.values()];
  const metrics: Record<string, number> = {
    iops: all.reduce((sum, { ios }) => sum + ios, 0) / seconds,
    ...latencies(together(all.map(({ spread }) => spread))),
  };
  for (const direction of ['read', 'write'] as const) {
    const done = changes.get(direction);
    if (!done) continue;
    metrics[`iops_${direction}`] = done.ios / seconds;
    metrics[`${direction}_mib_s`] = done.bytes / MIB / seconds;
    if (changes.size > 1) Object.assign(metrics, latencies(done.spread, direction));
  }
  if (step.after.jobs.some((job) => (job.sync?.ios ?? 0) > 0)) {
    const done = syncs(step);
    if (done) Object.assign(metrics, { fsyncs_per_s: done.ios / seconds }, latencies(done.spread, 'sync'));
  }
  return metrics;
}

/** Turns documents that count since the start into what happened between them. */
export class Series {
  readonly #emit: (sample: ParsedSample) => void;
  #last: Report | undefined;
  /** Epoch ms of the load's start. */
  #start: number | undefined;
  #gap = false;
  #count = 0;
  #lost = 0;
  readonly #zero: number[] = [];

  constructor(emit: (sample: ParsedSample) => void) {
    this.#emit = emit;
  }

  get last(): Report | undefined {
    return this.#last;
  }
  get any(): boolean {
    return this.#count > 0;
  }

  /** A document could not be read: the next difference is over more than its own second, and is left out. */
  broken(): void {
    this.#lost += 1;
    this.#gap = true;
  }

  add(report: Report): void {
    const before = this.#last;
    const gap = this.#gap || (before !== undefined && !comparable(before, report));
    this.#last = report;
    this.#gap = false;
    const runtime = longestRuntime(report);
    if (runtime === 0) return;
    this.#start ??= report.at - runtime;
    const step = stepBetween(before, report);
    const late = step.before === undefined && step.length > LONGEST_FIRST_MS;
    if (gap || late || step.length < SHORTEST_MS) return;
    const t = (report.at - this.#start) / 1000;
    const metrics = metricsOf(step);
    if (metrics.iops === 0) this.#zero.push(t);
    this.#count += 1;
    this.#emit({ t, metrics });
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
        next: 'The raw output shows what is there. Look whether the disk of the generator was full.',
      });
    return findings;
  }
}
