import type { Transport } from './define.ts';

/** One message of a named channel; `end` closes it on the other side. */
interface Envelope {
  channel: string;
  body?: unknown;
  end?: true;
}

const isEnvelope = (raw: unknown): raw is Envelope =>
  typeof raw === 'object' && raw !== null && 'channel' in raw && typeof raw.channel === 'string';

/** Several channels on one transport. */
export interface Channels {
  /** Opens a channel; the other side is notified immediately. */
  open(name: string): Transport;
  /** Called for each channel that the other side opens. */
  onOpen(listener: (name: string, transport: Transport) => void): void;
}

interface Conversation {
  early: unknown[];
  message?: (message: unknown) => void;
  readonly closed: (() => void)[];
}

/** Multiplexes the engine's connections with each page and with the shell on one pipe between two processes. All end when the pipe ends. */
export function channels(pipe: Transport): Channels {
  const live = new Map<string, Conversation>();
  let opened: ((name: string, transport: Transport) => void) | undefined;

  const end = (name: string): void => {
    const conversation = live.get(name);
    live.delete(name);
    for (const listener of conversation?.closed ?? []) listener();
  };

  const begin = (name: string): Transport => {
    const conversation: Conversation = { early: [], closed: [] };
    live.set(name, conversation);
    return {
      send: (body) => {
        if (live.get(name) === conversation) pipe.send({ channel: name, body } satisfies Envelope);
      },
      onMessage: (listener) => {
        conversation.message = listener;
        for (const message of conversation.early.splice(0)) listener(message);
      },
      onClose: (listener) => conversation.closed.push(listener),
      close: () => {
        if (live.get(name) !== conversation) return;
        pipe.send({ channel: name, end: true } satisfies Envelope);
        end(name);
      },
    };
  };

  const deliver = (conversation: Conversation, body: unknown): void => {
    if (conversation.message) conversation.message(body);
    else conversation.early.push(body);
  };

  pipe.onMessage((raw) => {
    if (!isEnvelope(raw)) return pipe.close();
    const { channel, body, end: ended } = raw;
    const conversation = live.get(channel);
    if (ended) end(channel);
    else if (conversation) deliver(conversation, body);
    else if (body === undefined) opened?.(channel, begin(channel));
  });
  pipe.onClose(() => {
    for (const name of [...live.keys()]) end(name);
  });

  return {
    open: (name) => {
      const transport = begin(name);
      pipe.send({ channel: name } satisfies Envelope);
      return transport;
    },
    onOpen: (listener) => {
      opened = listener;
    },
  };
}

/** Joins two pipes: messages from one are sent to the other, and each ends with the other. */
export function join(a: Transport, b: Transport): void {
  a.onMessage((message) => b.send(message));
  b.onMessage((message) => a.send(message));
  a.onClose(() => b.close());
  b.onClose(() => a.close());
}
