import type { BoundCandidate } from '../../model/analysis.ts';
import type { RunEvidence, WatchedHost, WatchedSeries, Window } from '../evidence.ts';
import { type Assessment, figureOf, heldIn, isKnown, meanIn, ownOn, seriesNamed, together } from '../lines.ts';
import { amount, FULL, inSeconds, percent } from './words.ts';

/** MiB/s of swap-ins: pages that were swapped out once and stay there cost nothing. */
const SWAPPED_IN = 1;
/** MiB/s above which the cost exceeds what a saturated CPU hides, if waits for memory are unknown: thousands of pages per second. */
const MUCH_SWAPPED_IN = 20;
/** Pages per second that a process had to wait for. */
const FAULTS = 50;
/** Percentage of the time in which some task waited for memory: below it, swapping explains nothing. */
const WAITED = 5;
/** The same without swap: reclaiming pages for a scan of files also takes some time, without evicting pages that are needed. */
const WAITED_FOR_FILES = 20;
/** Previously evicted pages per major fault: a fault reads one page or more, and some are read for the first time. */
const REREAD = 0.5;
/** Percentage of the time from which waits for memory explain something even if a CPU is saturated. */
const WAITED_DESPITE_CPU = 20;
/**
 * Percentage of the memory that is available to programs. Above it, pages that are re-read are data, and the kernel has memory for more.
 */
const SCARCE = 10;

const LIMITED_CACHE = 'A control group limits its processes, or the working set is larger than memory.';

/** Memory that is too small for its use: pages are constantly read back from swap or from their files. */
export function assessMemory({ hosts, window }: RunEvidence): Assessment {
  return {
    candidates: hosts.flatMap((host) => {
      const found = [swapping(host, window), evicting(host, window)].flatMap((each) => each ?? []);
      return found.sort((one, other) => other.share - one.share).slice(0, 1);
    }),
    notWatched: hosts.flatMap((host) => {
      if (!isKnown(seriesNamed(host, 'vm.swap_in_mib_s'), window)) return [`swapping on ${host.name}`];
      return isKnown(seriesNamed(host, 'pressure.memory.some'), window) ? [] : [`memory pressure on ${host.name}`];
    }),
  };
}

function knownOf(host: WatchedHost, window: Window, id: string): WatchedSeries | undefined {
  const series = seriesNamed(host, id);
  return isKnown(series, window) ? series : undefined;
}

/** Processes of tool and server waited for too few pages per second to slow them down: other processes are swapping. */
function areOthers(host: WatchedHost, window: Window): boolean {
  const own = ownOn(host, 'proc.*.major_faults', window);
  return own !== undefined && own < FAULTS;
}

/** Memory that is short only for other processes. */
export const isShortForOthers = (host: WatchedHost, window: Window): boolean =>
  areOthers(host, window) && (knownOf(host, window, 'vm.major_faults')?.v.length ?? 0) > 0;

function swapping(host: WatchedHost, window: Window): BoundCandidate | undefined {
  if (areOthers(host, window)) return undefined;
  const [swapped, faults, pressure] = ['vm.swap_in_mib_s', 'vm.major_faults', 'pressure.memory.some'].map((id) =>
    knownOf(host, window, id),
  );
  const held = swapped && heldIn(swapped, window, (value) => value >= SWAPPED_IN);
  if (!swapped || !held) return undefined;
  if (faults && meanIn(faults, window) < FAULTS) return undefined;
  const waited = pressure && meanIn(pressure, window);
  if (waited !== undefined && waited < WAITED) return undefined;
  if ((waited === undefined || waited < WAITED_DESPITE_CPU) && isHidden(host, swapped, window)) return undefined;
  const words = [
    `${amount(meanIn(swapped, window))} MiB/s were swapped in`,
    ...(faults ? [`${amount(meanIn(faults, window))} major page faults/s`] : []),
    ...(pressure ? [`some tasks waited for memory ${percent(meanIn(pressure, window))} of the time`] : []),
  ];
  return {
    verdict: 'memory',
    host: host.name,
    share: held.share,
    sentence: `${host.name} short of memory ${inSeconds(held.share)}: ${words.join(', ')}.`,
    evidence: [swapped, faults, pressure].flatMap((series) => (series ? [figureOf(host, series, window)] : [])),
  };
}

/** Tasks that wait for pages do not use a CPU: if that has no idle time, a few swapped-in pages slow nothing down. */
function isHidden(host: WatchedHost, swapped: WatchedSeries, window: Window): boolean {
  const busy = seriesNamed(host, 'cpu.busy');
  return isKnown(busy, window) && meanIn(busy, window) >= FULL && meanIn(swapped, window) < MUCH_SWAPPED_IN;
}

/**
 * Pages of programs and files that are needed again soon after their eviction: because hardly any memory is available, or because the
 * kernel counted refaults, when their user is limited to less memory or uses more than there is. Faults and waits must accompany it: a cold
 * start faults without waiting for memory, and read(2) does not fault.
 */
function evicting(host: WatchedHost, window: Window): BoundCandidate | undefined {
  const found = areOthers(host, window) ? undefined : faultsOf(host, window);
  if (!found) return undefined;
  const { faults, pressure, used, left, refaults } = found;
  const again = refaults ?? { t: faults.t, v: faults.v.map(() => 0) };
  const line = together([faults, pressure, left, again], ([many = 0, waited = 0, free = 100, dropped = 0]) =>
    many >= FAULTS && waited >= WAITED_FOR_FILES && (free <= SCARCE || dropped >= REREAD * many) ? 1 : 0,
  );
  const held = heldIn(line, window, (value) => value === 1);
  if (!held || held.share === 0) return undefined;
  const full = knownOf(host, window, 'pressure.memory.full');
  const available = `${percent(meanIn(left, window))} of it was available`;
  const words = [
    `${amount(meanIn(faults, window))} major page faults/s re-read programs and files`,
    ...(refaults ? [`${amount(meanIn(refaults, window))} pages/s were re-read after eviction`] : []),
    `some tasks waited for memory ${percent(meanIn(pressure, window))} of the time`,
    ...(full ? [`all non-idle tasks did ${percent(meanIn(full, window))} of the time`] : []),
  ].join(', ');
  const short = `${host.name} short of memory ${inSeconds(held.share)}`;
  const isScarce = meanIn(left, window) <= SCARCE;
  return {
    verdict: 'memory',
    host: host.name,
    share: held.share,
    sentence: isScarce
      ? `${short}: ${available}, ${words}.`
      : `${short}, though ${available}: ${words}. ${LIMITED_CACHE}`,
    evidence: [used, faults, refaults, pressure, full].flatMap((series) =>
      series ? [figureOf(host, series, window)] : [],
    ),
  };
}

/** Faults, waits, and percentage of available memory; undefined if one of them is unknown. Refaults, if the kernel reports them. */
function faultsOf(host: WatchedHost, window: Window) {
  const [faults, pressure, used, refaults] = [
    'vm.major_faults',
    'pressure.memory.some',
    'mem.used_mib',
    'vm.refaults',
  ].map((id) => knownOf(host, window, id));
  const total = used?.limit?.value ?? host.memoryMib;
  if (!faults || !pressure || !used || total === undefined) return undefined;
  return {
    faults,
    pressure,
    used,
    refaults,
    left: { t: used.t, v: used.v.map((mib) => 100 * (1 - mib / total)) },
    total,
  };
}

/** Unexplained faults and waits for memory: memory is available, and refaults are few or not reported by the kernel. */
export function rereadWords(host: WatchedHost, window: Window): string | undefined {
  const found = faultsOf(host, window);
  if (!found) return undefined;
  const { faults, pressure, left, total } = found;
  const [many, waited, free] = [faults, pressure, left].map((line) => meanIn(line, window)) as [number, number, number];
  if (many < FAULTS || waited < WAITED_FOR_FILES || free <= SCARCE) return undefined;
  return `${amount(many)} major page faults/s and waits for memory ${percent(waited)} of the time, while ${amount((free / 100) * total)} MiB were available`;
}
