import {
  ENDED_RUN,
  type LogEntry,
  type Run,
  type SampleBatch,
  type Session,
  type SessionEvent,
} from '../../../../shared/model/session.ts';

/** Seconds of a run kept for the live chart; older ones are in the store and come with the results. */
export const LIVE_POINTS = 3600;

/** Stored data of one generator of one run. All arrays have the same length. */
export interface LiveSamples {
  readonly runId: number;
  readonly generator: number;
  readonly t: Float64Array;
  readonly columns: Readonly<Record<string, Float64Array>>;
}

export interface LiveState {
  readonly session: Session | undefined;
  readonly runs: ReadonlyMap<number, Run>;
  readonly samples: ReadonlyMap<string, LiveSamples>;
  readonly log: LogView;
  /** Log entries shown on the timeline: notes and alerts. */
  readonly marked: readonly LogEntry[];
  /** Arrival of the newest samples, epoch milliseconds. */
  readonly lastEventAt: number | undefined;
}

const SPACING_MS = 100;

/** Follows one session's stream. Watchers are notified once per turn and at most ten times a second, however many events came. */
export class LiveStore {
  #session: Session | undefined;
  readonly #runs = new Map<number, Run>();
  readonly #samples = new Map<string, LiveSamples>();
  #entries: LogEntry[] = [];
  #marked: readonly LogEntry[] = [];
  #lastEventAt: number | undefined;
  readonly #now: () => number;
  /** The last returned object of each, until it changes. */
  #runsShown: LiveState['runs'] | undefined;
  #samplesShown: LiveState['samples'] | undefined;
  #logShown: LogView | undefined;
  #state: LiveState | undefined;
  readonly #watchers = new Set<() => void>();
  #due = false;
  #resting = false;

  /** `now`: the clock of this computer, epoch milliseconds. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  readonly state = (): LiveState => {
    this.#runsShown ??= new Map(this.#runs);
    this.#samplesShown ??= new Map(this.#samples);
    this.#logShown ??= new LogView(this.#entries);
    this.#state ??= {
      session: this.#session,
      runs: this.#runsShown,
      samples: this.#samplesShown,
      log: this.#logShown,
      marked: this.#marked,
      lastEventAt: this.#lastEventAt,
    };
    return this.#state;
  };

  readonly onChanged = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  /** The stream starts over and sends everything again. */
  reset(): void {
    this.#session = undefined;
    this.#runs.clear();
    this.#samples.clear();
    this.#entries = [];
    this.#marked = [];
    this.#lastEventAt = undefined;
    this.#runsShown = undefined;
    this.#samplesShown = undefined;
    this.#logShown = undefined;
    this.#changed();
  }

  apply(event: SessionEvent): void {
    if (event.kind === 'session') this.#session = event.session;
    else if (event.kind === 'run') this.#addRun(event.run);
    else if (event.kind === 'log') this.#addLog(event.entries);
    else this.#addSamples(event.batch);
    this.#changed();
  }

  #addRun(run: Run): void {
    this.#runs.set(run.id, run);
    this.#runsShown = undefined;
  }

  /** Merges entries by id. Those added by this page may be here before the stream sends earlier ones, and are sent again. */
  #addLog(entries: readonly LogEntry[]): void {
    const last = this.#entries.at(-1)?.id ?? 0;
    const isNext = entries.every(({ id }) => id > last);
    const known = new Set(isNext ? [] : this.#entries.map(({ id }) => id));
    const added = entries.filter(({ id }) => !known.has(id));
    if (isNext) this.#entries.push(...added);
    else this.#entries = [...this.#entries, ...added].sort(byId);
    this.#logShown = undefined;
    const marked = added.filter((entry) => entry.kind !== 'log');
    if (marked.length > 0) this.#marked = [...this.#marked, ...marked].sort(byId);
  }

  /** Drops runs that ended before this one began: their seconds are in the store. */
  #addSamples(batch: SampleBatch): void {
    const key = sampleKey(batch.runId, batch.generator);
    const stored = this.#samples.get(key);
    if (!stored) {
      for (const [other, { runId }] of this.#samples) {
        const run = this.#runs.get(runId);
        if (runId !== batch.runId && run && ENDED_RUN.includes(run.state)) this.#samples.delete(other);
      }
    }
    this.#samples.set(key, stored ? append(stored, batch) : copyOf(batch));
    this.#samplesShown = undefined;
    this.#lastEventAt = this.#now();
  }

  #changed(): void {
    this.#state = undefined;
    if (this.#due) return;
    this.#due = true;
    if (!this.#resting) queueMicrotask(() => this.#notify());
  }

  #notify(): void {
    this.#due = false;
    this.#resting = true;
    setTimeout(() => {
      this.#resting = false;
      if (this.#due) this.#notify();
    }, SPACING_MS);
    for (const watcher of [...this.#watchers]) watcher();
  }
}

const byId = (one: LogEntry, other: LogEntry): number => one.id - other.id;

/** The first entries of a list that only grows: a view remains unchanged, and nothing is copied. */
export class LogView {
  readonly length: number;
  readonly #entries: readonly LogEntry[];

  constructor(entries: readonly LogEntry[]) {
    this.#entries = entries;
    this.length = entries.length;
  }

  at(index: number): LogEntry | undefined {
    return index < this.length ? this.#entries[index] : undefined;
  }
}

export const sampleKey = (runId: number, generator: number): string => `${runId}/${generator}`;

const copyOf = (batch: SampleBatch): LiveSamples => ({
  runId: batch.runId,
  generator: batch.generator,
  t: batch.t,
  columns: batch.columns,
});

/** A batch that overlaps stored data replaces it from its first second on; one after a gap is appended, and its times show the gap. */
function append(stored: LiveSamples, batch: SampleBatch): LiveSamples {
  const keep = countBefore(stored.t, batch.t[0] ?? Number.POSITIVE_INFINITY);
  if (keep === 0) return copyOf(batch);
  const drop = Math.max(0, keep + batch.t.length - LIVE_POINTS);
  const cut = Math.min(drop, keep);
  const join = (before: Float64Array | undefined, after: Float64Array | undefined): Float64Array => {
    const joined = new Float64Array(keep - cut + batch.t.length).fill(Number.NaN);
    if (before) joined.set(before.subarray(cut, keep));
    if (after) joined.set(after, keep - cut);
    return joined;
  };
  const names = new Set([...Object.keys(stored.columns), ...Object.keys(batch.columns)]);
  return {
    runId: stored.runId,
    generator: stored.generator,
    t: join(stored.t, batch.t),
    columns: Object.fromEntries([...names].map((name) => [name, join(stored.columns[name], batch.columns[name])])),
  };
}

function countBefore(times: Float64Array, moment: number): number {
  let count = times.length;
  while (count > 0 && (times[count - 1] ?? 0) >= moment) count -= 1;
  return count;
}
