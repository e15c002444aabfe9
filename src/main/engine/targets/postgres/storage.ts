import type { Durability, TargetDescription } from '../../../../shared/model/target.ts';
import { storedIn } from '../durability.ts';
import type { PostgresConnection } from './connection.ts';

const UNLOGGED: Durability = {
  level: 'unsafe',
  why: 'Unlogged tables have no log: they are emptied when the server starts after a power cut.',
  settings: [{ name: 'tables', value: 'unlogged', level: 'unsafe' }],
};

/** Tables of the target's database with a log, which are as durable as the settings say, and without. */
export async function postgresStorage(
  connection: PostgresConnection,
  durability: Durability,
): Promise<NonNullable<TargetDescription['storage']>> {
  const { rows } = await connection.query(
    `SELECT c.relpersistence, CASE n.nspname WHEN 'public' THEN c.relname ELSE n.nspname || '.' || c.relname END
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind = 'r' AND c.relpersistence IN ('p', 'u') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
     ORDER BY 2`,
  );
  const kept = (persistence: string): string[] =>
    rows.flatMap(([of, name]) => (of === persistence ? [String(name)] : []));
  return [storedIn('permanent', kept('p'), durability), storedIn('unlogged', kept('u'), UNLOGGED)];
}
