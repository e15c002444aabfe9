import {
  isWholeDevice,
  valuesIn,
  type WatchedHost,
  type WatchedSeries,
  windowOf,
} from '../../../shared/analysis/index.ts';
import type { VolumeLimits } from '../../../shared/costs/index.ts';
import type { HostFacts } from '../../../shared/model/host.ts';
import type { HostRole, MonitoredSeries, RunWindow } from '../../../shared/model/monitored.ts';
import { isVirtualDisk } from '../../../shared/util/virtual-disk.ts';
import { isWatchable } from '../../../shared/util/watchable.ts';
import type { RunRow, Source, SourceAbout, Store } from '../store/store.ts';
import type { EvidenceFacts } from './evidence.ts';
import type { RulesOf } from './monitored.ts';
import { seriesIn } from './series-in.ts';

/** What is known of a host in a run. */
export function hostOf(
  store: Store,
  source: Source,
  window: RunWindow,
  run: RunRow,
  { hosts, volume, onItsOwnHost }: EvidenceFacts,
  rulesOf: RulesOf,
): WatchedHost {
  const { series: told, gaps } = seriesIn(store, source, window, rulesOf, isJudged);
  const series = withSpeeds(told, speedsIn(run, source.name));
  const known = hosts.find(({ name }) => name === source.name)?.facts;
  const { roles = [], programs } = measuredAbout(source, onItsOwnHost);
  const links = linksOf(run, source.name);
  return {
    name: source.name,
    roles,
    series,
    gaps,
    ...(programs && { programs }),
    ...coresIn(known, series, window),
    ...memoryOf(known, series),
    ...devicesOf(known, series, roles.includes('server') ? volume : undefined),
    ...(links.length > 0 && { links }),
    ...(known && !isWatchable(known.os) && { system: known.os }),
    ...(source.problem !== undefined && { problem: source.problem }),
  };
}

/** Of each core only how busy it is: what it is busy with would be hundreds of series on a large host, of which one always stands out by chance. */
const isJudged = ({ rule }: Pick<MonitoredSeries, 'rule'>): boolean =>
  !rule.startsWith('core.*.') || rule === 'core.*.busy';

/** The facts are those at the start of the session: cores may be switched off for a run. Of those that run the collector tells each one. */
function coresIn(
  known: HostFacts | undefined,
  series: readonly WatchedSeries[],
  window: RunWindow,
): Pick<WatchedHost, 'cores'> {
  const measured = windowOf(window);
  const seen = series.filter((each) => each.rule === 'core.*.busy' && valuesIn(each, measured).length > 0).length;
  const cores = seen || known?.cpuCount;
  return cores === undefined ? {} : { cores };
}

/** A host that was not asked what it is tells its memory with what it uses of it. */
function memoryOf(known: HostFacts | undefined, series: readonly WatchedSeries[]): Pick<WatchedHost, 'memoryMib'> {
  const memoryMib =
    known?.memoryBytes === undefined
      ? series.find(({ id }) => id === 'mem.used_mib')?.limit?.value
      : known.memoryBytes / 2 ** 20;
  return memoryMib === undefined ? {} : { memoryMib };
}

/** Which of several disks is the volume that is paid for nobody says: it is known only of a host that has one. */
function devicesOf(
  known: HostFacts | undefined,
  series: readonly WatchedSeries[],
  volume: VolumeLimits | undefined,
): Pick<WatchedHost, 'devices'> {
  const disks = known?.disks ?? [];
  const watched = series.flatMap(({ rule, instance }) =>
    instance !== undefined && rule.startsWith('disk.*.') ? [instance] : [],
  );
  const names = [...new Set([...disks.map(({ name }) => name), ...watched])];
  const whole = names.filter(isWholeDevice);
  const limits = whole.length === 1 ? volume : undefined;
  const devices = names.flatMap((name) => {
    const told = disks.find((disk) => disk.name === name)?.rotational;
    // Kernels call a virtual disk a rotating one where its machine does not tell.
    const rotational = told && isVirtualDisk(name, known?.virtualization) ? undefined : told;
    const own = name === whole[0] ? limits : undefined;
    return rotational === undefined && !own ? [] : [{ name, ...(rotational !== undefined && { rotational }), ...own }];
  });
  return devices.length > 0 ? { devices } : {};
}

/**
 * A host as it is in the cell of a run: where generators or targets are a factor, those of other cells are idle. Of whom no place is known, or of a
 * tool whose generators are not, the session speaks.
 */
export function inThisCell(source: Source, { load, target }: EvidenceFacts, servers: readonly Source[]): Source {
  const { roles, ...about } = source.about ?? {};
  if (!roles) return source;
  const placesOf = (isOwn: boolean): string[] =>
    servers.flatMap((server) => ((server.name === target) === isOwn ? (server.about?.place ?? []) : []));
  const [own, others] = [placesOf(true), placesOf(false)];
  const isIdle: Partial<Record<HostRole, boolean>> = {
    generator: load.length > 0 && !load.some(({ host }) => host === source.name),
    server: own.length > 0 && others.includes(source.name) && !own.includes(source.name),
  };
  return { ...source, about: { ...about, roles: roles.filter((role) => !isIdle[role]) } };
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

const RATE = /^(\d+(?:\.\d+)?) ?([kmgt]?)bit$/i;
const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12 };

/** Bits a second in MiB/s. */
const BIT = 1 / 8 / 2 ** 20;

/** What was read back of this setting of the host's network interfaces, by the name of each. */
function readBack(run: RunRow, host: string, setting: string): { name: string; found: string }[] {
  return (run.facts ?? []).flatMap(({ place, what, found }) => {
    const isIt = place.kind === 'host' && place.name === host && what.startsWith(`${setting} `);
    return isIt && found !== null ? [{ name: what.slice(setting.length + 1), found }] : [];
  });
}

/** Rates of network interfaces that a level of the run has set, as they were read back. */
function linksOf(run: RunRow, host: string): NonNullable<WatchedHost['links']> {
  return readBack(run, host, 'nic-rate').flatMap(({ name, found }) => {
    const [, count, unit = ''] = RATE.exec(found) ?? [];
    if (count === undefined) return [];
    const mibS = Number(count) * (UNITS[unit.toLowerCase()] ?? 1) * BIT;
    return [{ name, mibS, words: `the rate set on it, ${found}` }];
  });
}

/** Speeds that a level of the run has set, MiB/s, by the name of the link. */
function speedsIn(run: RunRow, host: string): ReadonlyMap<string, number> {
  const speeds = readBack(run, host, 'nic-speed').map(
    ({ name, found }) => [name, Number.parseInt(found, 10) * 1e6 * BIT] as const,
  );
  return new Map(speeds.filter(([, speed]) => speed > 0));
}

/** The collector tells a speed once a minute: in a short run it may still tell the one that was set before. */
const withSpeeds = (series: readonly WatchedSeries[], speeds: ReadonlyMap<string, number>): readonly WatchedSeries[] =>
  series.map((each) => {
    const speed = OF_LINKS.has(each.rule) ? speeds.get(each.instance ?? '') : undefined;
    return speed === undefined ? each : { ...each, limit: { value: speed, words: 'link speed' } };
  });

const OF_LINKS: ReadonlySet<string> = new Set(['net.*.rx_mib_s', 'net.*.tx_mib_s']);
