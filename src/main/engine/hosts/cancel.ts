import { KneepointError } from '../../../shared/model/problem.ts';

export const cancelled = (host: string): KneepointError =>
  new KneepointError({ code: 'cancelled', host, message: `The command on ${host} was cancelled.` });

/** Throws `cancelled` if the signal has already fired. */
export function throwIfCancelled(host: string, signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw cancelled(host);
}

/** Settles like the promise, or rejects with `cancelled` as soon as the signal fires. The work itself continues. */
export async function unlessCancelled<T>(host: string, work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  throwIfCancelled(host, signal);
  let onAbort: () => void = () => undefined;
  const abort = new Promise<never>((_, reject) => {
    onAbort = () => reject(cancelled(host));
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, abort]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
