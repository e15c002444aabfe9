import type { BoundCandidate } from '../../model/analysis.ts';
import type { RunEvidence, WatchedHost, Window } from '../evidence.ts';
import {
  coresOf,
  figureOf,
  heldIn,
  isGenerator,
  isKnown,
  isServer,
  meanIn,
  type Opinion,
  ownerOf,
  seriesNamed,
  seriesOfRule,
} from '../lines.ts';
import { FULL, HALF } from './thresholds.ts';
import { amount, headcount, inSeconds, percent } from './words.ts';

/** Without a run queue to see, only a CPU with as good as no idle time counts as full. */
const SURELY_FULL = 96;
/** Of the cores, the threads that never wait and fill it without a queue: at the moment of a look one of them may just be waking up. */
const NEARLY_ALL = 0.95;
/** Percent of the time in which some process waited for a CPU. */
const WAITED_FOR_CPU = 20;
/** Percent taken by other guests of the machine, worth a word. */
const STOLEN = 5;

/** All cores of a host together: busy, with more that wants to run than there are cores. */
export function cpuOpinion({ hosts, window }: RunEvidence): Opinion {
  return {
    candidates: hosts.flatMap((host) => candidateOf(host, window) ?? []),
    notWatched: hosts
      .filter((host) => !isKnown(seriesNamed(host, 'cpu.busy'), window))
      .map(({ name }) => `the CPU of ${name}`),
  };
}

function candidateOf(host: WatchedHost, window: Window): BoundCandidate | undefined {
  const busy = seriesNamed(host, 'cpu.busy');
  const held = busy && heldIn(busy, window, (value) => value >= FULL);
  if (!busy || !held) return undefined;
  const demand = demandOf(host, window);
  const isSurelyFull = meanIn(busy, window) >= SURELY_FULL;
  if (!(demand ? demand.exceeds || (isSurelyFull && demand.fills) : isSurelyFull)) return undefined;
  const steal = seriesNamed(host, 'cpu.steal');
  const stolen = steal ? meanIn(steal, window) : 0;
  const parts = isGenerator(host) && isServer(host) ? shares(host, window) : undefined;
  const generators = isGenerator(host) && (!isServer(host) || (parts !== undefined && parts.tool > parts.server));
  const whose = parts
    ? ` The load tool used ${amount(parts.tool / 100)} cores, the server ${amount(parts.server / 100)}.`
    : '';
  const others = othersOn(host, window);
  const foreign = others?.most
    ? ` Processes other than the load tool and the server used ${amount(others.cores)} cores.`
    : '';
  return {
    verdict: generators ? 'generator-cpu' : 'cpu',
    host: host.name,
    share: held.share,
    sentence: `CPU of ${host.name} at its limit ${inSeconds(held.share)}: ${percent(meanIn(busy, window))} busy${demand ? `, ${demand.words}` : ''}${stolen >= STOLEN ? `, ${percent(stolen)} steal (taken by other guests)` : ''}.${whose}${foreign}`,
    evidence: [busy, demand?.series, stolen >= STOLEN ? steal : undefined].flatMap((series) =>
      series ? [figureOf(host, series, window)] : [],
    ),
  };
}

/**
 * Whether more wants to run than can, or (`fills`) just as much; undefined where nothing tells. The kernel counts the collector too, which runs
 * whenever it reads.
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

/** Cores that processes of neither tool nor server took, and whether that is most of what was used; undefined where one of the two is not seen. */
function othersOn(host: WatchedHost, window: Window): { cores: number; most: boolean } | undefined {
  const { programs } = host;
  const busy = seriesNamed(host, 'cpu.busy');
  const cores = coresOf(host);
  if (!programs || !isKnown(busy, window) || cores === undefined) return undefined;
  const roles = [...(isGenerator(host) ? [programs.tool] : []), ...(isServer(host) ? [programs.server] : [])];
  const used = roles.map((names) =>
    seriesOfRule(host, 'proc.*.cpu')
      .filter((series) => names.includes(series.instance ?? '') && isKnown(series, window))
      .map((series) => meanIn(series, window)),
  );
  if (roles.length === 0 || used.some((figures) => figures.length === 0)) return undefined;
  const own = used.flat().reduce((sum, figure) => sum + figure, 0);
  // Stolen time counts as busy, and no process of this machine had it.
  const steal = seriesNamed(host, 'cpu.steal');
  const stolen = isKnown(steal, window) ? meanIn(steal, window) : 0;
  const all = (meanIn(busy, window) - stolen) * cores;
  return { cores: Math.max(0, all - own) / 100, most: own < HALF * all };
}

/** A CPU that is full of work of others tells nothing of what tool and server would do with all of it. */
export const isFullOfOthers = (host: WatchedHost, window: Window): boolean => othersOn(host, window)?.most ?? false;

/** Percent of one core that tool and server took on a host that they share; undefined where their processes are not known. */
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
