import {
  isKnown,
  type RunEvidence,
  seriesMeaning,
  valuesIn,
  type WatchedSeries,
  type WatchedServer,
} from '../../analysis/index.ts';
import type { Finding } from '../../model/finding.ts';
import { formatNumber, formatPercent } from '../../util/format.ts';
import { found, type PlainCheck } from '../check.ts';

/** Seconds before second 0: the last sample in them counts the remains of earlier work. A statement right before the run may leave some. */
const BEFORE = 3;
/** Minimum remaining pieces of data, and the share of them removed during the run: fewer have no visible cost. */
const BACKLOG = { least: 20, removed: 0.25 };

const CACHE_TRANSFER = {
  code: 'cache-transfer',
  title: 'Server loading or dumping its cache',
  severity: 'warn',
  when: 'run',
  traps: ['T42', 'T41'],
  why: 'Servers can dump their cache contents and reload them after a restart. This uses the disk, and the cache is neither cold nor warm meanwhile.',
  avoid: 'Let it finish before the trial, or turn loading at start-up off and warm the cache with queries.',
} satisfies PlainCheck;
const REMOVAL = {
  code: 'removal-in-run',
  title: 'Server purging old data during the run',
  severity: 'warn',
  when: 'run',
  traps: ['T38', 'T37'],
  why: 'Data replaced by merges and updates is purged later, often minutes later. The purge then shares disks and CPU with the run.',
  avoid: 'Wait before each trial until none is left: set a wait condition under Measurement.',
} satisfies PlainCheck;

/** Work of the server itself other than the load, which it would have done without it. */
export const serverWorkFindings = ({ servers, window }: RunEvidence): Finding[] =>
  servers.flatMap((server) => [...transferFindings(server, window), ...removalFindings(server, window)]);

function transferFindings(server: WatchedServer, window: RunEvidence['window']): Finding[] {
  const series = seriesMeaning(server, 'cache-transfers');
  if (!isKnown(series, window)) return [];
  const values = valuesIn(series, window);
  const seconds = values.filter((value) => value >= 1).length;
  if (seconds === 0) return [];
  const message = `${server.name} loaded or dumped its cache in ${formatPercent(seconds / values.length)} of the measured seconds.`;
  return [found(CACHE_TRANSFER, message, `${server.name}: ${series.id}`)];
}

/** Data that remained right before the run, and that decreased during it. */
function removalFindings(server: WatchedServer, window: RunEvidence['window']): Finding[] {
  const series = seriesMeaning(server, 'to-remove');
  if (!isKnown(series, window)) return [];
  const before = valuesIn(series, { from: -BEFORE, to: 0 }).at(-1) ?? Number.NaN;
  const backlog = leastOf(series, window);
  if (!(before >= BACKLOG.least && before - backlog >= BACKLOG.removed * before)) return [];
  const removed = backlog === 0 ? 'all of which' : `of which ${formatNumber(before - backlog)} or more`;
  const message = `${series.label} of ${server.name}: ${formatNumber(before)} when the run began, ${removed} were removed in it.`;
  return [found(REMOVAL, message, `${server.name}: ${series.id}`)];
}

/** NaN without values. */
function leastOf(series: WatchedSeries, window: RunEvidence['window']): number {
  const values = valuesIn(series, window);
  // Values of several days exceed the argument list of a call.
  return values.length === 0
    ? Number.NaN
    : values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
}

export const SERVER_WORK_CHECKS = [CACHE_TRANSFER, REMOVAL];
