import type { Finding } from '../model/finding.ts';
import { formatCount, named } from '../util/format.ts';

/** A setting that cells vary while another one keeps it from having any effect: apart from its value they are equal. */
export interface IdleSetting {
  setting: string;
  /** In these cells. */
  values: readonly string[];
  cells: number;
  /** The other setting: its name, its value in these cells, and the value it would need. */
  needs: string;
  value: string;
  wanted: string;
}

/** Cells that measure the same thing several times under different names. */
export const idleSettingFindings = (idle: readonly IdleSetting[]): Finding[] =>
  idle.map(({ setting, values, cells, needs, value, wanted }) => ({
    code: 'setting-without-effect',
    severity: 'block',
    message: `${setting} (${named(values)}) has no effect while ${needs} is ${value}: ${formatCount(cells, 'cell')} would measure the same thing under different labels.`,
    evidence: `${needs} = ${value}`,
    next: `Set ${needs} to ${wanted}, or add a condition (when) so that ${setting} varies only there.`,
  }));

/** A result cache that is on in some cell, and how the workload of that cell reads. */
export interface CachedReads {
  by: string;
  /** A result may be older than the data. */
  stale: boolean;
  /** Absent: the tool’s options do not show it. */
  readsInTransactions?: boolean;
}

/** Repeated reads that are served from memory are not executed by the server. */
export function cachedReadFindings([cached]: readonly CachedReads[]): Finding[] {
  if (!cached) return [];
  const { by, stale, readsInTransactions } = cached;
  const parts = [
    'The server answers repeated reads from a result cache: figures include cache hits.',
    ...(stale ? ['Cached results may be stale: they expire by time, whatever is written.'] : []),
    ...(readsInTransactions
      ? [
          'The workload reads inside transactions, where such a cache helps little or not at all, so it measures neither the cache nor the server alone.',
        ]
      : []),
  ];
  return [
    {
      code: 'results-cached',
      severity: 'warn',
      message: parts.join(' '),
      evidence: by,
      next: readsInTransactions
        ? 'To measure the server, turn the cache off. To measure the cache, read outside transactions (skip-trx of sysbench, select-only of pgbench).'
        : 'Turn the cache off, unless it is under test.',
    },
  ];
}
