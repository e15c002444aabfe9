import { randomUUID } from 'node:crypto';
import type { Finding } from '../../../shared/model/finding.ts';
import type { Changes } from '../../../shared/model/plan.ts';
import { describeProblem, KneepointError, type Problem, problemOf } from '../../../shared/model/problem.ts';
import { ENDED_RUN } from '../../../shared/model/session.ts';
import { LOADING_SESSION, nextSessionState, type SessionTrigger } from '../../../shared/model/states.ts';
import {
  drawnPlan,
  makePlan,
  placesOf,
  readDocument,
  runsOfTrial,
  sessionSteps,
  type UsedPlaces,
} from '../plans/index.ts';
import { type CheckedStart, completePlan } from '../preflight/index.ts';
import {
  findOccupant,
  moveSession,
  type Occupant,
  occupiedProblem,
  placesOfRow,
  SessionChanges,
  toolOf,
  workloadOf,
} from '../runs/index.ts';
import type { SessionRow } from '../store/store.ts';
import { cleanUpOnContact, type HostCleanup } from '../watching/index.ts';
import type { SessionContext } from './activity.ts';
import { type AddedLevels, addedLevels } from './added-levels.ts';
import { excludable, exclude, includable, include } from './exclude.ts';
import { addedRepeats, type Repeated, type RepeatRequest, repeatedTrials, requireMeasuredHere } from './repeat.ts';
import { SessionRun } from './session-run.ts';

/** All sessions that this engine executes. */
export class Sessions {
  readonly changes = new SessionChanges();
  readonly #context: SessionContext;
  readonly #active = new Map<number, SessionRun>();

  readonly #cleanup: HostCleanup;

  constructor(context: SessionContext) {
    this.#context = context;
    this.#cleanup = cleanUpOnContact(context);
  }

  /** Stores the session with every planned trial, then executes it. The caller has checked the document; `known`: results of that. */
  start(text: string, known?: CheckedStart): SessionRow {
    const granted = known?.granted ?? [];
    const { experiment, problems } = readDocument(text);
    if (!experiment) {
      throw new KneepointError({
        code: 'experiment-invalid',
        message: problems[0]?.message ?? 'The document cannot be read.',
        details: problems,
      });
    }
    const tool = toolOf(this.#context, experiment.workload.tool);
    const places = placesOf(experiment, tool);
    this.#requireFree(places);
    const workload = workloadOf(this.#context, experiment);
    const made = makePlan(experiment, workload);
    const plan = drawnPlan(completePlan(this.#context, experiment, made, workload), experiment.measure);
    const isPlanned = ({ code, message }: Finding): boolean =>
      plan.findings.some((finding) => finding.code === code && finding.message === message);
    const warnings = (known?.findings ?? []).filter((finding) => !isPlanned(finding));
    if (made.cells.length === 0) throw new KneepointError({ code: 'experiment-invalid', message: 'No trials to run.' });
    const row = this.#context.store.sessions.insert(
      {
        uuid: randomUUID(),
        state: 'starting',
        tags: experiment.tags ?? [],
        createdAt: this.#context.clock.now(),
        places,
        snapshot: {
          experiment,
          experimentText: text,
          plan,
          findings: [...plan.findings, ...warnings],
          appVersion: this.#context.version,
          steps: sessionSteps(experiment, made.cells, (id) => toolOf(this.#context, id)),
          ...(granted.length > 0 && { granted: [...granted] }),
          ...(known && known.confirmed.length > 0 && { confirmed: [...known.confirmed] }),
        },
      },
      plan.trials.flatMap((trial) => {
        const cell = made.cells[trial.cell];
        if (!cell) return [];
        return runsOfTrial(trial, cell, experiment.measure, plan.seed).map((run) => ({ ...run, trial: trial.index }));
      }),
    );
    this.#execute(row.id, 'prepare', known);
    return row;
  }

  /** Pauses after the running trial. A second call has no effect. */
  pause(id: number): void {
    const active = this.#executing(id);
    if (active && !active.stopping) active.pause();
    else if (this.#row(id).state !== 'paused') throw notNow(id, this.#row(id).state);
  }

  /** Ends the running trial, or `runId` if it is the running one, and continues with the next. A run that has ended stays as it is. */
  skip(id: number, runId?: number): void {
    if (runId !== undefined && this.#hasEnded(id, runId)) return;
    const active = this.#executing(id);
    if (!active) throw notNow(id, this.#row(id).state);
    if (!active.skip(runId)) throw nothingToSkip(id);
  }

  /** Returns at once; the session is shown as stopping until its tool has ended. A second call has no effect. */
  stop(id: number): Promise<void> {
    return this.#settled(id, (active) => {
      if (active) return active.stop();
      const { state } = this.#row(id);
      if (state === 'stopped') return;
      if (state === 'done') throw notNow(id, state);
      // Not executed now, but a job may be on its host: find it again to end it.
      this.#execute(id, 'ask-stop');
    });
  }

  /** Continues the session at a user's request, whatever was requested before. */
  resume(id: number): Promise<void> {
    return this.#settled(id, (active) => {
      if (active?.stopping) throw notNow(id, 'being stopped');
      if (active) {
        active.unpause();
        active.wake();
        return;
      }
      const row = this.#row(id);
      requireMeasuredHere(row);
      if (nextSessionState(row.state, 'measure') === undefined) throw notNow(id, row.state);
      this.#requireFree(placesOfRow(row), id);
      this.#execute(id, row.startedAt === null ? 'prepare' : 'measure');
    });
  }

  /**
   * Measures trials again: these, or every one that failed or was lost and has not been measured again. They come after the rest of the plan, as runs
   * of their own. A trial without a measurement that counts is replaced; one that has one gets a further repeat. `reason`: why they are excluded from
   * all figures and replaced.
   */
  repeat(id: number, runIds?: readonly number[], reason?: string): Promise<void> {
    return this.#again(id, (session) => repeatedTrials(session, runIds, reason));
  }

  /** Excludes these runs from all figures from now on; nothing that they measured is deleted. */
  exclude(id: number, runIds: readonly number[], reason: string): void {
    const { store, clock } = this.#context;
    const runs = excludable({ id, runs: store.runs.ofSession(id) }, runIds);
    store.atomically(() => exclude(store, { id, runs, reason, at: clock.now() }));
    this.changes.changed(id);
  }

  /** Undoes the exclusion of these runs. */
  include(id: number, runIds: readonly number[]): void {
    const { store, clock } = this.#context;
    const runs = includable({ id, runs: store.runs.ofSession(id) }, runIds);
    store.atomically(() => include(store, { id, runs, at: clock.now() }));
    this.changes.changed(id);
  }

  /** Adds `repeats` repeats of every cell, or of these, interleaved, after the rest of the plan. */
  addRepeats(id: number, wanted: { repeats: number; cells?: readonly number[] | undefined }): Promise<void> {
    return this.#again(id, (session) => addedRepeats(session, (name) => workloadOf(this.#context, name), wanted));
  }

  /** Adds levels of a factor, after the rest of the plan. The caller has checked them; `known`: results of that. */
  addLevels(id: number, wanted: AddedLevels, known: Pick<CheckedStart, 'granted' | 'confirmed'>): Promise<void> {
    return this.#again(id, (session) => addedLevels(session, (name) => workloadOf(this.#context, name), wanted, known));
  }

  #again(id: number, planned: (session: Repeated) => RepeatRequest): Promise<void> {
    return this.#settled(id, (active) => this.#plan(id, planned, active));
  }

  #plan(id: number, planned: (session: Repeated) => RepeatRequest, active: SessionRun | undefined): void {
    if (active?.stopping) throw notNow(id, 'being stopped');
    const row = this.#row(id);
    requireMeasuredHere(row);
    const { store, clock } = this.#context;
    const again = planned({ id, runs: store.runs.ofSession(id), snapshot: store.sessions.snapshot(id) });
    if (!active) this.#requireFree(placesOfRow(row), id);
    store.atomically(() => {
      const before = loadOf(store.runs.ofSession(id));
      const [first] = store.runs.appendRuns(id, again.trials);
      const at = clock.now();
      const { added, grown, excluded } = again;
      if (excluded) exclude(store, { id, ...excluded, at });
      store.sessions.addPart(id, { from: first?.trial ?? 0, at, added, ...(grown && { grown }) });
      store.sessions.update(id, {
        cells: store.sessions.snapshot(id).plan.cells.length,
        plannedSeconds: row.plannedSeconds * (1 + (before > 0 ? loadOf(again.trials) / before : 0)),
      });
      store.events.add({ sessionId: id, kind: 'log', at, level: 'info', message: again.words });
    });
    if (active) this.changes.changed(id);
    else this.#execute(id, 'repeat');
  }

  /** Retries sessions that wait for a user: something was provided. */
  wake(): void {
    for (const run of this.#active.values()) run.wake();
  }

  /** The problem that the session waits for a user to resolve. */
  needs(id: number): Problem | undefined {
    return this.#active.get(id)?.needs;
  }

  /**
   * Continues after a restart of the app: a user's earlier request still counts. If another session uses its generator or target, it stays
   * interrupted, with a message.
   */
  continueInterrupted(id: number): void {
    if (this.#active.has(id)) return;
    const row = this.#row(id);
    const { state, startedAt } = row;
    const occupant = this.occupant(placesOfRow(row), id);
    if (occupant) {
      const message = describeProblem(occupiedProblem(occupant).problem);
      moveSession(this.#context, id, 'interrupt', { message });
      return;
    }
    if (state === 'pausing') this.#execute(id, 'ask-pause');
    else if (state === 'stopping') this.#execute(id, 'ask-stop');
    else this.#execute(id, startedAt === null ? 'prepare' : 'measure');
  }

  /**
   * Fetches monitoring data from hosts for sessions that ended while the app could not reach them, or that the app could not read before it ended.
   */
  collectLeftovers(): void {
    this.#cleanup.collect();
  }

  /** Sessions that were being executed when the app ended, oldest first: the first one begun continues first. */
  interrupted(): SessionRow[] {
    return this.#context.store.sessions.inState(LOADING_SESSION).filter((row) => !this.#active.has(row.id));
  }

  /** Another session that loads one of these places. */
  occupant(places: UsedPlaces, except?: number): Occupant | undefined {
    const { store } = this.#context;
    return findOccupant(store, places, (id) => this.#executing(id) !== undefined, except);
  }

  isActive(id: number): boolean {
    return this.#active.has(id);
  }

  /**
   * Time of the last sign of a session that is not executed: its latest event, or the end of a tool, which runs to its planned end while the app is
   * closed. Undefined while it is executed.
   */
  idleSince(id: number): number | undefined {
    if (this.#active.has(id)) return undefined;
    const { store, clock } = this.#context;
    const ends = store.runs
      .open(id)
      .map(({ startedAt, warmup, duration }) => (startedAt ?? 0) + (warmup + duration) * 1000);
    return Math.min(clock.now(), Math.max(store.events.latestAt(id) ?? 0, ...ends));
  }

  activity(id: number): string | undefined {
    return this.#active.get(id)?.activity;
  }

  /** Start of the activity, epoch milliseconds. */
  activitySince(id: number): number | undefined {
    return this.#active.get(id)?.activitySince;
  }

  /** Restarts and reloads that an executed session has ahead, at most. */
  remainingChanges(id: number): Changes | undefined {
    return this.#active.get(id)?.remainingChanges;
  }

  /** Delay of a run's output, seconds; undefined if it is not being recorded. */
  lag(runId: number): number | undefined {
    const ms = this.#context.lags.of(runId, this.#context.clock.now());
    return ms === undefined ? undefined : ms / 1000;
  }

  /** Resolves when the session is no longer executed. */
  async settled(id: number): Promise<void> {
    await this.#active.get(id)?.finished;
  }

  async close(): Promise<void> {
    this.#cleanup.end();
    await Promise.all([...this.#active.values()].map((run) => run.detach()));
  }

  #execute(id: number, trigger: SessionTrigger, known?: CheckedStart): void {
    const { startedAt, idleMs } = this.#row(id);
    const since = this.idleSince(id);
    const idle = startedAt === null || since === undefined ? 0 : Math.max(0, this.#context.clock.now() - since);
    moveSession(this.#context, id, trigger, { message: null, endedAt: null, idleMs: idleMs + idle });
    const run = new SessionRun(this.#context, this.changes, id, known);
    this.#active.set(id, run);
    const forget = (): void => {
      this.#active.delete(id);
      this.changes.changed(id);
    };
    run.finished.then(forget, (error: unknown) => {
      forget();
      this.#context.log.error('a session ended without a record', { session: id, message: problemOf(error).message });
    });
    this.changes.changed(id);
  }

  #requireFree(places: UsedPlaces, except?: number): void {
    const occupant = this.occupant(places, except);
    if (occupant) throw occupiedProblem(occupant);
  }

  /** The run that executes the session now; undefined if it has just ended. */
  #executing(id: number): SessionRun | undefined {
    const run = this.#active.get(id);
    return run?.over ? undefined : run;
  }

  /**
   * Calls `act` with the result of `#executing`, after a session that has just ended has finished its cleanup. Not a promise of that result: by the
   * time it resolves, the session may have ended.
   */
  async #settled(id: number, act: (active: SessionRun | undefined) => void): Promise<void> {
    for (let run = this.#active.get(id); run; run = this.#active.get(id)) {
      if (!run.over) return act(run);
      await run.finished;
    }
    act(undefined);
  }

  /** Throws not-found for a trial of another session. */
  #hasEnded(id: number, runId: number): boolean {
    const run = this.#context.store.runs.get(runId);
    if (run?.sessionId === id) return ENDED_RUN.includes(run.state);
    throw new KneepointError({
      code: 'not-found',
      message: `Session ${id} has no run ${runId}.`,
      session: id,
      run: runId,
      safe: 'Nothing was changed.',
    });
  }

  #row(id: number): SessionRow {
    const row = this.#context.store.sessions.get(id);
    if (!row) throw new KneepointError({ code: 'not-found', message: `There is no session ${id}.`, session: id });
    return row;
  }
}

/** Total seconds of these trials. */
const loadOf = (trials: readonly { warmup: number; duration: number }[]): number =>
  trials.reduce((sum, { warmup, duration }) => sum + warmup + duration, 0);

const notNow = (id: number, state: string): KneepointError =>
  new KneepointError({
    code: 'conflict',
    message: `Session ${id} is ${state}, so this action is not possible.`,
    session: id,
    safe: 'Nothing was changed.',
  });

const nothingToSkip = (id: number): KneepointError =>
  new KneepointError({
    code: 'conflict',
    message: `No trial of session ${id} is running, so there is nothing to skip.`,
    session: id,
    safe: 'Nothing was changed.',
    next: 'Wait until the next trial starts.',
  });
