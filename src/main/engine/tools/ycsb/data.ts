import type { TargetKind } from '../../../../shared/model/target.ts';
import { formatBytes, formatNumber } from '../../../../shared/util/format.ts';
import type { DataNeed } from '../tool.ts';
import { addsRecords, drivesTarget, mixOf, type YcsbOptions } from './options/index.ts';

/** Key, lengths and headers of a row beside its fields. */
const ROW_OVERHEAD = 60;
const FIELD_OVERHEAD = 2;
/** Name, type, length and subtype of a binary field in BSON. */
const NAME_OVERHEAD = 11;

/** Hashed keys leave the pages of a clustered index two thirds full; a heap and ordered keys fill them. */
const filling = (options: YcsbOptions, kind: TargetKind): number =>
  kind === 'mysql' && options.insertorder === 'hashed' ? 1.45 : 1.12;

/**
 * The table or collection of a saved target. A run that adds records starts each time from a new table: one generator makes it itself,
 * so no records are needed before; for several it is made before each trial.
 */
export function dataNeed(options: YcsbOptions, kind: TargetKind, generators = 1): DataNeed | undefined {
  const family = drivesTarget(options);
  if (family === undefined) return undefined;
  // Each document names its fields again.
  const name = family === 'mongodb' ? NAME_OVERHEAD : 0;
  const row = options.fieldcount * (options.fieldlength + FIELD_OVERHEAD + name) + ROW_OVERHEAD;
  const bytes = Math.round(options.recordcount * row * filling(options, kind));
  const shape = `${options.fieldcount} fields of ${formatNumber(options.fieldlength)} bytes`;
  const words = `${formatNumber(options.recordcount)} records of ${shape}, about ${formatBytes(bytes)}`;
  const layout = { bytes, shape: `${shape}, ${options.fieldlengthdistribution} lengths, ${options.insertorder} keys` };
  const several = generators > 1;
  if (addsRecords(options) && several && options.phase === 'run')
    return {
      ...layout,
      title: `${words}, new for each trial`,
      shape: `${layout.shape}, new for each trial`,
      tables: [{ name: options.table, rows: options.recordcount }],
      written: true,
      eachTrial: true,
    };
  if (addsRecords(options))
    return {
      ...layout,
      // It begins empty: lengths and order of keys are what a trial brings, and one such table serves them all.
      shape,
      title: `A table that each trial fills with ${words}`,
      tables: [{ name: options.table, rows: 0 }],
      written: true,
      ...(several && { eachTrial: true }),
    };
  const { update, readmodifywrite } = mixOf(options);
  return {
    ...layout,
    title: words,
    tables: [{ name: options.table, rows: options.recordcount }],
    written: update + readmodifywrite > 0,
  };
}
