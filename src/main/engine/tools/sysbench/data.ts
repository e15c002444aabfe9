import type { TargetKind } from '../../../../shared/model/target.ts';
import type { DataNeed } from '../tool.ts';
import { type SysbenchOptions, tableCount } from './options.ts';
import { usesTables } from './scripts.ts';

/**
 * Bytes of one row of `sbtestN` on disk with its primary and secondary index, from 10 million rows:
 * InnoDB 2.3 to 2.5 GB, PostgreSQL 2.1 GB and two indexes of 0.2 GB and more.
 */
const ROW_BYTES: Readonly<Record<string, number>> = { mysql: 240, postgres: 265 };
const INDEX_SHARE = 0.08;

const numberWords = new Intl.NumberFormat('en-US');

/** Bytes in words: `about 9.2 MiB`. */
function about(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  const value = bytes / 1024 ** step;
  return `about ${value >= 10 || step === 0 ? Math.round(value) : value.toFixed(1)} ${units[step]}`;
}

const tableNames = (count: number): string[] => Array.from({ length: count }, (_, index) => `sbtest${index + 1}`);
const plural = (count: number, word: string): string => `${numberWords.format(count)} ${word}${count === 1 ? '' : 's'}`;

/** Rows that prepare leaves in each table: with ids of its own, `oltp_insert` starts from empty tables. */
const preparedRows = (options: SysbenchOptions): number =>
  options.script === 'oltp_insert' && !options['auto-inc'] ? 0 : options['table-size'];

/** Tables that the workload needs before it runs. The files of fileio cannot be counted on a server: its prepare reuses what is there. */
export function dataNeed(options: SysbenchOptions, kind: TargetKind): DataNeed | undefined {
  if (usesTables(options.script)) {
    const rows = preparedRows(options);
    const tables = tableCount(options);
    const row = (ROW_BYTES[kind] ?? 240) * (options['create-secondary'] ? 1 : 1 - INDEX_SHARE);
    const bytes = Math.round(tables * rows * row);
    const size = rows > 0 ? `, ${about(bytes)}` : '';
    return {
      title: `${plural(tables, 'table')} × ${plural(rows, 'row')}${size}`,
      bytes,
      tables: tableNames(tables).map((name) => ({ name, rows })),
    };
  }
  if (options.script === 'bulk_insert')
    return {
      title: `${plural(options.threads, 'table')} to fill, one for each thread; each run drops them and makes them anew`,
      tables: tableNames(options.threads).map((name) => ({ name, rows: 0 })),
    };
  return undefined;
}
