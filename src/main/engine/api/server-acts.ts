import { KneepointError } from '../../../shared/model/problem.ts';
import type { ServerState } from '../../../shared/model/target.ts';
import { openServer } from '../servers/index.ts';
import type { Server } from '../servers/server.ts';
import type { ApiContext } from './context.ts';
import { refuseWhileServerUsed } from './in-use.ts';

type Act = (server: Server, signal: AbortSignal) => Promise<void>;

/**
 * Starts and stops servers, one act at a time on each. What has begun goes on when whoever asked for it is gone: a restart whose page was
 * closed would leave the server down. Throws `conflict` while a session uses the server, or another act is under way.
 */
export function controlServers({ store, runs }: Pick<ApiContext, 'store' | 'runs'>) {
  const underWay = new Set<string>();
  const lasting = new AbortController().signal;
  return async (target: string, act: Act): Promise<{ state: ServerState }> => {
    refuseWhileServerUsed(store, target);
    const server = openServer(runs, target);
    if (underWay.has(target))
      throw new KneepointError({
        code: 'conflict',
        message: `The server of target “${target}” is being started or stopped already.`,
        target,
        safe: 'Nothing else was done to it.',
        next: 'Wait until that is done, then look again.',
      });
    underWay.add(target);
    try {
      await act(server, lasting);
      return { state: await server.state(lasting) };
    } finally {
      underWay.delete(target);
    }
  };
}
