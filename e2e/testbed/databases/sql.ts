import { createConnection } from 'mysql2/promise';
import { Client } from 'pg';
import type { DatabaseServer } from './server.ts';

/** Executes statements in sequence on one connection, as the test account. */
export async function runSql(server: DatabaseServer, statements: readonly string[]): Promise<void> {
  const { user, password, database, socket, port, address } = server;
  if (server.product === 'postgres') {
    const client = new Client({ host: address, port, user, password, database });
    // A server that dies fails the statement; the connection reports it again.
    client.on('error', () => undefined);
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
    return;
  }
  const connection = await createConnection({ socketPath: socket, user, password, database });
  try {
    for (const statement of statements) await connection.query(statement);
  } finally {
    await connection.end().catch(() => connection.destroy());
  }
}
