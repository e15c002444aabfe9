import type { Duplex } from 'node:stream';
import type { Tunnel } from '../../../../shared/model/host.ts';

/** A stream that counts its bytes: `in` is what the host has sent. */
interface CountedStream extends Duplex {
  readonly bytesIn: number;
  readonly bytesOut: number;
}

interface Row {
  tunnel: Tunnel;
  open: Set<CountedStream>;
  /** Bytes of streams of this row that have ended. */
  past: { in: number; out: number };
}

/** The app's own streams through hosts, as rows of the tunnels panel. A row goes when its last stream has ended. */
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
