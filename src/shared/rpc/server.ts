import { KneepointError } from '../model/problem.ts';
import { type Contract, type Definition, type Implementation, isDefinition, type Transport } from './define.ts';
import { PROTOCOL } from './protocol.ts';
import { TICK_MS, type Wire, wireProblem } from './wire.ts';

type Handler = (input: unknown, context: { signal: AbortSignal }) => unknown;

interface Live {
  abort: AbortController;
  credit: number;
  wake?: () => void;
}

/** Serves a contract on one connection until it closes; every open call and stream is then aborted. */
export function serve<C extends Contract>(contract: C, implementation: Implementation<C>, transport: Transport): void {
  const live = new Map<number, Live>();
  const send = (message: Wire): void => transport.send(message);

  transport.onClose(() => {
    for (const entry of live.values()) {
      entry.abort.abort();
      entry.wake?.();
    }
    live.clear();
  });

  transport.onMessage((raw) => {
    const message = raw as Wire;
    if (message.k === 'ask') {
      const entry: Live = { abort: new AbortController(), credit: message.credit };
      live.set(message.id, entry);
      void answer(message, entry).finally(() => live.delete(message.id));
      return;
    }
    if (message.k !== 'credit' && message.k !== 'cancel') return;
    const entry = live.get(message.id);
    if (!entry) return;
    if (message.k === 'credit') entry.credit += message.credit;
    else entry.abort.abort();
    entry.wake?.();
  });

  send({ k: 'hello', protocol: PROTOCOL });

  async function answer(ask: Extract<Wire, { k: 'ask' }>, entry: Live): Promise<void> {
    try {
      const definition = find(contract, ask.path) as Definition | undefined;
      const handler = find(implementation, ask.path) as Handler | undefined;
      if (!definition || !isDefinition(definition) || typeof handler !== 'function') {
        throw new KneepointError({ code: 'bad-request', message: `The engine knows no call named ${ask.path}.` });
      }
      const input = definition.input.safeParse(ask.input);
      if (!input.success) {
        throw new KneepointError({
          code: 'bad-request',
          message: `${ask.path}: ${input.error.issues.map((issue) => [issue.path.join('.'), issue.message].filter(Boolean).join(': ')).join('; ')}`,
          details: input.error.issues.map(({ path, message }) => ({ path: path.map(String), message })),
        });
      }
      const context = { signal: entry.abort.signal };
      if (definition.kind === 'call') {
        const value = definition.output.parse(await handler(input.data, context));
        send({ k: 'result', id: ask.id, value });
      } else {
        await pump(ask.id, definition, handler(input.data, context) as AsyncIterable<unknown>, entry);
        send({ k: 'end', id: ask.id });
      }
    } catch (error) {
      send({ k: 'error', id: ask.id, problem: wireProblem(error) });
    }
  }

  /** Sends items in batches of one tick, and never more than the reader has room for. */
  async function pump(id: number, definition: Definition, items: AsyncIterable<unknown>, entry: Live): Promise<void> {
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
}

function find(root: object, path: string): unknown {
  let node: unknown = root;
  for (const name of path.split('.')) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, name)) return undefined;
    node = (node as Record<string, unknown>)[name];
  }
  return node;
}
