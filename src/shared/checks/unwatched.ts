import type { Finding } from '../model/finding.ts';
import { found, type PlainCheck } from './check.ts';

/** What a start could watch and will not, by name. */
export interface UnwatchedFacts {
  /** Generators that the experiment switches off. */
  generators: readonly string[];
  /** Hosts of servers that it switches off. */
  places: readonly string[];
  /** Targets whose servers it switches off. */
  servers: readonly string[];
  /** Targets without a host where the server lives. */
  nowhere: readonly string[];
  /** Hosts with an operating system that cannot be watched. */
  systems: readonly { host: string; os: string }[];
}

const WATCHING_OFF = {
  code: 'watching-off',
  title: 'Watching is switched off',
  severity: 'warn',
  when: 'start',
  traps: ['T70'],
  why: 'Without CPU, disk, network and server figures, neither a throughput nor a difference between two can be explained. Each run then lists what was not watched.',
  avoid:
    'Switch it on again under Measurement, “Watched every second”, or remove the entry that switches it off from “monitors” in the document.',
} satisfies PlainCheck;
const PLACE_NOT_KNOWN = {
  code: 'place-not-known',
  title: 'Host of the server not known',
  severity: 'note',
  when: 'start',
  traps: ['T70'],
  why: 'The server’s own counters are read over a connection to it, but CPU, disks and network are read on its host. If Kneepoint does not know which host that is, they are not watched.',
  avoid:
    'Under Targets, fill in “Where the server lives”. The host of a managed service allows no login: only the counters of the server are available there.',
} satisfies PlainCheck;
const SYSTEM_NOT_WATCHED = {
  code: 'system-not-watched',
  title: 'Host that cannot be watched',
  severity: 'note',
  when: 'start',
  traps: ['T70'],
  why: 'CPU, disks, network and processes are read from /proc on Linux. On other systems nothing is recorded, and what limits a run there is not known.',
  avoid: 'Use a Linux host if you need to know what limits a run.',
} satisfies PlainCheck;

const quoted = (names: readonly string[]): string => names.map((name) => `“${name}”`).join(', ');

/** What will not be known of the trials, as it is not recorded. */
export function unwatchedChecks({ generators, places, servers, nowhere, systems }: UnwatchedFacts): Finding[] {
  const off = [
    ...(generators.length > 0
      ? [`Generators will not be watched (${quoted(generators)}): it will not be known whether they are the limit.`]
      : []),
    ...(places.length > 0
      ? [
          `The host of the server will not be watched (${quoted(places)}): it will not be known whether its CPU, disks or network are the limit.`,
        ]
      : []),
    ...(servers.length > 0
      ? [
          `The server will not be watched (${quoted(servers)}): it will not be known whether locks, its log or its cache are the limit.`,
        ]
      : []),
  ];
  return [
    ...(off.length > 0 ? [found(WATCHING_OFF, off.join(' '))] : []),
    ...nowhere.map((name) =>
      found(
        PLACE_NOT_KNOWN,
        `The host that “${name}” runs on is not known, so its CPU, disks and network will not be watched.`,
      ),
    ),
    ...systems.map(({ host, os }) =>
      found(SYSTEM_NOT_WATCHED, `“${host}” runs ${os}, and only Linux hosts can be watched.`),
    ),
  ];
}

export const UNWATCHED_CHECKS = [WATCHING_OFF, PLACE_NOT_KNOWN, SYSTEM_NOT_WATCHED];
