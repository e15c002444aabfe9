import type { BoundCandidate } from '../../model/analysis.ts';
import type { RunEvidence, WatchedHost, WatchedSeries, Window } from '../evidence.ts';
import { figureOf, heldIn, isOuterLink, isServer, meanIn, type Opinion, seriesOfRule } from '../lines.ts';
import { FULL } from './thresholds.ts';
import { amount, inSeconds, percent } from './words.ts';

const DIRECTIONS = [
  ['net.*.tx_mib_s', 'sent'],
  ['net.*.rx_mib_s', 'received'],
] as const;

/** Links at what they can carry in one direction. */
export function networkOpinion({ hosts, window }: RunEvidence): Opinion {
  const unknown = hosts.filter((host) => !seriesOfRule(host, 'net.*.tx_mib_s').some((series) => limitOf(host, series)));
  return {
    candidates: hosts.flatMap((host) => candidatesOf(host, window)),
    notWatched: unknown.map(({ name }) => `the network utilisation of ${name}`),
  };
}

/** What a link carries in one direction, MiB/s, and what says so; undefined: not known. */
export function limitOf(
  { links = [] }: WatchedHost,
  { instance, limit }: WatchedSeries,
): { value: number; words: string } | undefined {
  const given = links.find(({ name }) => name === instance) ?? links.find(({ name }) => name === undefined);
  if (given && (!limit || given.mibS < limit.value)) return { value: given.mibS, words: given.words };
  return limit;
}

function candidatesOf(host: WatchedHost, window: Window): BoundCandidate[] {
  return DIRECTIONS.flatMap(([rule, verb]) =>
    seriesOfRule(host, rule).flatMap((series) => {
      const limit = limitOf(host, series);
      if (!limit || !isOuterLink(series.instance ?? '')) return [];
      const held = heldIn(series, window, (value) => value >= (FULL / 100) * limit.value);
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
