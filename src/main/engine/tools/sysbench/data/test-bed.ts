import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { Client } from 'pg';
import { expect } from 'vitest';
import {
  type DatabaseServer,
  startMariaDb,
  startMySql8,
  startPostgres,
} from '../../../../../../e2e/testbed/databases/index.ts';
import { expectSame } from '../../../../../../scripts/test/recorded.ts';
import type { ConnectionFacts } from '../../../../../shared/model/target.ts';
import { perform } from '../../testing/perform.ts';
import type { Command, Phase } from '../../tool.ts';
import { sysbenchTool } from '../index.ts';
import { SysbenchOptions } from '../options/index.ts';
import { readOutput } from '../recordings.ts';
import { dataNeed } from './index.ts';

/** A connection of a test's own. */
interface Sql {
  /** First column of the first row. */
  one(text: string): Promise<unknown>;
  end(): Promise<unknown>;
}

export async function mysqlSql({ address: host, port, user, password, database }: DatabaseServer): Promise<Sql> {
  const connection = await createConnection({ host, port, user, password, database });
  return {
    one: async (text) => {
      const [rows] = await connection.query({ sql: text, rowsAsArray: true });
      return Array.isArray(rows) ? (rows as unknown[][])[0]?.[0] : undefined;
    },
    end: () => connection.end(),
  };
}

async function postgresSql({ address: host, port, user, password, database }: DatabaseServer): Promise<Sql> {
  const client = new Client({ host, port, user, password, database });
  await client.connect();
  return {
    one: async (text) => {
      const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' });
      return rows[0]?.[0];
    },
    end: () => client.end(),
  };
}

/** What differs between the servers that the library is tried on. */
export interface Kind {
  kind: 'mysql' | 'postgres';
  start(): Promise<DatabaseServer>;
  connect(server: DatabaseServer): Promise<Sql>;
}
// A busy disk would stall commits, and this is not about commits.
export const LAX_MYSQL = { innodb_flush_log_at_trx_commit: 0, sync_binlog: 0 };
export const SERVERS: Readonly<Record<'MariaDB' | 'PostgreSQL', Kind>> = {
  MariaDB: { kind: 'mysql', start: () => startMariaDb({ settings: LAX_MYSQL }), connect: mysqlSql },
  PostgreSQL: { kind: 'postgres', start: () => startPostgres({ settings: { fsync: 'off' } }), connect: postgresSql },
};
/** Beside them, for what the two servers of the family may do differently. */
export const MYSQL: Kind = { kind: 'mysql', start: () => startMySql8({ settings: LAX_MYSQL }), connect: mysqlSql };

export const DONE = { ok: true };
export const FINE = { ...DONE, unparsed: [] };

/** A server with the steps of sysbench against it, each in a folder. */
export async function libraryBed({ kind, start, connect }: Kind) {
  const folder = mkdtempSync(join(tmpdir(), 'kneepoint-sysbench-library-'));
  const server = await start();
  const sql = await connect(server);
  const optionsOf = (options: Record<string, unknown>) => SysbenchOptions.parse({ threads: 2, ...options });
  const need = (options: Record<string, unknown>) => dataNeed(optionsOf(options), kind);
  /** The steps, through another address of the server if one is given. */
  function planned(options: Record<string, unknown>, { duration = 1, port = server.port } = {}) {
    const { address: host, user, password, database } = server;
    const connection: ConnectionFacts = { kind, host, port, user, password, database, tls: 'disabled' };
    const input = { connection, warmup: 0, duration, seed: 1, nodePath: process.execPath, assetsDir: folder };
    return sysbenchTool.plan({ ...input, options: optionsOf(options) });
  }
  async function done(command: Command | undefined, name: Phase) {
    if (!command) throw new Error(`there is no command ${name}`);
    const { stdout, stderr, exit } = await perform(command, folder);
    return readOutput(stdout, stderr, { phase: name, exit });
  }
  const rows = async (table: string): Promise<number> => Number(await sql.one(`SELECT COUNT(*) FROM ${table}`));
  return {
    kind,
    server,
    sql,
    folder,
    planned,
    done,
    rows,
    need,
    /** As `data` says: each table with its rows. `made`: no run has changed them yet. */
    async countsAsNeeded(options: Record<string, unknown>, { made = true } = {}): Promise<void> {
      const tables = (need(options)?.tables ?? []).filter(({ runs }) => made || runs === undefined);
      expect(tables.length).toBeGreaterThan(0);
      const found: Record<string, number> = {};
      for (const { name } of tables) found[name] = await rows(name);
      expectSame('rows of each table', found, Object.fromEntries(tables.map((table) => [table.name, table.rows])));
    },
    async cleaned(options: Record<string, unknown>): Promise<void> {
      // Nothing there is fine.
      for (let round = 0; round < 2; round += 1)
        expect(await done(planned(options).cleanup, 'cleanup')).toMatchObject(FINE);
      const left = await sql.one(
        "SELECT COUNT(*) FROM information_schema.tables WHERE table_name LIKE 'kp%' OR table_name LIKE 'sbtest%'",
      );
      expectSame('tables that are left', Number(left), 0);
    },
    async stop(): Promise<void> {
      await sql.end();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
export type LibraryBed = Awaited<ReturnType<typeof libraryBed>>;
