import type { LogMark } from '../../../../shared/captures/index.ts';
import {
  CAPTURE_SHARE,
  CAPTURED_BYTES,
  type Capture,
  formOf,
  type KeptCapture,
  momentsOf,
} from '../../../../shared/model/capture.ts';
import { describeProblem, KneepointError, problemOf } from '../../../../shared/model/problem.ts';
import { untilAborted } from '../../hosts/cancel.ts';
import type { Step } from '../../plans/index.ts';
import { atServer } from '../../runs/index.ts';
import type { NewCapture, NewEvent, RunRow } from '../../store/store.ts';
import type { TargetSession } from '../../targets/target.ts';
import { noStatements } from '../before/target.ts';
import { runWords, type TrialContext, type TrialControl } from '../context.ts';
import { commandHost } from '../scenario-acts.ts';
import { toolStart } from '../zero.ts';
import { type Kept, keptAnswer, readOnHost, tableOf } from './read.ts';

type Moment = KeptCapture['moment'];

/** Time limit of one capture, connection included. */
const LIMIT_MS = 10_000;

/** Delay before an unreachable server is tried again. */
const UNREACHED_MS = 5_000;

/** A line of a log up to this much before the tool started, or by a clock that is slightly ahead, belongs to the run. */
const BEFORE_MS = 1_000;

/** Moments while the tool runs, to which the share of its time applies. */
const isWithin = (moment: Moment): boolean => moment !== 'start' && moment !== 'end';

/**
 * Takes captures of one run and stores each at once. A capture that cannot be taken, or not any more, is stored with the reason and never fails the
 * run. The connection to the target stays open between captures: during a stall a new one may be impossible.
 */
export class CaptureTaker {
  readonly #context: TrialContext;
  readonly #run: RunRow;
  readonly #step: Step;
  readonly #control: TrialControl;
  readonly #noticed = new Set<string>();
  #session: TargetSession | undefined;
  /** The last connection error and its time, on the clock of waits: further captures do not wait for the same. */
  #unreached: { error: unknown; at: number } | undefined;
  /** Milliseconds that captures have taken while the tool ran. */
  #spent: number;

  constructor(context: TrialContext, run: RunRow, step: Step, control: TrialControl) {
    this.#context = context;
    this.#run = run;
    this.#step = atServer(context, step);
    this.#control = control;
    const taken = context.store.captures.ofRun(run.id).filter(({ moment }) => isWithin(moment));
    this.#spent = taken.reduce((sum, { tookMs }) => sum + tookMs, 0);
  }

  /** `t`: second of the run; undefined if its tool has not started. */
  async take(capture: Capture, moment: Moment, t?: number): Promise<void> {
    if (this.#control.signal.aborted) return;
    const at = this.#context.clock.now();
    const start = this.#context.clock.monotonic();
    const why = this.#whyNot(moment);
    const { kept: read, problem } = why === undefined ? await this.#read(capture) : { kept: undefined, problem: why };
    const found = read?.marks && (await this.#marksOf(capture, read.marks));
    // The command's exit is stored with the marks of its output.
    const kept = found ? { ...read, ...found.kept } : read;
    // The app closes: captures of the end are taken when it is back.
    if (this.#control.signal.aborted) return;
    const tookMs = why === undefined ? Math.round(this.#context.clock.monotonic() - start) : 0;
    if (isWithin(moment)) this.#spent += tookMs;
    const { content, bytes = 0, left } = kept ?? {};
    const reason = kept?.problem ?? problem;
    const newCapture: NewCapture = {
      ...{ runId: this.#run.id, name: capture.name, as: formOf(capture), moment, at, tookMs, bytes },
      ...(t !== undefined && { t: Math.max(0, Math.round(t * 1000) / 1000) }),
      ...(content && { content }),
      ...(left && { left }),
      ...(reason !== undefined && { problem: reason }),
    };
    this.#store(newCapture, found?.events);
  }

  /** Maps marks of a log to seconds of the run: as a table, and as events of its timeline. */
  async #marksOf(capture: Capture, marks: readonly LogMark[]): Promise<{ kept: Kept; events: NewEvent[] }> {
    const { store, machines, clock } = this.#context;
    const machine = machines.get(capture.host ?? commandHost(this.#context, this.#step));
    // Without a reading of its clock, the host's time is used unchanged.
    const offset = await this.#context.readClock(machine, this.#control.signal).catch(() => undefined);
    const run = store.runs.get(this.#run.id) ?? this.#run;
    const start = toolStart(store, run, 0);
    const within = marks
      .map(({ at, label }) => ({ at: at + (offset?.offsetMs ?? 0), label }))
      .filter(({ at }) => at >= start - BEFORE_MS && at <= clock.now() + BEFORE_MS)
      .sort((one, other) => one.at - other.at);
    const seconds = (ms: number): number => Math.round(ms) / 1000;
    const rows = within.map(({ at, label }, index) => {
      const before = within[index - 1];
      return [seconds(at - start), before ? seconds(at - before.at) : null, this.#context.redact(label)];
    });
    return {
      kept: tableOf({ columns: ['second', 'seconds since the mark before', 'mark'], rows }),
      events: within.map(({ at, label }) => ({
        ...{ sessionId: run.sessionId, runId: run.id, kind: 'mark', level: 'info', at: Math.round(at) },
        t: Math.max(0, seconds(at - start)),
        message: this.#context.redact(`${capture.name}: ${label}`),
      })),
    };
  }

  /** Stores why a capture has no content. */
  omit(capture: Capture, moment: Moment, problem: string): void {
    const at = this.#context.clock.now();
    this.#store({
      ...{ runId: this.#run.id, name: capture.name, as: formOf(capture), moment, at, tookMs: 0, bytes: 0, problem },
    });
  }

  async close(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    await session?.close().catch(() => undefined);
  }

  #whyNot(moment: Moment): string | undefined {
    const { store } = this.#context;
    if (store.captures.bytes(this.#run.sessionId) >= CAPTURED_BYTES)
      return `Not taken: the captures of this session have reached ${CAPTURED_BYTES / 1024 ** 2} MiB.`;
    if (!isWithin(moment)) return undefined;
    const share = moment === 'every' ? CAPTURE_SHARE / 2 : CAPTURE_SHARE;
    const length = this.#step.warmup + this.#step.duration;
    return this.#spent >= share * length * 1000
      ? `Not taken: captures have reached their limit of ${share * 100} % of the trial time.`
      : undefined;
  }

  async #read(capture: Capture): Promise<{ kept?: Kept; problem?: string }> {
    const { redact, machines } = this.#context;
    const limit = AbortSignal.timeout(LIMIT_MS);
    const signal = AbortSignal.any([this.#control.signal, limit]);
    try {
      if (capture.statement !== undefined) return { kept: await this.#ask(capture, signal) };
      const machine = machines.get(capture.host ?? commandHost(this.#context, this.#step));
      return { kept: await readOnHost(machine, capture, redact, signal) };
    } catch (error) {
      if (limit.aborted) return { problem: `It took longer than ${LIMIT_MS / 1000} s and was stopped.` };
      return { problem: redact(describeProblem(problemOf(error))) };
    }
  }

  async #ask(capture: Capture, signal: AbortSignal): Promise<Kept> {
    const { target } = this.#step;
    const { redact } = this.#context;
    if (target === undefined) throw noStatements(undefined, REMOVE);
    this.#session ??= await this.#open(target, signal);
    const { readTable } = this.#session ?? {};
    if (!readTable) throw noStatements(target, REMOVE);
    const { statement = '', first, writes } = capture;
    try {
      const answer = await untilAborted(readTable(statement, { first, writes }), signal, notWaitedFor);
      return keptAnswer(capture, answer, redact);
    } catch (error) {
      // A refused statement leaves the connection unchanged; after any other error, a result may still arrive on it.
      if (problemOf(error).code !== 'change-refused' || signal.aborted) await this.close();
      throw error;
    }
  }

  async #open(target: string, signal: AbortSignal): Promise<TargetSession | undefined> {
    const { clock, targets } = this.#context;
    if (this.#unreached && clock.monotonic() - this.#unreached.at < UNREACHED_MS) throw this.#unreached.error;
    // A connection ends with the signal it was opened with. `signal` also fires at the time limit of this capture; the connection has to last
    // until the end of the run.
    const opening = targets.open(target, this.#control.signal);
    try {
      const session = await untilAborted(opening, signal, () => notOpened(target));
      this.#unreached = undefined;
      return session;
    } catch (error) {
      void opening.then((late) => late?.close()).catch(() => undefined);
      this.#unreached = { error, at: clock.monotonic() };
      throw error;
    }
  }

  #store(capture: NewCapture, events: readonly NewEvent[] = []): void {
    const { problem, name, moment } = capture;
    const { store } = this.#context;
    try {
      store.atomically(() => {
        store.captures.add(capture);
        for (const event of events) store.events.add(event);
      });
    } catch (error) {
      this.#context.log.warn('a capture could not be stored', { name, message: problemOf(error).message });
      this.#notice(`Capture “${name}” could not be stored: ${problemOf(error).message}`);
      return;
    }
    if (problem !== undefined) this.#notice(`Capture “${name}”${MOMENT_WORDS[moment]}: ${problem}`);
    this.#control.onChanged();
  }

  /** Each notice once per run. */
  #notice(words: string): void {
    if (this.#noticed.has(words)) return;
    this.#noticed.add(words);
    this.#control.notice('warn', `${runWords(this.#context, this.#run)}: ${words}`);
  }
}

const MOMENT_WORDS: Readonly<Record<Moment, string>> = {
  start: ' before the start',
  end: ' after the end',
  stall: ' in a stall',
  event: ' at an event',
  every: '',
};

const REMOVE = 'Remove these statements under captures.';

/** Also the reason for captures shortly after that one, which do not wait again. */
const notOpened = (target: string): KneepointError =>
  new KneepointError({
    ...{ code: 'target-unreachable', target },
    message: `“${target}” did not accept a connection within ${LIMIT_MS / 1000} s.`,
  });

const notWaitedFor = (): KneepointError =>
  new KneepointError({ code: 'cancelled', message: 'Kneepoint stopped waiting for the response.' });

/** Captures that are taken at a moment, in document order. */
export const capturesAt = (captures: readonly Capture[], moment: Exclude<Moment, 'every'>): Capture[] =>
  captures.filter((capture) => momentsOf(capture).includes(moment));
