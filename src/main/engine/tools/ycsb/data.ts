import type { TargetKind } from '../../../../shared/model/target.ts';
import { formatBytes, formatNumber } from '../../../../shared/util/format.ts';
import type { DataNeed } from '../tool.ts';
import { addsRecords, type YcsbOptions } from './options.ts';

/** Key, lengths and headers of a row beside its fields. */
const ROW_OVERHEAD = 60;
const FIELD_OVERHEAD = 2;

/** Hashed keys leave the pages of a clustered index two thirds full; a heap and ordered keys fill them. */
const filling = (options: YcsbOptions, kind: TargetKind): number =>
  kind === 'mysql' && options.insertorder === 'hashed' ? 1.45 : 1.12;

/** The table of the jdbc binding. A run that adds records starts each time from a new table, so none of them are needed before. */
export function dataNeed(options: YcsbOptions, kind: TargetKind): DataNeed {
  const row = options.fieldcount * (options.fieldlength + FIELD_OVERHEAD) + ROW_OVERHEAD;
  const bytes = Math.round(options.recordcount * row * filling(options, kind));
  const shape = `${options.fieldcount} fields of ${formatNumber(options.fieldlength)} bytes`;
  const words = `${formatNumber(options.recordcount)} records of ${shape}, about ${formatBytes(bytes)}`;
  return addsRecords(options)
    ? { title: `A table that each trial fills with ${words}`, bytes, tables: [{ name: options.table, rows: 0 }] }
    : { title: words, bytes, tables: [{ name: options.table, rows: options.recordcount }] };
}
