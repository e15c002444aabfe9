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
} from '../../../../../../../e2e/testbed/databases/index.ts';
import { expectSame } from '../../../../../../../scripts/test/recorded.ts';
import type { ConnectionFacts } from '../../../../../../shared/model/target.ts';
import { perform } from '../../../testing/perform.ts';
import type { Command, Phase } from '../../../tool.ts';
import { sysbenchTool } from '../../index.ts';
import { SysbenchOptions } from '../../options/index.ts';
import { readOutput } from '../../testing/recordings.ts';
import { dataNeed } from '../index.ts';

/** A test's own connection. */
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

/** The differences between the servers on which the library is tested. */
export interface Kind {
  kind: 'mysql' | 'postgres';
  start(): Promise<DatabaseServer>;
  connect(server: DatabaseServer): Promise<Sql>;
}
// A busy disk would stall commits, which are not tested here.
export const LAX_MYSQL = { innodb_flush_log_at_trx_commit: 0, sync_binlog: 0 };
export const SERVERS: Readonly<Record<'MariaDB' | 'PostgreSQL', Kind>> = {
  MariaDB: { kind: 'mysql', start: () => startMariaDb({ settings: LAX_MYSQL }), connect: mysqlSql },
  PostgreSQL: { kind: 'postgres', start: () => startPostgres({ settings: { fsync: 'off' } }), connect: postgresSql },
};
/** An additional server, for differences within the MySQL family. */
export const MYSQL: Kind = { kind: 'mysql', start: () => startMySql8({ settings: LAX_MYSQL }), connect: mysqlSql };

export const DONE = { ok: true };
export const FINE = { ...DONE, unparsed: [] };

/** A server, and the commands of sysbench for it, each run in a folder. */
export async function libraryBed({ kind, start, connect }: Kind) {
  const folder = mkdtempSync(join(tmpdir(), 'kneepoint-sysbench-library-'));
  const server = await start();
  const sql = await connect(server);
  const optionsOf = (options: Record<string, unknown>) => SysbenchOptions.parse({ threads: 2, ...options });
  const need = (options: Record<string, unknown>) => dataNeed(optionsOf(options), kind);
  /** The commands, over a different port of the server if given. */
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
    /** Checks that tables have the rows that `data` requires. `made`: no run has changed them yet. */
    async countsAsNeeded(options: Record<string, unknown>, { made = true } = {}): Promise<void> {
      const tables = (need(options)?.tables ?? []).filter(({ runs }) => made || runs === undefined);
      expect(tables.length).toBeGreaterThan(0);
      const found: Record<string, number> = {};
      for (const { name } of tables) found[name] = await rows(name);
      expectSame('rows of each table', found, Object.fromEntries(tables.map((table) => [table.name, table.rows])));
    },
    async cleaned(options: Record<string, unknown>): Promise<void> {
      // Repeating it without data must succeed.
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
