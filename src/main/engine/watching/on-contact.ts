import { LOCAL_HOST_NAME } from '../../../shared/model/host.ts';
import { claimsLeft, releaseLeft, removeSecretsLeft, secretsLeft } from '../world/index.ts';
import type { WatchingContext } from './context.ts';
import { concludeWatched, endMonitorsLeft, type LeftContext, monitorsLeft } from './left.ts';

type Context = LeftContext & Pick<WatchingContext, 'machines' | 'targets' | 'servers'>;

export interface Tidying {
  /** Connects to the hosts that have samples of sessions that ended, once. */
  collect(): void;
  end(): void;
}

/**
 * Sees to what is left on a host as soon as it is connected, whoever connects to it; on this computer, which is always connected, at
 * once. So to what the end of the app kept sessions from concluding here.
 */
export function tidyOnContact(context: Context): Tidying {
  const { machines, store, log } = context;
  const ends = new AbortController();
  const busy = new Set<string>();
  const seeTo = (host: string): void => {
    const isClean = (): boolean =>
      !secretsLeft(context, host) && monitorsLeft(context, host).length + claimsLeft(context, host).length === 0;
    if (busy.has(host) || isClean()) return;
    busy.add(host);
    const machine = machines.get(host);
    // A monitor that runs needs its secrets: they go with it.
    endMonitorsLeft(context, machine, ends.signal)
      .then(() => removeSecretsLeft(context, machine, ends.signal))
      .then(() => releaseLeft(context, machine, ends.signal))
      .catch((error: unknown) =>
        log.warn('what is left on a host could not be seen to', { host, message: String(error) }),
      )
      .finally(() => busy.delete(host));
  };
  const unwatch = machines.onLinks(({ host, state }) => {
    if (state === 'up') seeTo(host);
  });
  if (store.readOnly() === undefined) {
    seeTo(LOCAL_HOST_NAME);
    conclude(context, ends.signal).catch((error: unknown) =>
      log.warn('the end of a session could not be concluded', { message: String(error) }),
    );
  }
  return {
    collect() {
      for (const { spec } of store.hosts.list()) if (monitorsLeft(context, spec.name).length > 0) seeTo(spec.name);
    },
    end() {
      unwatch();
      ends.abort();
    },
  };
}

/** Not those of which a host still has samples: they are concluded when these have come. */
async function conclude(context: Context, signal: AbortSignal): Promise<void> {
  const { store } = context;
  for (const id of store.monitored.unsealed()) {
    const sources = store.sources.ofSession(id);
    const isAwaited = sources.some((source) => store.monitored.jobs(source.id).some(({ ended }) => !ended));
    if (!isAwaited) await concludeWatched(context, id, signal);
  }
}
