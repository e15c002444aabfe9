import { CPU_MODES, type HostCpu } from '../model/analysis.ts';
import { mean, type Points } from '../stats/index.ts';
import type { RunEvidence, WatchedHost, Window } from './evidence.ts';
import { coresOf, isGenerator, isServer, ownerOf, seriesNamed, seriesOfRule, stepOf, valuesIn } from './lines.ts';

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
