import {
  ENDED_RUN,
  ENDED_SESSION,
  type Run,
  type SampleBatch,
  type Session,
  type SessionEvent,
} from '../../../shared/model/session.ts';
import { changes } from './changes.ts';
import type { ApiContext } from './context.ts';
import { presentRun, presentSession } from './present.ts';
import { requireSession } from './require-session.ts';

const SPACING_MS = 250;
const FIRST_LOG_ENTRIES = 500;

/** The session as it is, then what changes: the reader's own position says what is new to it, so nothing is queued for it. */
export async function* watchSession(
  context: ApiContext,
  id: number,
  points: number,
  signal: AbortSignal,
): AsyncGenerator<SessionEvent> {
  const position = new Position(context, id, points);
  const subscribe = (wake: () => void): (() => void) => context.sessions.hub.watch(id, wake);
  for await (const _ of changes(subscribe, signal, SPACING_MS)) {
    yield* position.news();
    if (position.ended) return;
  }
}

class Position {
  readonly #context: ApiContext;
  readonly #id: number;
  readonly #points: number;
  /** What was sent last, as text: cheaper to compare than to reason about. */
  #session = '';
  readonly #runs = new Map<number, string>();
  /** Runs whose end was sent: they do not change any more, and a long session has thousands. */
  readonly #endedRuns = new Set<number>();
  readonly #samples = new Map<string, number>();
  #lastLog: number | undefined;
  ended = false;

  constructor(context: ApiContext, id: number, points: number) {
    this.#context = context;
    this.#id = id;
    this.#points = points;
  }

  *news(): Generator<SessionEvent> {
    const { store, sessions } = this.#context;
    const session = presentSession(this.#context, requireSession(this.#context, this.#id));
    // Read before the rest, so that an end is told only when everything of it was sent.
    const ended = ENDED_SESSION.includes(session.state) && !sessions.isActive(this.#id);
    for (const row of store.runs.ofSession(this.#id)) {
      if (this.#endedRuns.has(row.id)) continue;
      const run = presentRun(store, row);
      const text = JSON.stringify(run);
      if (this.#runs.get(run.id) !== text) {
        this.#runs.set(run.id, text);
        yield { kind: 'run', run };
        yield* this.#newSamples(run);
      }
      if (ENDED_RUN.includes(run.state)) {
        this.#endedRuns.add(run.id);
        this.#runs.delete(run.id);
      }
    }
    yield* this.#newLog();
    yield* this.#newSession(session);
    this.ended = ended;
  }

  *#newSession(session: Session): Generator<SessionEvent> {
    // The expected end moves all the time; a second more or less is no news.
    const text = JSON.stringify({ ...session, expectedEndAt: Math.round((session.expectedEndAt ?? 0) / 5000) });
    if (text === this.#session) return;
    this.#session = text;
    yield { kind: 'session', session };
  }

  *#newSamples(run: Run): Generator<SessionEvent> {
    const begun = [...this.#samples.keys()].some((key) => key.startsWith(`${run.id} `));
    if (run.state !== 'running' && !begun) return;
    for (const generator of this.#context.store.samples.generators(run.id)) {
      const key = `${run.id} ${generator}`;
      const stored = this.#context.store.samples.count(run.id, generator);
      const first = this.#samples.get(key) ?? Math.max(0, stored - this.#points);
      const { t, columns } = this.#context.store.samples.rows(run.id, generator, first);
      if (t.length === 0) continue;
      this.#samples.set(key, first + t.length);
      const batch: SampleBatch = { runId: run.id, generator, first, t, columns };
      yield { kind: 'samples', batch };
    }
  }

  *#newLog(): Generator<SessionEvent> {
    const { store } = this.#context;
    const entries = store.sessions.log(
      this.#id,
      this.#lastLog ?? 0,
      this.#lastLog === undefined ? FIRST_LOG_ENTRIES : 1000,
    );
    const last = entries.at(-1);
    if (!last) return;
    this.#lastLog = last.id;
    yield { kind: 'log', entries };
  }
}
