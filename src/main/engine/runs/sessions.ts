import { randomUUID } from 'node:crypto';
import type { Experiment } from '../../../shared/model/experiment.ts';
import { describeProblem, KneepointError, problemOf } from '../../../shared/model/problem.ts';
import { ENDED_RUN, type SessionState } from '../../../shared/model/session.ts';
import { cellOptions, makePlan, readDocument } from '../plans/index.ts';
import type { SessionRow } from '../store/store.ts';
import { contextOf, type GrantedDevice, type RunsContext, type SessionContext } from './context.ts';
import { workloadOf } from './data/needs.ts';
import { Hub } from './hub.ts';
import { findOccupant, type Occupant, occupiedProblem } from './occupied.ts';
import { SessionRun } from './session/session-run.ts';
import { toolOf } from './steps.ts';

/** States in which a session was being executed when the app went away. */
const UNDER_WAY = ['starting', 'running', 'pausing', 'stopping'] as const;
/** States from which a person can continue. */
const RESUMABLE = ['paused', 'interrupted', 'failed'] as const;

/** All sessions being executed by this engine. */
export class Sessions {
  readonly hub = new Hub();
  readonly #context: RunsContext;
  readonly #active = new Map<number, SessionRun>();

  constructor(context: RunsContext) {
    this.#context = context;
  }

  /** Stores the session with every planned trial, then executes it. The document was checked before, and so were `granted` devices. */
  start(text: string, granted: readonly GrantedDevice[]): SessionRow {
    const { experiment, problems } = readDocument(text);
    if (!experiment) {
      throw new KneepointError({
        code: 'experiment-invalid',
        message: problems[0]?.message ?? 'The document cannot be read.',
        details: problems,
      });
    }
    this.#requireFree(experiment);
    const tool = toolOf(this.#context, experiment.workload.tool);
    const plan = makePlan(experiment, workloadOf(this.#context, experiment));
    const firstCell = plan.cells[0];
    if (!firstCell) throw new KneepointError({ code: 'experiment-invalid', message: 'There is no trial to run.' });
    const context: SessionContext = {
      experiment,
      plan,
      hosts: experiment.where.generators.map((name) => ({ name })),
      findings: plan.findings,
      appVersion: this.#context.version,
      primaryMetric: tool.primaryMetric(cellOptions(experiment, firstCell.levels, tool)),
      ...(granted.length > 0 && { granted }),
    };
    const row = this.#context.store.sessions.insert(
      {
        uuid: randomUUID(),
        name: experiment.name,
        state: 'starting',
        message: null,
        experimentText: text,
        context: context as unknown as Record<string, unknown>,
        tags: experiment.tags ?? [],
        createdAt: this.#context.clock.now(),
      },
      plan.trials.map((trial) => ({
        trial: trial.index,
        cell: trial.cell,
        repeat: trial.repeat,
        levels: plan.cells[trial.cell]?.levels ?? {},
        warmup: experiment.measure.warmup,
        duration: experiment.measure.duration,
      })),
    );
    this.#execute(row.id, 'starting');
    return row;
  }

  /** After the running trial. Asked twice, it stays paused. */
  pause(id: number): void {
    const active = this.#executing(id);
    if (active && !active.stopping) active.pause();
    else if (this.#row(id).state !== 'paused') throw notNow(id, this.#row(id).state);
  }

  /** Ends the running trial, or this one if it is the running one, and goes on with the next. One that has ended stays as it is. */
  skip(id: number, runId?: number): void {
    if (runId !== undefined && this.#hasEnded(id, runId)) return;
    const active = this.#executing(id);
    if (!active) throw notNow(id, this.#row(id).state);
    if (!active.skip(runId)) throw nothingToSkip(id);
  }

  /** Returns at once; the session says that it is being stopped until its tool has ended. Asked twice, it stays stopped. */
  async stop(id: number): Promise<void> {
    const active = await this.#settle(id);
    if (active) return active.stop();
    const { state } = this.#row(id);
    if (state === 'stopped') return;
    if (state === 'done') throw notNow(id, state);
    // Nobody executes it now, but a job may be on its host: find it again to end it.
    this.#execute(id, 'stopping');
  }

  /** A person wants it to go on, whatever was asked for before. */
  async resume(id: number): Promise<void> {
    const active = await this.#settle(id);
    if (active?.stopping) throw notNow(id, 'being stopped');
    if (active) return active.unpause();
    const { state, startedAt } = this.#row(id);
    if (![...RESUMABLE, ...UNDER_WAY].some((known) => known === state)) throw notNow(id, state);
    this.#requireFree(contextOf(this.#row(id)).experiment, id);
    this.#execute(id, startedAt === null ? 'starting' : 'running');
  }

  /**
   * Continues after a restart of the app: what a person had asked for before still counts. One whose generator or target is in use by
   * another stays interrupted, and says so.
   */
  goOn(id: number): void {
    if (this.#active.has(id)) return;
    const row = this.#row(id);
    const { state, startedAt } = row;
    const occupant = this.occupant(contextOf(row).experiment, id);
    if (occupant) {
      const message = describeProblem(occupiedProblem(occupant).problem);
      this.#context.store.sessions.update(id, { state: 'interrupted', message });
      return;
    }
    const asked = state === 'pausing' || state === 'stopping';
    this.#execute(id, asked ? state : startedAt === null ? 'starting' : 'running');
  }

  /** Sessions that were being executed when the app ended, oldest first: what was begun first goes on first. */
  interrupted(): SessionRow[] {
    const { sessions } = this.#context.store;
    return [...sessions.list(false), ...sessions.list(true)]
      .filter((row) => !this.#active.has(row.id) && [...UNDER_WAY, 'interrupted'].some((state) => state === row.state))
      .sort((a, b) => a.id - b.id);
  }

  /** Another session that loads what this experiment would measure. */
  occupant(experiment: Pick<Experiment, 'where'>, except?: number): Occupant | undefined {
    const { store } = this.#context;
    return findOccupant(store, experiment.where, (id) => this.#executing(id) !== undefined, except);
  }

  isActive(id: number): boolean {
    return this.#active.has(id);
  }

  activity(id: number): string | undefined {
    return this.#active.get(id)?.activity;
  }

  /** Resolves when nobody executes the session any more. */
  async settled(id: number): Promise<void> {
    await this.#active.get(id)?.finished;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#active.values()].map((run) => run.detach()));
  }

  #execute(id: number, state: SessionState): void {
    this.#context.store.sessions.update(id, { state, message: null, endedAt: null });
    const run = new SessionRun(this.#context, this.hub, id);
    this.#active.set(id, run);
    const forget = (): void => {
      this.#active.delete(id);
      this.hub.changed(id);
    };
    run.finished.then(forget, (error: unknown) => {
      forget();
      this.#context.log.error('a session ended without a trace', { session: id, message: problemOf(error).message });
    });
    this.hub.changed(id);
  }

  #requireFree(experiment: Experiment, except?: number): void {
    const occupant = this.occupant(experiment, except);
    if (occupant) throw occupiedProblem(occupant);
  }

  /** Who executes it now; nobody when it has just come to its end. */
  #executing(id: number): SessionRun | undefined {
    const run = this.#active.get(id);
    return run?.over ? undefined : run;
  }

  /** As `#executing`, after one that has just come to its end has put its things away. */
  async #settle(id: number): Promise<SessionRun | undefined> {
    for (let run = this.#active.get(id); run; run = this.#active.get(id)) {
      if (!run.over) return run;
      await run.finished;
    }
    return undefined;
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

const notNow = (id: number, state: string): KneepointError =>
  new KneepointError({
    code: 'conflict',
    message: `Session ${id} is ${state}; this cannot be done with it now.`,
    session: id,
    safe: 'Nothing was changed.',
  });

const nothingToSkip = (id: number): KneepointError =>
  new KneepointError({
    code: 'conflict',
    message: `No trial of session ${id} is running now, so there is none to skip.`,
    session: id,
    safe: 'Nothing was changed.',
    next: 'Wait until the next trial has begun.',
  });
