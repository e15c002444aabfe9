import { onItsClock } from '../../../shared/monitoring/index.ts';
import type { RunsContext } from '../runs/index.ts';
import type { Source } from '../store/store.ts';
import { type ServerWatch, ServerWatcher } from './server-watcher.ts';

/** Over the app's connection, which is said as long as it lasts: seconds are missing while that is down. */
export function askDirectly(
  context: RunsContext,
  { source, target, problem }: { source: Source } & Pick<ServerWatch, 'target' | 'problem'>,
  why: string,
  signal: AbortSignal,
): ServerWatcher {
  const { store } = context;
  const watch = {
    ...{ target, source, statements: [] },
    onItsClock: (ms: number) => onItsClock(store.sources.clocks(source.id), ms),
    problem: (message: string | undefined, how?: 'stopped' | 'in part') =>
      problem(message === undefined ? why : `${why} ${message}`, message === undefined ? 'in part' : how),
  };
  return new ServerWatcher(context, watch, signal);
}
