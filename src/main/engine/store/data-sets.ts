import type { DataTable } from '../../../shared/model/data-set.ts';
import type { Connection } from './connection.ts';
import { fromJson, toJson } from './rows.ts';
import { setRows } from './sets.ts';
import type { DataSetRows, NewDataSet } from './store.ts';

interface TableColumns {
  target_id: number;
  shape: string;
  tables: string;
  bytes: number | null;
  counted_at: number | null;
}

export const dataSetRows = (connection: Connection): DataSetRows =>
  setRows<NewDataSet, TableColumns>(connection, {
    table: 'data_set',
    noun: 'data set',
    columns: ['target_id', 'shape', 'tables', 'bytes', 'counted_at'],
    toColumns: (set) => ({
      target_id: set.targetId,
      shape: set.shape,
      tables: toJson(set.tables),
      bytes: set.bytes,
      counted_at: set.countedAt,
    }),
    fromColumns: (row, shared) => ({
      ...shared,
      targetId: row.target_id,
      shape: row.shape,
      tables: fromJson<DataTable[]>(row.tables),
      bytes: row.bytes,
      countedAt: row.counted_at,
    }),
  });
