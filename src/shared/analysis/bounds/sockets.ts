import type { RunEvidence, WatchedHost, WatchedSeries } from '../evidence.ts';
import { clientsOf, isKnown, meanIn, ownerOf, seriesNamed, seriesOfRule } from '../lines.ts';

/** Of the clients of a host, so few that have an answer which their tool has not read: it reads them as they come. */
const FEW_UNREAD = 0.1;

/** Clients that a host has; undefined: it does not tell. */
export function clientsOn({ load }: Pick<RunEvidence, 'load'>, host: WatchedHost): number | undefined {
  return clientsOf({ load: load.filter((part) => part.host === host.name) });
}

/** Connections of the tool on a host with answers that it has not read yet; undefined: not known. */
export function unreadOn({ window }: Pick<RunEvidence, 'window'>, host: WatchedHost): WatchedSeries | undefined {
  const series = seriesNamed(host, 'sockets.server.unread');
  return isKnown(series, window) ? series : undefined;
}

/** Whether the tool reads all answers as they come; undefined: not known. */
export function isReading(evidence: RunEvidence, host: WatchedHost): boolean | undefined {
  const unread = unreadOn(evidence, host);
  const clients = clientsOn(evidence, host);
  if (!unread || clients === undefined) return undefined;
  return meanIn(unread, evidence.window) < FEW_UNREAD * clients;
}

/** The process of the tool on a host whose busiest thread is busiest. */
export function busiestThreadOn({ window }: Pick<RunEvidence, 'window'>, host: WatchedHost): WatchedSeries | undefined {
  const known = seriesOfRule(host, 'proc.*.busiest_thread').filter(
    (series) => ownerOf(host, series.instance ?? '') === 'tool' && isKnown(series, window),
  );
  return known.sort((one, other) => meanIn(other, window) - meanIn(one, window))[0];
}
