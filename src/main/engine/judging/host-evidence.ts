import { valuesIn, type WatchedHost, type WatchedSeries, windowOf } from '../../../shared/analysis/index.ts';
import type { VolumeLimits } from '../../../shared/costs/index.ts';
import type { HostFacts } from '../../../shared/model/host.ts';
import type { MonitoredSeries, RunWindow } from '../../../shared/model/monitored.ts';
import { isVirtualDisk, isWatchable } from '../../../shared/util/virtual-disk.ts';
import type { RunRow, Source } from '../store/store.ts';
import { type EvidenceFacts, measuredAbout } from './evidence-facts.ts';
import { deviceNames, linksOf, speedsIn, volumesOf, withSpeeds } from './host-limits.ts';

/** What is known of a host in a run. `told`: its series. */
export function hostOf(
  source: Source,
  { series: told, gaps, damaged = [] }: Pick<WatchedHost, 'series' | 'gaps' | 'damaged'>,
  window: RunWindow,
  run: RunRow,
  { hosts, volume, onItsOwnHost }: EvidenceFacts,
): WatchedHost {
  const series = withSpeeds(told, speedsIn(run, source.name));
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
 * Of each core only how busy it is: what it is busy with would be hundreds of series on a large host, of which one always stands out by chance. The
 * busiest of them repeats what these tell.
 */
export const isJudged = (series: Pick<MonitoredSeries, 'rule'>): boolean =>
  !(isPartOfCore(series) || series.rule === 'cpu.busiest_core');

/** What a core is busy with. */
export const isPartOfCore = ({ rule }: Pick<MonitoredSeries, 'rule'>): boolean =>
  rule.startsWith('core.*.') && rule !== 'core.*.busy';

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

function devicesOf(
  known: HostFacts | undefined,
  series: readonly WatchedSeries[],
  volume: VolumeLimits | undefined,
): Pick<WatchedHost, 'devices'> {
  const disks = known?.disks ?? [];
  const volumes = volumesOf(known, series, volume);
  const devices = deviceNames(known, series).flatMap((name) => {
    const told = disks.find((disk) => disk.name === name)?.rotational;
    // Kernels call a virtual disk a rotating one where its machine does not tell.
    const rotational = told && isVirtualDisk(name, known?.virtualization) ? undefined : told;
    const own = volumes.get(name);
    return rotational === undefined && !own ? [] : [{ name, ...(rotational !== undefined && { rotational }), ...own }];
  });
  return devices.length > 0 ? { devices } : {};
}
