import {
  ENDED_RUN,
  ENDED_SESSION,
  LOG_KINDS,
  type Run,
  type SampleBatch,
  type Session,
  type SessionEvent,
} from '../../../shared/model/session.ts';
import type { RunRow } from '../store/store.ts';
import { type ApiContext, requireSession } from './context.ts';
import { type PresentContext, presentRun, presentSession } from './present.ts';

const SPACING_MS = 250;
const EVERY_SECOND_MS = 1000;
const FIRST_LOG_ENTRIES = 500;

/** Yields the session as it is, then changes: the reader's own place determines what is new to it, so nothing is queued. */
export async function* watchSession(
  context: ApiContext,
  id: number,
  points: number,
  signal: AbortSignal,
): AsyncGenerator<SessionEvent> {
  const reader = new SessionReader(context, id, points);
  const watchesOnly = requireSession(context, id).steps.some(({ metric }) => metric === null);
  const subscribe = (wake: () => void): (() => void) => {
    const end = context.sessions.changes.watch(id, wake);
    // A tool that measures nothing produces no changes while time passes.
    const timer = watchesOnly ? setInterval(wake, EVERY_SECOND_MS) : undefined;
    return () => {
      clearInterval(timer);
      end();
    };
  };
  for await (const _ of eachChange(subscribe, signal, SPACING_MS)) {
    yield* reader.updates();
    if (reader.ended) return;
  }
}

/**
 * The place up to which one reader has read. The cost of a look depends on what has changed, not on the length of the session: long ones have tens of
 * thousands of trials.
 */
export class SessionReader {
  readonly #context: PresentContext;
  readonly #id: number;
  readonly #points: number;
  /** The last session sent, as text: cheaper to compare than to reason about. */
  #session = '';
  #revision = -1;
  /** Runs whose tool may be running, as of that revision. */
  #open: readonly RunRow[] = [];
  /** Samples sent of each generator of the runs that have not ended. */
  readonly #samples = new Map<number, Map<number, number>>();
  /** Seconds sent of the runs that have not ended. */
  readonly #seconds = new Map<number, number>();
  #lastLog: number | undefined;
  #latestEvent: number | undefined;
  ended = false;

  constructor(context: PresentContext, id: number, points: number) {
    this.#context = context;
    this.#id = id;
    this.#points = points;
  }

  updates(): SessionEvent[] {
    return this.#context.store.reading(() => [...this.#read()]);
  }

  *#read(): Generator<SessionEvent> {
    const { store, sessions } = this.#context;
    const row = requireSession(this.#context, this.#id);
    // Runs change with the revision of their session: while a tool just runs, none is read.
    const moved = row.revision !== this.#revision;
    if (moved) this.#open = store.runs.open(this.#id);
    const session = presentSession(this.#context, row, { open: () => this.#open });
    // Read before the rest: an end is sent only after everything else of the session.
    const ended = ENDED_SESSION.includes(session.state) && !sessions.isActive(this.#id);
    const changed = moved ? store.runs.changedSince(this.#id, this.#revision) : [];
    const known = new Set(changed.map(({ id }) => id));
    this.#revision = row.revision;
    const measuring = this.#open.filter(({ id }) => !known.has(id));
    for (const each of [...changed, ...measuring]) {
      const progress = store.samples.progress(each.id);
      const run = presentRun(this.#context, each, progress);
      const batches = [...this.#newSamples(run, progress)];
      const seconds = this.#seconds.get(run.id) ?? run.seconds;
      this.#seconds.set(run.id, run.seconds);
      if (known.has(run.id) || batches.length > 0 || run.seconds !== seconds) yield { kind: 'run', run };
      yield* batches;
      if (!ENDED_RUN.includes(run.state)) continue;
      this.#samples.delete(run.id);
      this.#seconds.delete(run.id);
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

  *#newSamples(run: Run, progress: readonly { generator: number; rows: number }[]): Generator<SessionEvent> {
    const sent = this.#samples.get(run.id);
    if (run.state !== 'running' && sent === undefined) return;
    const { samples } = this.#context.store;
    const places = sent ?? new Map<number, number>();
    this.#samples.set(run.id, places);
    for (const { generator, rows } of progress) {
      const first = places.get(generator) ?? Math.max(0, rows - this.#points);
      if (first === rows) continue;
      const { t, columns } = samples.rows(run.id, generator, first);
      if (t.length === 0) continue;
      places.set(generator, first + t.length);
      const batch: SampleBatch = { runId: run.id, generator, first, t, columns };
      yield { kind: 'samples', batch };
    }
  }

  *#newLog(): Generator<SessionEvent> {
    const latest = this.#context.store.events.latest(this.#id);
    if (latest === this.#latestEvent) return;
    const limit = this.#lastLog === undefined ? FIRST_LOG_ENTRIES : 1000;
    const entries = this.#context.store.events.ofSession(this.#id, LOG_KINDS, this.#lastLog ?? 0, limit);
    if (entries.length < limit) this.#latestEvent = latest;
    const last = entries.at(-1);
    if (!last) return;
    this.#lastLog = last.id;
    yield { kind: 'log', entries };
  }
}

/**
 * A stream of "something changed" signals for one reader. Signals that arrive while the reader is busy are merged into one, and the reader is woken
 * at most once per `spacingMs`: a slow page gets fewer and fresher answers, never a queue.
 */
export async function* eachChange(
  subscribe: (wake: () => void) => () => void,
  signal: AbortSignal,
  spacingMs: number,
): AsyncGenerator<void> {
  let dirty = true;
  let wake: (() => void) | undefined;
  const onChanged = (): void => {
    dirty = true;
    wake?.();
  };
  const unsubscribe = subscribe(onChanged);
  signal.addEventListener('abort', onChanged);
  try {
    while (!signal.aborted) {
      if (!dirty) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      dirty = false;
      yield;
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        else setTimeout(resolve, spacingMs);
      });
    }
  } finally {
    unsubscribe();
    signal.removeEventListener('abort', onChanged);
  }
}
