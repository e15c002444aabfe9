import type { RunsContext } from '../runs/index.ts';
import type { Source, SourceAbout } from '../store/store.ts';

/** Changes what is known of a source by what is stored of it now: others may have changed it since. */
export function changeAbout(
  { store }: Pick<RunsContext, 'store'>,
  { id, sessionId }: Pick<Source, 'id' | 'sessionId'>,
  change: (about: SourceAbout) => SourceAbout,
): void {
  const now = store.sources.ofSession(sessionId).find((source) => source.id === id);
  store.sources.setAbout(id, change(now?.about ?? {}));
}
