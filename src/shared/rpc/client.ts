import { KneepointError } from '../model/problem.ts';
import {
  type CallOptions,
  type Client,
  type Contract,
  isDefinition,
  type StreamPaths,
  type Transport,
} from './define.ts';
import {
  type Connection,
  cancelled,
  disconnected,
  notUnderstood,
  type Pending,
  PROTOCOL,
  WINDOW,
  type Wire,
  wireOf,
} from './wire.ts';

/** A typed client on a transport. Every call and stream fails with `disconnected` when it closes. */
export const connect = <C extends Contract>(contract: C, transport: Transport): Client<C> =>
  connectBy<C>(streamsOf(contract), transport);

const streamsOf = (node: Contract, prefix = ''): Readonly<Record<string, true>> =>
  Object.fromEntries(
    Object.entries(node).flatMap(([name, entry]): [string, true][] => {
      if (!isDefinition(entry)) return Object.entries(streamsOf(entry, `${prefix}${name}.`));
      return entry.kind === 'stream' ? [[`${prefix}${name}`, true]] : [];
    }),
  );

/** Like `connect`, but needs only the names of the streams: a page starts without creating all schemas of the contract. */
export function connectBy<C extends Contract>(streams: StreamPaths<C>, transport: Transport): Client<C> {
  const pending = new Map<number, Pending>();
  let sequence = 0;
  let dead: KneepointError | undefined;

  const failAll = (error: KneepointError): void => {
    dead ??= error;
    for (const entry of [...pending.values()]) entry.fail(error);
    pending.clear();
  };
  transport.onClose(() => failAll(disconnected()));
  transport.onMessage((raw) => {
    const message = wireOf(raw);
    if (!message) {
      failAll(notUnderstood());
      transport.close();
    } else if (message.k === 'bye') failAll(new KneepointError(message.problem));
    else if (message.k === 'hello') {
      if (message.protocol !== PROTOCOL) failAll(versionMismatch(message.protocol));
    } else pending.get(message.id)?.receive(message);
  });

  const connection: Connection = {
    dead: () => dead,
    open(entry) {
      const id = ++sequence;
      pending.set(id, entry);
      return id;
    },
    close: (id) => {
      pending.delete(id);
    },
    send: (message) => transport.send(message),
  };

  const bind = (path: string): unknown =>
    path in streams
      ? (input: unknown, options?: CallOptions) => openStream(connection, path, input, options?.signal)
      : (input: unknown, options?: CallOptions) => ask(connection, path, input, options);
  return membersOf('', bind) as Client<C>;
}

/** Any member by its name: a function that is also a group of members. */
const membersOf = (prefix: string, bind: (path: string) => unknown): unknown =>
  new Proxy(prefix ? (bind(prefix) as object) : {}, {
    // Code that awaits the client itself must not mistake it for a promise.
    get: (_, name) =>
      typeof name === 'symbol' || name === 'then' ? undefined : membersOf(prefix ? `${prefix}.${name}` : name, bind),
  });

function ask(
  connection: Connection,
  path: string,
  input: unknown,
  { signal, onProgress }: CallOptions = {},
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const dead = connection.dead();
    if (dead) return reject(dead);
    if (signal?.aborted) return reject(cancelled());
    const settle = (act: () => void): void => {
      connection.close(id);
      signal?.removeEventListener('abort', onAbort);
      act();
    };
    const id = connection.open({
      receive(message) {
        if (message.k === 'progress') onProgress?.(message.at);
        else if (message.k === 'result') settle(() => resolve(message.value));
        else if (message.k === 'error') settle(() => reject(new KneepointError(message.problem)));
      },
      fail: (error) => settle(() => reject(error)),
    });
    const onAbort = (): void => {
      connection.send({ k: 'cancel', id });
      settle(() => reject(cancelled()));
    };
    signal?.addEventListener('abort', onAbort);
    connection.send({ k: 'ask', id, path, input, credit: 0, ...(onProgress && { progress: true }) });
  });
}

const versionMismatch = (theirs: number): KneepointError =>
  new KneepointError({
    code: 'version-mismatch',
    message: `Protocol mismatch: this page uses version ${PROTOCOL}, the engine version ${theirs}.`,
    safe: 'Nothing was changed.',
    next: 'Reload the page; if that does not help, restart Kneepoint.',
  });

/**
 * The reading end of a stream. Sends its request at the first `next()`; returns credit as items are consumed, so that the producer is never
 * more than a window ahead; `return()` and the signal reach the producer. After an abort it ends without an error.
 */
function openStream(
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
