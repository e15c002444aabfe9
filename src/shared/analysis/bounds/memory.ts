import type { BoundCandidate } from '../../model/analysis.ts';
import type { RunEvidence, WatchedHost, WatchedSeries, Window } from '../evidence.ts';
import { figureOf, heldIn, isKnown, meanIn, type Opinion, seriesNamed } from '../lines.ts';
import { FULL } from './thresholds.ts';
import { amount, inSeconds, percent } from './words.ts';

/** MiB/s that come back from swap: what was moved out once and rests there costs nothing. */
const SWAPPED_IN = 1;
/** MiB/s from which on it costs more than a full CPU hides, where nothing tells of waits for memory: thousands of pages each second. */
const MUCH_SWAPPED_IN = 20;
/** Pages a second that a process had to wait for. */
const FAULTS = 50;
/** Percent of the time in which something waited for memory: below it swapping explains nothing. */
const WAITED = 5;

/** Memory that does not hold what is used: pages come back from swap all the time. */
export function memoryOpinion({ hosts, window }: RunEvidence): Opinion {
  return {
    candidates: hosts.flatMap((host) => candidateOf(host, window) ?? []),
    notWatched: hosts.flatMap((host) => {
      if (!isKnown(seriesNamed(host, 'vm.swap_in_mib_s'), window)) return [`swapping on ${host.name}`];
      return isKnown(seriesNamed(host, 'pressure.memory.some'), window) ? [] : [`waits for memory on ${host.name}`];
    }),
  };
}

function candidateOf(host: WatchedHost, window: Window): BoundCandidate | undefined {
  const [swapped, faults, pressure] = ['vm.swap_in_mib_s', 'vm.major_faults', 'pressure.memory.some'].map((id) => {
    const series = seriesNamed(host, id);
    return isKnown(series, window) ? series : undefined;
  });
  const held = swapped && heldIn(swapped, window, (value) => value >= SWAPPED_IN);
  if (!swapped || !held) return undefined;
  if (faults && meanIn(faults, window) < FAULTS) return undefined;
  if (pressure ? meanIn(pressure, window) < WAITED : isHidden(host, swapped, window)) return undefined;
  const words = [
    `${amount(meanIn(swapped, window))} MiB/s came back from swap`,
    ...(faults ? [`${amount(meanIn(faults, window))} major page faults/s`] : []),
    ...(pressure ? [`something waited for memory ${percent(meanIn(pressure, window))} of the time`] : []),
  ];
  return {
    verdict: 'memory',
    host: host.name,
    share: held.share,
    sentence: `${host.name} short of memory ${inSeconds(held.share)}: ${words.join(', ')}.`,
    evidence: [swapped, faults, pressure].flatMap((series) => (series ? [figureOf(host, series, window)] : [])),
  };
}

/** Who waits for pages does not use a CPU: where that has no idle time, little that comes back holds nothing up. */
function isHidden(host: WatchedHost, swapped: WatchedSeries, window: Window): boolean {
  const busy = seriesNamed(host, 'cpu.busy');
  return isKnown(busy, window) && meanIn(busy, window) >= FULL && meanIn(swapped, window) < MUCH_SWAPPED_IN;
}
