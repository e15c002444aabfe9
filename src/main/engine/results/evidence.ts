import {
  windowOf as measuredWindow,
  onRunClock,
  type RunEvidence,
  type WatchedHost,
  type WatchedSeries,
  type WatchedServer,
} from '../../../shared/analysis/index.ts';
import type { VolumeLimits } from '../../../shared/costs/index.ts';
import { eventRate } from '../../../shared/metrics/index.ts';
import type { HostFacts } from '../../../shared/model/host.ts';
import type { MonitoredSeries, MonitorGap, RunWindow } from '../../../shared/model/monitored.ts';
import {
  countersOf,
  derive,
  deriveAcross,
  gapsOf,
  momentOf,
  onItsClock,
  onOurClock,
  secondOf,
} from '../../../shared/monitoring/index.ts';
import type { Points } from '../../../shared/stats/index.ts';
import type { RunRow, Source, SourceAbout, Store } from '../store/store.ts';
import { generatorParts, wholeSeries } from './combine.ts';
import { type RulesOf, readSeries } from './monitored.ts';
import { windowOf } from './windows.ts';

/** What is known of a run's session beside its samples, as far as it is known. */
export interface EvidenceFacts {
  hosts: readonly { name: string; facts?: HostFacts | undefined }[];
  /** The target of the run. */
  target?: string;
  /** There is no target: the tool measures the hosts that it runs on. */
  onItsOwnHost?: true;
  /** What the tool does at the same time, on each generator. */
  load: readonly { host: string; threads?: number; connections?: number }[];
  /** Operations a second that the workload holds; absent: as fast as it goes. */
  wanted?: number;
  /** How the tool hands I/Os to the disks that it measures by itself. */
  io?: { queueDepth: number; asynchronous?: true };
  /** What the volumes of the server's hosts are paid for, each of them. */
  volume?: VolumeLimits;
  /** Targets of the run: what the workload uses of them, and what their own cache holds. */
  targets?: readonly { name: string; dataMib?: number; cacheMib?: number }[];
}

/** Usual levels, and what went before a stall at the very start, are looked for in so much before second 0. */
const BEFORE_MS = 30_000;

/** All that is known of one run, on its own seconds; undefined where it never ran. */
export function evidenceOf(
  store: Store,
  run: RunRow,
  facts: EvidenceFacts,
  rulesOf: RulesOf,
  warmup = run.warmup,
): RunEvidence | undefined {
  const window = windowOf(store, run);
  if (!window) return undefined;
  const cut = { ...window, from: momentOf(window, warmup) };
  const sources = store.sources.ofSession(run.sessionId);
  const of = (kind: Source['kind']): Source[] => sources.filter((source) => source.kind === kind);
  const metrics = store.samples.metrics(run.id);
  const rateMetric = eventRate(metrics);
  const rate = rateMetric === undefined ? undefined : wholeSeries(store, run, rateMetric).whole;
  const parts = rateMetric === undefined ? undefined : generatorParts(store, run, rateMetric);
  const latencyMetric = metrics.find((id) => id === 'latency_avg_ms');
  const latency = latencyMetric === undefined ? undefined : wholeSeries(store, run, latencyMetric).whole;
  return {
    window: measuredWindow(cut),
    zero: window.zero,
    ...(window.errorMs !== undefined && { clockErrorMs: window.errorMs }),
    ...(rate && rateMetric !== undefined && { rate: { ...rate, metric: rateMetric } }),
    ...(latency && { latency }),
    ...(facts.wanted !== undefined && { wanted: facts.wanted }),
    ...facts.io,
    load: facts.load.map((part, generator) => {
      const own = parts?.get(generator);
      return { ...part, ...(own && { rate: own }) };
    }),
    hosts: of('host').map((source) => hostOf(store, source, cut, run, facts, rulesOf)),
    servers: of('server').map((source) => serverOf(store, source, cut, facts, rulesOf)),
  };
}

function hostOf(
  store: Store,
  source: Source,
  window: RunWindow,
  run: RunRow,
  { hosts, volume, onItsOwnHost }: EvidenceFacts,
  rulesOf: RulesOf,
): WatchedHost {
  const { series, gaps } = seriesIn(store, source, window, rulesOf);
  const known = hosts.find(({ name }) => name === source.name)?.facts;
  const { roles = [], programs } = measuredAbout(source, onItsOwnHost);
  const links = linksOf(run, source.name);
  return {
    name: source.name,
    roles,
    series,
    gaps,
    ...(programs && { programs }),
    ...(known && { cores: known.cpuCount }),
    ...memoryOf(known, series),
    ...devicesOf(known, roles.includes('server') ? volume : undefined),
    ...(links.length > 0 && { links }),
    ...(source.problem !== undefined && { problem: source.problem }),
  };
}

/** A host that was not asked what it is tells its memory with what it uses of it. */
function memoryOf(known: HostFacts | undefined, series: readonly WatchedSeries[]): Pick<WatchedHost, 'memoryMib'> {
  const memoryMib =
    known?.memoryBytes === undefined
      ? series.find(({ id }) => id === 'mem.used_mib')?.limit?.value
      : known.memoryBytes / 2 ** 20;
  return memoryMib === undefined ? {} : { memoryMib };
}

/** Which of a host's disks is the volume that is paid for nobody says: it is the one that comes to its limits. */
function devicesOf(known: HostFacts | undefined, volume: VolumeLimits | undefined): Pick<WatchedHost, 'devices'> {
  const disks = (known?.disks ?? []).map(({ name, rotational }) => ({
    name,
    ...(rotational !== undefined && { rotational }),
    ...volume,
  }));
  const devices = volume ? [...disks, volume] : disks;
  return devices.length > 0 ? { devices } : {};
}

/** What a host does in the run: where the tool measures the host that it runs on, its work is that of the system under test. */
function measuredAbout({ about }: Source, onItsOwnHost = false): Pick<SourceAbout, 'roles' | 'programs'> {
  if (!about || !onItsOwnHost) return about ?? {};
  const { roles = [], programs } = about;
  return {
    roles: roles.map((role) => (role === 'generator' ? 'server' : role)),
    ...(programs && { programs: { tool: [], server: [...programs.tool, ...programs.server] } }),
  };
}

function serverOf(
  store: Store,
  source: Source,
  window: RunWindow,
  { targets = [] }: EvidenceFacts,
  rulesOf: RulesOf,
): WatchedServer {
  const { series, gaps } = seriesIn(store, source, window, rulesOf);
  const host = source.about?.place;
  return {
    ...targets.find(({ name }) => name === source.name),
    name: source.name,
    series,
    gaps,
    ...(host !== undefined && { host }),
    ...(source.problem !== undefined && { problem: source.problem }),
  };
}

/** Series of a source around a run (absent: all), on the run's seconds; and where there are no samples although it was going on. */
export function seriesIn(
  store: Store,
  source: Source,
  window: RunWindow,
  rulesOf: RulesOf,
  isWanted: (series: MonitoredSeries) => boolean = () => true,
): { series: WatchedSeries[]; gaps: MonitorGap[] } {
  const { zero, to } = window;
  const read = readSeries(store, source, rulesOf).filter(({ series }) => isWanted(series));
  const clocks = store.sources.clocks(source.id);
  const range = { from: onItsClock(clocks, zero - BEFORE_MS), to: onItsClock(clocks, to) };
  const counters = [...new Set(read.flatMap(({ reading }) => countersOf(reading)))];
  const { t, columns } = store.monitored.columns(source.id, counters, range);
  const times = onOurClock(clocks, t);
  const gaps = gapsOf(t).map(({ from, to: end }) => ({
    from: onOurClock(clocks, Float64Array.of(from))[0] ?? 0,
    to: onOurClock(clocks, Float64Array.of(end))[0] ?? 0,
  }));
  return {
    series: read.map(({ series, reading }) => onRunClock(series, { t: times, v: derive(reading, t, columns) }, window)),
    gaps: gaps.filter((gap) => gap.to > zero && gap.from < to),
  };
}

/** What was behind the end of a run tells of a stretch without samples that lasts up to it: whether the counters went on, or began again. */
const AFTER_MS = 60_000;

/** One series on the seconds of a run and a minute behind it, each value the mean since the one before it; undefined where the source has none. */
export function knownAcross(
  store: Store,
  source: Source,
  window: RunWindow,
  id: string,
  rulesOf: RulesOf,
): Points | undefined {
  const found = readSeries(store, source, rulesOf).find(({ series }) => series.id === id);
  if (!found) return undefined;
  const clocks = store.sources.clocks(source.id);
  const range = { from: onItsClock(clocks, window.zero - BEFORE_MS), to: onItsClock(clocks, window.to + AFTER_MS) };
  const { t, columns } = store.monitored.columns(source.id, countersOf(found.reading), range);
  const times = onOurClock(clocks, t).map((at) => secondOf(window, at));
  return { t: times, v: deriveAcross(found.reading, t, columns) };
}

const RATE = /^(\d+(?:\.\d+)?) ?([kmgt]?)bit$/i;
const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12 };

/** Rates of network interfaces that a level of the run has set, as they were read back. */
function linksOf(run: RunRow, host: string): NonNullable<WatchedHost['links']> {
  return (run.facts ?? []).flatMap(({ place, what, found }) => {
    const [, name] = /^nic-rate (.+)$/.exec(what) ?? [];
    const [, count, unit = ''] = RATE.exec(found ?? '') ?? [];
    if (place.kind !== 'host' || place.name !== host || name === undefined || count === undefined) return [];
    const mibS = (Number(count) * (UNITS[unit.toLowerCase()] ?? 1)) / 8 / 2 ** 20;
    return [{ name, mibS, words: `the rate set on it, ${found}` }];
  });
}
