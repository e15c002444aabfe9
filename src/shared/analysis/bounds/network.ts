import type { BoundCandidate } from '../../model/analysis.ts';
import type { RunEvidence, WatchedHost, WatchedSeries, Window } from '../evidence.ts';
import {
  type Assessment,
  clientsOf,
  figureOf,
  heldIn,
  isGenerator,
  isKnown,
  isOuterLink,
  isServer,
  meanIn,
  seriesNamed,
  seriesOfRule,
} from '../lines.ts';
import { clientsOn, isReading } from './sockets.ts';
import { amount, HALF, inSeconds, isAtLimit, MOST_OF_LIMIT, percent } from './words.ts';

const DIRECTIONS = [
  ['net.*.tx_mib_s', 'sent'],
  ['net.*.rx_mib_s', 'received'],
] as const;

/** Links at their capacity in one direction. */
export function assessNetwork({ hosts, window }: RunEvidence): Assessment {
  const unknown = hosts.filter((host) => !linksOf(host, 'net.*.tx_mib_s').some((series) => limitOf(host, series)));
  return {
    candidates: hosts.flatMap((host) => candidatesOf(host, window)),
    notWatched: unknown.map(({ name }) => `the network utilisation of ${name}`),
  };
}

/** Links to other hosts, and those with a configured rate. */
const linksOf = (host: WatchedHost, rule: string): WatchedSeries[] =>
  seriesOfRule(host, rule).filter(
    ({ instance = '' }) => isOuterLink(instance, host) || host.links?.some(({ name }) => name === instance),
  );

const IN_THE_RUN: Window = { from: 0, to: Number.POSITIVE_INFINITY };

/** Capacity of a link in one direction, MiB/s, and its source; undefined if unknown, or less than the measured traffic. */
export function limitOf(
  { links = [] }: WatchedHost,
  series: WatchedSeries,
): { value: number; words: string } | undefined {
  const { instance, limit } = series;
  const given = links.find(({ name }) => name === instance) ?? links.find(({ name }) => name === undefined);
  if (!given && !limit) return undefined;
  const carried = meanIn(series, IN_THE_RUN);
  return [...(limit ? [limit] : []), ...(given ? [{ value: given.mibS, words: given.words }] : [])]
    .filter(({ value }) => !(carried > MOST_OF_LIMIT * value))
    .sort((one, other) => one.value - other.value)[0];
}

function candidatesOf(host: WatchedHost, window: Window): BoundCandidate[] {
  return DIRECTIONS.flatMap(([rule, verb]) =>
    linksOf(host, rule).flatMap((series) => {
      const limit = limitOf(host, series);
      if (!limit) return [];
      const held = heldIn(series, window, (value) => isAtLimit(value, limit.value));
      if (!held) return [];
      const reached = meanIn(series, window);
      return [
        {
          verdict: isServer(host) || !host.roles.includes('generator') ? 'network' : 'generator-network',
          host: host.name,
          instance: series.instance ?? '',
          share: held.share,
          sentence: `Link ${series.instance ?? ''} of ${host.name} at its limit ${inSeconds(held.share)}: ${verb} ${amount(reached)} of ${amount(limit.value)} MiB/s (${percent((100 * reached) / limit.value)}), ${limit.words}.`,
          evidence: [figureOf(host, series, window)],
        } satisfies BoundCandidate,
      ];
    }),
  );
}

/** Multiple of its shortest round trip that data is in transit if it has to queue; and the error of clocks and samples in milliseconds. */
const QUEUED = { times: 4, ms: 2 };
/** A request is acknowledged with its response, but at most 40 ms after its arrival. */
const CONFIRMED_MS = 45;
const KIB = 1024;

/**
 * A saturated link of unknown speed: half of the clients have data in transit, for far longer than a round trip takes. By Little's law that
 * time is the data in transit ÷ the data sent per second. The caller must have ruled out other saturated resources and pausing clients: the
 * last response of an idle client may stay unacknowledged for a while.
 */
export function fullWay(evidence: RunEvidence): BoundCandidate | undefined {
  const { hosts, window } = evidence;
  const all = clientsOf(evidence);
  if (!hosts.filter(isGenerator).every((host) => isReading(evidence, host))) return undefined;
  const found = hosts.flatMap((host) => {
    if (isServer(host) === isGenerator(host)) return [];
    const [peer, clients] = isServer(host)
      ? (['clients', all] as const)
      : (['server', clientsOn(evidence, host)] as const);
    const [some, kib, least] = ['unconfirmed', 'unconfirmed_kib', 'least_ms'].map((what) => {
      const series = seriesNamed(host, `sockets.${peer}.${what}`);
      return isKnown(series, window) ? series : undefined;
    });
    const links = linksOf(host, 'net.*.tx_mib_s').filter((series) => isKnown(series, window));
    const sent = links.reduce((sum, series) => sum + meanIn(series, window), 0);
    if (!some || !kib || !least || clients === undefined || clients < 2 || !(sent > 0)) return [];
    const there = meanIn(some, window);
    const takes = (1000 * meanIn(kib, window)) / KIB / sent;
    const trip = meanIn(least, window);
    const most = QUEUED.times * trip + (peer === 'server' ? CONFIRMED_MS : QUEUED.ms);
    return there >= HALF * clients && takes >= most
      ? [{ host, peer, clients, there, takes, trip, sent, links, some }]
      : [];
  });
  const [first] = found.sort((one, other) => other.takes - one.takes);
  if (!first) return undefined;
  const { host, peer, clients, there, takes, trip, sent, links, some } = first;
  const [link] = [...links].sort((one, other) => meanIn(other, window) - meanIn(one, window));
  return {
    verdict: 'network',
    host: host.name,
    instance: link?.instance ?? '',
    share: 1,
    sentence: `The path from ${host.name} to ${peer === 'clients' ? 'its clients' : 'the server'} is saturated at ${amount(sent)} MiB/s; its limit is unknown. ${amount(there)} of ${clients} clients had ${peer === 'clients' ? 'responses' : 'requests'} in transit, for ${amount(takes)} ms each; a round trip takes ${amount(trip)} ms.`,
    evidence: [...(link ? [link] : []), some].map((series) => figureOf(host, series, window)),
  };
}
