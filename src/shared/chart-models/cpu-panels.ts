import { CPU_MODES, type HostCpu, type RunJudgement } from '../model/analysis.ts';
import type { HostRole } from '../model/monitored.ts';
import type { CellResult } from '../model/result.ts';
import { formatCount } from '../util/format.ts';
import { sum } from '../util/numbers.ts';

/** CPU use of a panel's hosts in a cell: means over its runs, in cores. */
export interface CpuUse {
  /** Modes that not all of its hosts report are absent. */
  readonly modes: HostCpu['modes'];
  readonly programs?: HostCpu['programs'];
  /** Cores of the hosts with these roles in the cell. */
  readonly cores: number;
}

/** A host, or all hosts with the same roles. */
export interface CpuPanel {
  /** `Load generators: c1, c2`. */
  readonly name: string;
  readonly hosts: readonly string[];
  /** Maximum that a cell used of them. */
  readonly cores: number;
  /** By cell; a cell without reports of all of its hosts is absent. */
  readonly uses: ReadonlyMap<number, CpuUse>;
}

/** CPU use of the hosts in the runs of a cell. */
export interface CpuOfCell {
  readonly cell: number;
  readonly runs: readonly (readonly HostCpu[])[];
}

export type CpuGrouping = 'role' | 'host';

/** CPU use in the complete runs of cells, from the judgements of these runs. */
export function cpuOfCells(
  cells: readonly Pick<CellResult, 'cell' | 'runs'>[],
  judged: readonly (Pick<RunJudgement, 'cpu'> & { readonly runId: number })[],
): CpuOfCell[] {
  const known = new Map(judged.map(({ runId, cpu }) => [runId, cpu]));
  return cells.map(({ cell, runs }) => ({
    cell,
    runs: runs.flatMap(({ runId, partial, state }) => {
      const cpu = !partial && state === 'done' ? known.get(runId) : undefined;
      return cpu ? [cpu] : [];
    }),
  }));
}

const WORDS: Readonly<Record<HostRole, string>> = {
  generator: 'Load generator',
  proxy: 'Proxy',
  server: 'System under test',
  other: 'Host',
};
const MANY: Readonly<Record<HostRole, string>> = {
  generator: 'Load generators',
  proxy: 'Proxies',
  server: 'Systems under test',
  other: 'Hosts',
};
/** Along the path of a request: from generators through hosts in between to the server; hosts with several roles last. */
const ORDER = [
  ...['generator', 'proxy', 'other', 'server'],
  ...['generator proxy', 'proxy server', 'generator server', 'generator proxy server'],
];

const rolesKey = ({ roles }: Pick<HostCpu, 'roles'>): string => [...roles].sort().join(' ');

/** Hosts between generators and server without a known role are each something different: a router, a replica. */
const keyOf = (cpu: HostCpu, by: CpuGrouping): string =>
  by === 'role' && cpu.roles.length > 0 && !rolesKey(cpu).includes('other')
    ? `role ${rolesKey(cpu)}`
    : `host ${cpu.host}`;

/**
 * A panel for each role, or for each host; without hosts of which nothing is known. If generators or targets are a factor, a role consists
 * of the hosts that have it in the cell: hosts that are idle there are shown by host only.
 */
export function cpuPanels(cells: readonly CpuOfCell[], by: CpuGrouping): CpuPanel[] {
  const all = cells.flatMap(({ runs }) => runs.flat());
  const working = new Set(all.filter(({ roles }) => roles.length > 0).map(({ host }) => host));
  const groups = new Map<string, Map<string, HostCpu>>();
  for (const cpu of all) {
    const { host, roles } = cpu;
    if (by === 'role' && roles.length === 0 && working.has(host)) continue;
    const key = keyOf(cpu, by);
    const hosts = groups.get(key) ?? new Map<string, HostCpu>();
    const known = hosts.get(host);
    groups.set(key, known && known.roles.length > 0 && roles.length === 0 ? hosts : hosts.set(host, cpu));
  }
  return [...groups]
    .sort(([, one], [, other]) => placeOf(one) - placeOf(other))
    .map(([key, hosts]): CpuPanel => {
      const uses = cells.flatMap(({ cell, runs }) => {
        const known = runs.flatMap((run) => {
          const own = run.filter(({ host }) => hosts.has(host));
          // A host without a report may have been at work.
          if (own.length < hosts.size) return [];
          const atWork = own.filter((cpu) => keyOf(cpu, by) === key);
          return atWork.length > 0 ? [together(atWork)] : [];
        });
        return known.length > 0 ? [[cell, meanUse(known)] as const] : [];
      });
      const cores =
        uses.length > 0
          ? Math.max(...uses.map(([, use]) => use.cores))
          : [...hosts.values()].reduce((sum, cpu) => sum + cpu.cores, 0);
      return { name: nameOf([...hosts.values()]), hosts: [...hosts.keys()], cores, uses: new Map(uses) };
    });
}

const first = (hosts: ReadonlyMap<string, HostCpu>): HostCpu | undefined => hosts.values().next().value;

function placeOf(hosts: ReadonlyMap<string, HostCpu>): number {
  const cpu = first(hosts);
  const place = cpu ? ORDER.indexOf(rolesKey(cpu)) : -1;
  return place < 0 ? ORDER.indexOf('other') : place;
}

/** Maximum number of names; with more, their number is shown instead. */
const MOST_NAMES = 3;

function nameOf(hosts: readonly HostCpu[]): string {
  const roles = hosts[0]?.roles ?? [];
  const words = hosts.length > 1 ? MANY : WORDS;
  const what = roles.map((role, index) => (index === 0 ? words[role] : words[role].toLowerCase())).join(' and ');
  const names = hosts.slice(0, MOST_NAMES).map(({ host }) => host);
  const rest = hosts.length - names.length;
  return `${what || words.other}: ${names.join(', ')}${rest > 0 ? ` and ${formatCount(rest, 'more', 'more')}` : ''}`;
}

/** Combines the hosts of a run. */
function together(hosts: readonly HostCpu[]): CpuUse {
  const count = hosts.length;
  const modes = CPU_MODES.flatMap((mode) => {
    const known = hosts.flatMap((cpu) => cpu.modes[mode] ?? []);
    return known.length === count ? [[mode, sum(known)] as const] : [];
  });
  const programs = hosts.flatMap((cpu) => cpu.programs ?? []);
  return {
    cores: sum(hosts.map(({ cores }) => cores)),
    modes: Object.fromEntries(modes),
    ...(programs.length === count && {
      programs: { tool: sum(programs.map(({ tool }) => tool)), server: sum(programs.map(({ server }) => server)) },
    }),
  };
}

function meanUse(uses: readonly CpuUse[]): CpuUse {
  const modes = CPU_MODES.flatMap((mode) => {
    const known = uses.flatMap((use) => use.modes[mode] ?? []);
    return known.length > 0 ? [[mode, sum(known) / known.length] as const] : [];
  });
  const programs = uses.flatMap((use) => use.programs ?? []);
  const mean = (of: 'tool' | 'server'): number => sum(programs.map((each) => each[of])) / programs.length;
  return {
    cores: sum(uses.map(({ cores }) => cores)) / uses.length,
    modes: Object.fromEntries(modes),
    ...(programs.length > 0 && { programs: { tool: mean('tool'), server: mean('server') } }),
  };
}

/** Cores at work: all modes except waiting for I/O, in which a core is idle. */
export const busyOf = ({ modes }: CpuUse): number =>
  sum(CPU_MODES.flatMap((mode) => (mode === 'iowait' ? [] : (modes[mode] ?? []))));
