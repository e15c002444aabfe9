import { type BoundCandidate, CPU_MODES, type HostCpu } from '../../model/analysis.ts';
import { mean, type Points } from '../../stats/index.ts';
import type { RunEvidence, WatchedHost, WatchedSeries, Window } from '../evidence.ts';
import {
  type Assessment,
  clientsOf,
  coresOf,
  figureOf,
  heldIn,
  isGenerator,
  isKnown,
  isServer,
  meanIn,
  ownerOf,
  ownOn,
  seriesMeaning,
  seriesNamed,
  seriesOfRule,
  stepOf,
  together,
  valuesIn,
} from '../lines.ts';
import { amount, FULL, HALF, headcount, inSeconds, percent } from './words.ts';

/** Without a known run queue, only a CPU with hardly any idle time counts as saturated. */
const SURELY_FULL = 96;
/** Share of the cores that threads which never wait occupy without a queue: at the moment of a sample one of them may just be waking up. */
const NEARLY_ALL = 0.95;
/** Percentage of the time in which some process waited for a CPU. */
const WAITED_FOR_CPU = 20;
/** Share of its use that tool and server of one machine cannot exceed, as both are measured. */
const WHOLE = 1.05;
/** Percentage taken by other guests of the machine that is worth mentioning. */
const STOLEN = 5;

/** Percentage of one core used by other processes that is worth mentioning. */
const OTHERS_NOTABLE = 25;
/** Percentage of a CPU used by other processes above which its saturation does not show whether tool or server wait for it. */
const SHARED = 20;
/**
 * Percentage of the periods in which a control group was throttled because its quota was used up, and percentage of the quota that counts
 * as all of it.
 */
const THROTTLED = 25;
const OF_QUOTA = 85;

/** All cores of a host together: busy, with more runnable threads than cores; and the quotas of control groups. */
export function assessCpu(evidence: RunEvidence): Assessment {
  const { hosts, window } = evidence;
  return {
    candidates: hosts.flatMap((host) => [...(candidateOf(evidence, host) ?? []), ...quotasOf(host, window)]),
    notWatched: hosts
      .filter((host) => !isKnown(seriesNamed(host, 'cpu.busy'), window))
      .map(({ name }) => `the CPU of ${name}`),
  };
}

function candidateOf(evidence: RunEvidence, host: WatchedHost): BoundCandidate[] | undefined {
  const { window } = evidence;
  const busy = seriesNamed(host, 'cpu.busy');
  const { line, niced } = withoutNiced(host, window, evidence.hosts);
  const held = line && heldIn(line, window, (value) => value >= FULL);
  if (!busy || !held || !line) return undefined;
  const demand = demandOf(host, window);
  const isSurelyFull = meanIn(line, window) >= SURELY_FULL;
  // Niced processes are in the queue as well.
  if (niced > 0 && !isSurelyFull) return undefined;
  if (areAtRest(evidence, host)) return undefined;
  if (!(demand ? demand.exceeds || (isSurelyFull && demand.fills) : isSurelyFull)) return undefined;
  const steal = seriesNamed(host, 'cpu.steal');
  const stolen = steal ? meanIn(steal, window) : 0;
  const parts = isGenerator(host) && isServer(host) ? shares(host, window) : undefined;
  const generators = isGenerator(host) && (!isServer(host) || (parts !== undefined && parts.tool > parts.server));
  const whose = parts
    ? ` The load tool used ${amount(parts.tool / 100)} cores, the server ${amount(parts.server / 100)}.`
    : '';
  const others = othersOn(host, window, evidence.hosts);
  const othersWords =
    others && 100 * others.cores >= OTHERS_NOTABLE ? ` Other processes used ${amount(others.cores)} cores.` : '';
  // On a shared host without a known process of the other role, the load tool is the cause only if its own use is most of it.
  if (parts && generators && !isMostOf(parts.tool, busy, host, window)) return undefined;
  return [
    {
      verdict: generators ? 'generator-cpu' : 'cpu',
      host: host.name,
      share: held.share,
      sentence: `CPU of ${host.name} at its limit ${inSeconds(held.share)}: ${percent(meanIn(busy, window))} busy${demand ? `, ${demand.words}` : ''}${stolen >= STOLEN ? `, ${percent(stolen)} steal (taken by other guests)` : ''}.${whose}${othersWords}`,
      evidence: [busy, demand?.series, stolen >= STOLEN ? steal : undefined].flatMap((series) =>
        series ? [figureOf(host, series, window)] : [],
      ),
    },
  ];
}

const isMostOf = (used: number, busy: WatchedSeries, host: WatchedHost, window: Window): boolean =>
  used >= HALF * meanIn(busy, window) * (coresOf(host) ?? 1);

/**
 * CPU use as tool and server experience it: without the time of others' niced processes, which yield to everything else. `niced`:
 * percentage of the CPU used by these. If the owner of niced time is unknown, it counts as others'.
 */
export function withoutNiced(
  host: WatchedHost,
  window: Window,
  hosts: readonly WatchedHost[] = [],
): { line: Points | undefined; niced: number } {
  const [busy, nice] = [seriesNamed(host, 'cpu.busy'), seriesNamed(host, 'cpu.nice')];
  const all = isKnown(nice, window) ? meanIn(nice, window) : 0;
  if (!busy || !nice || all < 1) return { line: busy, niced: 0 };
  const others = othersOn(host, window, hosts);
  const cores = coresOf(host) ?? 1;
  const part = others ? Math.min(1, (100 * others.cores) / cores / all) : 1;
  if (part * all < 1) return { line: busy, niced: 0 };
  const line = together([busy, nice], ([used = 0, given = 0]) => Math.max(0, used - part * given));
  return { line, niced: part * all };
}

/**
 * Whether a CPU shared with others is saturated while sessions of the server get it whenever they need it: fewer than half of them are at
 * work.
 */
function areAtRest(evidence: RunEvidence, host: WatchedHost): boolean {
  const { hosts, servers, window } = evidence;
  const others = othersOn(host, window, hosts);
  const clients = clientsOf(evidence);
  if (!isServer(host) || !others || clients === undefined) return false;
  if (100 * others.cores < SHARED * (coresOf(host) ?? 1)) return false;
  const running = servers.flatMap((server) => {
    const series = server.host === host.name ? seriesMeaning(server, 'running') : undefined;
    return isKnown(series, window) ? [meanIn(series, window)] : [];
  });
  return running.length > 0 && running.reduce((sum, each) => sum + each, 0) < HALF * clients;
}

/** Percentage points by which the CPUs of two hosts that are the same machine may seem to differ. */
const ONE_MACHINE = 2;
function isAsBusy(one: WatchedHost, other: WatchedHost, window: Window): boolean {
  const [here, there] = [seriesNamed(one, 'cpu.busy'), seriesNamed(other, 'cpu.busy')];
  if (!isKnown(here, window) || !isKnown(there, window) || coresOf(one) !== coresOf(other)) return false;
  return Math.abs(meanIn(here, window) - meanIn(there, window)) < ONE_MACHINE;
}

/** Quotas of control groups that were used up: their processes stop for the rest of each period, whatever the host has left. */
function quotasOf(host: WatchedHost, window: Window): BoundCandidate[] {
  return seriesOfRule(host, 'proc.*.throttled').flatMap((series) => {
    const process = series.instance ?? '';
    const owner = ownerOf(host, process);
    const used = seriesNamed(host, `proc.${process}.cpu`);
    const quota = (used?.limit?.value ?? 0) / 100;
    const held = heldIn(series, window, (value) => value >= THROTTLED);
    if (!owner || !quota || !held) return [];
    if (!isKnown(used, window) || meanIn(used, window) < OF_QUOTA * quota) return [];
    return [
      {
        verdict: owner === 'tool' ? ('generator-cpu' as const) : ('cpu' as const),
        host: host.name,
        instance: process,
        share: held.share,
        sentence: `${process} on ${host.name} was limited to the ${amount(quota)} cores of its control group ${inSeconds(held.share)} and used ${amount(meanIn(used, window) / 100)} of them: it was throttled in ${percent(meanIn(series, window))} of the periods.`,
        evidence: [series, used].map((each) => figureOf(host, each, window)),
      },
    ];
  });
}

/**
 * Whether there are more runnable threads than cores, or (`fills`) just as many; undefined if unknown. The kernel also counts the
 * collector, which runs whenever it reads.
 */
function demandOf(host: WatchedHost, window: Window) {
  const running = seriesNamed(host, 'sys.running');
  const cores = coresOf(host);
  if (isKnown(running, window) && cores !== undefined) {
    const most = meanIn(running, window) - 1;
    return {
      exceeds: most >= cores,
      fills: most >= NEARLY_ALL * cores,
      series: running,
      words: `${headcount(most)} runnable threads besides the collector on ${cores} cores`,
    };
  }
  const pressure = seriesNamed(host, 'pressure.cpu.some');
  if (!isKnown(pressure, window)) return undefined;
  const waited = meanIn(pressure, window);
  return {
    exceeds: waited >= WAITED_FOR_CPU,
    fills: false,
    series: pressure,
    words: `tasks waited for a CPU ${percent(waited)} of the time`,
  };
}

/** Cores used by processes of neither tool nor server, and whether that is most of the use; undefined if one of the two is not seen. */
function othersOn(
  host: WatchedHost,
  window: Window,
  hosts: readonly WatchedHost[] = [],
): { cores: number; most: boolean } | undefined {
  const busy = seriesNamed(host, 'cpu.busy');
  const cores = coresOf(host);
  const own = ownOn(host, 'proc.*.cpu', window);
  if (!isKnown(busy, window) || cores === undefined || own === undefined) return undefined;
  // Stolen time counts as busy, but no process of this machine used it.
  const steal = seriesNamed(host, 'cpu.steal');
  const stolen = isKnown(steal, window) ? meanIn(steal, window) : 0;
  const all = (meanIn(busy, window) - stolen) * cores;
  // Two hosts may be the same machine: tool and server of the other one then do not count as others.
  const elsewhere = hosts
    .filter((each) => each !== host && isAsBusy(each, host, window))
    .reduce((sum, each) => sum + (ownOn(each, 'proc.*.cpu', window) ?? 0), 0);
  const share = (own + elsewhere) / all;
  const isOneMachine = elsewhere > 0 && share >= NEARLY_ALL && share <= WHOLE;
  return {
    cores: Math.max(0, all - own - elsewhere) / 100,
    most: isOneMachine ? own < elsewhere : own < HALF * all,
  };
}

/**
 * A CPU saturated by other processes does not show what tool and server would do with all of it. Where the two share a machine and use all
 * of it, its saturation belongs to the one that uses more.
 */
export const isFullOfOthers = (host: WatchedHost, { hosts, window }: RunEvidence): boolean =>
  othersOn(host, window, hosts)?.most ?? false;

/** Percentage of one core used by tool and server on a shared host; undefined if their processes are unknown. */
function shares(host: WatchedHost, window: Window): { tool: number; server: number } | undefined {
  const parts = { tool: 0, server: 0 };
  let known = false;
  for (const series of seriesOfRule(host, 'proc.*.cpu')) {
    const owner = ownerOf(host, series.instance ?? '');
    if (!owner || !isKnown(series, window)) continue;
    known = true;
    parts[owner] += meanIn(series, window);
  }
  return known ? parts : undefined;
}

/** Share of the window that has to be known. */
const LEAST_KNOWN = 0.5;

/** Mean over the window; undefined if less than half of it is known. */
function meanOf(points: Points | undefined, window: Window): number | undefined {
  if (!points) return undefined;
  const values = valuesIn(points, window);
  const known = (values.length * stepOf(points.t)) / (window.to - window.from);
  return values.length > 0 && known >= LEAST_KNOWN ? mean(values) : undefined;
}

/** CPU use of each host over the measured seconds. Omits hosts for which that or the number of cores is unknown. */
export const cpuUse = ({ hosts, window }: RunEvidence): HostCpu[] =>
  hosts.flatMap((host): HostCpu[] => {
    const cores = coresOf(host);
    if (cores === undefined) return [];
    const modes = CPU_MODES.flatMap((mode) => {
      const percent = meanOf(seriesNamed(host, `cpu.${mode}`), window);
      return percent === undefined ? [] : [[mode, (percent * cores) / 100] as const];
    });
    if (modes.length === 0) return [];
    const programs = isGenerator(host) && isServer(host) ? programsOf(host, window) : undefined;
    const { name, roles } = host;
    return [{ host: name, roles: [...roles], cores, modes: Object.fromEntries(modes), ...(programs && { programs }) }];
  });

/** Undefined if one of the two has no known process. */
function programsOf(host: WatchedHost, window: Window): HostCpu['programs'] {
  const of = (owner: 'tool' | 'server'): number | undefined => {
    const used = seriesOfRule(host, 'proc.*.cpu')
      .filter(({ instance = '' }) => ownerOf(host, instance) === owner)
      .flatMap((series) => meanOf(series, window) ?? []);
    return used.length > 0 ? used.reduce((sum, percent) => sum + percent, 0) / 100 : undefined;
  };
  const [tool, server] = [of('tool'), of('server')];
  return tool === undefined || server === undefined ? undefined : { tool, server };
}
