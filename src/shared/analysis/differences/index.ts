import type { SeriesDifference } from '../../model/analysis.ts';
import { holm, mean, type Points, studentTail } from '../../stats/index.ts';
import type { RunEvidence, WatchedHost, WatchedSeries, Window } from '../evidence.ts';
import { outerLinksOf, valuesIn } from '../lines.ts';

/** A difference below this share of a level does not matter, however little noise there is. */
const LEAST_CHANGE = 0.02;
/** Significance level for all series together. Lower than the intended 5 %, as blocks show too little of a run's memory. */
const LEVEL = 0.02;

/** Levels below these, by unit, count as zero: 0.01 % to 0.03 % is not a threefold increase. */
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

/** One run, or the repeats of a cell. Only the means of each added series are kept. */
export class ComparedRuns {
  /** By place and series, independent of the names of hosts. */
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
 * Every series that both sides have, the largest difference first. Effect: difference of the means ÷ the variation of blocks of the runs
 * (or of repeats), which is at least 2 % of the level, so that series without noise are not ranked first for tiny differences. A side is
 * one run, or the repeats of a cell. Hosts are matched by their role if it is unique on each side, otherwise by name.
 */
export function seriesDifferences(left: ComparedRuns, right: ComparedRuns): SeriesDifference[] {
  const pairs = [...left.series].flatMap(([key, first]) => {
    const second = right.series.get(key) ?? sameDevice(left, right, first);
    const [a, b] = [sideOf(first.runs), second && sideOf(second.runs)];
    return second && a && b ? [{ first, second, a, b }] : [];
  });
  const tests = pairs.map(({ a, b }) => chanceOf(a, b));
  const significant = holm(tests);
  return pairs
    .map(({ first, second, a, b }, index) => ({
      ...differenceOf(first, second, a, b),
      sure:
        (significant[index] ?? 1) < LEVEL &&
        Math.abs(b.mean - a.mean) >= LEAST_CHANGE * levelOf(first.series.unit, a, b),
    }))
    .sort((x, y) => Number(y.sure) - Number(x.sure) || Math.abs(y.effect) - Math.abs(x.effect));
}

/** Devices and links have different names on other machines: if each side has only one of its rule, they are matched. */
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

/**
 * Probability of a difference like this between equal sides: Welch's t on the blocks. Sides without any variation certainly differ or
 * certainly do not.
 */
function chanceOf(a: Side, b: Side): number {
  const [x, y] = [a.variance / a.values.length, b.variance / b.values.length];
  if (!(x + y > 0)) return a.mean === b.mean ? 1 : 0;
  const freedom = (x + y) ** 2 / (x ** 2 / (a.values.length - 1) + y ** 2 / (b.values.length - 1));
  return 2 * studentTail(Math.abs(b.mean - a.mean) / Math.sqrt(x + y), Math.max(1, freedom));
}

/** All except the bridges and links of containers: they repeat the traffic of the outer link. */
function compared(host: WatchedHost): WatchedSeries[] {
  const outer = new Set(outerLinksOf(host));
  return host.series.filter(({ rule, instance = '' }) => !rule.startsWith('net.*.') || outer.has(instance));
}

/** Its role if that is unique; otherwise its name. */
function placesOf(hosts: readonly WatchedHost[]): (host: WatchedHost) => string {
  const roleOf = ({ roles }: WatchedHost): string => [...roles].sort().join(' and ');
  const counts = new Map<string, number>();
  for (const host of hosts) counts.set(roleOf(host), (counts.get(roleOf(host)) ?? 0) + 1);
  return (host) => (counts.get(roleOf(host)) === 1 ? roleOf(host) : `host ${host.name}`);
}

/** Number of blocks of a run: their length keeps the correlation of neighbouring seconds within a block. */
const BLOCKS = 8;
const LEAST_BLOCKS = 4;
const LEAST_VALUES = 2;

/** Nearly independent means of segments of one run, or of whole runs. */
interface Side {
  readonly values: readonly number[];
  readonly mean: number;
  readonly variance: number;
}

/** Stored data of a series in a run: its mean and those of its blocks. */
interface InRun {
  readonly mean: number;
  readonly blocks: readonly number[];
}

/** Undefined if too little is known. */
export function inRun(points: Points, window: Window): InRun | undefined {
  const values = valuesIn(points, window);
  return values.length < LEAST_BLOCKS * LEAST_VALUES ? undefined : { mean: mean(values), blocks: blocksOf(values) };
}

/**
 * One side of a series over one or several runs. For one run its blocks are used, for several the runs themselves, since repeats differ by
 * more than their seconds show. Undefined if too little is known.
 */
export function sideOf(known: readonly InRun[]): Side | undefined {
  const means = known.map((each) => each.mean);
  const [first] = known;
  if (!first) return undefined;
  const values = means.length > 1 ? means : first.blocks;
  if (values.length < 2) return undefined;
  const centre = mean(means);
  const away = values.map((value) => value - mean(values));
  const variance = away.reduce((sum, value) => sum + value ** 2, 0) / (values.length - 1);
  return { values, mean: centre, variance: variance * (means.length > 1 ? 1 : memoryOf(away)) };
}

/** How much more a mean of blocks varies than independent ones would: few blocks show too little of their memory, so some is assumed. */
function memoryOf(away: readonly number[]): number {
  const squares = away.reduce((sum, value) => sum + value ** 2, 0);
  const lagged = away.slice(1).reduce((sum, value, index) => sum + value * (away[index] ?? 0), 0);
  const raw = squares > 0 ? lagged / squares : 0;
  const correlation = Math.min(0.6, Math.max(0, raw + 1.5 / away.length));
  return (1 + correlation) / (1 - correlation);
}

function blocksOf(values: Float64Array): number[] {
  // All values count, including a burst at the end.
  const count = Math.max(1, Math.min(BLOCKS, Math.floor(values.length / LEAST_VALUES)));
  const edge = (block: number): number => Math.round((block * values.length) / count);
  return Array.from({ length: count }, (_, block) => mean(values.subarray(edge(block), edge(block + 1))));
}
