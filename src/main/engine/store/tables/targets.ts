import type { TargetSpec } from '../../../../shared/model/target.ts';
import { type Connection, guarded } from '../file/connection.ts';
import { type NamedThings, namedThings } from './named-things.ts';

export type TargetRows = NamedThings<TargetSpec>;

export const targetRows = (connection: Connection): TargetRows =>
  guarded<TargetRows>(connection, namedThings<TargetSpec>(connection, 'target', 'name COLLATE NOCASE'));
