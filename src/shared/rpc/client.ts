import { KneepointError } from '../model/problem.ts';
import {
  type CallOptions,
  type Client,
  type Contract,
  type Definition,
  isDefinition,
  type Transport,
} from './define.ts';
import { openStream } from './stream.ts';
import { type Connection, cancelled, disconnected, notUnderstood, type Pending, PROTOCOL, wireOf } from './wire.ts';

/** A typed client on a transport. Every call and stream fails with `disconnected` when it closes. */
export function connect<C extends Contract>(contract: C, transport: Transport): Client<C> {
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

  const build = (node: Contract, prefix: string): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(node).map(([name, entry]) => {
        const path = prefix ? `${prefix}.${name}` : name;
        return [name, isDefinition(entry) ? bind(connection, entry, path) : build(entry, path)];
      }),
    );
  return build(contract, '') as Client<C>;
}

const bind = (connection: Connection, definition: Definition, path: string) =>
  definition.kind === 'call'
    ? (input: unknown, options?: CallOptions) => ask(connection, path, input, options)
    : (input: unknown, options?: CallOptions) => openStream(connection, path, input, options?.signal);

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
