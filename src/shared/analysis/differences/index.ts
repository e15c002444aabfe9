import type { SeriesDifference } from '../../model/analysis.ts';
import { holm, studentTail } from '../../stats/index.ts';
import type { RunEvidence, WatchedHost, WatchedSeries } from '../evidence.ts';
import { isOuterLink } from '../lines.ts';
import { type Side, sideOf } from './blocks.ts';

/** Differences below this share of a level are none that matters, however little noise there is. */
const LEAST_CHANGE = 0.02;
/** How sure: for all series together. Less is asked for than the 5 % that are meant, as blocks show too little of what a run remembers. */
const LEVEL = 0.02;

/** Levels below these, by unit, are as good as nothing: from 0.01 % to 0.03 % is not three times as much. */
const NOTHING: Readonly<Record<string, number>> = { '%': 2, 'MiB/s': 0.2, IOPS: 5, ms: 0.05, MiB: 16 };
const NOTHING_ELSE = 0.5;

/** A series of one side, in each of its runs. */
interface Found {
  readonly source: string;
  readonly series: WatchedSeries;
  readonly runs: { points: WatchedSeries; window: RunEvidence['window'] }[];
}

/**
 * Every series that both sides have, the most different first. Effect: difference of the means ÷ what blocks of the runs (or repeats) vary, and
 * never less than 2 % of the level, so that series without noise do not come first for nothing. A side is one run, or the repeats of a cell.
 * Hosts are matched by their role where there is one of it on each side, else by name.
 */
export function seriesDifferences(one: readonly RunEvidence[], other: readonly RunEvidence[]): SeriesDifference[] {
  const [left, right] = [collected(one), collected(other)];
  const pairs = [...left].flatMap(([key, first]) => {
    const second = right.get(key) ?? onlyOfRule(left, right, key, first);
    const sides = second && ([sideOf(first.runs), sideOf(second.runs)] as const);
    return second && sides?.[0] && sides[1] ? [{ first, second, a: sides[0], b: sides[1] }] : [];
  });
  const tests = pairs.map(({ a, b }) => chanceOf(a, b));
  const sure = holm(tests);
  return pairs
    .map(({ first, second, a, b }, index) => ({
      ...differenceOf(first, second, a, b),
      sure: (sure[index] ?? 1) < LEVEL && Math.abs(b.mean - a.mean) >= LEAST_CHANGE * levelOf(first.series.unit, a, b),
    }))
    .sort((x, y) => Number(y.sure) - Number(x.sure) || Math.abs(y.effect) - Math.abs(x.effect));
}

const levelOf = (unit: string, a: Side, b: Side): number =>
  Math.max((Math.abs(a.mean) + Math.abs(b.mean)) / 2, NOTHING[unit] ?? NOTHING_ELSE);

function differenceOf(first: Found, second: Found, a: Side, b: Side): Omit<SeriesDifference, 'sure'> {
  const { label, unit, instance } = first.series;
  const spread = Math.sqrt((a.variance + b.variance) / 2 + (LEAST_CHANGE * levelOf(unit, a, b)) ** 2);
  return {
    one: { source: first.source, id: first.series.id },
    other: { source: second.source, id: second.series.id },
    label,
    unit,
    ...(instance !== undefined && { instance }),
    from: a.mean,
    to: b.mean,
    ...(a.mean !== 0 && { change: (b.mean - a.mean) / Math.abs(a.mean) }),
    effect: (b.mean - a.mean) / spread,
  };
}

/** Chance of a difference like this between equal sides: Welch's t on the blocks. Sides that do not vary at all differ surely or not at all. */
function chanceOf(a: Side, b: Side): number {
  const [x, y] = [a.variance / a.values.length, b.variance / b.values.length];
  if (!(x + y > 0)) return a.mean === b.mean ? 1 : 0;
  const freedom = (x + y) ** 2 / (x ** 2 / (a.values.length - 1) + y ** 2 / (b.values.length - 1));
  return 2 * studentTail(Math.abs(b.mean - a.mean) / Math.sqrt(x + y), Math.max(1, freedom));
}

/** Series of one side by what they are, whatever the hosts are called. */
function collected(runs: readonly RunEvidence[]): Map<string, Found> {
  const found = new Map<string, Found>();
  for (const { hosts, servers, window } of runs)
    for (const [place, { name, series: all }] of [
      ...hosts.map((host) => [placeOf(host, hosts), { name: host.name, series: compared(host) }] as const),
      ...servers.map((server) => [servers.length === 1 ? 'the server' : `server ${server.name}`, server] as const),
    ])
      for (const series of all) {
        const key = `${place}\n${series.id}`;
        const known = found.get(key) ?? { source: name, series, runs: [] };
        found.set(key, known);
        known.runs.push({ points: series, window });
      }
  return found;
}

/** All but the bridges and links of containers: they carry what the link that leads elsewhere tells, once more. */
const compared = (host: WatchedHost): WatchedSeries[] =>
  host.series.filter(({ rule, instance = '' }) => !rule.startsWith('net.*.') || isOuterLink(instance, host));

/** Its role, where it is the only one of it; else its name. */
function placeOf(host: WatchedHost, hosts: readonly WatchedHost[]): string {
  const role = [...host.roles].sort().join(' and ');
  return hosts.filter((each) => [...each.roles].sort().join(' and ') === role).length === 1
    ? role
    : `host ${host.name}`;
}

/** Devices and links are named differently on other machines: the only one of its rule meets the only one there. */
function onlyOfRule(
  left: ReadonlyMap<string, Found>,
  right: ReadonlyMap<string, Found>,
  key: string,
  { series }: Found,
): Found | undefined {
  const [place] = key.split('\n');
  const like = (side: ReadonlyMap<string, Found>): Found[] =>
    [...side].flatMap(([each, found]) =>
      each.startsWith(`${place}\n`) && found.series.rule === series.rule ? [found] : [],
    );
  const there = like(right);
  return series.instance !== undefined && like(left).length === 1 && there.length === 1 ? there[0] : undefined;
}
