import type { BoundCandidate, BoundVerdict } from '../../model/analysis.ts';
import type { Meaning } from '../../model/monitored.ts';
import type { Points } from '../../stats/index.ts';
import { formatNumber } from '../../util/format.ts';
import type { RunEvidence, WatchedSeries, WatchedServer } from '../evidence.ts';
import { clientsOf, figureOf, heldIn, isKnown, meanIn, type Opinion, seriesMeaning } from '../lines.ts';
import { admissionShort, connectionsShort } from './pool.ts';
import { HALF, inSeconds, percent, whole } from './words.ts';

/** Percent of what the log may hold: from here on writes are slowed until pages are written. */
const LOG_FULL = 95;
/** Waits for files of a log at the same time from which on they are those of sessions: the threads that sync it in the background are one or two. */
const LOG_WRITERS = 2;

/** Sessions that work on the server at the same time at most: clients, or what a pool lets through of them. Undefined: not known. */
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

/** Whether it tells of a pool alone: one that lets its server be asked tells of that too. */
const isPooler = (server: WatchedServer, { window }: RunEvidence): boolean =>
  seriesMeaning(server, 'pool-waiters') !== undefined &&
  !([...LOCK_WAITS, ...LOG_WAITS, 'checkpoint-age', 'connections'] as const).some((each) =>
    isKnown(seriesMeaning(server, each), window),
  );

/** What sessions of a server wait for: locks, its log, a connection, a ticket. */
export function waitOpinion(evidence: RunEvidence, sessions: number | undefined): Opinion {
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

/** Sessions that wait, second by second: the time they waited in it, or those that were seen waiting. */
const waitersIn = (series: WatchedSeries): Points =>
  series.means?.endsWith('-time') ? { t: series.t, v: series.v.map((ms) => ms / 1000) } : series;

/** Sessions that have to wait for a class of waits to be named. Time for files of a log counts in the background too, where no session waits for it. */
function leastOf(means: Meaning, sessions: number, server: WatchedServer, { window }: RunEvidence): number {
  const half = HALF * sessions;
  const seen = means === 'log-wait-time' ? seriesMeaning(server, 'log-waiters') : undefined;
  const agreed = seen && heldIn(seen, window, (waiting) => waiting >= half);
  return means !== 'log-wait-time' || (agreed && agreed.share >= HALF) ? half : Math.max(half, LOG_WRITERS);
}

/** Of several series that tell of the same waits the one that tells of most: time of a log may be that of its one writer alone. */
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
