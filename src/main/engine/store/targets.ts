import type { TargetSpec } from '../../../shared/model/target.ts';
import { type Connection, guarded } from './connection.ts';
import { namedThings } from './named-things.ts';
import type { TargetRows } from './store.ts';

export const targetRows = (connection: Connection): TargetRows =>
  guarded<TargetRows>(connection, namedThings<TargetSpec>(connection, 'target', 'name COLLATE NOCASE'));
