import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Tunnel, TunnelSpec } from '../../../../shared/model/host.ts';
import type { HostMachines } from '../machine.ts';
import { RunningTunnel } from './running-tunnel.ts';

const COUNTERS_EVERY_MS = 1_000;

/** Named local forwards in use, and Kneepoint's own streams. Does not save them. */
export interface Tunnels {
  /** Starts, or starts again with a changed spec. Throws `conflict` (port in use) or `not-found` (host). */
  start(id: number, spec: TunnelSpec): Promise<Tunnel>;
  stop(id: number): Promise<void>;
  /** Started tunnels (stopped ones are not here), then the app's own streams (`id` 0). */
  list(): Tunnel[];
  /** Called immediately for each change of state, and once a second for counters. Returns a function that unsubscribes. */
  onChanged(listener: (tunnels: Tunnel[]) => void): () => void;
  close(): Promise<void>;
}

export const createTunnels = (machines: HostMachines): Tunnels => {
  const running = new Map<number, RunningTunnel>();
  const listeners = new Set<(tunnels: Tunnel[]) => void>();
  let timer: NodeJS.Timeout | undefined;
  let lastSent = '';

  const list = () => [...[...running.values()].map((tunnel) => tunnel.row), ...machines.streams()];
  const notify = () => {
    const rows = list();
    const text = JSON.stringify(rows);
    if (text === lastSent) return;
    lastSent = text;
    for (const listener of listeners) listener(rows);
  };
  const stop = async (id: number) => {
    const tunnel = running.get(id);
    running.delete(id);
    await tunnel?.stop();
    notify();
  };

  return {
    async start(id, spec) {
      await stop(id);
      const tunnel = new RunningTunnel(id, spec, machines, notify);
      running.set(id, tunnel);
      try {
        await tunnel.start();
        return tunnel.row;
      } catch (error) {
        if (running.get(id) === tunnel) running.delete(id);
        notify();
        throw error;
      }
    },
    stop,
    list,
    onChanged(listener) {
      listeners.add(listener);
      timer ??= setInterval(notify, COUNTERS_EVERY_MS).unref();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    async close() {
      clearInterval(timer);
      listeners.clear();
      await Promise.all([...running.keys()].map(stop));
    },
  };
};

/** A stream that counts its bytes: `in` are those sent by the host. */
interface CountedStream extends Duplex {
  readonly bytesIn: number;
  readonly bytesOut: number;
}

interface Row {
  tunnel: Tunnel;
  open: Set<CountedStream>;
  /** Bytes of this row's ended streams. */
  past: { in: number; out: number };
}

/** Kneepoint's own streams through hosts, as rows of the tunnels panel. A row is removed when its last stream has ended. */
export class StreamList {
  readonly #rows = new Map<string, Row>();

  add(host: string, stream: CountedStream, to: { address: string; port: number; label: string }): void {
    const key = JSON.stringify([host, to.address, to.port, to.label]);
    const row = this.#rows.get(key) ?? {
      tunnel: {
        id: 0,
        kind: 'stream',
        name: to.label,
        host,
        address: to.address,
        port: to.port,
        state: 'open',
        connections: 0,
        bytesIn: 0,
        bytesOut: 0,
      },
      open: new Set(),
      past: { in: 0, out: 0 },
    };
    this.#rows.set(key, row);
    row.open.add(stream);
    stream.once('close', () => {
      row.open.delete(stream);
      row.past.in += stream.bytesIn;
      row.past.out += stream.bytesOut;
      if (row.open.size === 0) this.#rows.delete(key);
    });
  }

  rows(): Tunnel[] {
    return [...this.#rows.values()].map(({ tunnel, open, past }) => ({
      ...tunnel,
      connections: open.size,
      bytesIn: [...open].reduce((sum, stream) => sum + stream.bytesIn, past.in),
      bytesOut: [...open].reduce((sum, stream) => sum + stream.bytesOut, past.out),
    }));
  }
}

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
