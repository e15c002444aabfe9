import { KneepointError } from '../model/problem.ts';
import { formatBytes } from '../util/format.ts';
import {
  type CallContext,
  type Contract,
  type Definition,
  type Implementation,
  isDefinition,
  type Progress,
  type Transport,
} from './define.ts';
import { largestOf, MOST_OPEN, sizeOf } from './limits.ts';
import { cancelled, notUnderstood, PROTOCOL, TICK_MS, type Wire, wireOf, wireProblem } from './wire.ts';

type Handler = (input: unknown, context: CallContext) => unknown;

type Ask = Extract<Wire, { k: 'ask' }>;

interface Live {
  abort: AbortController;
  credit: number;
  wake?: () => void;
}

/**
 * Serves a contract on one connection until it closes; all open calls and streams are then aborted. A message outside the protocol ends the
 * connection, and nothing else.
 */
export function serve<C extends Contract>(contract: C, implementation: Implementation<C>, transport: Transport): void {
  const live = new Map<number, Live>();
  let ended = false;
  const send = (message: Wire): void => {
    if (!ended) transport.send(message);
  };

  const end = (): void => {
    ended = true;
    for (const entry of live.values()) {
      entry.abort.abort();
      entry.wake?.();
    }
    live.clear();
  };
  const refuse = (): void => {
    send({ k: 'bye', problem: notUnderstood().problem });
    end();
    transport.close();
  };

  transport.onClose(end);
  transport.onMessage((raw) => {
    if (ended) return;
    const message = wireOf(raw);
    if (message?.k === 'ask' && !live.has(message.id)) begin(message);
    else if (message?.k === 'credit' || message?.k === 'cancel') steer(message);
    else refuse();
  });

  send({ k: 'hello', protocol: PROTOCOL });

  function begin(ask: Ask): void {
    if (live.size >= MOST_OPEN) {
      const message = `${ask.path}: more than ${MOST_OPEN} calls are open on this connection.`;
      send({ k: 'error', id: ask.id, problem: { code: 'bad-request', message } });
      return;
    }
    const entry: Live = { abort: new AbortController(), credit: ask.credit };
    live.set(ask.id, entry);
    void answer(ask, entry).finally(() => live.delete(ask.id));
  }

  /** Ignored if its call has already ended: it came too late. */
  function steer(message: Extract<Wire, { k: 'credit' | 'cancel' }>): void {
    const entry = live.get(message.id);
    if (!entry) return;
    if (message.k === 'credit') entry.credit += message.credit;
    else entry.abort.abort();
    entry.wake?.();
  }

  async function answer(ask: Ask, entry: Live): Promise<void> {
    try {
      const definition = find(contract, ask.path) as Definition | undefined;
      const handler = find(implementation, ask.path) as Handler | undefined;
      if (!definition || !isDefinition(definition) || typeof handler !== 'function') {
        throw new KneepointError({ code: 'bad-request', message: `The engine has no call named ${ask.path}.` });
      }
      const input = checked(definition, ask);
      const { signal } = entry.abort;
      const report = ask.progress ? (at: Progress): void => send({ k: 'progress', id: ask.id, at }) : () => {};
      const context: CallContext = { signal, progress: progressOf(signal, report) };
      if (definition.kind === 'call') {
        const value = definition.output.parse(await handler(input, context));
        send({ k: 'result', id: ask.id, value });
      } else {
        await pump(send, ask.id, definition, handler(input, context) as AsyncIterable<unknown>, entry);
        send({ k: 'end', id: ask.id });
      }
    } catch (error) {
      send({ k: 'error', id: ask.id, problem: wireProblem(error) });
    }
  }
}

/** A call that runs without yielding blocks all others: at most for this long. */
const TURN_MS = 50;

export function progressOf(signal: AbortSignal, report: (at: Progress) => void): CallContext['progress'] {
  let turn = Date.now();
  return (at) => {
    if (Date.now() - turn < TURN_MS) return undefined;
    report(at);
    return new Promise((resolve, reject) => {
      setTimeout(() => {
        turn = Date.now();
        if (signal.aborted) reject(cancelled());
        else resolve();
      }, 0);
    });
  };
}

/** Sends items in batches of one tick, never more than the reader's credit. */
async function pump(
  send: (message: Wire) => void,
  id: number,
  definition: Definition,
  items: AsyncIterable<unknown>,
  entry: Live,
): Promise<void> {
  let batch: unknown[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (batch.length > 0 && !entry.abort.signal.aborted) send({ k: 'items', id, values: batch });
    batch = [];
  };
  try {
    for await (const item of items) {
      batch.push(definition.output.parse(item));
      entry.credit--;
      timer ??= setTimeout(flush, TICK_MS);
      while (entry.credit <= 0 && !entry.abort.signal.aborted) {
        flush();
        await new Promise<void>((resolve) => {
          entry.wake = resolve;
        });
      }
      if (entry.abort.signal.aborted) return;
    }
  } finally {
    flush();
  }
}

/** The input as parsed by its schema. Its size is checked first, so that no schema has to walk through millions of values. */
function checked(definition: Definition, { path, input }: Ask): unknown {
  const largest = largestOf(definition);
  if (sizeOf(input, largest) > largest) {
    throw new KneepointError({
      code: 'bad-request',
      message: `${path}: the request exceeds the limit of this call (${formatBytes(largest)}), or is nested too deep.`,
      safe: 'Nothing was changed.',
    });
  }
  const read = definition.input.safeParse(input);
  if (read.success) return read.data;
  const { issues } = read.error;
  throw new KneepointError({
    code: 'bad-request',
    message: `${path}: ${issues.map((issue) => [issue.path.join('.'), issue.message].filter(Boolean).join(': ')).join('; ')}`,
    details: issues.map((issue) => ({ path: issue.path.map(String), message: issue.message })),
  });
}

function find(root: object, path: string): unknown {
  let node: unknown = root;
  for (const name of path.split('.')) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, name)) return undefined;
    node = (node as Record<string, unknown>)[name];
  }
  return node;
}
