import {
  heldIn,
  isKnown,
  isShortForOthers,
  meanIn,
  type RunEvidence,
  seriesMeaning,
  seriesNamed,
  type WatchedHost,
  type WatchedServer,
} from '../../analysis/index.ts';
import type { Finding } from '../../model/finding.ts';
import { formatBytes, formatFigure, formatNumber } from '../../util/format.ts';
import { found, type PlainCheck } from '../check.ts';

/** Mean MiB/s in either direction. */
const LEAST = 0.5;

const SWAPPING = {
  code: 'swapping',
  title: 'Swapping',
  severity: 'warn',
  when: 'run',
  traps: ['T05', 'T79'],
  why: 'Memory was short, so pages were swapped out and in during the run. Latencies are then partly those of the swap device.',
  avoid: 'Lower the cache of the server or the number of connections, or add memory.',
} satisfies PlainCheck;

export const memoryFindings = ({ hosts, window }: RunEvidence): Finding[] =>
  hosts.flatMap((host) => swapFindings(host, window));

function swapFindings(host: WatchedHost, window: RunEvidence['window']): Finding[] {
  const [back, out] = ['vm.swap_in_mib_s', 'vm.swap_out_mib_s'].map((id) => {
    const series = seriesNamed(host, id);
    return isKnown(series, window) ? meanIn(series, window) : 0;
  }) as [number, number];
  if (back + out < LEAST) return [];
  const message = `${host.name} moved ${formatFigure(out, 1)} MiB/s to swap and ${formatFigure(back, 1)} MiB/s back.${isShortForOthers(host, window) ? ' Load tool and server hardly waited for these pages: other processes are short of memory.' : ''}`;
  return [found(SWAPPING, message, `${host.name}: vm.swap_out_mib_s, vm.swap_in_mib_s`)];
}

export const MEMORY_CHECKS = [SWAPPING];

/** Share of the cache that data may fill to fit with everything else that is cached: sizes of data are estimates. */
const FITS = 0.8;
/**
 * Cache misses per second, the share of seconds with that many, and the ratio of the last third's misses to the first third's: a cache that
 * fills has fewer and fewer misses, by more than thirds of a run differ anyway. Scans that a server deliberately keeps out of its cache
 * have a constant number of misses.
 */
const COLD = { misses: 100, seconds: 0.2, left: 0.7 };
const MIB = 2 ** 20;

const COLD_CACHE = {
  code: 'cold-cache',
  title: 'Cache still warming up',
  severity: 'warn',
  when: 'run',
  traps: ['T41', 'T05', 'T47'],
  why: 'The data fits into the server’s cache but was still read from outside it: the cache was not warm yet. A longer run would be faster.',
  avoid:
    'Measure with a longer warm-up, or read the data once before each trial; to measure the disk, use more data than the cache holds.',
} satisfies PlainCheck;

export const cacheFindings = ({ servers, window }: RunEvidence): Finding[] =>
  servers.flatMap((server) => coldFindings(server, window));

function coldFindings(server: WatchedServer, window: RunEvidence['window']): Finding[] {
  const { name, dataMib, cacheMib } = server;
  const misses = seriesMeaning(server, 'cache-misses');
  if (dataMib === undefined || cacheMib === undefined || dataMib > FITS * cacheMib) return [];
  if (!isKnown(misses, window)) return [];
  const held = heldIn(misses, window, (pages) => pages >= COLD.misses);
  if (!held || held.share < COLD.seconds) return [];
  const third = (window.to - window.from) / 3;
  const first = meanIn(misses, { from: window.from, to: window.from + third });
  const last = meanIn(misses, { from: window.to - third, to: window.to });
  if (!(last <= COLD.left * first)) return [];
  const message = `${name} read ${formatNumber(meanIn(misses, window))} pages/s from outside its cache, falling over the run, although about ${formatBytes(dataMib * MIB)} of data fit into ${formatBytes(cacheMib * MIB)}.`;
  return [found(COLD_CACHE, message, `${name}: ${misses.id}`)];
}

export const CACHE_CHECKS = [COLD_CACHE];
