import type { TargetKind } from '../../../../shared/model/target.ts';
import type { DataNeed } from '../tool.ts';
import { addsRecords, type YcsbOptions } from './options.ts';

/** Key, lengths and headers of a row beside its fields. */
const ROW_OVERHEAD = 60;
const FIELD_OVERHEAD = 2;

const numberWords = new Intl.NumberFormat('en-US');

/** Bytes in words: `about 9.2 MiB`. */
function about(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  const value = bytes / 1024 ** step;
  return `about ${value >= 10 || step === 0 ? Math.round(value) : value.toFixed(1)} ${units[step]}`;
}

/** Hashed keys leave the pages of a clustered index two thirds full; a heap and ordered keys fill them. */
const filling = (options: YcsbOptions, kind: TargetKind): number =>
  kind === 'mysql' && options.insertorder === 'hashed' ? 1.45 : 1.12;

/** The table of the jdbc binding. A run that adds records starts each time from a new table, so none of them are needed before. */
export function dataNeed(options: YcsbOptions, kind: TargetKind): DataNeed {
  const row = options.fieldcount * (options.fieldlength + FIELD_OVERHEAD) + ROW_OVERHEAD;
  const bytes = Math.round(options.recordcount * row * filling(options, kind));
  const shape = `${options.fieldcount} fields of ${numberWords.format(options.fieldlength)} bytes`;
  const words = `${numberWords.format(options.recordcount)} records of ${shape}, ${about(bytes)}`;
  return addsRecords(options)
    ? { title: `A table that each trial fills with ${words}`, bytes, tables: [{ name: options.table, rows: 0 }] }
    : { title: words, bytes, tables: [{ name: options.table, rows: options.recordcount }] };
}
