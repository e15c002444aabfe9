import type { BoundCandidate } from '../../model/analysis.ts';
import type { Meaning } from '../../model/monitored.ts';
import type { Points } from '../../stats/index.ts';
import { formatCount, formatNumber } from '../../util/format.ts';
import type { RunEvidence, WatchedSeries, WatchedServer } from '../evidence.ts';
import { clientsOf, figureOf, heldIn, isKnown, meanIn, seriesMeaning, together } from '../lines.ts';
import { amount, HALF, headcount, inSeconds, whole } from './words.ts';

/** Share of the clients that wait for a connection, a ticket or a thread; at least one. */
const WAITERS = 0.05;
/** Share of the allowed connections that are in use. */
const IN_USE = 0.95;
/** Connections that PostgreSQL reserves for superusers, and Kneepoint's own. */
const RESERVED = 4;

const leastOf = (clients: number | undefined): number => Math.max(1, WAITERS * (clients ?? 0));

const placeOf = ({ host }: WatchedServer): Pick<BoundCandidate, 'host'> => (host === undefined ? {} : { host });

/** Limits that admit fewer clients than want to work: a pool in front of the server, or its maximum number of connections. */
export const connectionsShort = (evidence: RunEvidence, server: WatchedServer): BoundCandidate[] =>
  seriesMeaning(server, 'pool-waiters') ? poolShort(evidence, server) : connectionsFull(evidence, server);

function poolShort(evidence: RunEvidence, server: WatchedServer): BoundCandidate[] {
  const { window } = evidence;
  const waiters = seriesMeaning(server, 'pool-waiters');
  const clients = clientsOf(evidence);
  const held = waiters && heldIn(waiters, window, (value) => value >= leastOf(clients));
  if (!waiters || !held) return [];
  return [
    {
      verdict: 'pool',
      ...placeOf(server),
      share: held.share,
      sentence: `${clients === undefined ? formatCount(whole(meanIn(waiters, window)), 'client') : `${formatNumber(whole(meanIn(waiters, window)))} of ${formatCount(clients, 'client')}`} waited for a connection of ${server.name} ${inSeconds(held.share)}.`,
      evidence: [figureOf(server, waiters, window)],
    },
  ];
}

/**
 * That all connections are in use proves nothing, as most may be idle: others must have been refused, or more clients exist than may
 * connect.
 */
function connectionsFull(evidence: RunEvidence, server: WatchedServer): BoundCandidate[] {
  const { window } = evidence;
  const [connections, refused, running] = (['connections', 'refused', 'running'] as const).map((means) => {
    const series = seriesMeaning(server, means);
    return isKnown(series, window) ? series : undefined;
  });
  const limit = connections?.limit;
  if (!connections || !limit) return [];
  const clients = clientsOf(evidence);
  // Clients that are at work are not kept out, whoever else is.
  if (running && clients !== undefined && meanIn(running, window) >= HALF * clients) return [];
  const full = Math.max(1, Math.min(IN_USE * limit.value, limit.value - RESERVED));
  // Behind a pool, there are more clients than connections by design.
  const isPooled = evidence.servers.some((each) => seriesMeaning(each, 'pool-waiters'));
  const isCrowded = !isPooled && clients !== undefined && clients > limit.value;
  if (!isCrowded && !refused) return [];
  const line: Points =
    isCrowded || !refused
      ? connections
      : together([connections, refused], ([count = 0, denied = 0]) => (denied > 0 ? count : 0));
  const held = heldIn(line, window, (count) => count >= full);
  if (!held) return [];
  // Servers of the MySQL family admit one more administrator account.
  const used = Math.min(limit.value, meanIn(connections, window));
  const areAll = heldIn(line, window, (count) => count >= limit.value)?.share === held.share;
  const [some, least] = areAll
    ? [`All ${headcount(limit.value)}`, '']
    : [`${headcount(used)} of ${headcount(limit.value)}`, `, at least ${headcount(full)} of them`];
  const denied = refused ? meanIn(refused, window) : 0;
  const words = [
    ...(isCrowded && clients !== undefined ? [`${headcount(clients)} clients needed one`] : []),
    ...(denied > 0 ? [`${amount(denied)} connections/s were refused`] : []),
  ];
  return [
    {
      verdict: 'pool',
      ...placeOf(server),
      share: held.share,
      sentence: `${some} connections of ${server.name} (${limit.words}) were in use${least} ${inSeconds(held.share)}, and ${words.join(', ')}.`,
      evidence: [connections, ...(denied > 0 && refused ? [refused] : [])].map((series) =>
        figureOf(server, series, window),
      ),
    },
  ];
}

const all = ({ series }: WatchedServer, means: Meaning): WatchedSeries[] =>
  series.filter((each) => each.means === means && each.v.length > 0);

/** `tickets.queued.read` → `read`. */
const kindOf = ({ id }: WatchedSeries): string => id.slice(id.lastIndexOf('.') + 1);

/** Requests of connected clients that the server does not begin for lack of a ticket or thread. For tickets, none may be free meanwhile. */
export function admissionShort(evidence: RunEvidence, server: WatchedServer): BoundCandidate[] {
  const { window } = evidence;
  const least = leastOf(clientsOf(evidence));
  return all(server, 'admission-waiters').flatMap((waiters) => {
    const isTicket = waiters.id.startsWith('tickets.');
    const free = all(server, 'tickets-free').find((each) => kindOf(each) === kindOf(waiters));
    if (isTicket && !free) return [];
    const line = free ? together([waiters, free], ([count = 0, left = 0]) => (left < 1 ? count : 0)) : waiters;
    const held = heldIn(line, window, (count) => count >= least);
    if (!held || held.share === 0) return [];
    // A pool counts requests that it has read from its connections, and reads none while all of its threads are busy.
    const what = free
      ? `requests waited for a ${kindOf(waiters)} ticket of ${server.name}`
      : waiters.id.startsWith('innodb.')
        ? `sessions waited to enter InnoDB of ${server.name} (innodb_thread_concurrency)`
        : `or more requests waited for a thread in the pool of ${server.name}`;
    return [
      {
        verdict: 'pool' as const,
        ...placeOf(server),
        share: held.share,
        sentence: `${headcount(meanIn(waiters, window))} ${what} ${inSeconds(held.share)}${free ? ', with none free' : ''}.`,
        evidence: [waiters, ...(free ? [free] : [])].map((series) => figureOf(server, series, window)),
      },
    ];
  });
}
