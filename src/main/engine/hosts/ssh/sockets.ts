import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

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
  const leave = (): void => {
    isGathering = false;
    socket.uncork();
  };
  socket.write = (...args: unknown[]): boolean => {
    if (!isGathering) {
      isGathering = true;
      socket.cork();
      process.nextTick(leave);
    }
    return write(...args);
  };
}
