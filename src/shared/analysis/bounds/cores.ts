import type { BoundCandidate } from '../../model/analysis.ts';
import { formatCount } from '../../util/format.ts';
import type { RunEvidence, WatchedHost, WatchedSeries, Window } from '../evidence.ts';
import {
  type Assessment,
  clientsOf,
  coresOf,
  figureOf,
  type Held,
  heldIn,
  isGenerator,
  isKnown,
  isServer,
  meanIn,
  ownerOf,
  percentileIn,
  seriesNamed,
  seriesOfRule,
} from '../lines.ts';
import { busiestThreadOn, clientsOn, unreadOn } from './sockets.ts';
import { amount, FULL, FULL_CORE, HALF, inSeconds, percent } from './words.ts';

/** Mean distance in percentage points between a hot core and the others. */
const LEAST_GAP = 25;
/** A thread that never waits saturates one core: the CPU use of its process has at least this median, and hardly ever exceeds the top. */
const PRESSED = { median: 96, top: 103 };
/** Percentage of a core used by interrupts above which they are what keeps it busy. */
const INTERRUPTS = 40;

/** A core that is always busy while others are idle: a single-threaded part, a pinned process, interrupts of a device. */
export function assessCores(evidence: RunEvidence): Assessment {
  return { candidates: evidence.hosts.flatMap((host) => candidatesOf(evidence, host)), notWatched: [] };
}

interface HotCore {
  readonly series: WatchedSeries;
  readonly held: Held;
  /** Mean utilisation of the other cores, percent. */
  readonly others: number;
}

/**
 * The core that is busiest most of the time, if each of the others does much less; undefined if there is none, or fewer than two are known.
 */
export function hotCoreOf(host: WatchedHost, window: Window): HotCore | undefined {
  const fullest = fullestCoreOf(host, window);
  return fullest && isTheOne(fullest) ? fullest : undefined;
}

/** `next`: utilisation of the busiest of the others, percent. */
type FullestCore = HotCore & { readonly busy: number; readonly next: number };

/** With several saturated cores, none is the hot one: a server may be pinned to them. */
const isTheOne = ({ busy, next }: FullestCore): boolean => busy - next >= LEAST_GAP;

function fullestCoreOf(host: WatchedHost, window: Window): FullestCore | undefined {
  const cores = seriesOfRule(host, 'core.*.busy').flatMap((series) => {
    const held = heldIn(series, window, (value) => value >= FULL_CORE);
    return held ? [{ series, held, busy: meanIn(series, window) }] : [];
  });
  const [hot, ...others] = cores.sort((one, other) => other.held.share - one.held.share || other.busy - one.busy);
  if (!hot || others.length === 0) return undefined;
  return {
    ...hot,
    others: others.reduce((sum, { busy }) => sum + busy, 0) / others.length,
    next: Math.max(...others.map(({ busy }) => busy)),
  };
}

function candidatesOf(evidence: RunEvidence, host: WatchedHost): BoundCandidate[] {
  const { window } = evidence;
  if ((coresOf(host) ?? 0) < 2) return [];
  const fullest = fullestCoreOf(host, window);
  // A process that uses a whole core only needs one core that stands out: interrupts may keep another one busy.
  const isOutlier = fullest !== undefined && fullest.busy - fullest.others >= LEAST_GAP;
  const pressed = pressedOf(evidence, host, isOutlier ? fullest.held.share : 0);
  if (pressed) return [pressed];
  const thread = fullThreadOf(evidence, host);
  if (thread) return [thread];
  if (!fullest || !isTheOne(fullest)) return [];
  const owner = ownerOfCore(host, window);
  if (!owner) return [];
  return [
    {
      verdict: owner === 'tool' ? 'generator-core' : 'one-core',
      host: host.name,
      instance: fullest.series.instance ?? '',
      share: fullest.held.share,
      sentence: `Core ${fullest.series.instance ?? ''} of ${host.name} at its limit ${inSeconds(fullest.held.share)}: ${percent(fullest.busy)} busy, the others ${percent(fullest.others)} on average.`,
      evidence: [figureOf(host, fullest.series, window)],
    },
  ];
}

/**
 * A process that uses as much CPU as its threads can: a single thread moves between cores, so that no core shows it. For a process with
 * many threads, use of exactly one core counts as a limit only with a hot core or a single client.
 */
function pressedOf(evidence: RunEvidence, host: WatchedHost, hotShare: number): BoundCandidate | undefined {
  const { window, load } = evidence;
  const cores = coresOf(host) ?? 0;
  for (const series of seriesOfRule(host, 'proc.*.cpu')) {
    const process = series.instance ?? '';
    const owner = ownerOf(host, process);
    if (!owner || !isKnown(series, window)) continue;
    // Most threads of a server may only assist one: their number is only meaningful if it is one.
    const own = threadsOf(host, process, window);
    const threads =
      owner === 'tool' ? load.find((part) => part.host === host.name)?.threads : own === 1 ? own : undefined;
    const limit = 100 * (threads !== undefined && threads < cores ? threads : 1);
    const held = heldIn(series, window, (value) => value >= (FULL_CORE / 100) * limit);
    // Otherwise its median is lower too: only the values of the few candidates are sorted.
    if (!held || held.share < 0.5) continue;
    const [middle, top] = [percentileIn(series, window, 50), percentileIn(series, window, 90)];
    const isPressed = middle >= (PRESSED.median / 100) * limit && top <= (PRESSED.top / 100) * limit;
    const isConclusive =
      (threads !== undefined && threads < cores) || hotShare >= FULL / 100 || clientsOf(evidence) === 1;
    if (!isPressed || !isConclusive) continue;
    const cap = limit === 100 ? 'one core' : formatCount(limit / 100, 'core');
    return {
      verdict: owner === 'tool' ? 'generator-core' : 'one-core',
      host: host.name,
      instance: process,
      share: held.share,
      sentence: `${process} on ${host.name} used all of ${cap} ${inSeconds(held.share)}: ${percent(meanIn(series, window))} of a core${threads === undefined ? '' : ` with ${formatCount(threads, 'thread')}`}, and the host has ${cores} cores.`,
      evidence: [figureOf(host, series, window)],
    };
  }
  return undefined;
}

/**
 * A saturated thread of a tool while the others are idle. Such a thread may also spin, or do work that no client waits for: it holds
 * clients back only if their responses have arrived and it does not get to reading them.
 */
function fullThreadOf(evidence: RunEvidence, host: WatchedHost): BoundCandidate | undefined {
  const { window } = evidence;
  const thread = busiestThreadOn(evidence, host);
  const held = thread && heldIn(thread, window, (value) => value >= FULL_CORE);
  const unread = unreadOn(evidence, host);
  const clients = clientsOn(evidence, host);
  if (!thread || !held || !unread || clients === undefined || clients < 2) return undefined;
  const waiting = meanIn(unread, window);
  if (waiting < HALF * clients) return undefined;
  const process = thread.instance ?? '';
  const all = seriesNamed(host, `proc.${process}.cpu`);
  return {
    verdict: 'generator-core',
    host: host.name,
    instance: process,
    share: held.share,
    sentence: `One thread of ${process} on ${host.name} was saturated ${inSeconds(held.share)}: it used ${percent(meanIn(thread, window))} of a core${isKnown(all, window) ? `, all threads together ${percent(meanIn(all, window))}` : ''}, and ${amount(waiting)} of ${formatCount(clients, 'client')} had responses that it had not read yet.`,
    evidence: [thread, unread].map((series) => figureOf(host, series, window)),
  };
}

function threadsOf(host: WatchedHost, process: string, window: Window): number | undefined {
  const series = seriesNamed(host, `proc.${process}.threads`);
  return isKnown(series, window) ? Math.round(meanIn(series, window)) : undefined;
}

/**
 * The owner of a busy core, which is held back by it: a process that uses about as much as one core provides. A process that uses several
 * may have a busy thread, but nothing shows that the others wait for it. Interrupts belong to the server if it responds over the network
 * and no other process explains the core.
 */
function ownerOfCore(host: WatchedHost, window: Window): 'tool' | 'server' | undefined {
  const alone = isGenerator(host) === isServer(host) ? undefined : isGenerator(host) ? 'tool' : 'server';
  const known = seriesOfRule(host, 'proc.*.cpu').filter((series) => isKnown(series, window));
  if (known.length === 0) return alone;
  const processes = known.map((series) => ({
    owner: ownerOf(host, series.instance ?? ''),
    used: meanIn(series, window),
  }));
  if (processes.some(({ owner, used }) => owner === undefined && Math.abs(used - 100) <= LEAST_GAP)) return undefined;
  const irq = seriesNamed(host, 'cpu.irq');
  if (irq && meanIn(irq, window) * (coresOf(host) ?? 1) >= INTERRUPTS) return alone ?? 'server';
  const enough = processes.filter(
    ({ owner, used }) => owner !== undefined && used >= FULL - LEAST_GAP && used <= 100 + LEAST_GAP,
  );
  const [first] = enough.sort((one, other) => Math.abs(one.used - 100) - Math.abs(other.used - 100));
  return first?.owner;
}
