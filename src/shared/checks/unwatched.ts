import type { Finding } from '../model/finding.ts';
import { found, type PlainCheck } from './check.ts';

/** Sources that could be watched and will not be, by name. */
export interface UnwatchedFacts {
  /** Generators that the experiment turns off. */
  generators: readonly string[];
  /** Server hosts that it turns off. */
  places: readonly string[];
  /** Targets whose servers it turns off. */
  servers: readonly string[];
  /** Targets without a server host. */
  nowhere: readonly string[];
  /** Hosts with an operating system that cannot be watched. */
  systems: readonly { host: string; os: string }[];
}

const WATCHING_OFF = {
  code: 'watching-off',
  title: 'Monitoring is off',
  severity: 'warn',
  when: 'start',
  traps: ['T70'],
  why: 'Without CPU, disk, network and server metrics, results cannot be explained. Each run lists what was not watched.',
  avoid: 'Turn it on under Measurement, “Watched every second”, or remove the entry from “monitors” in the document.',
} satisfies PlainCheck;
const PLACE_NOT_KNOWN = {
  code: 'place-not-known',
  title: 'Server host unknown',
  severity: 'note',
  when: 'start',
  traps: ['T70'],
  why: 'Server counters are read over a connection to the server, but CPU, disks and network are read on its host. If the host is unknown, only server counters are watched.',
  avoid:
    'Set “Server host” in the target. Managed services allow no login on their hosts: only server counters are available there.',
} satisfies PlainCheck;
const SYSTEM_NOT_WATCHED = {
  code: 'system-not-watched',
  title: 'Host that cannot be watched',
  severity: 'note',
  when: 'start',
  traps: ['T70'],
  why: 'CPU, disks, network and processes are read from /proc on Linux. Other systems are not watched, so the bottleneck of a run there is unknown.',
  avoid: 'Use a Linux host to find what limits a run.',
} satisfies PlainCheck;

const quoted = (names: readonly string[]): string => names.map((name) => `“${name}”`).join(', ');

/** Facts about the trials that will be unknown because they are not recorded. */
export function unwatchedChecks({ generators, places, servers, nowhere, systems }: UnwatchedFacts): Finding[] {
  const off = [
    ...(generators.length > 0
      ? [`Generators will not be watched (${quoted(generators)}), so a bottleneck there would go unnoticed.`]
      : []),
    ...(places.length > 0
      ? [
          `The server host will not be watched (${quoted(places)}), so a bottleneck in its CPU, disks or network would go unnoticed.`,
        ]
      : []),
    ...(servers.length > 0
      ? [
          `The server will not be watched (${quoted(servers)}), so a bottleneck in locks, log or cache would go unnoticed.`,
        ]
      : []),
  ];
  return [
    ...(off.length > 0 ? [found(WATCHING_OFF, off.join(' '))] : []),
    ...nowhere.map((name) =>
      found(
        PLACE_NOT_KNOWN,
        `The server host of “${name}” is unknown, so its CPU, disks and network will not be watched.`,
      ),
    ),
    ...systems.map(({ host, os }) =>
      found(SYSTEM_NOT_WATCHED, `“${host}” runs ${os}, but only Linux hosts can be watched.`),
    ),
  ];
}

export const UNWATCHED_CHECKS = [WATCHING_OFF, PLACE_NOT_KNOWN, SYSTEM_NOT_WATCHED];
