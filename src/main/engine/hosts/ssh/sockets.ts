import { connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { ClientChannel } from 'ssh2';

/** Opens a TCP connection without Nagle's delay. `roundTripMs` is the time from the first packet to the reply. */
export function connectTcp(
  address: string,
  port: number,
  limitMs: number,
): Promise<{ socket: Socket; roundTripMs: number }> {
  return new Promise((resolve, reject) => {
    let begin = performance.now();
    const socket = connect({ host: address.replace(/^\[(.*)\]$/, '$1'), port, noDelay: true });
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no response within ${limitMs / 1000} s`));
    }, limitMs);
    socket.on('lookup', () => {
      begin = performance.now();
    });
    socket.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.removeAllListeners('error').removeAllListeners('lookup');
      resolve({ socket, roundTripMs: performance.now() - begin });
    });
  });
}

/**
 * Sends everything written to the socket in one turn of the event loop together. ssh2 writes each packet in three pieces, and a command is
 * several packets: each piece would be a separate system call and TCP packet.
 */
export function gatherWrites(socket: Duplex): void {
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  let isGathering = false;
  const flush = (): void => {
    isGathering = false;
    socket.uncork();
  };
  socket.write = (...args: unknown[]): boolean => {
    if (!isGathering) {
      isGathering = true;
      socket.cork();
      process.nextTick(flush);
    }
    return write(...args);
  };
}

/**
 * A forwarded byte stream that behaves like a socket: ssh2's own channel overrides `destroy`, so a lost link would look like a clean end to
 * `pipeline`, `finished` and the database drivers. Counts its bytes.
 */
export class ForwardedStream extends Duplex {
  bytesIn = 0;
  bytesOut = 0;
  readonly #channel: ClientChannel;

  /** `lost` returns the reason if the link is lost and we did not close it ourselves. */
  constructor(channel: ClientChannel, lost: () => Error | undefined) {
    // Like a socket by default: when the far side ends, this side ends too.
    super({ allowHalfOpen: false });
    this.#channel = channel;
    channel.on('data', (chunk: Buffer) => {
      this.bytesIn += chunk.length;
      if (!this.push(chunk)) channel.pause();
    });
    channel.once('end', () => this.push(null));
    channel.once('close', () => {
      const error = lost();
      if (error) this.destroy(error);
      // Bytes already pushed must still be read; a half-closed stream would never end by itself.
      else if (this.readableEnded) this.destroy();
      else this.once('end', () => this.destroy());
    });
    channel.on('error', (error: Error) => this.destroy(error));
  }

  override _read(): void {
    this.#channel.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.bytesOut += chunk.length;
    this.#channel.write(chunk, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#channel.end();
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#channel.destroy();
    // Drains the rest, so the channel can report its end and release its number.
    this.#channel.resume();
    done(error);
  }
}
