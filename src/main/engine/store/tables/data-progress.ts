import type { DataSetKind } from '../../../../shared/model/data-set.ts';
import type { Connection } from '../file/connection.ts';
import { fromJson, toJson } from './rows.ts';

/** State of a data set when a session began to use it. */
export interface UsedSet {
  kind: DataSetKind;
  id: number;
  /** Time of the last write before that. Undefined if an earlier version stored this. */
  writtenAt?: number | null;
}

/** Data that a session has made or found for its trials so far. */
export interface DataProgress {
  /** Group of cells that use the same data. */
  group: number;
  keys: readonly string[];
  sets: readonly UsedSet[];
  complete: boolean;
  /** The run that it was prepared for, if each trial uses its data up. */
  run?: number;
}

export interface DataProgressRows {
  dataProgress(id: number): DataProgress | undefined;
  setDataProgress(id: number, progress: DataProgress): void;
}

const QUERIES = {
  get: 'SELECT data_group, keys, sets, complete, run_id FROM data_progress WHERE session_id = ?',
  set: `INSERT OR REPLACE INTO data_progress (session_id, data_group, keys, sets, complete, run_id)
    VALUES (?, ?, ?, ?, ?, ?)`,
};

interface Row {
  data_group: number;
  keys: string;
  sets: string;
  complete: number;
  run_id: number | null;
}

/** Earlier versions stored only the ids of tables. */
const usedSet = (stored: UsedSet | number): UsedSet =>
  typeof stored === 'number' ? { kind: 'tables', id: stored } : stored;

export function dataProgressRows({ db, write }: Connection): DataProgressRows {
  const get = db.prepare<[number], Row>(QUERIES.get);
  const set = db.prepare<[number, number, string, string, number, number | null]>(QUERIES.set);
  return {
    dataProgress(sessionId) {
      const row = get.get(sessionId);
      if (row === undefined) return undefined;
      return {
        group: row.data_group,
        keys: fromJson<string[]>(row.keys),
        sets: fromJson<(UsedSet | number)[]>(row.sets).map(usedSet),
        complete: row.complete === 1,
        ...(row.run_id !== null && { run: row.run_id }),
      };
    },
    setDataProgress(sessionId, { group, keys, sets, complete, run }: DataProgress) {
      write(() => set.run(sessionId, group, toJson(keys), toJson(sets), complete ? 1 : 0, run ?? null));
    },
  };
}
