import { formatCount, formatDuration, formatNumber } from '../util/format.ts';
import type { HostRole, MonitoredSource } from './monitored.ts';

const ROLES: Readonly<Record<HostRole, string>> = {
  generator: 'generator',
  proxy: 'proxy',
  server: 'server',
  other: 'watched',
};

/** “host: generator, server”, “server”, “command on db1”. */
export function sourceRole({ kind, roles, host }: MonitoredSource): string {
  if (kind === 'host') return `host: ${roles.map((role) => ROLES[role]).join(', ') || ROLES.other}`;
  return host === undefined ? kind : `${kind} on ${host}`;
}

/** “host “db1”, server “shop-db””: the sources with samples, in one line. */
export const seenWords = (sources: readonly MonitoredSource[]): string =>
  sources
    .filter(({ samples }) => samples > 0)
    .map(({ kind, name }) => `${kind} “${name}”`)
    .join(', ');

/** Replaces the answer of a session that ran no load. */
export function watchedSentence(sources: readonly MonitoredSource[]): string {
  const seen = seenWords(sources);
  return seen === '' ? 'No load, and no samples from hosts or servers.' : `No load. Watched: ${seen}.`;
}

/** “2 gaps, 34 s”, “none”. */
export function gapWords({ gaps, samples }: Pick<MonitoredSource, 'gaps' | 'samples'>): string {
  if (samples === 0) return '–';
  if (gaps.length === 0) return 'none';
  const seconds = gaps.reduce((sum, { from, to }) => sum + (to - from), 0) / 1000;
  return `${formatCount(gaps.length, 'gap')}, ${formatDuration(Math.round(seconds))}`;
}

/** Uncertainty of its times: “±1.5 ms”; “ours” if they are taken on this computer. */
export const clockWords = ({ clockErrorMs, samples }: Pick<MonitoredSource, 'clockErrorMs' | 'samples'>): string =>
  samples === 0 ? '–' : clockErrorMs === undefined ? 'ours' : `±${formatNumber(clockErrorMs, 1)} ms`;

/** “0.12 % of one core”; “–”: not reported. */
export const costWords = ({ costPercent }: Pick<MonitoredSource, 'costPercent'>): string =>
  costPercent === undefined ? '–' : `${formatNumber(costPercent, 2)} % of one core`;
