import type { Bound, BoundCandidate, BoundVerdict } from '../../model/analysis.ts';
import type { RunEvidence } from '../evidence.ts';
import {
  type Assessment,
  isKnown,
  isOuterLink,
  isServer,
  meanIn,
  percentileIn,
  seriesNamed,
  seriesOfRule,
} from '../lines.ts';
import { clientCandidates } from './clients.ts';
import { assessCores } from './cores.ts';
import { assessCpu, isFullOfOthers } from './cpu.ts';
import { assessDisks, devicesOf, isOneByOne } from './disk.ts';
import { doubledWords } from './doubled.ts';
import { assessMemory, rereadWords } from './memory.ts';
import { assessNetwork, limitOf } from './network.ts';
import { busiestThreadOn, connectWords } from './sockets.ts';
import { assessWaits, sessionsOf } from './waits.ts';
import { amount, FULL, MOST, NEAR, percent } from './words.ts';

/**
 * Which of two limits that hold equally long is named first: causes before their effects. Swapping keeps disks busy, a saturated link or
 * generator keeps the server idle, and the holder of a lock blocks others, whatever it does meanwhile.
 */
const FIRST: readonly BoundVerdict[] = [
  'memory',
  'volume-limit',
  'network',
  'generator-network',
  'generator-core',
  'generator-cpu',
  'locks',
  'log',
  'disk',
  'one-core',
  'cpu',
  'pool',
  'path',
  'clients',
];
/** Additional share of the time that a limit has to hold to be named before all those earlier in the list. */
const HEAD_START = 0.25;
/** Percentage of a CPU below which a server could do more than its pool lets through. */
const IDLE = 70;
/** A rate this close to the requested one is no limit; if it is far higher, it counts other events. */
const GOT = { least: 0.97, most: 1.1 };

/**
 * The bottleneck of a run: the resource that was at its limit in most of the measured seconds and explains the throughput; `not-known` if
 * there was none, with the observations and the resources that were not watched.
 */
export function boundOf(evidence: RunEvidence): Bound {
  const sessions = sessionsOf(evidence);
  const assessments: readonly Assessment[] = [
    assessCpu(evidence),
    assessCores(evidence),
    assessMemory(evidence),
    assessDisks(evidence, sessions),
    assessNetwork(evidence),
    assessWaits(evidence, sessions),
  ];
  const notWatched = assessments.flatMap((assessment) => assessment.notWatched);
  const ranked = assessments
    .flatMap(({ candidates }) => candidates)
    .filter(({ share }) => share >= NEAR)
    .sort((one, other) => weight(other) - weight(one));
  const held = heldRate(evidence);
  const named = held ? [] : ranked.filter((candidate) => isNamed(evidence, candidate, ranked));
  // If a resource is saturated, few or distant clients are no reason.
  const [first] = held || named.length > 0 ? named : clientCandidates(evidence);
  if (first) {
    const doubled = doubledWords(evidence, first);
    const sentence = `${first.sentence}${connectWords(evidence)}${doubled === '' ? '' : ` ${doubled}`}`;
    return { ...first, sentence, runnersUp: ranked.filter((each) => each !== first), notWatched };
  }
  return {
    verdict: 'not-known',
    share: 0,
    sentence: held ?? `Undetermined: ${seenWords(evidence, ranked, notWatched)}${connectWords(evidence)}`,
    evidence: [],
    runnersUp: ranked,
    notWatched,
  };
}

const weight = ({ verdict, share }: BoundCandidate): number =>
  share + HEAD_START * (1 - FIRST.indexOf(verdict) / FIRST.length);

function isNamed(evidence: RunEvidence, candidate: BoundCandidate, all: readonly BoundCandidate[]): boolean {
  const { verdict, share, host } = candidate;
  if (share < MOST) return false;
  // A host that is neither generator, proxy nor server may be busy with anything.
  const place = evidence.hosts.find(({ name }) => name === host);
  const roles = place?.roles;
  if (roles && !roles.some((role) => role !== 'other')) return false;
  if ((verdict === 'cpu' || verdict === 'generator-cpu') && place && isFullOfOthers(place, evidence)) return false;
  // Generators also have disks and swap, for their own output.
  if ((verdict === 'disk' || verdict === 'volume-limit') && roles && !roles.includes('server')) return false;
  return verdict !== 'pool' || isServerIdle(evidence, all);
}

/** Whether a server could do more than its pool requests: its CPU is known, and none of its resources is at a limit. */
function isServerIdle({ hosts, window }: RunEvidence, all: readonly BoundCandidate[]): boolean {
  const busy = hosts.filter(isServer).flatMap((host) => {
    const series = seriesNamed(host, 'cpu.busy');
    return isKnown(series, window) ? [meanIn(series, window)] : [];
  });
  return (
    busy.length > 0 &&
    busy.every((each) => each < IDLE) &&
    !all.some(({ verdict, share }) => verdict !== 'pool' && share >= MOST)
  );
}

/** The sentence for a workload that requests a rate and reached it; undefined if it did not, or requests as much as possible. */
function heldRate({ rate, wanted, window }: RunEvidence): string | undefined {
  if (!rate || wanted === undefined) return undefined;
  const usual = percentileIn(rate, window, 50) / wanted;
  if (!(usual >= GOT.least && usual <= GOT.most)) return undefined;
  return `The workload reached its target rate of ${amount(wanted)} operations/s (${amount(meanIn(rate, window))} operations/s): no limit was reached.`;
}

/** Observations if no limit can be named, and resources that were not watched: the end of a sentence and the next one. */
function seenWords(evidence: RunEvidence, near: readonly BoundCandidate[], notWatched: readonly string[]): string {
  const seen = evidence.hosts.flatMap((host) => busyWords(evidence, host.name));
  const start =
    seen.length === 0
      ? 'hosts and servers were not recorded.'
      : `no resource used by load tool or server was at its limit most of the time. ${seen.join('; ')}.`;
  const [first] = near;
  const nearest = first
    ? ` ${first.share >= MOST ? 'At its limit, but not the bottleneck' : 'Closest to a limit'}: ${first.sentence}`
    : '';
  return `${start}${nearest}${notWatched.length > 0 ? ` Not monitored: ${notWatched.join(', ')}.` : ''}`;
}

function busyWords(evidence: RunEvidence, name: string): string[] {
  const { hosts, window } = evidence;
  const host = hosts.find((each) => each.name === name);
  if (!host) return [];
  const words: string[] = [];
  const cpu = seriesNamed(host, 'cpu.busy');
  if (isKnown(cpu, window)) words.push(`CPU ${percent(meanIn(cpu, window))}`);
  const cores = seriesOfRule(host, 'core.*.busy').filter((series) => isKnown(series, window));
  if (cores.length > 1) words.push(`busiest core ${percent(Math.max(...cores.map((core) => meanIn(core, window))))}`);
  const thread = busiestThreadOn(evidence, host);
  if (thread) words.push(`busiest thread of ${thread.instance ?? ''} ${percent(meanIn(thread, window))} of a core`);
  for (const device of devicesOf(host)) {
    const busy = seriesNamed(host, `disk.${device}.utilisation`);
    // Idle devices are many, and irrelevant.
    if (isKnown(busy, window) && percentileIn(busy, window, 50) >= 1)
      words.push(
        `${device} busy ${percent(meanIn(busy, window))} of the time${meanIn(busy, window) >= FULL && isOneByOne(evidence, host, device) ? ' at queue depth 1; it could take more in parallel' : ''}`,
      );
  }
  const links = [...seriesOfRule(host, 'net.*.tx_mib_s'), ...seriesOfRule(host, 'net.*.rx_mib_s')].flatMap((series) => {
    const limit = limitOf(host, series);
    return limit && isKnown(series, window) && isOuterLink(series.instance ?? '', host)
      ? [(100 * meanIn(series, window)) / limit.value]
      : [];
  });
  if (links.length > 0) words.push(`network at ${percent(Math.max(...links))} of its limit`);
  const reread = rereadWords(host, window);
  if (reread !== undefined) words.push(reread);
  return words.length === 0 ? [] : [`${host.name}: ${words.join(', ')}`];
}
