import { valuesIn, type WatchedHost, type WatchedSeries, windowOf } from '../../../shared/analysis/index.ts';
import type { VolumeLimits } from '../../../shared/costs/index.ts';
import type { HostFacts } from '../../../shared/model/host.ts';
import type { MonitoredSeries, RunWindow } from '../../../shared/model/monitored.ts';
import { isVirtualDisk, isWatchable } from '../../../shared/util/virtual-disk.ts';
import type { RunRow, Source } from '../store/store.ts';
import { type EvidenceFacts, measuredAbout } from './evidence-facts.ts';
import { deviceNames, linksOf, speedsIn, volumesOf, withSpeeds } from './host-limits.ts';

/** Evidence from a host in a run. `reported`: its series. */
export function hostOf(
  source: Source,
  { series: reported, gaps, damaged = [] }: Pick<WatchedHost, 'series' | 'gaps' | 'damaged'>,
  window: RunWindow,
  run: RunRow,
  { hosts, volume, onItsOwnHost }: EvidenceFacts,
): WatchedHost {
  const series = withSpeeds(reported, speedsIn(run, source.name));
  const known = hosts.find(({ name }) => name === source.name)?.facts;
  const { roles = [], programs } = measuredAbout(source, onItsOwnHost);
  const links = linksOf(run, source.name);
  return {
    name: source.name,
    roles,
    series,
    ...(gaps && { gaps }),
    ...(damaged.length > 0 && { damaged }),
    ...(programs && { programs }),
    ...coresIn(known, series, window),
    ...memoryOf(known, series),
    ...devicesOf(known, series, roles.includes('server') ? volume : undefined),
    ...(links.length > 0 && { links }),
    ...(known?.syncs && { syncs: known.syncs.map(({ path, high }) => ({ path, most: high })) }),
    ...(known && !isWatchable(known.os) && { system: known.os }),
    ...(source.problem !== undefined && { problem: source.problem }),
  };
}

/**
 * For each core only how busy it is: its CPU modes would be hundreds of series on a large host, one of which always stands out by chance. The busiest
 * core repeats these series.
 */
export const isJudged = (series: Pick<MonitoredSeries, 'rule'>): boolean =>
  !(isPartOfCore(series) || series.rule === 'cpu.busiest_core');

/** CPU modes of a core. */
export const isPartOfCore = ({ rule }: Pick<MonitoredSeries, 'rule'>): boolean =>
  rule.startsWith('core.*.') && rule !== 'core.*.busy';

/** The facts are from the start of the session, and cores may be turned off for a run. The collector reports each running core. */
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

/** Memory of a host; without facts, the limit of its memory usage. */
function memoryOf(known: HostFacts | undefined, series: readonly WatchedSeries[]): Pick<WatchedHost, 'memoryMib'> {
  const memoryMib =
    known?.memoryBytes === undefined
      ? series.find(({ id }) => id === 'mem.used_mib')?.limit?.value
      : known.memoryBytes / 2 ** 20;
  return memoryMib === undefined ? {} : { memoryMib };
}

function devicesOf(
  known: HostFacts | undefined,
  series: readonly WatchedSeries[],
  volume: VolumeLimits | undefined,
): Pick<WatchedHost, 'devices'> {
  const disks = known?.disks ?? [];
  const volumes = volumesOf(known, series, volume);
  const devices = deviceNames(known, series).flatMap((name) => {
    const reported = disks.find((disk) => disk.name === name)?.rotational;
    // Kernels report a virtual disk as rotating if its hypervisor does not specify that.
    const rotational = reported && isVirtualDisk(name, known?.virtualization) ? undefined : reported;
    const own = volumes.get(name);
    return rotational === undefined && !own ? [] : [{ name, ...(rotational !== undefined && { rotational }), ...own }];
  });
  return devices.length > 0 ? { devices } : {};
}
