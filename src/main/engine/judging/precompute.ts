import { setTimeout as delay, setImmediate as next } from 'node:timers/promises';
import { countersOf, type ReadSeries } from '../../../shared/monitoring/index.ts';
import { LEVEL_ROWS, MonitoredLevels, type RulesOf, readSeries, watchedOf } from '../monitored/index.ts';
import type { RunRow, Source, Store, Summary } from '../store/store.ts';
import { isPartOfCore } from './host-evidence.ts';

/**
 * Minimum length of runs. Sessions of shorter ones open at once anyway, and may have thousands of runs: to go through all after each would disturb.
 */
export const LONG_SECONDS = 600;
/** Share of the engine's time, at most: pages are answered and trials recorded meanwhile. */
const SHARE_OF_TIME = 0.2;

export interface PrecomputeTasks {
  /** Work for a session, in steps: other work runs between two of them. */
  steps(sessionId: number): Iterable<() => unknown>;
  /** Called when all steps of a session were taken. */
  done(sessionId: number): void;
  /** Ended sessions whose work is not known to be done. */
  remaining(): readonly number[];
  failed(error: unknown, sessionId: number): void;
}

/**
 * Calculates results in advance, session by session, to have them stored by the time of the first look. Nothing depends on it: work that was not done
 * because the app was closed or killed is done after the next start, or by the first look.
 */
export class Precomputation {
  readonly #tasks: PrecomputeTasks;
  #due = new Set<number>();
  /** Sessions on the screen: they come first, and without rests. */
  #wanted = new Set<number>();
  readonly #closing = new AbortController();
  /** Ends the rest between two steps. */
  #rest = new AbortController();
  #working: Promise<void> | undefined;

  constructor(work: PrecomputeTasks) {
    this.#tasks = work;
  }

  /** Call when the samples of a run are sealed. */
  after({ sessionId, warmup, duration }: Pick<RunRow, 'sessionId' | 'warmup' | 'duration'>): void {
    if (warmup + duration >= LONG_SECONDS) this.session(sessionId);
  }

  /** Schedules work for this session. A session that is already waiting is worked through once. */
  session(sessionId: number): void {
    this.#due.add(sessionId);
    this.#start();
  }

  /** Schedules these in order before all others: sessions wanted earlier may have left the screen. */
  first(sessionIds: readonly number[]): void {
    this.#wanted = new Set([...sessionIds, ...this.#wanted]);
    this.#rest.abort();
    this.#start();
  }

  /** Continues with work left when the app ended, and with a library of an earlier version. */
  resume(): void {
    for (const sessionId of this.#tasks.remaining()) this.session(sessionId);
  }

  /** Resolves when no work is running any more. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#rest.abort();
    await this.#working;
  }

  #start(): void {
    this.#working ??= this.#runAll();
  }

  async #runAll(): Promise<void> {
    while (this.#wanted.size + this.#due.size > 0 && !this.#closing.signal.aborted) {
      // Work at the end of a run comes first.
      await next();
      const isWanted = this.#wanted.size > 0;
      const [sessionId = 0] = isWanted ? this.#wanted : this.#due;
      this.#wanted.delete(sessionId);
      this.#due.delete(sessionId);
      await this.#precompute(sessionId, isWanted);
    }
    this.#working = undefined;
  }

  async #precompute(sessionId: number, isWanted: boolean): Promise<void> {
    const { signal } = this.#closing;
    try {
      for (const step of this.#tasks.steps(sessionId)) {
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
      if (!signal.aborted) this.#tasks.done(sessionId);
    } catch (error) {
      if (!signal.aborted) this.#tasks.failed(error, sessionId);
    }
  }

  async #pause(took: number): Promise<void> {
    if (this.#wanted.size > 0 || this.#closing.signal.aborted) return;
    this.#rest = new AbortController();
    await delay(took / SHARE_OF_TIME - took, undefined, { signal: this.#rest.signal }).catch(() => undefined);
  }
}

/** A page needs no fewer stretches than this: shorter sources are read from their samples. */
const LEAST_ROWS = 512 * LEVEL_ROWS;
/** Working time of a step. A series of ten hours takes a few milliseconds; one of many cores takes more than a step. */
const STEP_MS = 20;

/**
 * Calculates the summaries of the series of a session's hosts and servers before the first look: in steps, each of which reads, calculates and stores
 * some. Only for sealed sources, and without the CPU modes of each core: they are shown only when chosen, and on a large host they would exceed the
 * summaries stored per source. A step that is never taken leaves its work to the first look.
 */
export function* precomputeMonitored(store: Store, sessionId: number, rulesOf: RulesOf): Generator<() => void> {
  for (const source of watchedOf(store, sessionId)) {
    if (store.monitored.extent(source.id).samples < LEAST_ROWS || !isSealed(store, source)) continue;
    const remaining = sideBySide(readSeries(store, source, rulesOf).filter(({ series }) => !isPartOfCore(series)));
    yield* stepsOf(store, source, remaining);
  }
}

const isSealed = ({ summaries }: Store, { id }: Source): boolean =>
  summaries.stamps({ sources: [id], metrics: [[]] })[0]?.feed !== undefined;

/** Groups series that read the same counters, so a step reads them once. */
const sideBySide = (read: readonly ReadSeries[]): ReadSeries[] => {
  const first = ({ reading }: ReadSeries): string => [...countersOf(reading)].sort()[0] ?? '';
  return read
    .map((each) => ({ each, by: first(each) }))
    .sort((one, other) => (one.by < other.by ? -1 : one.by > other.by ? 1 : 0))
    .map(({ each }) => each);
};

/** A part of a step reads data of one moment only: a summary of samples from two moments would be found under no stamp. */
function* stepsOf(store: Store, { id }: Source, read: readonly ReadSeries[]): Generator<() => void> {
  const made: Summary[] = [];
  // Data is not held from one step to the next, except for an unfinished series.
  let levels: MonitoredLevels | undefined;
  function* working(): Generator<void> {
    for (const each of read) {
      levels ??= new MonitoredLevels(store, id, (summary) => made.push(summary));
      yield* levels.calculating(each);
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
