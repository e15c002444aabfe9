import { shellQuote } from '../../../shared/util/shell-quote.ts';
import type { Machine } from '../hosts/machine.ts';

/** Parses the machine's kernel data of an open connection: `rtt:0.041/0.02 … minrtt:0.041`, milliseconds. */
const ofConnection = (text: string): number | undefined => {
  const found = [...text.matchAll(/\b(minrtt|rtt):([\d.]+)/g)].map(([, what, ms]) => ({ what, ms: Number(ms) }));
  const least = found.filter(({ what }) => what === 'minrtt');
  const all = (least.length > 0 ? least : found).map(({ ms }) => ms).filter((ms) => ms > 0);
  return all.length > 0 ? Math.min(...all) : undefined;
};

/** `rtt min/avg/max/mdev = 0.026/0.031/0.040/0.006 ms`, and the formats of BusyBox and macOS. */
const ofPing = (text: string): number | undefined => {
  const [, least] = /min\/avg\/max[^=]*= ([\d.]+)\//.exec(text) ?? [];
  return least === undefined ? undefined : Number(least);
};

/**
 * Smallest round trip from a machine to an address in milliseconds, from its kernel's timing of a connection, else from three pings.
 * Undefined if it reports none. Does not include the distance between Kneepoint and the machine.
 */
export async function roundTripMs(
  machine: Machine,
  { host, port }: { host: string; port: number },
  signal: AbortSignal,
): Promise<number | undefined> {
  try {
    const connection = await machine.dial(host, port, 'preflight');
    try {
      const to = host.includes(':') ? `dport = :${port}` : `dst ${host}:${port}`;
      const script = `ss -tinH state established ${shellQuote(to)} 2>/dev/null; echo ---; ping -c 3 -q ${shellQuote(host)} 2>/dev/null; exit 0`;
      const { stdout } = await machine.exec(script, { signal, timeoutMs: 15_000 });
      const [connections = '', pings = ''] = stdout.split('---\n');
      return ofConnection(connections) ?? ofPing(pings);
    } finally {
      connection.destroy();
    }
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
