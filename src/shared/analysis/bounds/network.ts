import type { BoundCandidate } from '../../model/analysis.ts';
import type { RunEvidence, WatchedHost, WatchedSeries, Window } from '../evidence.ts';
import { figureOf, heldIn, isOuterLink, isServer, meanIn, type Opinion, seriesOfRule } from '../lines.ts';
import { isAtLimit, MOST_OF_LIMIT } from './thresholds.ts';
import { amount, inSeconds, percent } from './words.ts';

const DIRECTIONS = [
  ['net.*.tx_mib_s', 'sent'],
  ['net.*.rx_mib_s', 'received'],
] as const;

/** Links at what they can carry in one direction. */
export function networkOpinion({ hosts, window }: RunEvidence): Opinion {
  const unknown = hosts.filter((host) => !linksOf(host, 'net.*.tx_mib_s').some((series) => limitOf(host, series)));
  return {
    candidates: hosts.flatMap((host) => candidatesOf(host, window)),
    notWatched: unknown.map(({ name }) => `the network utilisation of ${name}`),
  };
}

/** Links that lead elsewhere, and those that a rate was set on. */
const linksOf = (host: WatchedHost, rule: string): WatchedSeries[] =>
  seriesOfRule(host, rule).filter(
    ({ instance = '' }) => isOuterLink(instance, host) || host.links?.some(({ name }) => name === instance),
  );

const IN_THE_RUN: Window = { from: 0, to: Number.POSITIVE_INFINITY };

/** What a link carries in one direction, MiB/s, and what says so; undefined: not known, or less than it did carry. */
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
