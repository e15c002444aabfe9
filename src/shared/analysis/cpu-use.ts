import { CPU_MODES, type HostCpu } from '../model/analysis.ts';
import { mean, type Points } from '../stats/index.ts';
import type { RunEvidence, WatchedHost, Window } from './evidence.ts';
import { coresOf, isGenerator, isServer, ownerOf, seriesNamed, seriesOfRule, stepOf, valuesIn } from './lines.ts';

/** Share of the window that has to be known. */
const LEAST_KNOWN = 0.5;

/** Mean of the window; undefined where less than half of it is known. */
function meanOf(points: Points | undefined, window: Window): number | undefined {
  if (!points) return undefined;
  const values = valuesIn(points, window);
  const known = (values.length * stepOf(points.t)) / (window.to - window.from);
  return values.length > 0 && known >= LEAST_KNOWN ? mean(values) : undefined;
}

/** What the CPU of each host did over the measured seconds. Hosts of which that or the number of cores is not known are left out. */
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

/** Undefined where one of the two has no process that is known. */
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
