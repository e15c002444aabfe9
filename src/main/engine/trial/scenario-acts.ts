import { metricOf } from '../../../shared/metrics/index.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import { LOCAL_HOST_NAME } from '../../../shared/model/host.ts';
import { parallelStepEvents } from '../../../shared/model/parallel-steps.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import {
  type ControlEvent,
  effectFinding,
  endsOutage,
  inTheirOrder,
  isControlEvent,
  isSettingEvent,
  type ScenarioEvent,
} from '../../../shared/model/scenario.ts';
import { dipAfter, dipWords, lastedWords, nounOf, recoveryOf, secondsOfStep } from '../../../shared/stats/index.ts';
import { eventSettings, type Step } from '../plans/index.ts';
import {
  atServer,
  metricOfRun,
  type RunsContext,
  toolOf,
  untilReachable,
  untilTargetReachable,
} from '../runs/index.ts';
import { runCommand } from '../servers/index.ts';
import type { RunRow } from '../store/store.ts';
import { afterDown, beforeDown, changeInRun, isDown, restoredWords, restoreEvents } from '../world/index.ts';
import { noStatements } from './before/target.ts';
import type { TrialContext, TrialControl } from './context.ts';
import { toolStart } from './zero.ts';

const COMMAND_LIMIT_MS = 3_600_000;
const SHOWN_OUTPUT = 500;

/** Carries out the events of a trial, and undoes their effects. Throws the errors of control, targets and changers. */
export class ScenarioActs {
  readonly #context: TrialContext;
  readonly #run: RunRow;
  readonly #step: Step;
  readonly #control: TrialControl;

  constructor(context: TrialContext, run: RunRow, step: Step, control: TrialControl) {
    this.#context = context;
    this.#run = run;
    this.#step = step;
    this.#control = control;
  }

  async do(event: ScenarioEvent): Promise<void> {
    if (isControlEvent(event)) return this.#toServer(this.#target(), event.do);
    if (isSettingEvent(event)) return changeInRun(this.#context, this.#run, this.#settings([event]), this.#control);
    return event.do === 'statement' ? this.#statement(this.#target(), event.statement) : this.#command(event);
  }

  /** Starts the server again if an event has left it down, and waits until it is up. Resolves with true unless someone else had started it. */
  async restartServer(): Promise<boolean> {
    const { target } = atServer(this.#context, this.#step);
    const wasDown = (): boolean => target !== undefined && isDown(this.#context, this.#run.sessionId, target);
    if (target === undefined || !wasDown()) return false;
    await afterDown(this.#context, this.#run.sessionId, target, true, this.#control);
    const isOurs = wasDown();
    await this.#toServer(target, 'start');
    return isOurs;
  }

  /** Restores the settings that these events have changed, and describes the result. */
  async restoreSettings(events: readonly ScenarioEvent[]): Promise<ReturnType<typeof restoredWords>> {
    const ofEvents = this.#settings(events);
    const { settings: ofCell } = this.#step;
    return restoredWords(
      ofEvents.length === 0 ? [] : await restoreEvents(this.#context, this.#run, { ofEvents, ofCell }, this.#control),
    );
  }

  #settings(events: readonly ScenarioEvent[]) {
    const tool = toolOf(this.#context, this.#step.workload.tool);
    return events.flatMap((event) => eventSettings(event, this.#step, tool));
  }

  async #toServer(target: string, wanted: ControlEvent['do']): Promise<void> {
    const { signal } = this.#control;
    const server = this.#context.servers.of(target);
    const machine = this.#context.machines.get(this.#serverHost(target) ?? LOCAL_HOST_NAME);
    await machine.ready(signal);
    if (wanted !== 'start') await beforeDown(this.#context, this.#run, target, this.#control);
    let what: ControlEvent['do'] | 'look' = wanted;
    await untilReachable(machine, this.#control, async () => {
      const now = what;
      // If the link broke in the middle of a restart, the server may be down, but it is not restarted twice; nor is it killed twice.
      if (what === 'restart') what = 'start';
      if (what === 'kill') what = 'look';
      if (now === 'look') {
        if ((await server.state(signal)) !== 'stopped') throw mayBeKilled(target, machine.name);
      } else if (now === 'kill') {
        if (!server.kill) throw cannotKill(target);
        await server.kill(signal);
      } else await server[now](signal);
    });
    const isStart = wanted === 'start' || wanted === 'restart';
    await afterDown(this.#context, this.#run.sessionId, target, isStart, this.#control);
  }

  /** Sends the statement once, like a command: waits until the target is reachable, but does not repeat it if its answer is lost. */
  async #statement(target: string, statement: string): Promise<void> {
    const { signal } = this.#control;
    const session = await untilTargetReachable(this.#context, target, this.#control, () =>
      this.#context.targets.open(target, signal),
    );
    try {
      if (!session?.run) throw noStatements(target, 'Remove them under “measure.events”.');
      await session.run(statement);
    } finally {
      await session?.close();
    }
  }

  /** Runs the command once: if the answer is lost, it may have run, so it is not repeated. */
  async #command({ command, host }: Extract<ScenarioEvent, { do: 'run' }>): Promise<void> {
    const machine = this.#context.machines.get(host ?? commandHost(this.#context, this.#step));
    const end = await runCommand(machine, command, COMMAND_LIMIT_MS, this.#control.signal);
    if (end?.code === 0) return;
    const how = end ? `ended with exit code ${end.code}` : `did not end within ${COMMAND_LIMIT_MS / 60_000} minutes`;
    const output = this.#context.redact(end?.output.trim().slice(-SHOWN_OUTPUT) ?? '');
    throw new KneepointError({
      code: 'change-refused',
      host: machine.name,
      message: `The command on ${machine.name} ${how}${output === '' ? '.' : `: ${output}`}`,
      safe: 'The trial continues.',
    });
  }

  #target(): string {
    const { target } = atServer(this.#context, this.#step);
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
export function commandHost(context: Pick<TrialContext, 'targets'>, step: Pick<Step, 'target' | 'generators'>): string {
  const { target, generators } = atServer(context, step);
  const server = target === undefined ? undefined : context.targets.spec(target).server?.host;
  return server ?? generators[0] ?? LOCAL_HOST_NAME;
}

const mayBeKilled = (target: string, host: string): KneepointError =>
  new KneepointError({
    code: 'change-refused',
    host,
    target,
    message: `The connection to ${host} was lost while the server of “${target}” was being killed. The server is running now; it may have been killed and restarted.`,
    safe: 'The trial continues.',
  });

/** For a server whose control has no kill command. */
export const cannotKill = (target: string): KneepointError =>
  new KneepointError({
    code: 'change-not-possible',
    message: `Events cannot kill the server of “${target}”: its target has no kill command.`,
    target,
    safe: 'Nothing was done to the server.',
    next: 'Give the target a kill command, or let the event stop it.',
  });

const MOST = 10_000;

/** Events of a run's scenario that have begun, in order. */
export const begunEvents = ({ store }: Pick<RunsContext, 'store'>, { id, sessionId }: RunRow) =>
  store.events.ofSession(sessionId, ['scenario'], 0, MOST, [id]).filter(({ runId }) => runId === id);

/** Stores parallel steps that began during a run, which ended at `endedAt`, as its events, each once. */
export function recordParallelSteps({ store }: Pick<RunsContext, 'store'>, run: RunRow, endedAt: number): void {
  const known = new Set(begunEvents({ store }, run).map(({ message }) => message));
  const zero = toolStart(store, run, 0);
  for (const { event, startedAt } of parallelSteps(store, run))
    if (!known.has(event) && startedAt > zero && startedAt < endedAt)
      store.events.add({
        ...{ sessionId: run.sessionId, runId: run.id, kind: 'scenario', level: 'info', message: event },
        ...{ at: startedAt, t: Math.round(startedAt - zero) / 1000 },
      });
}

const parallelSteps = (store: RunsContext['store'], run: RunRow) =>
  parallelStepEvents(store.sessions.snapshot(run.sessionId).experiment.steps, run, () =>
    store.runs.ofSession(run.sessionId),
  );

/**
 * Reports the effect of each event of the scenario on the first metric of the tool, if that is a rate: how deep it fell and when it recovered. A
 * start that ends an outage is part of it; a parallel step is an event of those that began before it. If the tool has no such metric, or several
 * generators have one each, `eventEffects` of the judging finds it later.
 */
export function scenarioEffects(context: Pick<RunsContext, 'store'>, run: RunRow): Finding[] {
  const { store } = context;
  const events = begunEvents(context, run);
  const snapshot = store.sessions.snapshot(run.sessionId);
  const metric = metricOfRun(snapshot, run);
  if (metric === null) return [];
  const [series, second] = events.length > 0 ? store.samples.readable(run.id, metric).series : [];
  const { better, label, unit } = metricOf(metric);
  if (!series || second || better !== 'higher') return [];
  const planned = inTheirOrder(snapshot.experiment.measure.events);
  const parallel = new Map(parallelSteps(store, run).map((parallelStep) => [parallelStep.event, parallelStep]));
  return events.flatMap(({ t = 0, message }, place): Finding[] => {
    if (endsOutage(planned, place)) return [];
    const next = events[place + (endsOutage(planned, place + 1) ? 2 : 1)];
    const earlier = events.slice(0, place).flatMap((event) => event.t ?? []);
    const parallelStep = parallel.get(message);
    const dip = dipAfter(series, t, { until: next?.t, earlier, lasts: secondsOfStep(parallelStep) });
    if (!dip) return [];
    const recovery = recoveryOf(dip, { at: parallelStep?.at ?? planned[place]?.at ?? t, event: message });
    const words = dipWords(dip, { what: `${label} (${unit})`, work: nounOf(label) }) + lastedWords(parallelStep);
    return [{ ...effectFinding(t, message, words), ...(recovery && { recovery }) }];
  });
}
