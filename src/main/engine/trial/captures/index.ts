import { eventNow } from '../../../../shared/analysis/index.ts';
import { metricOf } from '../../../../shared/metrics/index.ts';
import { type Capture, MOST_MOMENTS } from '../../../../shared/model/capture.ts';
import { problemOf } from '../../../../shared/model/problem.ts';
import type { Step } from '../../plans/index.ts';
import { metricOfRun, pauseFor } from '../../runs/index.ts';
import type { RunRow, Store } from '../../store/store.ts';
import type { TrialContext, TrialControl } from '../context.ts';
import { begunEvents } from '../scenario-acts.ts';
import { toolStart } from '../zero.ts';
import { CaptureTaker, capturesAt } from './take.ts';

const POLL_MS = 250;
/** Between two looks for a stall. */
const STALL_POLL_MS = 1_000;

/**
 * The captures of one run: before its tool is launched, while it runs, and after its end. Each is stored when it is taken, so a kill loses none. When
 * the run is followed again, captures of the end are taken; those that were due meanwhile are not.
 */
export class RunCaptures {
  readonly #context: TrialContext;
  readonly #run: RunRow;
  readonly #control: TrialControl;
  readonly #captures: readonly Capture[];
  readonly #taker: CaptureTaker;
  readonly #warmup: number;
  #start: number | undefined;

  constructor(context: TrialContext, run: RunRow, step: Step, control: TrialControl) {
    this.#context = context;
    this.#run = run;
    this.#control = control;
    this.#captures = context.store.sessions.snapshot(run.sessionId).experiment.captures ?? [];
    this.#taker = new CaptureTaker(context, run, step, control);
    this.#warmup = step.warmup;
  }

  /** Takes captures right before the tool is launched. */
  async before(): Promise<void> {
    for (const capture of capturesAt(this.#captures, 'start'))
      if (!this.#control.ended()) await this.#taker.take(capture, 'start');
  }

  /** Takes captures until `over`: the tool has ended. */
  async follow(over: AbortSignal): Promise<void> {
    const ends = AbortSignal.any([over, this.#control.signal]);
    const ofEvents = capturesAt(this.#captures, 'event');
    const ofStalls = capturesAt(this.#captures, 'stall');
    const repeated = this.#captures.flatMap((capture) =>
      capture.every === undefined ? [] : [{ capture, every: capture.every, due: capture.every }],
    );
    if (ofEvents.length + ofStalls.length + repeated.length === 0) return;
    const stalls = ofStalls.length > 0 ? new LiveStalls(this.#context, this.#run, this.#warmup) : undefined;
    const taken = this.#context.store.captures.ofRun(this.#run.id);
    if (stalls?.isBlind)
      for (const capture of ofStalls)
        if (!taken.some(({ name, moment }) => name === capture.name && moment === 'stall'))
          this.#taker.omit(capture, 'stall', 'Not taken: the tool reports no rate that would show a stall.');
    // Events and intervals from the time in which the app was away are over.
    let events = this.#begun();
    let stallsLeft = MOST_MOMENTS - momentsOf(taken, 'stall', ofStalls);
    let eventsLeft = MOST_MOMENTS - momentsOf(taken, 'event', ofEvents);
    let lastPoll = Number.NEGATIVE_INFINITY;
    const passed = this.#second();
    for (const each of repeated) while (each.due <= passed) each.due += each.every;
    while (!ends.aborted && !this.#control.ended()) {
      const begun = ofEvents.length > 0 ? this.#begun() : events;
      for (; events < begun; events += 1) {
        if (eventsLeft > 0) await this.#takeAll(ofEvents, 'event', ends);
        eventsLeft -= 1;
      }
      const now = this.#context.clock.monotonic();
      if (stalls && now - lastPoll >= STALL_POLL_MS) {
        lastPoll = now;
        if (stalls.begins(this.#second()) && stallsLeft > 0) {
          stallsLeft -= 1;
          await this.#takeAll(ofStalls, 'stall', ends);
        }
      }
      for (const each of repeated) {
        if (ends.aborted || this.#second() < each.due) continue;
        await this.#taker.take(each.capture, 'every', this.#second());
        while (each.due <= this.#second()) each.due += each.every;
      }
      await pauseFor(POLL_MS, ends);
    }
  }

  /** Takes captures after the tool has ended. Safe to repeat: existing ones are not taken again. */
  async after(): Promise<void> {
    const there = this.#context.store.captures.ofRun(this.#run.id).filter(({ moment }) => moment === 'end');
    const early = this.#control.ended();
    for (const capture of capturesAt(this.#captures, 'end')) {
      if (there.some(({ name }) => name === capture.name)) continue;
      if (early) this.#taker.omit(capture, 'end', 'Not taken: the trial was stopped early by the user.');
      else await this.#taker.take(capture, 'end', this.#second());
    }
  }

  async close(): Promise<void> {
    await this.#taker.close();
  }

  async #takeAll(captures: readonly Capture[], moment: 'stall' | 'event', ends: AbortSignal): Promise<void> {
    for (const capture of captures) if (!ends.aborted) await this.#taker.take(capture, moment, this.#second());
  }

  #begun(): number {
    return begunEvents(this.#context, this.#run).length;
  }

  /** Seconds since the tool has started, as far as known. */
  #second(): number {
    const { store, clock } = this.#context;
    const run = store.runs.get(this.#run.id) ?? this.#run;
    const start = this.#start ?? toolStart(store, run, 0);
    // From the first line of its index on it does not change any more.
    if (this.#start === undefined && start > (run.startedAt ?? 0)) this.#start = start;
    return Math.max(0, (clock.now() - start) / 1000);
  }
}

/** Number of times that the first of these captures was taken at such a moment. */
const momentsOf = (
  taken: readonly { name: string; moment: string; times: number }[],
  moment: string,
  [first]: readonly Capture[],
): number =>
  taken
    .filter((each) => each.moment === moment && each.name === first?.name)
    .reduce((sum, { times }) => sum + times, 0);

/** Follows the captures of a run. A failure is logged and does not affect the run. */
export const followCaptures = ({ log }: TrialContext, captures: RunCaptures, over: AbortSignal): Promise<void> =>
  captures.follow(over).catch((error: unknown) => {
    log.error('the captures of a trial have ended', { message: problemOf(error).message });
  });

/** Number of values that determine the usual rate: the last ones of a longer run. */
const MOST_KEPT = 700;

/** Detects stalls and dips of a run while they last, in the first metric of its tool, by generator: their sum is known only later. */
export class LiveStalls {
  readonly #store: Store;
  readonly #run: RunRow;
  readonly #warmup: number;
  readonly #metric: string | undefined;
  readonly #lines = new Map<number, { rows: number; t: number[]; v: number[] }>();
  /** By generator, the last second of the latest stall or dip. */
  readonly #until = new Map<number, number>();

  constructor({ store }: Pick<TrialContext, 'store'>, run: RunRow, warmup: number) {
    this.#store = store;
    this.#run = run;
    this.#warmup = warmup;
    const metric = metricOfRun(store.sessions.snapshot(run.sessionId), run);
    this.#metric = metric !== null && metricOf(metric).better === 'higher' ? metric : undefined;
  }

  /** Whether the tool reports no rate that could show a stall. */
  get isBlind(): boolean {
    return this.#metric === undefined;
  }

  /** Whether a stall or dip has begun since the last look. `now`: second of the run. */
  begins(now: number): boolean {
    const metric = this.#metric;
    if (metric === undefined) return false;
    const { samples } = this.#store;
    for (const { generator, rows } of samples.progress(this.#run.id)) {
      const line = this.#lines.get(generator) ?? { rows: Math.max(0, rows - MOST_KEPT), t: [], v: [] };
      this.#lines.set(generator, line);
      if (rows <= line.rows) continue;
      const { t, columns } = samples.rows(this.#run.id, generator, line.rows);
      const values = columns[metric];
      line.rows += t.length;
      t.forEach((second, index) => {
        const value = values?.[index] ?? Number.NaN;
        if (Number.isNaN(value)) return;
        line.t.push(second);
        line.v.push(value);
      });
      line.t.splice(0, line.t.length - MOST_KEPT);
      line.v.splice(0, line.v.length - MOST_KEPT);
    }
    const begun = [...this.#lines].filter(([generator, { t, v }]) => {
      const points = { t: Float64Array.from(t), v: Float64Array.from(v) };
      const event = eventNow(points, { now, warmup: this.#warmup });
      if (!event) return false;
      const until = this.#until.get(generator) ?? Number.NEGATIVE_INFINITY;
      this.#until.set(generator, Math.max(until, event.to));
      // A server that works for a second before it stalls again is in the same stall.
      return event.from > until;
    });
    return begun.length > 0;
  }
}
