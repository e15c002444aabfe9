import { KneepointError } from '../model/problem.ts';
import {
  type CallOptions,
  type Client,
  type Contract,
  isDefinition,
  type StreamPaths,
  type Transport,
} from './define.ts';
import { openStream } from './stream.ts';
import { type Connection, cancelled, disconnected, notUnderstood, type Pending, PROTOCOL, wireOf } from './wire.ts';

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
