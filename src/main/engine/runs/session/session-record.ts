import { KneepointError } from '../../../../shared/model/problem.ts';
import type { SessionState } from '../../../../shared/model/session.ts';
import type { RunRow, SessionRow } from '../../store/store.ts';
import { contextOf, type RunsContext, type SessionContext } from '../context.ts';
import type { Hub } from '../hub.ts';

/** What is stored of one session, and whoever watches it told of each change. */
export class SessionRecord {
  readonly id: number;
  readonly #context: RunsContext;
  readonly #hub: Hub;

  constructor(context: RunsContext, hub: Hub, id: number) {
    this.#context = context;
    this.#hub = hub;
    this.id = id;
  }

  row(): SessionRow {
    const row = this.#context.store.sessions.get(this.id);
    if (!row) throw new KneepointError({ code: 'not-found', message: `Session ${this.id} is gone.`, session: this.id });
    return row;
  }

  /** What was true at the start, and what has been prepared since. */
  facts(): SessionContext {
    return contextOf(this.row());
  }

  keepFacts(context: SessionContext): void {
    this.#context.store.sessions.update(this.id, { context: context as unknown as Record<string, unknown> });
  }

  runs(): RunRow[] {
    return this.#context.store.runs.ofSession(this.id);
  }

  /** Trials whose tool may be at work on a host. */
  openRuns(): RunRow[] {
    return this.runs().filter((run) => run.state === 'running' || run.state === 'launching');
  }

  changed(): void {
    this.#hub.changed(this.id);
  }

  set(state: SessionState, message: string | null = null): void {
    const row = this.row();
    const startedAt = row.startedAt ?? (state === 'running' ? this.#context.clock.now() : null);
    this.#context.store.sessions.update(this.id, { state, message, startedAt });
    this.changed();
  }

  /** Nothing of it runs any more. */
  end(state: 'done' | 'stopped' | 'failed', message?: string): void {
    if (state === 'stopped')
      this.#context.store.runs.skipPending(this.id, 'The session was stopped before this trial.');
    this.set(state, message);
    this.#context.store.sessions.update(this.id, { endedAt: this.#context.clock.now() });
  }

  /** Into the session's log, secrets hidden. */
  log(level: 'info' | 'warn' | 'error', message: string, runId?: number): void {
    this.#context.store.sessions.addLog({
      sessionId: this.id,
      at: this.#context.clock.now(),
      level,
      message: this.#context.redact(message),
      ...(runId !== undefined && { runId }),
    });
    this.changed();
  }
}
