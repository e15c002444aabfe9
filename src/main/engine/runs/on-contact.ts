import { LOCAL_HOST_NAME } from '../../../shared/model/host.ts';
import type { RunsContext } from './context.ts';
import { endMonitorsLeft, monitorsLeft } from './monitors/left.ts';
import { removeSecretsLeft, secretsLeft } from './secrets-left.ts';

type Context = Pick<RunsContext, 'store' | 'clock' | 'jobs' | 'jobsAtWork' | 'hostsChanged' | 'log' | 'machines'>;

/**
 * Sees to what is left on a host as soon as it is connected, whoever connects to it; on this computer, which is always connected, at
 * once. Returns the function that ends that.
 */
export function tidyOnContact(context: Context): () => void {
  const { machines, store, log } = context;
  const ends = new AbortController();
  const busy = new Set<string>();
  const seeTo = (host: string): void => {
    if (busy.has(host) || !(secretsLeft(context, host) || monitorsLeft(context, host).length > 0)) return;
    busy.add(host);
    const machine = machines.get(host);
    // A monitor that runs needs its secrets: they go with it.
    endMonitorsLeft(context, machine, ends.signal)
      .then(() => removeSecretsLeft(context, machine, ends.signal))
      .catch((error: unknown) =>
        log.warn('what is left on a host could not be seen to', { host, message: String(error) }),
      )
      .finally(() => busy.delete(host));
  };
  const unwatch = machines.onLinks((links) => {
    for (const { host, state } of links) if (state === 'up') seeTo(host);
  });
  if (store.readOnly() === undefined) seeTo(LOCAL_HOST_NAME);
  return () => {
    unwatch();
    ends.abort();
  };
}
