import type { MonitoredSource } from '../../../shared/model/monitored.ts';
import { formatCount, formatDuration, formatFigure } from '../../../shared/util/format.ts';

const ROLE_WORDS = { generator: 'generator', server: 'server’s host', other: 'host' } as const;
const KIND_WORDS = { host: 'host', server: 'server', own: 'custom series' } as const;

/** `db1, server’s host`. */
export function sourceName({ kind, name, roles }: Pick<MonitoredSource, 'kind' | 'name' | 'roles'>): string {
  const what =
    kind === 'host' && roles.length > 0 ? roles.map((role) => ROLE_WORDS[role]).join(' and ') : KIND_WORDS[kind];
  return `${name}, ${what}`;
}

/** How a server is read, how exactly its clock is known, what watching it costs, where samples are missing. */
export function sourceNotes({ kind, host, clockErrorMs, costPercent, gaps, samples }: MonitoredSource): string[] {
  const missing = gaps.reduce((sum, { from, to }) => sum + (to - from) / 1000, 0);
  const way = host === undefined ? 'read over Kneepoint’s own connection' : `read on ${host} by the server’s client`;
  return [
    ...(kind === 'server' ? [way] : []),
    ...(clockErrorMs === undefined ? [] : [`clock ±${formatDuration(clockErrorMs / 1000)}`]),
    ...(costPercent === undefined ? [] : [`watching it used ${formatFigure(costPercent, 2)} % of one core`]),
    ...(gaps.length === 0 ? [] : [`${formatCount(gaps.length, 'gap')}, ${formatDuration(missing)} in all`]),
    ...(samples === 0 ? ['no samples'] : []),
  ];
}
