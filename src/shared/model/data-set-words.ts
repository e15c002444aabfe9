import { formatBytes, formatCount, formatNumber } from '../util/format.ts';
import { type DataSetState, type FileSet, rowsFit, type TableSet } from './data-set.ts';
import type { StateWords } from './session-words.ts';

/** What a person reads of a data set's state. */
export const DATA_STATE_WORDS: Readonly<Record<DataSetState, StateWords>> = {
  making: { word: 'being prepared', tone: 'busy' },
  ready: { word: 'unchanged since it was prepared', tone: 'ok' },
  dirty: { word: 'written to since', tone: 'ok' },
  partial: { word: 'not complete', tone: 'warn' },
  gone: { word: 'gone', tone: 'idle' },
};

/** Rows over all tables, as far as they were counted; beside those expected where a count is not what it should be. */
export function rowWords({ tables }: Pick<TableSet, 'tables'>): string {
  const expected = tables.reduce((sum, { rows }) => sum + rows, 0);
  const wrong = tables.some((table) => table.found !== undefined && !rowsFit(table, table.found));
  const found = tables.reduce((sum, table) => sum + (table.found === undefined ? table.rows : (table.found ?? 0)), 0);
  if (!wrong) return formatNumber(found);
  return `${formatNumber(found)} of ${formatNumber(expected)}`;
}

/** Names of its tables, the first few written out: “sbtest1, sbtest2, sbtest3 and 13 more”. */
export function tableWords({ tables }: Pick<TableSet, 'tables'>): string {
  const names = tables.map(({ name }) => name);
  const shown = names.length > 4 ? 3 : names.length;
  const rest = names.length - shown;
  return rest > 0 ? `${names.slice(0, shown).join(', ')} and ${rest} more` : names.join(', ');
}

/** “kneepoint-fio.0.0 and 3 more in /mnt/disk/kneepoint-fio”. */
export function fileWords({ files, directory }: Pick<FileSet, 'files' | 'directory'>): string {
  const more = files.length > 1 ? ` and ${formatCount(files.length - 1, 'more', 'more')}` : '';
  return `${files[0]?.name ?? 'no file'}${more} in ${directory}`;
}

/** Size of all files together: as found where it is less than expected. */
export function sizeWords({ files }: Pick<FileSet, 'files'>): string {
  const expected = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const found = files.reduce(
    (sum, file) => sum + Math.min(file.bytes, file.found ?? (file.found === null ? 0 : file.bytes)),
    0,
  );
  return found === expected ? formatBytes(expected) : `${formatBytes(found)} of ${formatBytes(expected)}`;
}
