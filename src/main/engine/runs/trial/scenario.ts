import type { Finding } from '../../../../shared/model/finding.ts';
import { LOCAL_HOST_NAME } from '../../../../shared/model/host.ts';
import { describeProblem, KneepointError, problemOf } from '../../../../shared/model/problem.ts';
import { inTheirOrder, type ScenarioEvent } from '../../../../shared/model/scenario.ts';
import { formatDuration } from '../../../../shared/util/format.ts';
import type { CellEffects } from '../../plans/index.ts';
import { runCommand } from '../../servers/index.ts';
import type { RunRow } from '../../store/store.ts';
import type { RunsContext } from '../context.ts';
import { untilReachable, untilTargetReachable } from '../reachable.ts';
import { pauseFor } from '../wait.ts';
import type { TrialControl } from './control.ts';
import { toolStart } from './tool-start.ts';

/** When the tool started is known better once its index has come. */
const LOOK_MS = 250;
const COMMAND_LIMIT_MS = 3_600_000;
const MOST = 10_000;
const SHOWN_OUTPUT = 500;

/** Code of the finding of an event that could not be carried out. */
export const SCENARIO_FAILED = 'scenario-failed';

type Place = Pick<CellEffects, 'target' | 'generators'>;

/** What an event does, as its line in the timeline. */
function scenarioWords(event: ScenarioEvent, { target }: Place): string {
  const server = `The server of “${target ?? '?'}”`;
  switch (event.do) {
    case 'restart':
      return `${server} is restarted.`;
    case 'stop':
      return `${server} is stopped.`;
    case 'start':
      return `${server} is started.`;
    case 'statement':
      return `A statement is sent to “${target ?? '?'}”: ${shortened(event.statement)}`;
    case 'run':
      return `A command is run${event.host === undefined ? '' : ` on ${event.host}`}: ${shortened(event.command)}`;
  }
}

const shortened = (text: string): string => (text.length > 120 ? `${text.slice(0, 119)}…` : text);

/** Events of the scenario of a run that have begun, in their order. */
export const begunEvents = ({ store }: Pick<RunsContext, 'store'>, { id, sessionId }: RunRow) =>
  store.events.ofSession(sessionId, ['scenario'], 0, MOST, [id]).filter(({ runId }) => runId === id);

/**
 * Does what the document wants while a trial runs, each event when its second has come. That it begins is stored before it is done: after a
 * restart of the app it is not done again. `over`: the tool has ended; what is not due by then is left out, and a server that an event has
 * stopped is started again, as it is when the trial is ended early. An event that fails is a finding of the run, not its end.
 */
export class Scenario {
  readonly #context: RunsContext;
  readonly #run: RunRow;
  readonly #place: Place;
  readonly #control: TrialControl;
  readonly #events: readonly ScenarioEvent[];

  constructor(context: RunsContext, run: RunRow, place: Place, control: TrialControl) {
    this.#context = context;
    this.#run = run;
    this.#place = place;
    this.#control = control;
    this.#events = inTheirOrder(context.store.sessions.snapshot(run.sessionId).experiment.measure.events);
  }

  async follow(over: AbortSignal): Promise<void> {
    if (this.#events.length === 0) return;
    const begun = begunEvents(this.#context, this.#run).length;
    // The app may have ended in the middle of a restart.
    if (this.#lastOf(begun) === 'restart') await this.#attempt({ at: 0, do: 'start' });
    let next = begun;
    for (; next < this.#events.length; next += 1) {
      const event = this.#events[next] as ScenarioEvent;
      await this.#untilDue(event, over);
      if (over.aborted || this.#control.signal.aborted || this.#control.ended()) break;
      if (this.#begin(event)) await this.#attempt(event);
      // It is tried again: what was not stored as begun is not done.
      else {
        next -= 1;
        await pauseFor(LOOK_MS, over);
      }
    }
    if (!over.aborted && !this.#control.signal.aborted) await aborted(AbortSignal.any([over, this.#control.signal]));
    if (this.#lastOf(next) === 'stop' && !this.#control.signal.aborted) await this.#attempt({ at: 0, do: 'start' });
  }

  /** What was done to the server last, of the first `count` events. */
  #lastOf(count: number): ScenarioEvent['do'] | undefined {
    return this.#events.slice(0, count).findLast((event) => ['restart', 'stop', 'start'].includes(event.do))?.do;
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
      await pauseFor(Math.min(waitMs, LOOK_MS), ends);
    }
  }

  /** Whether that could be stored: a full disk here is waited out. */
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
        message: this.#context.redact(scenarioWords(event, this.#place)),
      });
    } catch (error) {
      log.warn('an event of a scenario could not be stored', { message: problemOf(error).message });
      return false;
    }
    this.#control.onChanged();
    return true;
  }

  async #attempt(event: ScenarioEvent): Promise<void> {
    const { clock } = this.#context;
    const name = `Trial ${this.#run.trial + 1}`;
    const words = this.#context.redact(scenarioWords(event, this.#place));
    const start = clock.monotonic();
    try {
      await this.#act(event);
      const seconds = formatDuration(Math.round((clock.monotonic() - start) / 100) / 10);
      this.#control.notice('info', `${name}: ${words} That took ${seconds}.`);
    } catch (error) {
      if (this.#control.signal.aborted) return;
      const message = `${words} It failed: ${describeProblem(problemOf(error))}`;
      this.#control.notice('error', `${name}: ${message}`);
      this.#keep({ code: SCENARIO_FAILED, severity: 'warn', message });
    }
  }

  #keep(finding: Finding): void {
    const { runs } = this.#context.store;
    const findings = runs.get(this.#run.id)?.findings ?? [];
    runs.update(this.#run.id, { findings: [...findings, finding] });
  }

  async #act(event: ScenarioEvent): Promise<void> {
    const { signal } = this.#control;
    if (event.do === 'run') return this.#command(event);
    const target = this.#target();
    if (event.do === 'statement') return this.#statement(target, event.statement);
    const server = this.#context.servers.of(target);
    const machine = this.#context.machines.get(this.#serverHost(target) ?? LOCAL_HOST_NAME);
    await machine.ready(signal);
    let what: 'restart' | 'stop' | 'start' = event.do;
    await untilReachable(machine, this.#control, () => {
      const now = what;
      // Where the link broke in the middle of a restart the server may be down, but it is not restarted twice.
      if (what === 'restart') what = 'start';
      return server[now](signal);
    });
  }

  /** Once, as a command: the way to the target is waited for, its answer is not asked for again. */
  async #statement(target: string, statement: string): Promise<void> {
    const { signal } = this.#control;
    const session = await untilTargetReachable(this.#context, target, this.#control, () =>
      this.#context.targets.open(target, signal),
    );
    try {
      if (!session?.run) throw noStatements(target);
      await session.run(statement);
    } finally {
      await session?.close();
    }
  }

  /** Once: whether one whose answer was lost was done is not known, so it is not repeated. */
  async #command({ command, host }: Extract<ScenarioEvent, { do: 'run' }>): Promise<void> {
    const machine = this.#context.machines.get(host ?? commandHost(this.#context, this.#place));
    const end = await runCommand(machine, command, COMMAND_LIMIT_MS, this.#control.signal);
    if (end?.code === 0) return;
    const how = end ? `ended with exit code ${end.code}` : `did not end within ${COMMAND_LIMIT_MS / 60_000} minutes`;
    const output = this.#context.redact(end?.output.trim().slice(-SHOWN_OUTPUT) ?? '');
    throw new KneepointError({
      code: 'change-refused',
      host: machine.name,
      message: `The command on ${machine.name} ${how}${output === '' ? '.' : `: ${output}`}`,
      safe: 'The trial goes on.',
    });
  }

  #target(): string {
    const { target } = this.#place;
    if (target === undefined)
      throw new KneepointError({ code: 'change-not-possible', message: 'This workload has no target.' });
    return target;
  }

  #serverHost(target: string): string | undefined {
    const { via, server } = this.#context.targets.spec(target);
    return server?.host ?? via ?? undefined;
  }
}

/** Host of a command that names none: that of the server, else the first generator. */
export function commandHost({ targets }: Pick<RunsContext, 'targets'>, { target, generators }: Place): string {
  const server = target === undefined ? undefined : targets.spec(target).server?.host;
  return server ?? generators[0] ?? LOCAL_HOST_NAME;
}

const noStatements = (target: string): KneepointError =>
  new KneepointError({
    code: 'change-not-possible',
    message: `“${target}” takes no statements: its kind of server has none.`,
    target,
    next: 'Remove them under measure.events.',
  });

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
