import type { BoundCandidate } from '../../model/analysis.ts';
import { formatCount } from '../../util/format.ts';
import type { RunEvidence, WatchedHost, WatchedSeries, Window } from '../evidence.ts';
import {
  clientsOf,
  coresOf,
  figureOf,
  type Held,
  heldIn,
  isGenerator,
  isKnown,
  isServer,
  meanIn,
  type Opinion,
  ownerOf,
  percentileIn,
  seriesNamed,
  seriesOfRule,
} from '../lines.ts';
import { busiestThreadOn, clientsOn, unreadOn } from './sockets.ts';
import { amount, FULL, FULL_CORE, HALF, inSeconds, percent } from './words.ts';

/** Percentage points that a hot core is above the others, on average. */
const APART = 25;
/** A thread that never waits is pressed against one core: its process has a median from here, and hardly ever more than the top. */
const PRESSED = { median: 96, top: 103 };
/** Percent of a core that interrupts take where they are what keeps it busy. */
const INTERRUPTS = 40;

/** One core that is always busy while others rest: a thread that cannot be divided, a pinned process, interrupts of a device. */
export function coreOpinion(evidence: RunEvidence): Opinion {
  return { candidates: evidence.hosts.flatMap((host) => candidatesOf(evidence, host)), notWatched: [] };
}

interface HotCore {
  readonly series: WatchedSeries;
  readonly held: Held;
  /** Percent that the other cores are busy on average. */
  readonly others: number;
}

/** The core that is busiest for most of the time, where each of the others does much less; undefined: none, or fewer than two are known. */
export function hotCoreOf(host: WatchedHost, window: Window): HotCore | undefined {
  const fullest = fullestCoreOf(host, window);
  return fullest && isTheOne(fullest) ? fullest : undefined;
}

/** `next`: percent that the busiest of the others is busy. */
type FullestCore = HotCore & { readonly busy: number; readonly next: number };

/** Of several full cores none is the one: a server may be pinned to them. */
const isTheOne = ({ busy, next }: FullestCore): boolean => busy - next >= APART;

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
  // A process that uses all of a core needs no more than one that stands out: interrupts may keep another one busy.
  const standsOut = fullest !== undefined && fullest.busy - fullest.others >= APART;
  const pressed = pressedOf(evidence, host, standsOut ? fullest.held.share : 0);
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
 * A process that uses as much as its threads can: one thread wanders between cores, so that no core shows it. That a process with many threads
 * stays at one core is taken for a limit only where a hot core or a single client says so too.
 */
function pressedOf(evidence: RunEvidence, host: WatchedHost, hotShare: number): BoundCandidate | undefined {
  const { window, load } = evidence;
  const cores = coresOf(host) ?? 0;
  for (const series of seriesOfRule(host, 'proc.*.cpu')) {
    const process = series.instance ?? '';
    const owner = ownerOf(host, process);
    if (!owner || !isKnown(series, window)) continue;
    // Of a server's threads most may only help one: its count says something where it is one.
    const own = threadsOf(host, process, window);
    const threads =
      owner === 'tool' ? load.find((part) => part.host === host.name)?.threads : own === 1 ? own : undefined;
    const limit = 100 * (threads !== undefined && threads < cores ? threads : 1);
    const held = heldIn(series, window, (value) => value >= (FULL_CORE / 100) * limit);
    // Then its median is lower too: values are put in order only of the few that may be pressed.
    if (!held || held.share < 0.5) continue;
    const [middle, top] = [percentileIn(series, window, 50), percentileIn(series, window, 90)];
    const isPressed = middle >= (PRESSED.median / 100) * limit && top <= (PRESSED.top / 100) * limit;
    const isTold = (threads !== undefined && threads < cores) || hotShare >= FULL / 100 || clientsOf(evidence) === 1;
    if (!isPressed || !isTold) continue;
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
 * One thread of a tool, full while the others rest. Such a thread may also spin, or do what nobody waits for: it holds clients back only where their
 * answers have come and it does not get to reading them.
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
 * Who keeps a core busy and is held back by it: a process that uses about as much as one core has. One that uses several may have a busy thread
 * among them, and nothing says that the others wait for it. Interrupts are the server's, where it answers over the network and no process of
 * others explains the core.
 */
function ownerOfCore(host: WatchedHost, window: Window): 'tool' | 'server' | undefined {
  const alone = isGenerator(host) === isServer(host) ? undefined : isGenerator(host) ? 'tool' : 'server';
  const known = seriesOfRule(host, 'proc.*.cpu').filter((series) => isKnown(series, window));
  if (known.length === 0) return alone;
  const processes = known.map((series) => ({
    owner: ownerOf(host, series.instance ?? ''),
    used: meanIn(series, window),
  }));
  if (processes.some(({ owner, used }) => owner === undefined && Math.abs(used - 100) <= APART)) return undefined;
  const irq = seriesNamed(host, 'cpu.irq');
  if (irq && meanIn(irq, window) * (coresOf(host) ?? 1) >= INTERRUPTS) return alone ?? 'server';
  const enough = processes.filter(
    ({ owner, used }) => owner !== undefined && used >= FULL - APART && used <= 100 + APART,
  );
  const [first] = enough.sort((one, other) => Math.abs(one.used - 100) - Math.abs(other.used - 100));
  return first?.owner;
}
