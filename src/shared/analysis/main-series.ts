import type { RunEvidence, WatchedSeries } from './evidence.ts';
import { seriesMeaning, seriesNamed } from './lines.ts';

/** The series that represents a run whose tool reports no throughput. */
export interface MainSeries {
  /** Name of the server or host. */
  readonly source: string;
  readonly series: WatchedSeries;
  /** A rate of work, so that lost work can be counted. */
  readonly isWork: boolean;
}

/**
 * Statements per second of the server of `target` (or else of the first that reports them), else its transactions; if no server reports
 * them, the CPU utilisation: of a server host, else of the first host. Undefined if none of these was watched.
 */
export function mainSeries({ servers, hosts }: RunEvidence, target?: string): MainSeries | undefined {
  const own = servers.filter(({ name }) => name === target);
  for (const server of [...own, ...servers]) {
    const series = seriesMeaning(server, 'statements') ?? seriesMeaning(server, 'transactions');
    if (series) return { source: server.name, series, isWork: true };
  }
  const places = hosts.filter(({ roles }) => roles.includes('server'));
  for (const host of [...places, ...hosts]) {
    const series = seriesNamed(host, 'cpu.busy');
    if (series) return { source: host.name, series, isWork: false };
  }
  return undefined;
}
