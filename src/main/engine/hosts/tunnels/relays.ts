import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Local access for Kneepoint's own programs on this computer to addresses reachable only through a host's SSH connection. Each relay is a
 * Unix socket in a folder that other users cannot enter: no port is opened. They end with Kneepoint, and with them every connection through
 * them.
 */
export interface Relays {
  /** Path of the socket for this key, created at the first call. `dial` opens the far side for each connection. */
  path(key: string, dial: () => Promise<Duplex>): Promise<string>;
  close(): Promise<void>;
}

export const createRelays = (): Relays => {
  const relays = new Map<string, Relay>();
  return {
    async path(key, dial) {
      const known = relays.get(key);
      if (known) {
        known.dial = dial;
        return known.ready;
      }
      const relay = new Relay(dial);
      relays.set(key, relay);
      relay.ready.catch(() => relays.delete(key));
      return relay.ready;
    },
    async close() {
      await Promise.all([...relays.values()].map((relay) => relay.close()));
      relays.clear();
    },
  };
};

class Relay {
  /** The latest one passed: a target's address may have changed since. */
  dial: () => Promise<Duplex>;
  readonly ready: Promise<string>;
  /** Short, because the path of a socket is limited to about a hundred characters. MongoDB's driver needs its extension. */
  readonly #folder = mkdtempSync(join(tmpdir(), 'kneepoint-'));
  readonly #near = new Set<Socket>();
  readonly #server: Server;

  constructor(dial: () => Promise<Duplex>) {
    this.dial = dial;
    this.#server = createServer({ allowHalfOpen: true }, (socket) => void this.#serve(socket));
    this.ready = this.#listen(join(this.#folder, 'way.sock'));
  }

  async close(): Promise<void> {
    for (const socket of this.#near) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #listen(path: string): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(path, () => resolve(path));
    });
  }

  /** If the far side cannot be reached, the connection closes immediately, as with a failing server; the link reports the reason. */
  async #serve(near: Socket): Promise<void> {
    this.#near.add(near);
    near.on('close', () => this.#near.delete(near));
    try {
      const far = await this.dial();
      await Promise.all([pipeline(near, far), pipeline(far, near)]);
    } catch {
      near.destroy();
    }
  }
}
