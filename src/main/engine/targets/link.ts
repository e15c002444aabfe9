import { Duplex } from 'node:stream';
import type { Reach } from './target.ts';

/** Maximum bytes in response to one question. A server that sends more is broken or hostile. */
const ANSWER_LIMIT = 32 * 1024 * 1024;

/** The server sent more than the limit for one response. */
export class AnswerTooLong extends Error {}

/**
 * A stream to a server over any route, in the form that database drivers expect: with the few socket methods that they call, and with a limit on the
 * size of responses. TLS runs on top of it.
 */
export class Link extends Duplex {
  /** When connecting to an IP address, Node's TLS takes the name that the certificate must match from here. */
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

  /** Resets the limit for the response to a new question. */
  ask(): void {
    this.#left = ANSWER_LIMIT;
  }

  /** Drivers call this on a new socket; this one is already connected. */
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
    // A TLS layer on top of this reports its reason in the next tick, which has to come before the generic "closed".
    setImmediate(() => done(error));
  }

  #received(bytes: Buffer): void {
    this.#left -= bytes.length;
    if (this.#left < 0) this.destroy(new AnswerTooLong('The server sent more than 32 MiB in response to one query.'));
    else if (!this.push(bytes)) this.#inner.pause();
  }
}

/** Time limits for accepting a connection and for answering one question, milliseconds. */
export const CONNECT_LIMIT = 15_000;
export const QUERY_LIMIT = 15_000;
/** Milliseconds. Counting all rows of a large table reads all of it. */
export const COUNT_LIMIT = 600_000;
/** Milliseconds for a user's statement: creating an index on a large table takes hours. */
export const STATEMENT_LIMIT = 6 * 3_600_000;

/** A server's address. If `socket` is set, it is used instead. */
export interface Place {
  address: string;
  port: number;
  socket: string;
}

/** Connects within the time limit. A stream that arrives after it is closed. */
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
