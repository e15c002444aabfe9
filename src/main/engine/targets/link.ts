import { Duplex } from 'node:stream';
import type { Reach } from './target.ts';

/** Most bytes that one question may be answered with: a server that sends more is broken or hostile. */
const ANSWER_LIMIT = 32 * 1024 * 1024;

/** The server sent more than any answer we ask for can be. */
export class AnswerTooLong extends Error {}

/**
 * A stream to a server, whatever it goes through, as database drivers want it: with the few socket calls they make, and with
 * a limit on what comes back. TLS runs on top of it.
 */
export class Link extends Duplex {
  /** Node's TLS takes the name that a certificate must be good for from here when it is an IP address. */
  readonly _host: string;
  readonly #inner: Duplex;
  #left = ANSWER_LIMIT;

  constructor(inner: Duplex, address: string) {
    super({ allowHalfOpen: false });
    this._host = address;
    this.#inner = inner;
    inner.on('data', (bytes: Buffer) => this.#received(bytes));
    inner.on('end', () => this.push(null));
    inner.on('error', (error: Error) => this.destroy(error));
    inner.on('close', () => this.destroy());
  }

  /** A new question may be asked: its answer has the whole limit again. */
  ask(): void {
    this.#left = ANSWER_LIMIT;
  }

  /** Drivers call this on a fresh socket; ours is connected already. */
  connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  setTimeout(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }

  override _read(): void {
    this.#inner.resume();
  }
  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#inner.write(chunk, encoding, done);
  }
  override _final(done: (error?: Error | null) => void): void {
    this.#inner.end(() => done());
  }
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#inner.destroy();
    // Whoever encrypts on top of this tells its reason in the next tick: it must come before our mere "closed".
    setImmediate(() => done(error));
  }

  #received(bytes: Buffer): void {
    this.#left -= bytes.length;
    if (this.#left < 0) this.destroy(new AnswerTooLong('The server sent more than 32 MiB in answer to one question.'));
    else if (!this.push(bytes)) this.#inner.pause();
  }
}

/** Time that a server may take to accept a connection and to answer one question, milliseconds. */
export const CONNECT_LIMIT = 15_000;
export const QUERY_LIMIT = 15_000;
/** Counting all rows of a large table reads all of it. */
export const COUNT_LIMIT = 600_000;
/** Milliseconds of a statement of a person: an index on a large table takes hours. */
export const STATEMENT_LIMIT = 6 * 3_600_000;

/** A server's address; a socket, where there is one, is used instead of it. */
export interface Place {
  address: string;
  port: number;
  socket: string;
}

/** Reaches the server within the time limit; a stream that comes later is closed. */
export async function linkTo(reach: Reach, place: Place, signal: AbortSignal | undefined): Promise<Link> {
  signal?.throwIfAborted();
  const limit = AbortSignal.timeout(CONNECT_LIMIT);
  const either = signal ? AbortSignal.any([signal, limit]) : limit;
  const dialled = place.socket === '' ? reach.dial(place.address, place.port) : reach.dialSocket(place.socket);
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(either.reason);
    either.addEventListener('abort', abort, { once: true });
  });
  try {
    const link = new Link(await Promise.race([dialled, aborted]), place.address);
    signal?.addEventListener('abort', () => link.destroy(), { once: true });
    return link;
  } catch (error) {
    dialled.then(
      (late) => late.destroy(),
      () => undefined,
    );
    throw error;
  } finally {
    either.removeEventListener('abort', abort);
  }
}
