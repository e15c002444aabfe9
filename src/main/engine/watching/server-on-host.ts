import { serverReader } from '../monitors/index.ts';
import type { MonitoringOf } from '../targets/target.ts';
import { askDirectly } from './ask-directly.ts';
import { ClientOnHost, type ClientWatch } from './client-on-host.ts';
import type { WatchingContext } from './context.ts';

type ServerOnHostWatch = Omit<ClientWatch, 'watched' | 'program' | 'prepare' | 'askDirectly'> & {
  hostLines: NonNullable<MonitoringOf['hostLines']>;
};

/** What a server counts, by its own client on its host. */
export const serverOnHost = (context: WatchingContext, watch: ServerOnHostWatch, closing: AbortSignal): ClientOnHost =>
  new ClientOnHost(
    context,
    {
      ...watch,
      watched: [watch.source],
      program: serverReader(watch.hostLines),
      prepare: async (session) => {
        const program = await session?.samplesOnHost?.();
        const { problems = [] } = (program && (await session?.sample?.())) ?? {};
        return { program, untold: problems };
      },
      askDirectly: (why, signal) => askDirectly(context, watch, why, signal),
    },
    closing,
  );
