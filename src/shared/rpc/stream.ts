import { KneepointError } from '../model/problem.ts';
import { type Connection, WINDOW, type Wire } from './wire.ts';

/**
 * The reading end of a stream. Sends its request at the first `next()`; returns credit as items are consumed, so that the producer is never
 * more than a window ahead; `return()` and the signal reach the producer. After an abort it ends without an error.
 */
export function openStream(
  connection: Connection,
  path: string,
  input: unknown,
  signal?: AbortSignal,
): AsyncIterableIterator<unknown> {
  const items: unknown[] = [];
  let state: 'new' | 'open' | 'ended' = 'new';
  let failure: KneepointError | undefined;
  let id = 0;
  let taken = 0;
  let wake: (() => void) | undefined;

  const finish = (error?: KneepointError): void => {
    if (state === 'ended') return;
    state = 'ended';
    failure = error;
    connection.close(id);
    signal?.removeEventListener('abort', stop);
    wake?.();
  };
  const stop = (): void => {
    if (state === 'open') connection.send({ k: 'cancel', id });
    items.length = 0;
    finish();
  };
  const receive = (message: Wire): void => {
    if (message.k === 'items') {
      for (const value of message.values) items.push(value);
      wake?.();
    } else if (message.k === 'end') finish();
    else if (message.k === 'error') finish(new KneepointError(message.problem));
  };
  const start = (): void => {
    const dead = connection.dead();
    if (dead || signal?.aborted) {
      finish(dead);
      return;
    }
    state = 'open';
    id = connection.open({ receive, fail: finish });
    signal?.addEventListener('abort', stop);
    connection.send({ k: 'ask', id, path, input, credit: WINDOW });
  };
  const take = (): IteratorResult<unknown> => {
    if (++taken >= WINDOW / 2) {
      if (state === 'open') connection.send({ k: 'credit', id, credit: taken });
      taken = 0;
    }
    return { value: items.shift(), done: false };
  };

  const iterator: AsyncIterableIterator<unknown> = {
    [Symbol.asyncIterator]: () => iterator,
    async next() {
      if (state === 'new') start();
      while (items.length === 0 && state !== 'ended') {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (items.length > 0) return take();
      if (failure) {
        const error = failure;
        failure = undefined;
        throw error;
      }
      return { value: undefined, done: true };
    },
    async return() {
      stop();
      return { value: undefined, done: true };
    },
  };
  return iterator;
}
