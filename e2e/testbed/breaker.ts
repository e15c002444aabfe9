import { once } from 'node:events';
import { connect as connectTo, createServer, type Server, type Socket } from 'node:net';

/** The message from a client at which everything stalls. */
export interface Moment {
  /** Part of a statement. */
  text: string;
  /** Which occurrence of it; default: the first. */
  nth?: number;
  /** after: the server still receives the packet with the text, and executes it. */
  when?: 'before' | 'after';
}

/** A relay between a program and its server, which sees all messages. Connections without TLS only. */
export interface Breaker {
  port: number;
  /** Resolves at that moment; from then on nothing more gets through from any client. */
  reached(moment: Moment): Promise<void>;
  /** Lets new connections through again. `hold`: connections to the server stay open when their client is gone. */
  reset(how?: { hold?: boolean }): void;
  /** Ends all connections, and new ones until the next reset. */
  cut(): void;
  /** Ends held connections. */
  release(): void;
  /** How often a text was sent since the last reset. */
  sent(text: string): number;
  close(): Promise<void>;
}

/** Long enough for a text that is split between two packets. */
const TAIL = 200;

const timesIn = (text: string, part: string): number => text.split(part).length - 1;

interface Address {
  address: string;
  port: number;
}

class OpenBreaker implements Breaker {
  readonly #server: Address;
  readonly #listener: Server;
  readonly #open = new Set<Socket>();
  readonly #held = new Set<Socket>();
  #holds = false;
  #stopped = false;
  #isCut = false;
  #round = 0;
  #seen = '';
  #waiting: { moment: Moment; left: number; resolve: () => void } | undefined;

  constructor(server: Address) {
    this.#server = server;
    this.#listener = createServer((client) => this.#join(client)).listen(0, '127.0.0.1');
  }

  async listening(): Promise<void> {
    await once(this.#listener, 'listening');
  }

  get port(): number {
    const address = this.#listener.address();
    if (address === null || typeof address === 'string') throw new Error('The breaker has no port.');
    return address.port;
  }

  #join(client: Socket): void {
    if (this.#isCut) {
      client.destroy();
      return;
    }
    const upstream = connectTo(this.#server.port, this.#server.address);
    if (this.#holds) this.#held.add(upstream);
    for (const socket of [client, upstream]) {
      this.#open.add(socket);
      // A killed program resets its connections.
      socket.on('error', () => undefined);
      socket.on('close', () => this.#open.delete(socket));
    }
    this.#forward(client, upstream);
    client.on('close', () => {
      if (!this.#held.has(upstream)) upstream.end();
    });
    upstream.on('data', (bytes) => client.write(bytes));
    upstream.on('close', () => client.destroy());
  }

  #forward(client: Socket, upstream: Socket): void {
    // Determined now: the last messages and the end of a client may arrive after its program has ended and the next has begun.
    const own = this.#round;
    let tail = '';
    client.on('data', (bytes) => {
      if (this.#stopped || own !== this.#round) return;
      const text = bytes.toString('latin1');
      const through = this.#passes(text, tail);
      this.#seen += text;
      tail = (tail + text).slice(-TAIL);
      if (through) upstream.write(bytes);
    });
  }

  /** Whether this packet may be forwarded to the server. */
  #passes(text: string, tail: string): boolean {
    if (!this.#waiting) return true;
    const { moment } = this.#waiting;
    this.#waiting.left -= timesIn(tail + text, moment.text) - timesIn(tail, moment.text);
    if (this.#waiting.left > 0) return true;
    this.#stopped = true;
    this.#waiting.resolve();
    this.#waiting = undefined;
    return moment.when === 'after';
  }

  reached(moment: Moment): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting = { moment, left: moment.nth ?? 1, resolve };
    });
  }

  reset({ hold = false }: { hold?: boolean } = {}): void {
    this.#holds = hold;
    this.#stopped = false;
    this.#isCut = false;
    this.#round += 1;
    this.#seen = '';
    this.#waiting = undefined;
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#open) socket.destroy();
  }

  release(): void {
    for (const upstream of this.#held) upstream.end();
    this.#held.clear();
  }

  sent(text: string): number {
    return timesIn(this.#seen, text);
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    this.#listener.close();
    await once(this.#listener, 'close');
  }
}

export async function startBreaker(server: Address): Promise<Breaker> {
  const breaker = new OpenBreaker(server);
  await breaker.listening();
  return breaker;
}
