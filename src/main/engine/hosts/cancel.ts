import { KneepointError } from '../../../shared/model/problem.ts';

export const cancelled = (host: string): KneepointError =>
  new KneepointError({ code: 'cancelled', host, message: `The command on ${host} was cancelled.` });

/** Throws `cancelled` if the signal has already fired. */
export function throwIfCancelled(host: string, signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw cancelled(host);
}

/** Settles like the promise, or rejects with `cancelled` as soon as the signal fires. The work itself continues. */
export async function unlessCancelled<T>(host: string, work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return signal ? untilAborted(work, signal, () => cancelled(host)) : work;
}

/** Settles like the promise, or rejects as soon as the signal fires: a server that hangs never responds. The work itself continues. */
export function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
  reason: () => unknown = () => signal.reason,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const over = (): void => reject(reason());
    if (signal.aborted) over();
    signal.addEventListener('abort', over, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', over));
  });
}
