import type { BoundCandidate, BoundVerdict } from '../../model/analysis.ts';
import type { Meaning } from '../../model/monitored.ts';
import type { Points } from '../../stats/index.ts';
import { formatNumber } from '../../util/format.ts';
import type { RunEvidence, WatchedSeries, WatchedServer } from '../evidence.ts';
import { type Assessment, clientsOf, figureOf, heldIn, isKnown, meanIn, seriesMeaning } from '../lines.ts';
import { admissionShort, connectionsShort } from './pool.ts';
import { HALF, inSeconds, percent, whole } from './words.ts';

/** Percentage of the log capacity above which writes are slowed down until pages are written. */
const LOG_FULL = 95;
/** Concurrent waits for log files above which they are those of sessions: only one or two background threads sync it. */
const LOG_WRITERS = 2;

/** Maximum number of sessions that work on the server at the same time: clients, or those that a pool admits. Undefined if unknown. */
export function sessionsOf(evidence: RunEvidence): number | undefined {
  const connections = evidence.servers.flatMap((server) => {
    const series = seriesMeaning(server, 'connections');
    return isKnown(series, evidence.window) ? [meanIn(series, evidence.window)] : [];
  });
  const clients = clientsOf(evidence);
  const counts = [...(clients === undefined ? [] : [clients]), ...connections].filter((count) => count >= 1);
  return counts.length === 0 ? undefined : Math.min(...counts);
}

const LOCK_WAITS: readonly Meaning[] = ['lock-wait-time', 'lock-waiters'];
const LOG_WAITS: readonly Meaning[] = ['log-wait-time', 'log-waiters'];

/** Whether it has only figures of a pool: one that gives access to its server also has those of the server. */
const isPooler = (server: WatchedServer, { window }: RunEvidence): boolean =>
  seriesMeaning(server, 'pool-waiters') !== undefined &&
  !([...LOCK_WAITS, ...LOG_WAITS, 'checkpoint-age', 'connections'] as const).some((each) =>
    isKnown(seriesMeaning(server, each), window),
  );

/** Waits of a server's sessions: for locks, its log, a connection, a ticket. */
export function assessWaits(evidence: RunEvidence, sessions: number | undefined): Assessment {
  const { servers, window } = evidence;
  const databases = servers.filter((server) => !isPooler(server, evidence));
  const candidates = servers.flatMap((server) => [
    ...admissionShort(evidence, server),
    ...waitingFor(evidence, server, sessions, 'locks', LOCK_WAITS, 'locks'),
    ...waitingFor(evidence, server, sessions, 'log', LOG_WAITS, 'the log to be written'),
    ...logFull(evidence, server),
    ...connectionsShort(evidence, server),
  ]);
  const unseen = (means: readonly Meaning[], words: string): string[] =>
    databases.some((server) => means.some((each) => isKnown(seriesMeaning(server, each), window))) ? [] : [words];
  return {
    candidates,
    notWatched:
      databases.length === 0
        ? ['locks and log of the server']
        : [...unseen(LOCK_WAITS, 'waits for locks'), ...unseen([...LOG_WAITS, 'checkpoint-age'], 'waits for the log')],
  };
}

/** Waiting sessions, second by second: by time waited, or by sessions seen waiting. */
const waitersIn = (series: WatchedSeries): Points =>
  series.means?.endsWith('-time') ? { t: series.t, v: series.v.map((ms) => ms / 1000) } : series;

/**
 * Minimum number of waiting sessions to name a class of waits. Time for log files also includes background threads, for which no session
 * waits.
 */
function leastOf(means: Meaning, sessions: number, server: WatchedServer, { window }: RunEvidence): number {
  const half = HALF * sessions;
  const seen = means === 'log-wait-time' ? seriesMeaning(server, 'log-waiters') : undefined;
  const agreed = seen && heldIn(seen, window, (waiting) => waiting >= half);
  return means !== 'log-wait-time' || (agreed && agreed.share >= HALF) ? half : Math.max(half, LOG_WRITERS);
}

/** Among several series of the same waits the one with the most: the time of a log may be that of its only writer. */
function waitingFor(
  evidence: RunEvidence,
  server: WatchedServer,
  sessions: number | undefined,
  verdict: BoundVerdict,
  means: readonly Meaning[],
  words: string,
): BoundCandidate[] {
  if (sessions === undefined) return [];
  const { window } = evidence;
  const found = means.flatMap((each) => {
    const series = seriesMeaning(server, each);
    const least = leastOf(each, sessions, server, evidence);
    const held = series && heldIn(waitersIn(series), window, (waiting) => waiting >= least);
    return series && held ? [{ series, held, waiting: meanIn(waitersIn(series), window) }] : [];
  });
  const [most] = found.sort((one, other) => other.held.share - one.held.share || other.waiting - one.waiting);
  if (!most) return [];
  return [
    {
      verdict,
      ...(server.host !== undefined && { host: server.host }),
      share: most.held.share,
      sentence:
        whole(sessions) === 1
          ? `The only session of ${server.name} waited for ${words} ${percent(Math.min(100, 100 * most.waiting))} of the time.`
          : `${formatNumber(whole(most.waiting))} of ${formatNumber(whole(sessions))} sessions of ${server.name} waited for ${words}, half or more of them ${inSeconds(most.held.share)}.`,
      evidence: [figureOf(server, most.series, window)],
    },
  ];
}

function logFull({ window }: RunEvidence, server: WatchedServer): BoundCandidate[] {
  const age = seriesMeaning(server, 'checkpoint-age');
  const held = age && heldIn(age, window, (value) => value >= LOG_FULL);
  if (!age || !held) return [];
  return [
    {
      verdict: 'log',
      ...(server.host !== undefined && { host: server.host }),
      share: held.share,
      sentence: `The log of ${server.name} was full ${inSeconds(held.share)}: ${percent(meanIn(age, window))} of its capacity, so writes wait until dirty pages are flushed.`,
      evidence: [figureOf(server, age, window)],
    },
  ];
}
