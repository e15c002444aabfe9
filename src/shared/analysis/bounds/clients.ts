import type { BoundCandidate, SeriesFigure } from '../../model/analysis.ts';
import type { Meaning } from '../../model/monitored.ts';
import { formatNumber } from '../../util/format.ts';
import type { RunEvidence, WatchedServer } from '../evidence.ts';
import {
  clientsOf,
  figureOf,
  heldIn,
  isGenerator,
  isKnown,
  isServer,
  meanIn,
  ownOn,
  seriesMeaning,
  seriesNamed,
} from '../lines.ts';
import { devicesOf } from './disk.ts';
import { busiestOf, linksUsed } from './doubled.ts';
import { fullWay } from './network.ts';
import { connectsPerSecond } from './sockets.ts';
import { amount, FULL, HALF, MOST, percent } from './words.ts';

/** Clients in requests may exceed the total by this factor: figures of tool and server are not from the same moments. */
const MORE = 1.15;
/** Percentage of any watched resource above which twice the clients gain less than half as much again. */
const ROOM = 70;
/** Clients at something that is serial and whose utilisation is unknown: with this many it is two thirds busy, if times vary. */
const FEW = 2;
/** Round trips may take this many times their minimum: they vary. */
const MOST_TRIPS = 2;
/** Share of pausing clients that does not matter. */
const FEW_PAUSING = 0.1;
const PAUSING = 'pausing in the tool';
/** Share of the clients that is worth mentioning. */
const NOTABLE = 0.05;
/** Share of seconds without an operation above which means over all seconds do not show where clients were. */
const AT_REST = 0.1;

/** Clients in one place, on average. `grows`: there is room for more of them. */
interface Part {
  readonly count: number;
  readonly words: string;
  readonly grows: boolean;
}

/** Fewer clients than the system has room for, or requests that spend their time in transit: reported if nothing else was at its limit. */
export function clientCandidates(evidence: RunEvidence): BoundCandidate[] {
  const busiest = busiestOf(evidence);
  const found = whereabouts(evidence);
  // Unwatched resources may be saturated, and nearly saturated ones leave no room for more.
  if (!found || !busiest || busiest.percent >= ROOM) return [];
  const { clients, rate, latency, way, parts, connects } = found;
  const most = [...parts]
    .filter(({ count }) => count >= NOTABLE * clients)
    .sort((one, other) => other.count - one.count);
  const many = (count: number): string =>
    clients === 1 ? percent(100 * count) : `${amount(count)} of ${formatNumber(clients)}`;
  const where = most.map(({ count, words }) => `${words} ${many(count)}`).join(', ');
  const takes = `An operation takes ${amount(1000 * latency)} ms.`;
  const candidate = (verdict: 'path' | 'clients', sentence: string): BoundCandidate[] => [
    { verdict, share: 1, sentence, evidence: [...found.evidence] },
  ];
  const pausing = parts.find(({ words }) => words === PAUSING)?.count ?? 0;
  const full = pausing < FEW_PAUSING * clients && !evidence.pauses ? fullWay(evidence) : undefined;
  if (full) return [full];
  if (way !== undefined && way >= HALF * clients && !evidence.pauses && connects === undefined)
    return candidate(
      'path',
      `${takes} ${amount((1000 * way) / rate)} ms of that pass between load generator and server, ${wayWords(evidence, (1000 * way) / rate)}. Where ${clients === 1 ? 'the only client was' : 'clients were on average'}: ${where}.`,
    );
  const fixed = parts.filter(({ grows }) => !grows).reduce((sum, { count }) => sum + count, 0);
  if (clients > 1 && (fixed > FEW || fixed > HALF * clients)) return [];
  return candidate(
    'clients',
    `${takes} Where ${clients === 1 ? 'the only client was' : 'clients were on average'}: ${where}. No watched resource was at its limit.`,
  );
}

/** Where clients are on average. The number in requests follows from Little's law. Undefined if unknown. */
function whereabouts(evidence: RunEvidence) {
  const { window, rate: rates, latency: latencies, hosts, servers } = evidence;
  const clients = clientsOf(evidence);
  const latencyMs = isKnown(latencies, window) ? meanIn(latencies, window) : evidence.meanLatencyMs;
  if (clients === undefined || clients < 1 || !isKnown(rates, window) || latencyMs === undefined) return undefined;
  if (!hosts.some(isServer)) return undefined;
  if ((heldIn(rates, window, (value) => !(value > 0))?.share ?? 0) >= AT_REST) return undefined;
  const [rate, latency] = [meanIn(rates, window), latencyMs / 1000];
  const inRequests = rate * latency;
  // The latency is of other events than the counted ones, or operations overlap.
  if (!(inRequests > 0) || inRequests > MORE * clients) return undefined;
  const sum = (means: Meaning): number | undefined => {
    const found = servers.flatMap((server) => {
      const series = seriesMeaning(server, means);
      return isKnown(series, window) ? [meanIn(series, window)] : [];
    });
    return found.length === 0 ? undefined : found.reduce((total, each) => total + each, 0);
  };
  const cpuOf = (isIt: typeof isServer): number =>
    hosts.filter(isIt).reduce((total, host) => total + (ownOn(host, 'proc.*.cpu', window) ?? 0) / 100, 0);
  const connects = connectsPerSecond(evidence);
  const pausing = Math.max(0, clients - inRequests);
  const waits = { io: sum('io-waiters') ?? 0, log: sum('log-waiters') ?? 0, locks: sum('lock-waiters') ?? 0 };
  const isShared = hosts.some((host) => isServer(host) && isGenerator(host));
  const tool = isShared ? 0 : Math.min(inRequests, cpuOf(isGenerator));
  const running = sum('running');
  const server = Math.min(running ?? inRequests, cpuOf(isServer));
  const pooled = sum('pool-waiters') ?? 0;
  const links = Math.min(inRequests, linksUsed(evidence));
  const inside = running === undefined ? server + waits.io + waits.log + waits.locks : running;
  const rest = Math.max(0, inside - server - waits.io - waits.log - waits.locks);
  const elsewhere = Math.max(0, inRequests - inside - tool - links - pooled);
  // They have arrived: a server throttled by its control group or hypervisor reads them late.
  const unread = Math.min(elsewhere, unreadByServers(evidence));
  const outside = elsewhere - unread;
  const parts: Part[] = [
    // Connecting is not a pause, and the server may accept serially.
    { count: pausing, words: connects === undefined ? PAUSING : 'connecting', grows: connects === undefined },
    { count: tool, words: 'computing in the tool', grows: true },
    { count: links, words: 'sending', grows: true },
    { count: server, words: 'computing in the server', grows: true },
    { count: waits.io, words: 'waiting for I/O', grows: !hasFullDisk(evidence) },
    // One write serves all that wait for it.
    { count: waits.log, words: 'waiting for the log', grows: true },
    { count: waits.locks, words: 'waiting for locks', grows: false },
    { count: pooled, words: 'waiting for the pool', grows: false },
    { count: unread, words: 'with requests not yet read by the server', grows: false },
    { count: rest, words: 'in the server for unknown reasons', grows: false },
    {
      count: outside,
      words: `${evidence.pauses ? 'pausing in the script, or ' : ''}${connects === undefined ? '' : 'connecting, or '}in transit${running === undefined ? ', or in the server' : ''}`,
      grows: evidence.pauses === true,
    },
  ];
  return {
    clients,
    rate,
    latency,
    connects,
    way: running === undefined ? undefined : outside,
    parts,
    evidence: servers.flatMap((each) => runningOf(each, evidence)),
  };
}

/** Mean number of clients whose requests have reached the server and are unread. */
const unreadByServers = ({ hosts, window }: RunEvidence): number =>
  hosts.filter(isServer).reduce((sum, host) => {
    const series = seriesNamed(host, 'sockets.clients.unread');
    return isKnown(series, window) ? sum + meanIn(series, window) : sum;
  }, 0);

function hasFullDisk({ hosts, window }: RunEvidence): boolean {
  return hosts.filter(isServer).some((host) =>
    devicesOf(host).some((device) => {
      const busy = seriesNamed(host, `disk.${device}.utilisation`);
      const held = busy && heldIn(busy, window, (value) => value >= FULL);
      return held !== undefined && held.share >= MOST;
    }),
  );
}

function runningOf(server: WatchedServer, { window, hosts }: RunEvidence): SeriesFigure[] {
  const series = seriesMeaning(server, 'running');
  if (isKnown(series, window)) return [figureOf(server, series, window)];
  const host = hosts.find(({ name }) => name === server.host);
  const busy = host && seriesNamed(host, 'cpu.busy');
  return host && busy ? [figureOf(host, busy, window)] : [];
}

/** Whether a time in milliseconds consists of round trips, if these are known. */
function wayWords(evidence: RunEvidence, way: number): string {
  const { hosts, servers, rate, window } = evidence;
  const trips = hosts.filter(isGenerator).flatMap((host) => {
    const series = seriesNamed(host, 'sockets.server.least_ms');
    return isKnown(series, window) ? [meanIn(series, window)] : [];
  });
  const [trip] = trips.sort((one, other) => other - one);
  if (trip === undefined) return 'in round trips, a proxy, or a saturated link of unknown speed';
  const statements = servers.flatMap((server) => {
    const series = seriesMeaning(server, 'statements');
    return isKnown(series, window) && rate ? [meanIn(series, window) / meanIn(rate, window)] : [];
  });
  const several = Math.max(1, ...statements);
  const takes = `a round trip takes ${amount(trip)} ms`;
  if (way <= MOST_TRIPS * several * trip) return `in round trips: ${takes}`;
  if (statements.length === 0)
    return `and ${takes}: in many round trips, a proxy, or a saturated link of unknown speed`;
  return `and ${takes}, of which there are about ${amount(several)}: in a proxy, or a saturated link of unknown speed`;
}
