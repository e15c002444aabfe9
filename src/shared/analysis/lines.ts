import type { BoundCandidate, SeriesFigure } from '../model/analysis.ts';
import type { Meaning } from '../model/monitored.ts';
import { mean, type Points, percentile } from '../stats/index.ts';
import type { RunEvidence, WatchedHost, WatchedSeries, WatchedServer, Window } from './evidence.ts';

/** Known values inside a window, in order of time. */
export function valuesIn({ t, v }: Points, { from, to }: Window): Float64Array {
  const first = firstAfter(t, from);
  const found = new Float64Array(t.length - first);
  let count = 0;
  for (let index = first; index < t.length && (t[index] ?? 0) <= to; index++) {
    const value = v[index] ?? Number.NaN;
    if (Number.isFinite(value)) found[count++] = value;
  }
  return found.subarray(0, count);
}

/** Index of the first time after a moment; times are ascending. */
export function firstAfter(t: Float64Array, moment: number): number {
  let [low, high] = [0, t.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((t[middle] ?? 0) > moment) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** NaN without values. */
export const meanIn = (points: Points, window: Window): number => {
  const values = valuesIn(points, window);
  return values.length === 0 ? Number.NaN : mean(values);
};

/** Percentile (0 … 100) of the known values; NaN without values. */
export const percentileIn = (points: Points, window: Window, p: number): number =>
  percentile(valuesIn(points, window).sort(), p);

/**
 * Share of a window for which a series met a condition. `share`: of the known values; `known`: share of the window that these cover, 0 … 1.
 */
export interface Held {
  readonly share: number;
  readonly known: number;
}

/** A smaller known part of a window does not represent the rest. */
const LEAST_KNOWN = 0.5;
const LEAST_VALUES = 5;

/** A short window cannot have that many: one value per second, of which one may be just outside its edges. */
const leastValues = ({ from, to }: Window): number => Math.max(1, Math.min(LEAST_VALUES, Math.floor(to - from) - 1));

/** Undefined if too little of the window is known. */
export function heldIn(points: Points, window: Window, isThere: (value: number) => boolean): Held | undefined {
  const { t, v } = points;
  let [count, there] = [0, 0];
  for (let index = firstAfter(t, window.from); index < t.length && (t[index] ?? 0) <= window.to; index++) {
    const value = v[index] ?? Number.NaN;
    if (!Number.isFinite(value)) continue;
    count += 1;
    if (isThere(value)) there += 1;
  }
  const known = Math.min(1, (count * stepOf(t)) / Math.max(1, window.to - window.from));
  return count < leastValues(window) || known < LEAST_KNOWN ? undefined : { share: there / count, known };
}

/** A few hundred intervals show the usual one, however long a run was. */
const STEPS_SEEN = 400;

/** Cached because all series of a source have the same times, which are passed repeatedly. */
const steps = new WeakMap<Float64Array, number>();

/** Usual seconds between two values. The array of times must not change afterwards. */
export function stepOf(t: Float64Array): number {
  const known = steps.get(t) ?? usualStep(t);
  steps.set(t, known);
  return known;
}

function usualStep(t: Float64Array): number {
  const stride = Math.max(1, Math.floor(t.length / STEPS_SEEN));
  const found: number[] = [];
  for (let index = 1; index < t.length; index += stride) {
    const step = (t[index] ?? 0) - (t[index - 1] ?? 0);
    if (step > 0) found.push(step);
  }
  found.sort((one, other) => one - other);
  return found[found.length >> 1] ?? 1;
}

/** Combines the values of several series second by second, where each of them has one. Times are whole seconds. */
export function together(lines: readonly Points[], join: (values: readonly number[]) => number): Points {
  const times = lines[0]?.t;
  if (times && lines.every(({ t }) => t === times)) return alike(lines, times, join);
  const [first, ...others] = lines.map(bySecond);
  if (!first) return { t: new Float64Array(), v: new Float64Array() };
  const [t, v] = [new Float64Array(first.values.length), new Float64Array(first.values.length)];
  const values: number[] = [];
  let count = 0;
  for (let place = 0; place < first.values.length; place++) {
    const second = first.from + place;
    values[0] = first.values[place] ?? Number.NaN;
    if (Number.isNaN(values[0])) continue;
    let isKnown = true;
    for (let index = 0; index < others.length && isKnown; index++) {
      const value = at(others[index] as BySecond, second);
      isKnown = !Number.isNaN(value);
      values[index + 1] = value;
    }
    if (!isKnown) continue;
    t[count] = second;
    v[count++] = join(values);
  }
  return { t: t.slice(0, count), v: v.slice(0, count) };
}

/** The same for series that share their times: those of one source, and all of a long run. */
function alike(lines: readonly Points[], times: Float64Array, join: (values: readonly number[]) => number): Points {
  const [t, v] = [new Float64Array(times.length), new Float64Array(times.length)];
  const values: number[] = [];
  let count = 0;
  for (let index = 0; index < times.length; index++) {
    let isKnown = true;
    for (let line = 0; line < lines.length && isKnown; line++) {
      const value = lines[line]?.v[index] ?? Number.NaN;
      isKnown = Number.isFinite(value);
      values[line] = value;
    }
    if (!isKnown) continue;
    const second = Math.round(times[index] ?? 0);
    if (count > 0 && t[count - 1] === second) count -= 1;
    t[count] = second;
    v[count++] = join(values);
  }
  return { t: t.slice(0, count), v: v.slice(0, count) };
}

/** Their sum; undefined without series. */
export const sumOf = (lines: readonly Points[]): Points | undefined =>
  lines.length === 0 ? undefined : together(lines, (values) => values.reduce((sum, value) => sum + value, 0));

/** Values of consecutive seconds from the first on; NaN: unknown. */
export interface BySecond {
  readonly from: number;
  readonly values: Float64Array;
}

/** Known values by whole second; if there are several within one second, the last. */
export function bySecond({ t, v }: Points): BySecond {
  const from = Math.round(t[0] ?? 0);
  const seconds = t.length === 0 ? 0 : Math.max(0, Math.round(t.at(-1) ?? 0) - from + 1);
  const values = new Float64Array(seconds).fill(Number.NaN);
  for (let index = 0; index < t.length; index++) {
    const value = v[index] ?? Number.NaN;
    if (Number.isFinite(value)) values[Math.round(t[index] ?? 0) - from] = value;
  }
  return { from, values };
}

/** NaN: unknown. */
export const at = ({ from, values }: BySecond, second: number): number => values[second - from] ?? Number.NaN;

/** An owner of series: a host or a server. */
type Source = Pick<WatchedHost | WatchedServer, 'name' | 'series'>;

export const seriesNamed = ({ series }: Source, id: string): WatchedSeries | undefined =>
  series.find((each) => each.id === id && each.v.length > 0);

/** All series of a rule with one `*`. */
export const seriesOfRule = ({ series }: Source, rule: string): WatchedSeries[] =>
  series.filter((each) => each.rule === rule && each.v.length > 0);

export const seriesMeaning = ({ series }: Source, means: Meaning): WatchedSeries | undefined =>
  series.find((each) => each.means === means && each.v.length > 0);

/** A series with too few known values counts as missing. */
export const isKnown = (series: Points | undefined, window: Window): series is Points =>
  series !== undefined && heldIn(series, window, () => true) !== undefined;

export const figureOf = ({ name }: Source, series: WatchedSeries, window: Window): SeriesFigure => ({
  source: name,
  id: series.id,
  value: meanIn(series, window),
  unit: series.unit,
});

export const coresOf = (host: WatchedHost): number | undefined =>
  host.cores ??
  (seriesNamed(host, 'sys.running')?.limit?.value || seriesOfRule(host, 'core.*.busy').length || undefined);

export const isGenerator = ({ roles }: WatchedHost): boolean => roles.includes('generator');
export const isServer = ({ roles }: WatchedHost): boolean => roles.includes('server');

/** Nested devices count once: those composed of others (device mapper, RAID, bcache, DRBD, ZFS) and those in memory are excluded. */
const MADE_OF_OTHERS = /^(?:dm-|md\d|bcache\d|drbd\d|zd\d|loop|ram|zram|sr\d|fd\d)/;
export const isWholeDevice = (name: string): boolean => !MADE_OF_OTHERS.test(name);

/**
 * Virtual interfaces, and those on top of another one (tunnels, VLANs): their traffic is counted at its source or at the underlying link.
 */
const INNER_LINK =
  /^(?:lo$|docker|podman|br-|br\d|vmbr|virbr|lxcbr|lxdbr|ovs|cni|flannel|cali|cilium|lxc|kube|veth|vnet|vxlan|vlan|tun|tap|wg|tailscale|ifb|dummy|macv|ipvl)|\./;
/** Combines other links. Older collectors do not report which ones. */
const BOND = /^(?:bond|team)\d/;

/**
 * Whether the traffic of a link is with other hosts. With `host`, duplicate traffic counts once: for a bond its members, for other stacked
 * links what the host reports, and inner links only if there are no others.
 */
export const isOuterLink = (name: string, host?: Pick<WatchedHost, 'series'>): boolean =>
  host ? outerLinksOf(host).includes(name) : !INNER_LINK.test(name);

/** Names of these links. */
export function outerLinksOf({ series }: Pick<WatchedHost, 'series'>): string[] {
  const instances = series.flatMap(({ rule, instance, v }) =>
    instance !== undefined && v.length > 0 && rule.startsWith('net.*.') ? [instance] : [],
  );
  const all = [...new Set(instances)].filter((name) => name !== 'lo');
  const outer = all.filter((name) => !INNER_LINK.test(name));
  const elsewhere = new Set(series.flatMap((each) => (each.elsewhere ? (each.instance ?? []) : [])));
  const single = outer.filter((name) => !BOND.test(name) && !elsewhere.has(name));
  return [single, outer].find((names) => names.length > 0) ?? all;
}

/** Owner of a process on this host: by its name if names are known, otherwise by the role of the host. */
export function ownerOf(host: WatchedHost, process: string): 'tool' | 'server' | undefined {
  const { programs } = host;
  if (programs)
    return programs.tool.includes(process) ? 'tool' : programs.server.includes(process) ? 'server' : undefined;
  if (isGenerator(host) === isServer(host)) return undefined;
  return isGenerator(host) ? 'tool' : 'server';
}

/**
 * Total of the processes of tool and server on a host, for a rule with one value per process; undefined if those of one of the two are not
 * seen, or not distinguishable from others.
 */
export function ownOn(host: WatchedHost, rule: string, window: Window): number | undefined {
  const { programs } = host;
  if (!programs) return undefined;
  const known = seriesOfRule(host, rule).filter((series) => isKnown(series, window));
  const roles = [
    ...(isGenerator(host) && programs.tool.length > 0 ? [programs.tool] : []),
    ...(isServer(host) ? [programs.server] : []),
  ];
  const used = roles.map((names) => known.filter(({ instance = '' }) => names.includes(instance)));
  if (roles.length === 0 || used.some((found) => found.length === 0)) return undefined;
  return used.flat().reduce((sum, series) => sum + meanIn(series, window), 0);
}

/** Clients of all generators; undefined if one of them does not report them. */
export function clientsOf({ load }: Pick<RunEvidence, 'load'>): number | undefined {
  const counts = load.map(({ connections, threads }) => connections ?? threads);
  return counts.length === 0 || counts.some((count) => count === undefined)
    ? undefined
    : counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}

/** Result for one class of limits: resources that may be the limit, and resources that were not watched. */
export interface Assessment {
  readonly candidates: readonly BoundCandidate[];
  readonly notWatched: readonly string[];
}

/** The series that represents a run whose tool reports no throughput. */
interface MainSeries {
  /** Name of the server or host. */
  readonly source: string;
  readonly series: WatchedSeries;
  /** A rate of work, so that lost work can be counted. */
  readonly isWork: boolean;
}

/**
 * Statements per second of the server of `target` (or else of the first that reports them), else its transactions; if no server reports
 * them, the CPU utilisation: of a server host, else of the first host. Undefined if none of these was watched.
 */
export function mainSeries({ servers, hosts }: RunEvidence, target?: string): MainSeries | undefined {
  const own = servers.filter(({ name }) => name === target);
  for (const server of [...own, ...servers]) {
    const series = seriesMeaning(server, 'statements') ?? seriesMeaning(server, 'transactions');
    if (series) return { source: server.name, series, isWork: true };
  }
  const places = hosts.filter(({ roles }) => roles.includes('server'));
  for (const host of [...places, ...hosts]) {
    const series = seriesNamed(host, 'cpu.busy');
    if (series) return { source: host.name, series, isWork: false };
  }
  return undefined;
}
