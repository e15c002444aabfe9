import type { RunEvidence, WatchedHost, WatchedSeries } from '../evidence.ts';
import { clientsOf, isKnown, meanIn, ownerOf, seriesMeaning, seriesNamed, seriesOfRule } from '../lines.ts';
import { amount } from './words.ts';

/** Share of a host's clients with responses unread by their tool below which it reads them as they arrive. */
const FEW_UNREAD = 0.1;

/** Number of clients of a host; undefined if not reported. */
export function clientsOn({ load }: Pick<RunEvidence, 'load'>, host: WatchedHost): number | undefined {
  return clientsOf({ load: load.filter((part) => part.host === host.name) });
}

/** Connections of the tool on a host with unread responses; undefined if unknown. */
export function unreadOn({ window }: Pick<RunEvidence, 'window'>, host: WatchedHost): WatchedSeries | undefined {
  const series = seriesNamed(host, 'sockets.server.unread');
  return isKnown(series, window) ? series : undefined;
}

/** Whether the tool reads all responses as they arrive; undefined if unknown. */
export function isReading(evidence: RunEvidence, host: WatchedHost): boolean | undefined {
  const unread = unreadOn(evidence, host);
  const clients = clientsOn(evidence, host);
  if (!unread || clients === undefined) return undefined;
  return meanIn(unread, evidence.window) < FEW_UNREAD * clients;
}

/** The tool's process on a host with the busiest thread. */
export function busiestThreadOn({ window }: Pick<RunEvidence, 'window'>, host: WatchedHost): WatchedSeries | undefined {
  const known = seriesOfRule(host, 'proc.*.busiest_thread').filter(
    (series) => ownerOf(host, series.instance ?? '') === 'tool' && isKnown(series, window),
  );
  return known.sort((one, other) => meanIn(other, window) - meanIn(one, window))[0];
}

/** Connections per operation above which connecting is part of an operation. */
const EACH = 0.5;

/** Connections made per second, if there is about one per operation; undefined if not, or if unknown. */
export function connectsPerSecond({ rate, servers, window }: RunEvidence): number | undefined {
  if (!isKnown(rate, window)) return undefined;
  const made = servers.flatMap((server) => {
    const series = seriesMeaning(server, 'connects');
    return isKnown(series, window) ? [meanIn(series, window)] : [];
  });
  const all = made.reduce((sum, each) => sum + each, 0);
  const operations = meanIn(rate, window);
  return operations > 0 && all >= EACH * operations ? all : undefined;
}

/** Share of the time from one operation of a client to its next, outside of operations, that is worth mentioning. */
const OUTSIDE = 0.2;

/** The sentence about it, to follow that of the bottleneck; empty if connections are kept. */
export function connectWords(evidence: RunEvidence): string {
  const { rate, latency, window } = evidence;
  const made = connectsPerSecond(evidence);
  if (made === undefined || !rate) return '';
  const operations = meanIn(rate, window);
  const takes = isKnown(latency, window) ? meanIn(latency, window) : evidence.meanLatencyMs;
  const clients = clientsOf(evidence);
  const between = clients === undefined || takes === undefined ? 0 : (1000 * clients) / operations - takes;
  const where =
    takes !== undefined && between >= OUTSIDE * (takes + between)
      ? `an operation takes ${amount(takes)} ms, and ${amount(between)} ms pass until the same client begins the next one, including connecting`
      : 'connecting is part of the measurement';
  return ` ${amount(made)} connections/s were made, ${amount(made / operations)} per operation: ${where}.`;
}
