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

/** Place of the first time after a moment; times ascend. */
export function firstAfter(t: Float64Array, moment: number): number {
  let [low, high] = [0, t.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((t[middle] ?? 0) > moment) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** NaN of none. */
export const meanIn = (points: Points, window: Window): number => {
  const values = valuesIn(points, window);
  return values.length === 0 ? Number.NaN : mean(values);
};

/** Percentile (0 … 100) of the known values; NaN of none. */
export const percentileIn = (points: Points, window: Window, p: number): number =>
  percentile(valuesIn(points, window).sort(), p);

/** How much of a window a series was somewhere. `share`: of the values known; `known`: how much of the window these cover, 0 … 1. */
export interface Held {
  readonly share: number;
  readonly known: number;
}

/** Less of a window than this does not speak for the rest. */
const LEAST_KNOWN = 0.5;
const LEAST_VALUES = 5;

/** A short window cannot have that many: one value a second, of which one may lie beside its edges. */
const leastValues = ({ from, to }: Window): number => Math.max(1, Math.min(LEAST_VALUES, Math.floor(to - from) - 1));

/** Undefined where too little of the window is known. */
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

/** A few hundred steps say what is usual, however long a run was. */
const STEPS_SEEN = 400;

/** All series of a source have the same times, and are asked for this again and again. */
const steps = new WeakMap<Float64Array, number>();

/** Seconds between two values, usually. Times that were given are not changed any more. */
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

/** Values of several series put together second by second, where each of them has one. Times are whole seconds. */
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

/** The same of series that share their times: those of one source, and all of a long run. */
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

/** Their sum; undefined of no series. */
export const sumOf = (lines: readonly Points[]): Points | undefined =>
  lines.length === 0 ? undefined : together(lines, (values) => values.reduce((sum, value) => sum + value, 0));

/** Values of the seconds from one on; NaN: not known. */
export interface BySecond {
  readonly from: number;
  readonly values: Float64Array;
}

/** Known values by whole second; of several within one second the last. */
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

/** NaN: not known. */
export const at = ({ from, values }: BySecond, second: number): number => values[second - from] ?? Number.NaN;

/** What has series: a host or a server. */
type Source = Pick<WatchedHost | WatchedServer, 'name' | 'series'>;

export const seriesNamed = ({ series }: Source, id: string): WatchedSeries | undefined =>
  series.find((each) => each.id === id && each.v.length > 0);

/** All of a rule with one `*`. */
export const seriesOfRule = ({ series }: Source, rule: string): WatchedSeries[] =>
  series.filter((each) => each.rule === rule && each.v.length > 0);

export const seriesMeaning = ({ series }: Source, means: Meaning): WatchedSeries | undefined =>
  series.find((each) => each.means === means && each.v.length > 0);

/** A series of whose values too few are known counts as not there. */
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

/** Devices beneath others count once: those that are put together from others (device mapper, RAID, bcache, DRBD, ZFS) and those in memory stand aside. */
const MADE_OF_OTHERS = /^(?:dm-|md\d|bcache\d|drbd\d|zd\d|loop|ram|zram|sr\d|fd\d)/;
export const isWholeDevice = (name: string): boolean => !MADE_OF_OTHERS.test(name);

/** Interfaces that no cable leaves, and those on top of another one (tunnels, VLANs): their traffic is counted where it comes from or goes through. */
const INNER_LINK =
  /^(?:lo$|docker|podman|br-|br\d|vmbr|virbr|lxcbr|lxdbr|ovs|cni|flannel|cali|cilium|lxc|kube|veth|vnet|vxlan|vlan|tun|tap|wg|tailscale|ifb|dummy|macv|ipvl)|\./;
/** Puts other links together. Which ones older collectors do not tell. */
const BOND = /^(?:bond|team)\d/;

/**
 * Whether traffic on a link is that with other hosts. Told of which `host` the link is, it counts what is seen twice once: of a bond its members,
 * of others that lie on each other what the host says, and inner links only where there is nothing else.
 */
export const isOuterLink = (name: string, host?: Pick<WatchedHost, 'series'>): boolean =>
  host ? outerLinksOf(host).includes(name) : !INNER_LINK.test(name);

/** Names of those links. */
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

/** Whose a process is on this host: by its name where names are known, else by what the host does. */
export function ownerOf(host: WatchedHost, process: string): 'tool' | 'server' | undefined {
  const { programs } = host;
  if (programs)
    return programs.tool.includes(process) ? 'tool' : programs.server.includes(process) ? 'server' : undefined;
  if (isGenerator(host) === isServer(host)) return undefined;
  return isGenerator(host) ? 'tool' : 'server';
}

/**
 * What processes of tool and server add up to on a host, of a rule with one value for each process; undefined where those of one of the two are
 * not seen, or not told apart from others.
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

/** Clients of all generators; undefined where one of them does not tell. */
export function clientsOf({ load }: Pick<RunEvidence, 'load'>): number | undefined {
  const counts = load.map(({ connections, threads }) => connections ?? threads);
  return counts.length === 0 || counts.some((count) => count === undefined)
    ? undefined
    : counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}

/** What one class of limits has to say: resources that may be the limit, and what it could not see. */
export interface Opinion {
  readonly candidates: readonly BoundCandidate[];
  readonly notWatched: readonly string[];
}
