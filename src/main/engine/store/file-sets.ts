import type { SetFile } from '../../../shared/model/file-set.ts';
import type { Connection } from './connection.ts';
import { fromJson, toJson } from './rows.ts';
import { setRows } from './sets.ts';
import type { FileSetRows, NewFileSet } from './store.ts';

interface FileColumns {
  host_id: number;
  directory: string;
  files: string;
  checked_at: number | null;
}

export const fileSetRows = (connection: Connection): FileSetRows =>
  setRows<NewFileSet, FileColumns>(connection, {
    table: 'file_set',
    noun: 'file set',
    columns: ['host_id', 'directory', 'files', 'checked_at'],
    toColumns: (set) => ({
      host_id: set.hostId,
      directory: set.directory,
      files: toJson(set.files),
      checked_at: set.checkedAt,
    }),
    fromColumns: (row, shared) => ({
      ...shared,
      hostId: row.host_id,
      directory: row.directory,
      files: fromJson<SetFile[]>(row.files),
      checkedAt: row.checked_at,
    }),
  });
