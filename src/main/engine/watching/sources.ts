import { problemOf } from '../../../shared/model/problem.ts';
import type { RunsContext, SessionRecord } from '../runs/index.ts';
import type { NewSource, Source, SourceAbout } from '../store/store.ts';

export interface SilentSource {
  name: string;
  /** The host whose program monitors it; undefined: read over the app's connection. */
  host: string | undefined;
}

/** Sources of a session as stored, and their problems. */
export class WatchedSources {
  readonly #context: RunsContext;
  readonly #record: SessionRecord;
  readonly #closing: AbortSignal;
  /** Sources without news yet, by their ids. `samples`: how many there were before. */
  readonly #silent = new Map<number, SilentSource & { samples: number; awaited: 'sample' | 'start' }>();

  constructor(context: RunsContext, record: SessionRecord, closing: AbortSignal) {
    this.#context = context;
    this.#record = record;
    this.#closing = closing;
  }

  /**
   * Returns the existing source, else a new one; adds `about` to its facts. `awaited`: what the first trial waits for; the start for a source that
   * may print nothing for long.
   */
  ensure(
    wanted: NewSource,
    about: SourceAbout,
    awaited: 'sample' | 'start' = 'sample',
  ): Source & { about: SourceAbout } {
    const { sources } = this.#context.store;
    const source = sources.ensure(this.#record.id, wanted);
    const kept = { ...source.about, ...about };
    sources.setAbout(source.id, kept);
    const { samples } = this.#context.store.monitored.extent(source.id);
    this.#silent.set(source.id, { name: source.name, host: kept.host, samples, awaited });
    return { ...source, about: kept };
  }

  /** Sources that have reported nothing since they were wanted: neither a sample nor why there is none. */
  silent(): SilentSource[] {
    const { monitored } = this.#context.store;
    for (const [id, { samples }] of this.#silent) if (monitored.extent(id).samples > samples) this.#silent.delete(id);
    return [...this.#silent.values()];
  }

  /** Returns a function that logs a new problem, and stores it with the source as long as it lasts. */
  problemOf({ id, kind, name, problem }: Source): (message: string | undefined, how?: 'stopped' | 'in part') => void {
    // A problem from before a restart ends when it is over.
    let last = problem;
    return (message, how = 'stopped') => {
      if (message !== undefined || this.#silent.get(id)?.awaited === 'start') this.#silent.delete(id);
      if (message === last) return;
      last = message;
      try {
        this.#context.store.sources.setProblem(id, message);
        if (message === undefined || this.#closing.aborted) return;
        if (how === 'in part') this.#record.log('info', `“${name}” is only partly monitored: ${message}`);
        else this.#record.log('warn', `${WATCHING[kind]} “${name}” is interrupted: ${message}`);
      } catch (error) {
        // A full disk on this computer is waited out elsewhere; a session that is gone needs no log entry.
        this.#context.log.warn('a problem of a monitor could not be stored', { message: problemOf(error).message });
      }
    };
  }
}

const WATCHING = {
  generator: 'Watching',
  host: 'Watching the host',
  server: 'Watching the server',
  own: 'The monitor',
} as const satisfies Record<Source['kind'], string>;

/** Changes the stored facts of a source as they are now: others may have changed them since. */
export function changeAbout(
  { store }: Pick<RunsContext, 'store'>,
  { id, sessionId }: Pick<Source, 'id' | 'sessionId'>,
  change: (about: SourceAbout) => SourceAbout,
): void {
  const now = store.sources.ofSession(sessionId).find((source) => source.id === id);
  store.sources.setAbout(id, change(now?.about ?? {}));
}
