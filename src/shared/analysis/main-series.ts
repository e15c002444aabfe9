import type { RunEvidence, WatchedSeries } from './evidence.ts';
import { seriesMeaning, seriesNamed } from './lines.ts';

/** The series that tells what a run did where its tool says nothing of it. */
export interface MainSeries {
  /** Name of the server or host. */
  readonly source: string;
  readonly series: WatchedSeries;
  /** Work by the second, of which what was not done can be counted. */
  readonly isWork: boolean;
}

/**
 * Of the server of `target` (else of the first that tells it) the statements by the second, else its transactions; where no server tells them, how busy the
 * CPU is: of the host of a server, else of the first host. Undefined: nothing of that was watched.
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
