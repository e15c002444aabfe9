import type { TargetKind } from '../../../../../shared/model/target.ts';
import { formatBytes, formatCount } from '../../../../../shared/util/format.ts';
import type { DataNeed } from '../../tool.ts';
import { libraryValue, type SysbenchOptions, tableCount } from '../options/index.ts';
import { isLibraryScript, usesTables, writesTables } from '../scripts/index.ts';
import { libraryNeed } from './library.ts';
import { ownNeed } from './own.ts';

/**
 * Bytes per row of `sbtestN` on disk, including primary and secondary index. Measured with 10 million rows: InnoDB 2.3 to 2.5 GB, PostgreSQL 2.1 GB
 * plus two indexes of at least 0.2 GB each.
 */
const ROW_BYTES: Readonly<Record<string, number>> = { mysql: 240, postgres: 265 };
const INDEX_SHARE = 0.08;

const tableNames = (count: number): string[] => Array.from({ length: count }, (_, index) => `sbtest${index + 1}`);

/** Rows per table after prepare. With sysbench's own ids, `oltp_insert` starts from empty tables. */
const preparedRows = (options: SysbenchOptions): number =>
  options.script === 'oltp_insert' && !options['auto-inc'] ? 0 : options['table-size'];

function shapeOf(options: SysbenchOptions, kind: TargetKind): string {
  return [
    ...(kind === 'mysql' ? [options['mysql-storage-engine']] : []),
    options.secondary ? 'a plain index for ids' : 'a primary key',
    options['create-secondary'] ? 'a secondary index' : 'no secondary index',
    options['auto-inc'] ? 'automatic ids' : 'ids of sysbench',
  ].join(', ');
}

const writes = (options: SysbenchOptions): boolean =>
  options.script === 'lookups'
    ? String(libraryValue(options, 'query')).startsWith('update')
    : writesTables(options.script);

/** Tables that the workload requires. Files of fileio cannot be counted on a server: its prepare reuses existing ones. */
export function dataNeed(options: SysbenchOptions, kind: TargetKind): DataNeed | undefined {
  if (usesTables(options.script)) {
    const rows = preparedRows(options);
    const tables = tableCount(options);
    const row = (ROW_BYTES[kind] ?? 240) * (options['create-secondary'] ? 1 : 1 - INDEX_SHARE);
    const bytes = Math.round(tables * rows * row);
    const size = rows > 0 ? `, about ${formatBytes(bytes)}` : '';
    return {
      title: `${formatCount(tables, 'table')} × ${formatCount(rows, 'row')}${size}`,
      bytes,
      tables: tableNames(tables).map((name) => ({ name, rows })),
      shape: shapeOf(options, kind),
      written: writes(options),
    };
  }
  if (options.script === 'bulk_insert')
    return {
      title: `${formatCount(options.threads, 'table')} to fill, one for each thread; each run drops and recreates them`,
      tables: tableNames(options.threads).map((name) => ({ name, rows: 0 })),
      shape: 'recreated by each run',
      written: true,
    };
  return ownNeed(options) ?? libraryNeed(options, kind);
}

/** Storage engine of the tables that prepare creates, if it names one. */
export const tableEngine = (options: SysbenchOptions, kind: TargetKind): string | undefined =>
  kind === 'mysql' && (usesTables(options.script) || isLibraryScript(options.script))
    ? options['mysql-storage-engine']
    : undefined;
