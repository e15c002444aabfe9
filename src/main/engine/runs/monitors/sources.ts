import { problemOf } from '../../../../shared/model/problem.ts';
import type { NewSource, Source, SourceAbout } from '../../store/store.ts';
import type { RunsContext } from '../context.ts';
import type { SessionRecord } from '../session/session-record.ts';

/** What a session watches, as it is stored, and what is said of it. */
export class WatchedSources {
  readonly #context: RunsContext;
  readonly #record: SessionRecord;
  readonly #closing: AbortSignal;

  constructor(context: RunsContext, record: SessionRecord, closing: AbortSignal) {
    this.#context = context;
    this.#record = record;
    this.#closing = closing;
  }

  /** The one that is there, else a new one; `about` is added to what is known of it. */
  ensure(wanted: NewSource, about: SourceAbout): Source & { about: SourceAbout } {
    const { sources } = this.#context.store;
    const source = sources.ensure(this.#record.id, wanted);
    const kept = { ...source.about, ...about };
    sources.setAbout(source.id, kept);
    return { ...source, about: kept };
  }

  /** Told into the log when it begins, and kept with the source as long as it lasts. */
  problemOf({ id, kind, name, problem }: Source): (message: string | undefined, how?: 'stopped' | 'in part') => void {
    // One of before a restart is over when it is over.
    let last = problem;
    return (message, how = 'stopped') => {
      if (message === last) return;
      last = message;
      try {
        this.#context.store.sources.setProblem(id, message);
        if (message === undefined || this.#closing.aborted) return;
        if (how === 'in part') this.#record.log('info', `“${name}” is watched in part: ${message}`);
        else this.#record.log('warn', `${WATCHING[kind]} “${name}” is interrupted: ${message}`);
      } catch (error) {
        // A full disk here is waited out elsewhere; a session that is gone needs no words.
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
