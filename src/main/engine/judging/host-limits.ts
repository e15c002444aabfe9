import { isWholeDevice, linkLimit, type WatchedHost, type WatchedSeries } from '../../../shared/analysis/index.ts';
import type { VolumeLimits } from '../../../shared/costs/index.ts';
import type { HostFacts } from '../../../shared/model/host.ts';
import type { MonitoredLimits, MonitoredSeries, RunWindow } from '../../../shared/model/monitored.ts';
import { type RulesOf, readSeries, seriesIn, windowOf } from '../monitored/index.ts';
import type { RunRow, Source, Store } from '../store/store.ts';
import { type EvidenceFacts, inThisCell, measuredAbout } from './evidence-facts.ts';

type Limit = MonitoredLimits['limits'][number];
type Named = Pick<MonitoredSeries, 'rule' | 'instance'>;

const OF_LINKS: ReadonlySet<string> = new Set(['net.*.rx_mib_s', 'net.*.tx_mib_s']);

/**
 * Limits of hosts in each run: rates and speeds that its cell set on links, speeds that links reported then, paid limits of its server's volume. The
 * judgement of the run uses the same.
 */
export function monitoredLimits(
  store: Store,
  sessionId: number,
  factsOf: (run: RunRow) => EvidenceFacts,
  rulesOf: RulesOf,
): MonitoredLimits[] {
  return store.reading(() => {
    const sources = store.sources.ofSession(sessionId);
    const servers = sources.filter(({ kind }) => kind === 'server');
    const hosts = sources
      .filter(({ kind }) => kind === 'host')
      .map((source) => ({
        source,
        series: readSeries(store, source, rulesOf).map(({ series }) => series),
        changing: linksThatChange(store, source.id),
      }));
    return store.runs.ofSession(sessionId).flatMap((run) => {
      const window = windowOf(store, run);
      if (!window) return [];
      const facts = factsOf(run);
      const limits = hosts.flatMap(({ source, series, changing }) => {
        const names = new Set([...changing, ...namesSet(run, source.name)]);
        const links = names.size > 0 ? ofLinks(store, source, { run, window, names, rulesOf }) : [];
        return [...links, ...ofVolume(inThisCell(source, facts, servers), series, facts)];
      });
      return limits.length > 0 ? [{ runId: run.id, limits }] : [];
    });
  });
}

/** Links whose speed changed. */
function linksThatChange(store: Store, sourceId: number): string[] {
  const names = store.monitored.names(sourceId).filter((name) => SPEED.test(name));
  const { columns } = store.monitored.columns(sourceId, names);
  return [...columns].flatMap(([name, values]) => {
    const speeds = new Set(values.filter((value) => value > 0));
    return speeds.size > 1 ? [SPEED.exec(name)?.[1] ?? ''] : [];
  });
}

const SPEED = /^net\.(.+)\.speed_mbps$/;

interface LinksOfRun {
  run: RunRow;
  window: RunWindow;
  names: ReadonlySet<string>;
  rulesOf: RulesOf;
}

function ofLinks(store: Store, source: Source, { run, window, names, rulesOf }: LinksOfRun): Limit[] {
  const isWanted = ({ rule, instance = '' }: Named): boolean => OF_LINKS.has(rule) && names.has(instance);
  const host: WatchedHost = {
    name: source.name,
    roles: [],
    series: withSpeeds(
      seriesIn(store, source, window, rulesOf, isWanted).map(({ series }) => series),
      speedsIn(run, source.name),
    ),
    links: linksOf(run, source.name),
  };
  return host.series.flatMap((series) => {
    const limit = linkLimit(host, series);
    return limit ? [{ sourceId: source.id, ids: [series.id], ...limit }] : [];
  });
}

function ofVolume(source: Source, series: readonly MonitoredSeries[], facts: EvidenceFacts): Limit[] {
  const { volume, hosts, onItsOwnHost } = facts;
  if (!volume || !measuredAbout(source, onItsOwnHost).roles?.includes('server')) return [];
  const known = hosts.find(({ name }) => name === source.name)?.facts;
  return [...volumesOf(known, series, volume)].flatMap(([device, { iops, mibS, burst, words }]) => {
    const of = (value: number | undefined, description: string, ...figures: string[]): Limit[] =>
      value === undefined
        ? []
        : [
            {
              sourceId: source.id,
              ids: figures.map((figure) => `disk.${device}.${figure}`),
              value,
              words: description,
            },
          ];
    const moved = ['read_mib_s', 'write_mib_s'];
    return [
      ...of(iops, words, 'iops'),
      ...of(burst?.iops, `burst of ${words}`, 'iops'),
      ...of(mibS, `${words}, reads and writes together`, ...moved),
      ...of(burst?.mibS, `burst of ${words}, reads and writes together`, ...moved),
    ];
  });
}

/** Devices of a host, from its facts at the start and from its series. */
export function deviceNames(known: HostFacts | undefined, series: readonly Named[]): string[] {
  const watched = series.flatMap(({ rule, instance }) =>
    instance !== undefined && rule.startsWith('disk.*.') ? [instance] : [],
  );
  return [...new Set([...(known?.disks ?? []).map(({ name }) => name), ...watched])];
}

/** Paid limits of the devices of a host, by name. Which of several disks is the paid volume is unknown, so only a host with one disk has limits. */
export function volumesOf(
  known: HostFacts | undefined,
  series: readonly Named[],
  volume: VolumeLimits | undefined,
): ReadonlyMap<string, VolumeLimits> {
  const whole = deviceNames(known, series).filter(isWholeDevice);
  const [only] = whole;
  return new Map(volume && only !== undefined && whole.length === 1 ? [[only, volume]] : []);
}

const RATE = /^(\d+(?:\.\d+)?) ?([kmgt]?)bit$/i;
const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12 };

/** Bits per second in MiB/s. */
const BIT = 1 / 8 / 2 ** 20;

/** Values read back for this setting of the host's network interfaces, by interface. */
function readBack(run: RunRow, host: string, setting: string): { name: string; found: string }[] {
  return (run.facts ?? []).flatMap(({ place, what, found }) => {
    const isIt = place.kind === 'host' && place.name === host && what.startsWith(`${setting} `);
    return isIt && found !== null ? [{ name: what.slice(setting.length + 1), found }] : [];
  });
}

const namesSet = (run: RunRow, host: string): string[] =>
  ['nic-rate', 'nic-speed'].flatMap((setting) => readBack(run, host, setting).map(({ name }) => name));

/** Rates of network interfaces that a level of the run has set, as read back. */
export function linksOf(run: RunRow, host: string): NonNullable<WatchedHost['links']> {
  return readBack(run, host, 'nic-rate').flatMap(({ name, found }) => {
    const [, count, unit = ''] = RATE.exec(found) ?? [];
    if (count === undefined) return [];
    const mibS = Number(count) * (UNITS[unit.toLowerCase()] ?? 1) * BIT;
    return [{ name, mibS, words: `configured rate ${found}` }];
  });
}

/** Speeds that a level of the run has set, MiB/s, by link. */
export function speedsIn(run: RunRow, host: string): ReadonlyMap<string, number> {
  const speeds = readBack(run, host, 'nic-speed').map(
    ({ name, found }) => [name, Number.parseInt(found, 10) * 1e6 * BIT] as const,
  );
  return new Map(speeds.filter(([, speed]) => speed > 0));
}

/** The collector reports a speed once a minute: in a short run it may still report the previous one. */
export const withSpeeds = (
  series: readonly WatchedSeries[],
  speeds: ReadonlyMap<string, number>,
): readonly WatchedSeries[] =>
  series.map((each) => {
    const speed = OF_LINKS.has(each.rule) ? speeds.get(each.instance ?? '') : undefined;
    return speed === undefined ? each : { ...each, limit: { value: speed, words: 'link speed' } };
  });
