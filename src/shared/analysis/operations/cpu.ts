import type { HostRole } from '../../model/monitored.ts';
import type { WatchedHost } from '../evidence.ts';
import { coresOf, isGenerator, isServer, ownerOf, seriesNamed, seriesOfRule, together } from '../lines.ts';
import type { Part } from './ratios.ts';

const MICROSECONDS = 1_000_000;

interface HostPart extends Pick<Part, 'lines' | 'from'> {
  /** A host of both tool and server: counted by process. */
  readonly shared: boolean;
  readonly lessSteal: boolean;
}

/**
 * CPU time used by hosts of a role, each second, in percent of one core: all of it on hosts with only this role, on shared hosts that of
 * the role's processes. Undefined if one of them does not report it.
 */
export function cpuParts(hosts: readonly WatchedHost[], role: Exclude<HostRole, 'other'>): Part | undefined {
  const parts = hosts.map((host) => partOf(host, role));
  if (parts.length === 0 || parts.some((part) => !part)) return undefined;
  const known = parts.flatMap((part) => part ?? []);
  return {
    lines: known.flatMap(({ lines }) => lines),
    scale: MICROSECONDS / 100,
    words: wordsOf(known),
    from: known.flatMap(({ from }) => from),
  };
}

function wordsOf(parts: readonly HostPart[]): string {
  if (parts.some(({ shared }) => shared)) return 'CPU seconds of its processes × 1,000,000 µs';
  if (parts.some(({ lessSteal }) => lessSteal)) return '(busy − steal) share of the CPU × cores × 1,000,000 µs';
  return 'busy share of the CPU × cores × 1,000,000 µs';
}

function partOf(host: WatchedHost, role: Exclude<HostRole, 'other'>): HostPart | undefined {
  if (isGenerator(host) && isServer(host)) {
    const owner = role === 'generator' ? 'tool' : 'server';
    const lines = seriesOfRule(host, 'proc.*.cpu').filter(({ instance = '' }) => ownerOf(host, instance) === owner);
    return lines.length === 0
      ? undefined
      : { lines, from: lines.map(({ id }) => ({ source: host.name, id })), shared: true, lessSteal: false };
  }
  const busy = seriesNamed(host, 'cpu.busy');
  const cores = coresOf(host);
  if (!busy || cores === undefined) return undefined;
  // Stolen time counts as busy, but no operation used it.
  const steal = seriesNamed(host, 'cpu.steal');
  const taken = steal?.v.some(Number.isFinite) ? [steal] : [];
  return {
    lines: [together([busy, ...taken], ([all = 0, stolen = 0]) => (all - stolen) * cores)],
    from: [busy, ...taken].map(({ id }) => ({ source: host.name, id })),
    shared: false,
    lessSteal: taken.length > 0,
  };
}
