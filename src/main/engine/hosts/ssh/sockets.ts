import { connect, type Socket } from 'node:net';

/** Opens a TCP connection without Nagle's delay. `roundTripMs` is the time from first packet to answer. */
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
      reject(new Error(`nothing came back within ${limitMs / 1000} s`));
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
