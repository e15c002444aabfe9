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

/** All links of these hosts to other hosts, one direction; undefined if a generator is on one of them, as its traffic is internal. */
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

/** The series of the only server that has it; undefined if several have it, as nothing shows which of them does the work. */
export function meaningPart({ servers }: RunEvidence, means: Meaning, scale: number, words: string): Part | undefined {
  const found = servers.flatMap((server) => {
    const series = seriesMeaning(server, means);
    return series ? [{ source: server.name, series }] : [];
  });
  return found.length === 1 ? partOf([found], scale, words) : undefined;
}

/** Maximum statements per second for monitoring a server: MySQL's client on its host marks beginning and end of a result with two. */
const OWN_STATEMENTS = 4;
/** Share of all statements that may be from the monitor without changing the figure. */
const OWN_SHARE = 0.05;

/** Undefined if more than a few of them are from the monitor. */
export function statementsPart(evidence: RunEvidence): Part | undefined {
  const part = meaningPart(
    evidence,
    'statements',
    1,
    `statements per second, up to ${OWN_STATEMENTS} of them of the monitor`,
  );
  return part?.lines.every((line) => meanIn(line, evidence.window) >= OWN_STATEMENTS / OWN_SHARE) ? part : undefined;
}

/** All switches on hosts that do nothing else, those of the server's processes on shared hosts. */
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
    'context switches per second',
  );
