import type { SeriesDifference } from '../../model/analysis.ts';
import { holm, studentTail } from '../../stats/index.ts';
import type { RunEvidence, WatchedHost, WatchedSeries, Window } from '../evidence.ts';
import { outerLinksOf } from '../lines.ts';
import { type InRun, inRun, type Side, sideOf } from './blocks.ts';

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
  readonly series: Pick<WatchedSeries, 'id' | 'label' | 'unit' | 'instance'>;
  /** Place and rule. */
  readonly rule: string;
  readonly runs: InRun[];
}

/** One run, or the repeats of a cell. Of each series that is added only means are kept. */
export class ComparedRuns {
  /** By what they are, whatever their hosts are called: the place and the series. */
  readonly series = new Map<string, Found>();
  readonly #ofRule = new Map<string, Found[]>();

  add({ hosts, servers, window }: RunEvidence): void {
    const places = placesOf(hosts);
    for (const host of hosts) this.#add(places(host), host.name, compared(host), window);
    for (const server of servers)
      this.#add(servers.length === 1 ? 'the server' : `server ${server.name}`, server.name, server.series, window);
  }

  #add(place: string, source: string, all: readonly WatchedSeries[], window: Window): void {
    for (const series of all) {
      const key = `${place}\n${series.id}`;
      const known = this.series.get(key) ?? this.#begin(key, place, source, series);
      const found = inRun(series, window);
      if (found) known.runs.push(found);
    }
  }

  #begin(key: string, place: string, source: string, { id, rule, label, unit, instance }: WatchedSeries): Found {
    const series = { id, label, unit, ...(instance !== undefined && { instance }) };
    const found: Found = { source, series, rule: `${place}\n${rule}`, runs: [] };
    this.series.set(key, found);
    const same = this.#ofRule.get(found.rule) ?? [];
    same.push(found);
    this.#ofRule.set(found.rule, same);
    return found;
  }

  /** The only series of a rule at a place. */
  onlyOf(rule: string): Found | undefined {
    const [first, ...others] = this.#ofRule.get(rule) ?? [];
    return others.length === 0 ? first : undefined;
  }
}

/**
 * Every series that both sides have, the most different first. Effect: difference of the means ÷ what blocks of the runs (or repeats) vary, and
 * never less than 2 % of the level, so that series without noise do not come first for nothing. A side is one run, or the repeats of a cell.
 * Hosts are matched by their role where there is one of it on each side, else by name.
 */
export function seriesDifferences(left: ComparedRuns, right: ComparedRuns): SeriesDifference[] {
  const pairs = [...left.series].flatMap(([key, first]) => {
    const second = right.series.get(key) ?? sameDevice(left, right, first);
    const [a, b] = [sideOf(first.runs), second && sideOf(second.runs)];
    return second && a && b ? [{ first, second, a, b }] : [];
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

/** Devices and links are named differently on other machines: the only one of its rule meets the only one there. */
const sameDevice = (left: ComparedRuns, right: ComparedRuns, { series, rule }: Found): Found | undefined =>
  series.instance !== undefined && left.onlyOf(rule) ? right.onlyOf(rule) : undefined;

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

/** All but the bridges and links of containers: they carry what the link that leads elsewhere tells, once more. */
function compared(host: WatchedHost): WatchedSeries[] {
  const outer = new Set(outerLinksOf(host));
  return host.series.filter(({ rule, instance = '' }) => !rule.startsWith('net.*.') || outer.has(instance));
}

/** Its role, where it is the only one of it; else its name. */
function placesOf(hosts: readonly WatchedHost[]): (host: WatchedHost) => string {
  const roleOf = ({ roles }: WatchedHost): string => [...roles].sort().join(' and ');
  const counts = new Map<string, number>();
  for (const host of hosts) counts.set(roleOf(host), (counts.get(roleOf(host)) ?? 0) + 1);
  return (host) => (counts.get(roleOf(host)) === 1 ? roleOf(host) : `host ${host.name}`);
}
