import type { HostRole } from '../../model/monitored.ts';
import type { WatchedHost } from '../evidence.ts';
import { coresOf, isGenerator, isServer, ownerOf, seriesNamed, seriesOfRule } from '../lines.ts';
import type { Part } from './ratio.ts';

const MICROSECONDS = 1_000_000;

/**
 * CPU time that hosts of a role used, each second, in percent of one core: of their own hosts all of it, of hosts that do both what their processes used.
 * Undefined where one of them does not tell.
 */
export function cpuParts(hosts: readonly WatchedHost[], role: Exclude<HostRole, 'other'>): Part | undefined {
  const parts = hosts.map((host) => partOf(host, role));
  if (parts.length === 0 || parts.some((part) => !part)) return undefined;
  const known = parts.flatMap((part) => part ?? []);
  return {
    lines: known.flatMap(({ lines }) => lines),
    scale: MICROSECONDS / 100,
    words: known.some(({ shared }) => shared)
      ? `CPU seconds of its processes × 1,000,000 µs`
      : 'busy share of the CPU × cores × 1,000,000 µs',
    from: known.flatMap(({ from }) => from),
  };
}

function partOf(
  host: WatchedHost,
  role: Exclude<HostRole, 'other'>,
): (Pick<Part, 'lines' | 'from'> & { shared: boolean }) | undefined {
  if (isGenerator(host) && isServer(host)) {
    const owner = role === 'generator' ? 'tool' : 'server';
    const lines = seriesOfRule(host, 'proc.*.cpu').filter(({ instance = '' }) => ownerOf(host, instance) === owner);
    return lines.length === 0
      ? undefined
      : { lines, from: lines.map(({ id }) => ({ source: host.name, id })), shared: true };
  }
  const busy = seriesNamed(host, 'cpu.busy');
  const cores = coresOf(host);
  if (!busy || cores === undefined) return undefined;
  return {
    lines: [{ t: busy.t, v: busy.v.map((value) => value * cores) }],
    from: [{ source: host.name, id: busy.id }],
    shared: false,
  };
}
