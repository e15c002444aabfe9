import type { Meaning } from '../../model/monitored.ts';
import { devicesOf } from '../bounds/disk.ts';
import type { RunEvidence, WatchedHost, WatchedSeries } from '../evidence.ts';
import {
  isGenerator,
  isOuterLink,
  isServer,
  meanIn,
  ownerOf,
  seriesMeaning,
  seriesNamed,
  seriesOfRule,
} from '../lines.ts';
import type { Part } from './ratios.ts';

type Found = readonly { readonly source: string; readonly series: WatchedSeries }[];

function partOf(found: readonly (Found | undefined)[], scale: number, words: string): Part | undefined {
  if (found.length === 0 || found.some((each) => !each || each.length === 0)) return undefined;
  const all = found.flatMap((each) => each ?? []);
  return {
    lines: all.map(({ series }) => series),
    scale,
    words,
    from: all.map(({ source, series }) => ({ source, id: series.id })),
  };
}

/** All devices of all these hosts. */
export const devicePart = (
  hosts: readonly WatchedHost[],
  rules: readonly string[],
  scale: number,
  words: string,
): Part | undefined =>
  partOf(
    hosts.map((host) =>
      devicesOf(host).flatMap((device) =>
        rules.flatMap((rule) => {
          const series = seriesNamed(host, `disk.${device}.${rule}`);
          return series ? [{ source: host.name, series }] : [];
        }),
      ),
    ),
    scale,
    words,
  );

/** All links of all these hosts that lead elsewhere, one direction; undefined where a generator is on one of them, whose traffic stays inside. */
export const linkPart = (hosts: readonly WatchedHost[], way: 'tx' | 'rx'): Part | undefined =>
  partOf(
    hosts.map((host) =>
      isGenerator(host) && isServer(host)
        ? undefined
        : seriesOfRule(host, `net.*.${way}_mib_s`)
            .filter(({ instance = '' }) => isOuterLink(instance, host))
            .map((series) => ({ source: host.name, series })),
    ),
    2 ** 20,
    `MiB/s ${way === 'tx' ? 'sent' : 'received'} × 1,048,576`,
  );

/** A series of the one server that has it; undefined where several have, as nothing says which of them does the work. */
export function meaningPart({ servers }: RunEvidence, means: Meaning, scale: number, words: string): Part | undefined {
  const found = servers.flatMap((server) => {
    const series = seriesMeaning(server, means);
    return series ? [{ source: server.name, series }] : [];
  });
  return found.length === 1 ? partOf([found], scale, words) : undefined;
}

/** Statements a second by which a server is watched at most: MySQL's client on its host marks beginning and end of an answer of two. */
const OWN_STATEMENTS = 4;
/** Of all statements, those that may be of the monitor without changing the figure. */
const OWN_SHARE = 0.05;

/** Undefined where the monitor's own are more than a few of them. */
export function statementsPart(evidence: RunEvidence): Part | undefined {
  const part = meaningPart(
    evidence,
    'statements',
    1,
    `statements a second, up to ${OWN_STATEMENTS} of them of the monitor`,
  );
  return part?.lines.every((line) => meanIn(line, evidence.window) >= OWN_STATEMENTS / OWN_SHARE) ? part : undefined;
}

/** Of hosts that do nothing else all switches, of shared ones those of the server's processes. */
export const switchParts = (hosts: readonly WatchedHost[]): Part | undefined =>
  partOf(
    hosts.map((host) => {
      if (isGenerator(host) && isServer(host))
        return seriesOfRule(host, 'proc.*.context_switches')
          .filter(({ instance = '' }) => ownerOf(host, instance) === 'server')
          .map((series) => ({ source: host.name, series }));
      const series = seriesNamed(host, 'sys.context_switches');
      return series ? [{ source: host.name, series }] : undefined;
    }),
    1,
    'context switches a second',
  );
