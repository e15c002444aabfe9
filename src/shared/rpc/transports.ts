import { BadFrame, decode, encode } from './codec.ts';
import type { Transport } from './define.ts';

interface EventPort {
  postMessage(message: unknown): void;
  start(): void;
  close(): void;
  addEventListener(type: 'message' | 'close', listener: (event: PortEvent) => void): void;
}
interface PortEvent {
  readonly type: string;
  readonly data?: unknown;
}

/**
 * A MessagePort of a page or of Node's worker threads. In older Chromium, a page's port does not report its closing: the shell then sends a
 * new one.
 */
export function portTransport(port: EventPort): Transport {
  return {
    send: (message) => port.postMessage(message),
    onMessage: (listener) => {
      port.addEventListener('message', (event) => listener(event.data));
      port.start();
    },
    onClose: (listener) => port.addEventListener('close', () => listener()),
    close: () => port.close(),
  };
}

interface EmitterPort {
  postMessage(message: unknown): void;
  start(): void;
  close(): void;
  on(type: 'message', listener: (event: { data: unknown }) => void): unknown;
  on(type: 'close', listener: () => void): unknown;
}

/** Electron's MessagePortMain. */
export function mainPortTransport(port: EmitterPort): Transport {
  return {
    send: (message) => port.postMessage(message),
    onMessage: (listener) => {
      port.on('message', (event) => listener(event.data));
      port.start();
    },
    onClose: (listener) => {
      port.on('close', listener);
    },
    close: () => port.close(),
  };
}

interface ProcessPeer {
  send?: ((message: never) => unknown) | undefined;
  connected?: boolean;
  on(type: 'message', listener: (message: unknown) => void): unknown;
  on(type: 'disconnect', listener: () => void): unknown;
  disconnect?(): void;
}

/** The channel between a Node process and its child (`serialization: 'advanced'`): `process` in the child, the ChildProcess in the parent. */
export function ipcTransport(peer: ProcessPeer): Transport {
  return {
    send: (message) => {
      if (peer.connected !== false) peer.send?.(message as never);
    },
    onMessage: (listener) => {
      peer.on('message', listener);
    },
    onClose: (listener) => {
      peer.on('disconnect', listener);
    },
    close: () => {
      if (peer.connected !== false) peer.disconnect?.();
    },
  };
}

interface SocketLike {
  binaryType: string;
  readyState: number;
  send(data: string | Uint8Array<ArrayBuffer>): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: 'message' | 'close', listener: (event: PortEvent) => void): void;
}
const OPEN = 1;

/** RFC 6455: "data within a message that was not consistent with the type of the message". */
const INVALID_PAYLOAD = 1007;

/** A browser's WebSocket or one of the `ws` package. An unreadable frame ends the connection; everything after it is ignored. */
export function webSocketTransport(socket: SocketLike): Transport {
  socket.binaryType = 'arraybuffer';
  let isBroken = false;
  const read = (data: unknown, listener: (message: unknown) => void): void => {
    if (isBroken) return;
    let message: unknown;
    try {
      message = decode(data as string | ArrayBuffer);
    } catch (error) {
      if (!(error instanceof BadFrame)) throw error;
      isBroken = true;
      socket.close(INVALID_PAYLOAD, error.message);
      return;
    }
    listener(message);
  };
  return {
    send: (message) => {
      if (socket.readyState === OPEN) socket.send(encode(message));
    },
    onMessage: (listener) => socket.addEventListener('message', (event) => read(event.data, listener)),
    onClose: (listener) => socket.addEventListener('close', () => listener()),
    close: () => socket.close(),
  };
}

/** Two ends in one process. Messages are encoded and decoded, and arrive asynchronously, as on a real wire. */
export function memoryTransports(): [Transport, Transport] {
  const ends = [new MemoryEnd(), new MemoryEnd()] as const;
  return [ends[0].transport(ends[1]), ends[1].transport(ends[0])];
}

class MemoryEnd {
  #listener: ((message: unknown) => void) | undefined;
  #early: unknown[] = [];
  #onClose: (() => void)[] = [];
  #closed = false;

  transport(peer: MemoryEnd): Transport {
    return {
      send: (message) => {
        const frame = encode(message);
        queueMicrotask(() => peer.#deliver(decode(frame)));
      },
      onMessage: (listener) => {
        this.#listener = listener;
        for (const message of this.#early.splice(0)) listener(message);
      },
      onClose: (listener) => this.#onClose.push(listener),
      close: () => {
        this.#close();
        peer.#close();
      },
    };
  }

  #deliver(message: unknown): void {
    if (this.#closed) return;
    if (this.#listener) this.#listener(message);
    else this.#early.push(message);
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const listener of this.#onClose) queueMicrotask(listener);
  }
}
