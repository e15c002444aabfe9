import { setTimeout as delay, setImmediate as next } from 'node:timers/promises';
import { countersOf, type ReadSeries } from '../../../shared/monitoring/index.ts';
import { LEVEL_ROWS, MonitoredLevels, type RulesOf, readSeries, watchedOf } from '../monitored/index.ts';
import type { RunRow, Source, Store, Summary } from '../store/store.ts';
import { isPartOfCore } from './host-evidence.ts';

/** Sessions of shorter runs open at once anyway, and may have thousands of them: to look at all of these after each would disturb. */
export const LONG_SECONDS = 600;
/** How much of the engine's time it takes at most: pages are answered and trials recorded meanwhile. */
const SHARE = 0.2;

export interface AheadWork {
  /** What is to be worked out of a session, in steps: other work goes between two of them. */
  steps(sessionId: number): Iterable<() => unknown>;
  /** All steps of a session were taken. */
  done(sessionId: number): void;
  /** Sessions that have ended and of which that is not known. */
  left(): readonly number[];
  failed(error: unknown, sessionId: number): void;
}

/**
 * Works out ahead what will be looked at, session by session, so that it is kept by the time somebody looks. Nothing depends on it: what is not
 * worked out because the app was closed or killed is worked out by the next start, or by the first look.
 */
export class WorkAhead {
  readonly #work: AheadWork;
  #due = new Set<number>();
  /** Somebody looks at what is worked out of these: they go first, and without rests. */
  #wanted = new Set<number>();
  readonly #closing = new AbortController();
  /** Ends the rest between two steps. */
  #rest = new AbortController();
  #working: Promise<void> | undefined;

  constructor(work: AheadWork) {
    this.#work = work;
  }

  /** The samples of this run are sealed. */
  after({ sessionId, warmup, duration }: Pick<RunRow, 'sessionId' | 'warmup' | 'duration'>): void {
    if (warmup + duration >= LONG_SECONDS) this.session(sessionId);
  }

  /** There is something to work out of this session. One that waits already is worked through once. */
  session(sessionId: number): void {
    this.#due.add(sessionId);
    this.#begin();
  }

  /** The same of these in order, before all others: what was wanted earlier may have left the screen again. */
  first(sessionIds: readonly number[]): void {
    this.#wanted = new Set([...sessionIds, ...this.#wanted]);
    this.#rest.abort();
    this.#begin();
  }

  /** Goes on with what was left when the app ended, and with a library of an earlier version. */
  resume(): void {
    for (const sessionId of this.#work.left()) this.session(sessionId);
  }

  /** Resolves when nothing is being worked out any more. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#rest.abort();
    await this.#working;
  }

  #begin(): void {
    this.#working ??= this.#all();
  }

  async #all(): Promise<void> {
    while (this.#wanted.size + this.#due.size > 0 && !this.#closing.signal.aborted) {
      // What the end of a run brings with it goes first.
      await next();
      const isWanted = this.#wanted.size > 0;
      const [sessionId = 0] = isWanted ? this.#wanted : this.#due;
      this.#wanted.delete(sessionId);
      this.#due.delete(sessionId);
      await this.#through(sessionId, isWanted);
    }
    this.#working = undefined;
  }

  async #through(sessionId: number, isWanted: boolean): Promise<void> {
    const { signal } = this.#closing;
    try {
      for (const step of this.#work.steps(sessionId)) {
        if (signal.aborted) return;
        if (!isWanted && this.#wanted.size > 0) {
          this.#due = new Set([sessionId, ...this.#due]);
          return;
        }
        const began = performance.now();
        await step();
        if (isWanted) await next();
        else await this.#pause(performance.now() - began);
      }
      if (!signal.aborted) this.#work.done(sessionId);
    } catch (error) {
      if (!signal.aborted) this.#work.failed(error, sessionId);
    }
  }

  async #pause(took: number): Promise<void> {
    if (this.#wanted.size > 0 || this.#closing.signal.aborted) return;
    this.#rest = new AbortController();
    await delay(took / SHARE - took, undefined, { signal: this.#rest.signal }).catch(() => undefined);
  }
}

/** Fewer stretches than this are not asked for: shorter sources are read from their samples. */
const LEAST_ROWS = 512 * LEVEL_ROWS;
/** How long a step works. A series of ten hours takes a few milliseconds; one of many cores takes more than a step. */
const STEP_MS = 20;

/**
 * What is kept of the series of a session's hosts and servers, worked out before anybody looks: in steps, each of which reads, works out and keeps
 * some of it. Only of sources that are sealed, and without what each core is busy with: nobody sees that before choosing it, and of a large host it
 * would be more than is kept of a source. A step that is never taken leaves that work to the first look.
 */
export function* monitoredAhead(store: Store, sessionId: number, rulesOf: RulesOf): Generator<() => void> {
  for (const source of watchedOf(store, sessionId)) {
    if (store.monitored.extent(source.id).samples < LEAST_ROWS || !isSealed(store, source)) continue;
    const left = sideBySide(readSeries(store, source, rulesOf).filter(({ series }) => !isPartOfCore(series)));
    yield* stepsOf(store, source, left);
  }
}

const isSealed = ({ summaries }: Store, { id }: Source): boolean =>
  summaries.stamps({ sources: [id], metrics: [[]] })[0]?.feed !== undefined;

/** Series that read the same counters stand together, so that a step reads them once. */
const sideBySide = (read: readonly ReadSeries[]): ReadSeries[] => {
  const first = ({ reading }: ReadSeries): string => [...countersOf(reading)].sort()[0] ?? '';
  return read
    .map((each) => ({ each, by: first(each) }))
    .sort((one, other) => (one.by < other.by ? -1 : one.by > other.by ? 1 : 0))
    .map(({ each }) => each);
};

/** All that a part of a step reads is of one moment. What was worked out of samples of two moments is found under no stamp. */
function* stepsOf(store: Store, { id }: Source, read: readonly ReadSeries[]): Generator<() => void> {
  const made: Summary[] = [];
  // What it has read is not held from one step to the next, but for a series that is not done.
  let levels: MonitoredLevels | undefined;
  function* working(): Generator<void> {
    for (const each of read) {
      levels ??= new MonitoredLevels(store, id, (summary) => made.push(summary));
      yield* levels.workingOut(each);
    }
  }
  const work = working();
  let isDone = false;
  const step = (): void => {
    levels = undefined;
    store.reading(() => {
      const began = performance.now();
      do isDone = work.next().done === true;
      while (!isDone && performance.now() - began < STEP_MS);
    });
    store.summaries.keep(made.splice(0));
  };
  while (!isDone) yield step;
}
