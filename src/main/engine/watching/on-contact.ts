import { LOCAL_HOST_NAME } from '../../../shared/model/host.ts';
import { claimsLeft, releaseLeft, removeSecretsLeft, secretsLeft } from '../world/index.ts';
import type { WatchingContext } from './context.ts';
import { concludeWatched, endMonitorsLeft, type LeftContext, monitorsLeft } from './left.ts';

type Context = LeftContext & Pick<WatchingContext, 'machines' | 'targets' | 'servers'>;

export interface Tidying {
  /** Connects once to the hosts that have samples of ended sessions. */
  collect(): void;
  end(): void;
}

/**
 * Cleans up a host as soon as it is connected, whoever connects to it; this computer, which is always connected, at once. Also completes sessions
 * that the end of the app interrupted here.
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
    // A running monitor needs its secrets: they are removed with it.
    endMonitorsLeft(context, machine, ends.signal)
      .then(() => removeSecretsLeft(context, machine, ends.signal))
      .then(() => releaseLeft(context, machine, ends.signal))
      .catch((error: unknown) =>
        log.warn('files left behind on a host could not be removed', { host, message: String(error) }),
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

/** Excludes sessions with samples left on a host: they are completed when these have arrived. */
async function conclude(context: Context, signal: AbortSignal): Promise<void> {
  const { store } = context;
  for (const id of store.monitored.unsealed()) {
    const sources = store.sources.ofSession(id);
    const isAwaited = sources.some((source) => store.monitored.jobs(source.id).some(({ ended }) => !ended));
    if (!isAwaited) await concludeWatched(context, id, signal);
  }
}
