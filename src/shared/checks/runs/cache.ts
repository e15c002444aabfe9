import { heldIn, isKnown, meanIn, type RunEvidence, seriesMeaning, type WatchedServer } from '../../analysis/index.ts';
import type { Finding } from '../../model/finding.ts';
import { formatBytes, formatNumber } from '../../util/format.ts';
import { found, type PlainCheck } from '../check.ts';

/** Of its cache, what data may fill to fit in it with all that is kept beside it: sizes of data are estimates. */
const FITS = 0.8;
/**
 * Pages a second that are missed, the share of seconds in which so many are, and how many of those of the first third there are in the last: a cache
 * that fills misses less and less, by more than what thirds of a run differ by anyway. Scans that a server keeps out of its cache on purpose miss the same number all the time.
 */
const COLD = { misses: 100, seconds: 0.2, left: 0.7 };
const MIB = 2 ** 20;

const COLD_CACHE = {
  code: 'cold-cache',
  title: 'The cache was still being filled',
  severity: 'warn',
  when: 'run',
  traps: ['T41', 'T05', 'T47'],
  why: 'The data fits into the cache of the server, and it was read from outside of it all the same: the cache was not full yet. The run is then one of warming up, and a longer one would be faster.',
  avoid:
    'Measure with a longer warm-up, or read the data once before each trial; for a question about the disk use more data than the cache holds.',
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
