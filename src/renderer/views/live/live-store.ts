import type { LogEntry, Run, SampleBatch, Session, SessionEvent } from '../../../shared/model/session.ts';

/** Seconds of a run kept for the live chart; older ones are in the store and come with the results. */
export const LIVE_POINTS = 3600;

/** What is held of one generator of one run. All arrays have the same length. */
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
  readonly log: readonly LogEntry[];
}

const NOTHING: LiveState = { session: undefined, runs: new Map(), samples: new Map(), log: [] };

/** Follows one session's stream. Watchers are told once per turn, however many events it brought. */
export class LiveStore {
  #state = NOTHING;
  #watchers = new Set<() => void>();
  #due = false;

  readonly state = (): LiveState => this.#state;

  readonly subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  /** The stream begins anew and tells everything again. */
  reset(): void {
    this.#state = { ...NOTHING, session: this.#state.session };
    this.#tell();
  }

  apply(event: SessionEvent): void {
    const state = this.#state;
    if (event.kind === 'session') this.#state = { ...state, session: event.session };
    else if (event.kind === 'run') this.#state = { ...state, runs: new Map(state.runs).set(event.run.id, event.run) };
    else if (event.kind === 'log') this.#state = { ...state, log: joinLog(state.log, event.entries) };
    else this.#state = { ...state, samples: joinSamples(state.samples, event.batch) };
    this.#tell();
  }

  #tell(): void {
    if (this.#due) return;
    this.#due = true;
    queueMicrotask(() => {
      this.#due = false;
      for (const watcher of [...this.#watchers]) watcher();
    });
  }
}

function joinLog(log: readonly LogEntry[], entries: readonly LogEntry[]): readonly LogEntry[] {
  const last = log.at(-1)?.id ?? 0;
  return [...log, ...entries.filter((entry) => entry.id > last)];
}

export const sampleKey = (runId: number, generator: number): string => `${runId}/${generator}`;

function joinSamples(samples: LiveState['samples'], batch: SampleBatch): LiveState['samples'] {
  const key = sampleKey(batch.runId, batch.generator);
  const held = samples.get(key);
  return new Map(samples).set(key, held ? append(held, batch) : hold(batch));
}

const hold = (batch: SampleBatch): LiveSamples => ({
  runId: batch.runId,
  generator: batch.generator,
  t: batch.t,
  columns: batch.columns,
});

/** A batch that begins inside what is held replaces it from that second on; one after a gap stands behind it, its times tell the gap. */
function append(held: LiveSamples, batch: SampleBatch): LiveSamples {
  const keep = countBefore(held.t, batch.t[0] ?? Number.POSITIVE_INFINITY);
  if (keep === 0) return hold(batch);
  const drop = Math.max(0, keep + batch.t.length - LIVE_POINTS);
  const cut = Math.min(drop, keep);
  const join = (before: Float64Array | undefined, after: Float64Array | undefined): Float64Array => {
    const joined = new Float64Array(keep - cut + batch.t.length).fill(Number.NaN);
    if (before) joined.set(before.subarray(cut, keep));
    if (after) joined.set(after, keep - cut);
    return joined;
  };
  const names = new Set([...Object.keys(held.columns), ...Object.keys(batch.columns)]);
  return {
    runId: held.runId,
    generator: held.generator,
    t: join(held.t, batch.t),
    columns: Object.fromEntries([...names].map((name) => [name, join(held.columns[name], batch.columns[name])])),
  };
}

function countBefore(times: Float64Array, moment: number): number {
  let count = times.length;
  while (count > 0 && (times[count - 1] ?? 0) >= moment) count -= 1;
  return count;
}
