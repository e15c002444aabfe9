import { once } from 'node:events';
import { connect as connectTo, createServer, type Socket } from 'node:net';

/** What a client has to send before everything stands still. */
export interface Moment {
  /** Part of a statement. */
  text: string;
  /** At which time that it is sent; the first if absent. */
  nth?: number;
  /** after: the server still gets the packet with the text, and does what it says. */
  when?: 'before' | 'after';
}

/** Stands between a program and its server, and knows what was sent. Connections without TLS only. */
export interface Breaker {
  port: number;
  /** Resolves when that moment has come; from then on nothing more gets through from any client. */
  reached(moment: Moment): Promise<void>;
  /** Lets everything through again that comes on new connections. `hold`: those to the server stay open when their client is gone. */
  reset(how?: { hold?: boolean }): void;
  /** Ends connections that were held. */
  letGo(): void;
  /** Times that a text was sent since the last reset. */
  sent(text: string): number;
  close(): Promise<void>;
}

/** Long enough for a text that is cut between two packets. */
const TAIL = 200;

const timesIn = (text: string, part: string): number => text.split(part).length - 1;

export async function startBreaker(server: { address: string; port: number }): Promise<Breaker> {
  const open = new Set<Socket>();
  const held = new Set<Socket>();
  let holds = false;
  let stopped = false;
  let round = 0;
  let seen = '';
  let waiting: { moment: Moment; left: number; resolve: () => void } | undefined;

  /** Whether this packet may go on to the server. */
  function passes(text: string, tail: string): boolean {
    if (!waiting) return true;
    const { moment } = waiting;
    waiting.left -= timesIn(tail + text, moment.text) - timesIn(tail, moment.text);
    if (waiting.left > 0) return true;
    stopped = true;
    waiting.resolve();
    waiting = undefined;
    return moment.when === 'after';
  }

  const listener = createServer((client) => {
    const upstream = connectTo(server.port, server.address);
    // Settled now: the last words and the end of a client may be seen when its program has ended and the next has begun.
    const own = round;
    if (holds) held.add(upstream);
    let tail = '';
    for (const socket of [client, upstream]) {
      open.add(socket);
      // A program that is killed resets its connections.
      socket.on('error', () => undefined);
      socket.on('close', () => open.delete(socket));
    }
    client.on('data', (bytes) => {
      if (stopped || own !== round) return;
      const text = bytes.toString('latin1');
      const through = passes(text, tail);
      seen += text;
      tail = (tail + text).slice(-TAIL);
      if (through) upstream.write(bytes);
    });
    client.on('close', () => {
      if (!held.has(upstream)) upstream.end();
    });
    upstream.on('data', (bytes) => client.write(bytes));
    upstream.on('close', () => client.destroy());
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('The breaker has no port.');
  return {
    port: address.port,
    reached: (moment) =>
      new Promise((resolve) => {
        waiting = { moment, left: moment.nth ?? 1, resolve };
      }),
    reset: ({ hold = false } = {}) => {
      holds = hold;
      stopped = false;
      round += 1;
      seen = '';
      waiting = undefined;
    },
    letGo: () => {
      for (const upstream of held) upstream.end();
      held.clear();
    },
    sent: (text) => timesIn(seen, text),
    close: async () => {
      for (const socket of open) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}
