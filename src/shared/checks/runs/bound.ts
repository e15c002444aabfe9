import type { WatchedHost } from '../../analysis/index.ts';
import type { Bound, BoundCandidate, BoundVerdict } from '../../model/analysis.ts';
import type { Finding } from '../../model/finding.ts';
import { found, type PlainCheck } from '../check.ts';

/** At its limit in most seconds: what the bound itself asks for. */
const MOST = 0.6;

const check = (code: string, title: string, traps: readonly string[], why: string, avoid: string): PlainCheck => ({
  code,
  title,
  severity: 'warn',
  when: 'run',
  traps,
  why,
  avoid,
});

const GENERATOR_CORE = check(
  'generator-core',
  'One core of a generator at its limit',
  ['T26', 'T59'],
  'A load tool with one busy thread, or pinned to one core, cannot make more load, whatever the other cores do. The throughput is then that of the tool.',
  'Give the tool more threads or cores, or divide the load between more generators.',
);
const GENERATOR_NETWORK = check(
  'generator-network',
  'Network of a generator at its limit',
  ['T24', 'T23'],
  'Answers of the server do not fit through the link of the generator. The throughput is then that of the link, and a faster server changes nothing.',
  'Use a faster link, or divide the load between more generators. Until then, larger servers and additional nodes change nothing.',
);
const LINK_SATURATED = check(
  'link-saturated',
  'Network link at its limit',
  ['T23', 'T33'],
  'A full link looks like a limit of the database: 116 MiB/s through 1 Gbit/s. Settings of the server then seem to have no effect.',
  'Use a faster link or answers that are smaller; compression of the protocol helps only here.',
);
const DISK_AT_LIMIT = check(
  'disk-at-limit',
  'Disk at its limit',
  ['T06', 'T16'],
  'Work waits for a device that is never idle. What is measured is the device with this access pattern, and less of anything else.',
  'Compare only with runs on the same device, or make the working set fit into memory if that is the question.',
);
const VOLUME_LIMIT = check(
  'volume-limit',
  'Volume at the limit that was bought',
  ['T83'],
  'Cloud volumes and small instances cap IOPS and throughput. From there on the load curve is flat, whatever the server does.',
  'Say the limit with the result, or measure with a larger volume or instance.',
);
const ONE_CORE = check(
  'one-core-busy',
  'One core at its limit',
  ['T59'],
  'The average of many cores hides one that is always busy: a single thread, or interrupts of one device. More cores then change nothing.',
  'Look at the cores one by one; spread interrupts or use more connections if the server can.',
);
const CPU_FULL = {
  ...check(
    'cpu-saturated',
    'CPU of the server at its limit',
    ['T101', 'T16'],
    'With all cores busy more clients only wait. Points of a load curve beyond this one tell of queueing, not of the server.',
    'Mark this load as the end of the useful range, or measure on more cores.',
  ),
  severity: 'note',
} satisfies PlainCheck;
const LOCKS = {
  ...check(
    'lock-bound',
    'Sessions wait for locks',
    ['T06', 'T12'],
    'Most sessions wait for others that hold what they need. Hardware then makes little difference, and the way rows are drawn all of it.',
    'Use more tables or rows, or another distribution, unless contention is the question.',
  ),
  severity: 'note',
} satisfies PlainCheck;

const OF: Readonly<Partial<Record<BoundVerdict, PlainCheck>>> = {
  'generator-core': GENERATOR_CORE,
  'generator-network': GENERATOR_NETWORK,
  network: LINK_SATURATED,
  disk: DISK_AT_LIMIT,
  'volume-limit': VOLUME_LIMIT,
  'one-core': ONE_CORE,
  cpu: CPU_FULL,
  locks: LOCKS,
};

/**
 * Every resource that was at its limit in most seconds, whether it was what bounds the run or stood beside it. Hosts that neither make the load nor
 * have the server are left alone, and so are disks of generators, which keep the output of the tool.
 */
export function limitFindings(bound: Bound, hosts: readonly WatchedHost[]): Finding[] {
  const all: readonly BoundCandidate[] = [bound, ...bound.runnersUp];
  return all
    .filter(({ verdict, host, share }) => {
      const roles = hosts.find(({ name }) => name === host)?.roles ?? ['server'];
      const isDisk = verdict === 'disk' || verdict === 'volume-limit';
      return share >= MOST && roles.some((role) => role === 'server' || (role === 'generator' && !isDisk));
    })
    .flatMap(({ verdict, sentence, evidence }) => {
      const rule = OF[verdict];
      const from = evidence.map(({ source, id }) => `${source}: ${id}`).join(', ');
      return rule ? [found(rule, sentence, from || undefined)] : [];
    });
}

export const LIMIT_CHECKS = [
  GENERATOR_CORE,
  GENERATOR_NETWORK,
  LINK_SATURATED,
  DISK_AT_LIMIT,
  VOLUME_LIMIT,
  ONE_CORE,
  CPU_FULL,
  LOCKS,
];
