import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { codeOf, counted, refused } from '../../failure.ts';
import type { SettingsControl, SettingsReference, SharedUse, VariedSetting } from '../../target.ts';
import type { PostgresConnection } from '../connection.ts';
import { isRefusal } from '../failure.ts';
import { isPooled } from '../managed-pooler.ts';
import { postgresDependencies, postgresSettingDurability } from '../settings.ts';
import effects from './effects.json' with { type: 'json' };
import { readSettings, settingsOfFiles } from './look.ts';
import { type PoolerConsole, poolerConsole, poolerSetting } from './pooler.ts';
import { alterSystem, autoFileScript, resetSystem } from './statement.ts';

/** Milliseconds for a server to reread its files, and between two checks. */
const RELOAD_LIMIT = 15_000;
const RELOAD_POLL_MS = 20;
const NO_RIGHTS = '42501';

async function execute(connection: PostgresConnection, name: string, statement: string): Promise<void> {
  try {
    await connection.query(statement);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw refused(
      [name],
      error,
      codeOf(error) === NO_RIGHTS
        ? `Use a superuser, or grant the account ALTER SYSTEM ON PARAMETER ${name}.`
        : undefined,
    );
  }
}

/** The main process rereads its files before it notifies the other processes, including that of this connection. */
async function reload(connection: PostgresConnection): Promise<void> {
  const [[before] = []] = (await connection.query('SELECT pg_conf_load_time()::text')).rows;
  await execute(connection, 'pg_reload_conf', 'SELECT pg_reload_conf()');
  const limit = performance.now() + RELOAD_LIMIT;
  while (performance.now() < limit) {
    const { rows } = await connection.query('SELECT pg_conf_load_time() > $1::timestamptz', [String(before)]);
    if (rows[0]?.[0] === true) return;
    await delay(RELOAD_POLL_MS);
  }
}

type First = Pick<VariedSetting, 'name' | 'value' | 'undo'>;

type TableValues = (connection: PostgresConnection, tables: readonly string[]) => Promise<string[]>;

const texts = (rows: readonly (readonly unknown[])[]): string[] => rows.map(([text]) => String(text));

const accessMethods: TableValues = async (connection, tables) => {
  const { rows } = await connection.query(
    `SELECT DISTINCT a.amname FROM pg_class c JOIN pg_am a ON a.oid = c.relam
     WHERE c.relkind = 'r' AND pg_table_is_visible(c.oid) AND c.relname = ANY(string_to_array($1, ','))`,
    [tables.join(',')],
  );
  return texts(rows);
};

/** Limits for sampled rows and columns: each value is compressed separately, but a load compresses all in the same way. */
const SAMPLED = { rows: 1000, columns: 50 };

/** A column without its own method shows nothing; its values do, if they were long enough to be compressed. */
const compressions: TableValues = async (connection, tables) => {
  const { rows: columns } = await connection.query(
    `SELECT format('SELECT pg_column_compression(%1$I) FROM (SELECT %1$I FROM %2$s LIMIT ${SAMPLED.rows}) AS looked_at', a.attname, c.oid::regclass)
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relkind = 'r' AND pg_table_is_visible(c.oid) AND c.relname = ANY(string_to_array($1, ','))
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attlen = -1 AND a.attstorage IN ('x', 'm') LIMIT ${SAMPLED.columns}`,
    [tables.join(',')],
  );
  if (columns.length === 0) return [];
  const { rows } = await connection.query(
    `SELECT DISTINCT method FROM (${texts(columns).join(' UNION ALL ')}) AS all_of_them (method) WHERE method IS NOT NULL`,
  );
  return texts(rows);
};

/** Settings that tables or their values keep from their creation, and how to read them. */
const TABLE_VALUES: Readonly<Record<string, TableValues>> = {
  default_table_access_method: accessMethods,
  default_toast_compression: compressions,
};

class Control implements SettingsControl {
  readonly #connection: PostgresConnection;
  readonly #pooler: PoolerConsole;

  constructor(connection: PostgresConnection) {
    this.#connection = connection;
    this.#pooler = poolerConsole(connection);
  }

  /** Behind PgBouncer, a name that PgBouncer also has refers to PgBouncer's setting. */
  async look(names: readonly string[]): Promise<readonly (VariedSetting | undefined)[]> {
    const pooled = await this.#pooler.settings();
    const behind = names.filter((name) => !pooled.has(name));
    const found = behind.length === 0 ? [] : await readSettings(this.#connection, behind);
    return names.map((name) => {
      const own = pooled.get(name);
      return own ? poolerSetting(name, own) : found[behind.indexOf(name)];
    });
  }

  async set(values: ReadonlyMap<string, string>): Promise<void> {
    await this.#each([...values].map(([name, value]) => ({ name, value, statement: alterSystem(name, value) })));
  }

  async restore(first: readonly First[]): Promise<void> {
    await this.#each(
      first.map(({ name, value, undo: { before } }) => ({
        name,
        value,
        statement: before === undefined ? resetSystem(name) : alterSystem(name, before),
      })),
    );
  }

  async #each(things: readonly { name: string; value: string; statement: string }[]): Promise<void> {
    const pooled = await this.#pooler.settings();
    const own = things.filter(({ name }) => pooled.has(name));
    const behind = things.filter(({ name }) => !pooled.has(name));
    if (own.length > 0) await this.#pooler.set(new Map(own.map(({ name, value }) => [name, value])));
    for (const { name, statement } of behind) await execute(this.#connection, name, statement);
    if (behind.length > 0) await reload(this.#connection);
  }

  async changeable(): Promise<readonly VariedSetting[]> {
    const pooled = [...(await this.#pooler.settings())].map(([name, own]) => poolerSetting(name, own));
    const behind = (await isPooled(this.#connection)) ? [] : await settingsOfFiles(this.#connection);
    return [...pooled.filter(({ effect }) => effect === 'live'), ...behind];
  }

  /** ALTER SYSTEM writes to a file. Values set on PgBouncer's console cannot be distinguished from those of its file. */
  inMemory(): Promise<ReadonlyMap<string, string>> {
    return Promise.resolve(new Map());
  }

  async ofTables(
    settings: readonly string[],
    tables: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const found = new Map<string, readonly string[]>();
    for (const name of settings) {
      const tableValuesOf = TABLE_VALUES[name.toLowerCase()];
      if (tableValuesOf) found.set(name, await tableValuesOf(this.#connection, tables));
    }
    return found;
  }

  async shared(): Promise<SharedUse> {
    const { rows } = await this.#connection.query(
      `SELECT usename, coalesce(host(client_addr), 'the server’s own host') FROM pg_stat_activity
       WHERE usename <> current_user AND (backend_type = 'client backend' OR (backend_type IS NULL AND datid IS NOT NULL))`,
    );
    const copies = await this.#connection.query(
      "SELECT coalesce(host(client_addr), 'the server’s own host') FROM pg_stat_replication",
    );
    const facts = await this.#connection.query(
      'SELECT extract(epoch FROM clock_timestamp() - pg_postmaster_start_time())::float8, pg_is_in_recovery()',
    );
    const [up, isCopy] = facts.rows[0] ?? [];
    return {
      clients: [
        ...(await this.#pooler.clients()),
        ...counted(rows.map(([user, from]) => `${String(user)} from ${String(from)}`)),
      ],
      replicas: [
        ...counted(copies.rows.map(([from]) => `a replica at ${String(from)}`)),
        ...(isCopy === true ? ['it is a replica itself'] : []),
      ],
      upSeconds: typeof up === 'number' ? up : undefined,
    };
  }
}

export const postgresControl = (connection: PostgresConnection): Promise<SettingsControl> =>
  Promise.resolve(new Control(connection));

/** Settings of PostgreSQL 11, 15 and 18, and those of PgBouncer that its console can change. */
const EFFECTS = z.record(z.enum(['restart', 'fixed', 'reload', 'live']), z.array(z.string())).parse(effects);
const KNOWN = new Map(
  (['live', 'reload', 'fixed', 'restart'] as const).flatMap((effect) =>
    EFFECTS[effect].map((name) => [name.toLowerCase(), effect] as const),
  ),
);

/** Settings that a table, column or row keeps from its creation, or from its last ANALYZE. */
const FOR_NEW_DATA = new Set([
  ...['default_toast_compression', 'default_table_access_method', 'default_tablespace', 'default_with_oids'],
  ...['default_statistics_target', 'default_text_search_config', 'data_checksums', 'wal_segment_size', 'segment_size'],
]);

export const POSTGRES_REFERENCE: SettingsReference = {
  dataFolder: 'data_directory',
  isForNewData: (name) => FOR_NEW_DATA.has(name.toLowerCase()),
  effectOf: (name) => KNOWN.get(name.toLowerCase()),
  dependsOn: postgresDependencies,
  durability: postgresSettingDurability,
  restoreScript: autoFileScript,
};
