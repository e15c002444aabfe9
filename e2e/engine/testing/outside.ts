import { createConnection } from 'mysql2/promise';
import { Client } from 'pg';

/** A server, and an account that can log in to it. */
interface Login {
  product: 'mariadb' | 'mysql' | 'postgres';
  address: string;
  port: number;
  user: string;
  password: string;
  database: string;
}

/** First row of a statement's result, as texts, from a client independent of the engine. */
export async function asked(login: Login, statement: string): Promise<string[]> {
  const { address: host, port, user, password, database } = login;
  if (login.product === 'postgres') {
    const client = new Client({ host, port, user, password, database });
    await client.connect();
    try {
      const { rows } = await client.query<unknown[]>({ text: statement, rowMode: 'array' });
      return (rows[0] ?? []).map(String);
    } finally {
      await client.end();
    }
  }
  const client = await createConnection({ host, port, user, password, database });
  try {
    const [rows] = await client.query({ sql: statement, rowsAsArray: true });
    const [first] = Array.isArray(rows) ? rows : [];
    return Array.isArray(first) ? first.map(String) : [];
  } finally {
    await client.end();
  }
}
