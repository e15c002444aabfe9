import { KneepointError } from '../../../shared/model/problem.ts';
import type { FactsSnapshot, SessionSnapshot } from '../../../shared/model/session-snapshot.ts';
import type { SessionTrigger } from '../../../shared/model/states.ts';
import type { RunRow, SessionRow, StepJob } from '../store/store.ts';
import type { RunsContext } from './context.ts';
import { moveSession, skipPending } from './move.ts';

/** Notifies listeners that a session changed. They read the change from the store, so nothing piles up for a slow reader. */
export class SessionChanges {
  readonly #listeners = new Map<number, Set<() => void>>();
  readonly #all = new Set<(sessionId: number) => void>();

  changed(sessionId: number): void {
    for (const listener of this.#listeners.get(sessionId) ?? []) listener();
    for (const listener of this.#all) listener(sessionId);
  }

  /** Returns a function that ends the watch. */
  watch(sessionId: number, listener: () => void): () => void {
    const listeners = this.#listeners.get(sessionId) ?? new Set();
    this.#listeners.set(sessionId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(sessionId);
    };
  }

  watchAll(listener: (sessionId: number) => void): () => void {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  }
}

/** The stored record of one session. Notifies listeners of each change. */
export class SessionRecord {
  readonly id: number;
  readonly #context: RunsContext;
  readonly #changes: SessionChanges;

  constructor(context: RunsContext, changes: SessionChanges, id: number) {
    this.#context = context;
    this.#changes = changes;
    this.id = id;
  }

  row(): SessionRow {
    const row = this.#context.store.sessions.get(this.id);
    if (!row)
      throw new KneepointError({
        code: 'not-found',
        message: `Session ${this.id} no longer exists.`,
        session: this.id,
      });
    return row;
  }

  /** The snapshot taken at the start. */
  snapshot(): SessionSnapshot {
    return this.#context.store.sessions.snapshot(this.id);
  }

  keepFacts(facts: FactsSnapshot): void {
    this.#context.store.sessions.keepFacts(this.id, facts);
  }

  /** Facts of the later part that begins with this trial. */
  keepPartFacts(from: number, facts: FactsSnapshot): void {
    this.#context.store.sessions.keepPartFacts(this.id, from, facts);
  }

  runs(): RunRow[] {
    return this.#context.store.runs.ofSession(this.id);
  }

  /** Trials whose tool may be running on a host. */
  openRuns(): RunRow[] {
    return this.#context.store.runs.open(this.id);
  }

  /** The step under way on a host that prepares or removes data. */
  step(): StepJob | undefined {
    return this.#context.store.jobs.step(this.id);
  }

  changed(): void {
    this.#changes.changed(this.id);
  }

  move(trigger: SessionTrigger, message: string | null = null): void {
    const { startedAt } = this.row();
    const begins = trigger === 'measure' && startedAt === null;
    moveSession(this.#context, this.id, trigger, {
      message,
      ...(begins && { startedAt: this.#context.clock.now() }),
    });
    this.changed();
  }

  /** Ends the session once nothing of it runs any more. */
  end(trigger: 'finish' | 'stop' | 'fail', message: string | null = null): void {
    const { store, clock } = this.#context;
    store.atomically(() => {
      if (trigger === 'stop') skipPending(this.#context, this.id, 'The session was stopped before this trial.');
      moveSession(this.#context, this.id, trigger, { message, endedAt: clock.now() });
    });
    this.changed();
  }

  /** Writes to the session's log, with secrets hidden. `detail`: the content of the message, for programs. */
  log(level: 'info' | 'warn' | 'error', message: string, runId?: number, detail?: unknown): void {
    this.#context.store.events.add({
      sessionId: this.id,
      kind: level === 'info' ? 'log' : 'alert',
      at: this.#context.clock.now(),
      level,
      message: this.#context.redact(message),
      ...(runId !== undefined && { runId }),
      ...(detail !== undefined && { detail }),
    });
    this.changed();
  }
}
