import type { EngineFinding } from '../../../shared/checks/index.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import { describeProblem, problemOf } from '../../../shared/model/problem.ts';
import {
  controlSentence,
  inTheirOrder,
  isControlEvent,
  isSettingEvent,
  type ScenarioEvent,
  type SettingEvent,
} from '../../../shared/model/scenario.ts';
import { formatDuration } from '../../../shared/util/format.ts';
import type { Step } from '../plans/index.ts';
import { pauseFor } from '../runs/index.ts';
import type { RunRow } from '../store/store.ts';
import type { TrialContext, TrialControl } from './context.ts';
import { begunEvents, ScenarioActs } from './scenario-acts.ts';
import { toolStart } from './zero.ts';

/** The start of the tool is known better once its index has arrived. */
const POLL_MS = 250;

/**
 * Carries out the document's events while a trial runs, each at its second. Its begin is stored before it is done: after a restart of the app it is
 * not done again. `over`: the tool has ended; events not due by then are omitted, a server that an event has left down is started again, and settings
 * of events are restored, also if the trial is ended early. An event that fails is a finding of the run, not its end.
 */
export class Scenario {
  readonly #context: TrialContext;
  readonly #run: RunRow;
  readonly #step: Step;
  readonly #control: TrialControl;
  readonly #acts: ScenarioActs;
  readonly #events: readonly ScenarioEvent[];

  constructor(context: TrialContext, run: RunRow, step: Step, control: TrialControl) {
    this.#context = context;
    this.#run = run;
    this.#step = step;
    this.#control = control;
    this.#acts = new ScenarioActs(context, run, step, control);
    this.#events = inTheirOrder(context.store.sessions.snapshot(run.sessionId).experiment.measure.events);
  }

  async follow(over: AbortSignal): Promise<void> {
    if (this.#events.length === 0) return;
    const begun = begunEvents(this.#context, this.#run).length;
    // The app may have ended in the middle of a restart.
    if (this.#lastOf(begun) === 'restart') await this.#restartServer();
    let next = begun;
    for (; next < this.#events.length; next += 1) {
      const event = this.#events[next] as ScenarioEvent;
      await this.#untilDue(event, over);
      if (over.aborted || this.#control.signal.aborted || this.#control.ended()) break;
      if (this.#begin(event))
        await this.#attempt(scenarioWords(event, this.#step), async () => {
          await this.#acts.do(event);
          return true;
        });
      // Retries: an event that was not stored as begun is not done.
      else {
        next -= 1;
        await pauseFor(POLL_MS, over);
      }
    }
    if (!over.aborted && !this.#control.signal.aborted) await aborted(AbortSignal.any([over, this.#control.signal]));
    if (this.#control.signal.aborted) return;
    await this.#restartServer();
    await this.#restoreSettings(this.#events.slice(0, next));
  }

  /** The last control event among the first `count` events. */
  #lastOf(count: number): ScenarioEvent['do'] | undefined {
    return this.#events.slice(0, count).findLast(isControlEvent)?.do;
  }

  #secondsNow(): number {
    const { store, clock } = this.#context;
    const run = store.runs.get(this.#run.id) ?? this.#run;
    return (clock.now() - toolStart(store, run, 0)) / 1000;
  }

  async #untilDue({ at }: ScenarioEvent, over: AbortSignal): Promise<void> {
    const ends = AbortSignal.any([over, this.#control.signal]);
    while (!ends.aborted && !this.#control.ended()) {
      const waitMs = (at - this.#secondsNow()) * 1000;
      if (waitMs <= 0) return;
      await pauseFor(Math.min(waitMs, POLL_MS), ends);
    }
  }

  /** Whether that could be stored: a full disk on this computer is waited out. */
  #begin(event: ScenarioEvent): boolean {
    const { store, clock, log } = this.#context;
    try {
      store.events.add({
        sessionId: this.#run.sessionId,
        runId: this.#run.id,
        kind: 'scenario',
        at: clock.now(),
        t: Math.max(0, Math.round(this.#secondsNow() * 1000) / 1000),
        level: 'info',
        message: this.#context.redact(scenarioWords(event, this.#step)),
      });
    } catch (error) {
      log.warn('an event of a scenario could not be stored', { message: problemOf(error).message });
      return false;
    }
    this.#control.onChanged();
    return true;
  }

  #restartServer(): Promise<void> {
    return this.#attempt(scenarioWords({ at: 0, do: 'start' }, this.#step), () => this.#acts.restartServer());
  }

  /** Settings that could not be restored stay in the journal: the next trial, or the end of the session, tries again. */
  #restoreSettings(events: readonly ScenarioEvent[]): Promise<void> {
    return this.#attempt('Settings changed by events are restored.', async () => {
      const { done, left } = await this.#acts.restoreSettings(events);
      if (done) this.#control.notice('info', done);
      for (const words of left) this.#failed(words);
      return false;
    });
  }

  /** `act` resolves with whether it did anything worth a log line. */
  async #attempt(what: string, act: () => Promise<boolean>): Promise<void> {
    const { clock } = this.#context;
    const words = this.#context.redact(what);
    const start = clock.monotonic();
    try {
      if (!(await act())) return;
      const seconds = formatDuration(Math.round((clock.monotonic() - start) / 100) / 10);
      this.#control.notice('info', `Trial ${this.#run.trial + 1}: ${words} That took ${seconds}.`);
    } catch (error) {
      if (this.#control.signal.aborted) return;
      this.#failed(`${words} It failed: ${describeProblem(problemOf(error))}`);
    }
  }

  #failed(words: string): void {
    const message = this.#context.redact(words);
    this.#control.notice('error', `Trial ${this.#run.trial + 1}: ${message}`);
    const failed: EngineFinding = { code: 'scenario-failed', severity: 'warn', message };
    const { runs } = this.#context.store;
    const findings: Finding[] = runs.get(this.#run.id)?.findings ?? [];
    runs.update(this.#run.id, { findings: [...findings, failed] });
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** Describes an event, as its line in the timeline. */
export function scenarioWords(event: ScenarioEvent, { target = '?' }: Pick<Step, 'target'>): string {
  if (isControlEvent(event)) return controlSentence(event.do, target);
  if (isSettingEvent(event)) return settingWords(event, target);
  if (event.do === 'statement') return `A statement is sent to “${target}”: ${shortened(event.statement)}`;
  return `A command is run${event.host === undefined ? '' : ` on ${event.host}`}: ${shortened(event.command)}`;
}

function settingWords(event: SettingEvent, target: string): string {
  if (event.do === 'server-setting')
    return `The setting ${event.setting} of “${event.on ?? target}” is set to ${shortened(String(event.value))}.`;
  const { setting, of, on = 'target' } = event;
  const name = of === undefined ? setting : `${setting} ${of}`;
  const place = on === 'target' ? 'the host of the target' : on === 'generators' ? 'the generators' : on;
  return `${name} of ${place} is set to ${shortened(String(event.value))}.`;
}

const shortened = (text: string): string => (text.length > 120 ? `${text.slice(0, 119)}…` : text);
