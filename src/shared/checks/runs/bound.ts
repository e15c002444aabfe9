import type { WatchedHost } from '../../analysis/index.ts';
import type { Bound, BoundCandidate, BoundVerdict } from '../../model/analysis.ts';
import type { Finding } from '../../model/finding.ts';
import { found, type PlainCheck } from '../check.ts';

/** At its limit in most seconds: the same requirement as for the bottleneck. */
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
  'A load tool with one busy thread, or pinned to one core, cannot generate more load, however idle the other cores are. Throughput is then limited by the tool.',
  'Give the tool more threads or cores, or divide the load between more generators.',
);
const GENERATOR_NETWORK = check(
  'generator-network',
  'Network of a generator at its limit',
  ['T24', 'T23'],
  'The generator’s link cannot carry more responses. Throughput is then limited by the link, and a faster server changes nothing.',
  'Use a faster link, or divide the load between more generators. Until then, larger servers and additional nodes change nothing.',
);
const LINK_SATURATED = check(
  'link-saturated',
  'Network link at its limit',
  ['T23', 'T33'],
  'A saturated link looks like a database limit: 116 MiB/s on 1 Gbit/s. Server settings then seem to have no effect.',
  'Use a faster link or smaller responses; protocol compression helps only here.',
);
const DISK_AT_LIMIT = check(
  'disk-at-limit',
  'Disk at its limit',
  ['T06', 'T16'],
  'Operations wait for a device that is never idle. The result mainly measures this device with this access pattern.',
  'Compare only with runs on the same device, or make the working set fit into memory if that is the question.',
);
const VOLUME_LIMIT = check(
  'volume-limit',
  'Volume at its provisioned limit',
  ['T83'],
  'Cloud volumes and small instances cap IOPS and throughput. Beyond that limit the load curve is flat, whatever the server does.',
  'Report the limit with the result, or measure with a larger volume or instance.',
);
const ONE_CORE = check(
  'one-core-busy',
  'One core at its limit',
  ['T59'],
  'The average over many cores hides one saturated core: a single thread, or interrupts of one device. More cores then change nothing.',
  'Check per-core usage; spread interrupts, or use more connections if the server can use them.',
);
const CPU_FULL = {
  ...check(
    'cpu-saturated',
    'CPU of the server at its limit',
    ['T101', 'T16'],
    'With all cores busy, additional clients only wait. Points of the load curve beyond this one show queueing, not capacity.',
    'Mark this load as the end of the useful range, or measure on more cores.',
  ),
  severity: 'note',
} satisfies PlainCheck;
const LOCKS = {
  ...check(
    'lock-bound',
    'Sessions wait for locks',
    ['T06', 'T12'],
    'Most sessions wait for locks held by others. Hardware then makes little difference; the distribution of keys decides the result.',
    'Use more tables or rows, or another distribution, unless contention is under test.',
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
 * Every resource that was at its limit in most seconds, whether it was the bottleneck or not. Ignores hosts that are neither generator,
 * proxy nor server, and disks of generators and proxies, which store output and logs.
 */
export function limitFindings(bound: Bound, hosts: readonly WatchedHost[]): Finding[] {
  const all: readonly BoundCandidate[] = [bound, ...bound.runnersUp];
  return all
    .filter(({ verdict, host, share }) => {
      const roles = hosts.find(({ name }) => name === host)?.roles ?? ['server'];
      const isDisk = verdict === 'disk' || verdict === 'volume-limit';
      return share >= MOST && roles.some((role) => role === 'server' || (role !== 'other' && !isDisk));
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
