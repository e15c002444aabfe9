import { codeOf } from '../../failure.ts';
import { numbersFrom } from '../../server-facts.ts';
import type { ServerSample } from '../../target.ts';
import type { PostgresConnection } from '../connection.ts';
import { type Columns, POSTGRES_PARTS, POSTGRES_VIEWS } from './parts.ts';

async function columnsOf(connection: PostgresConnection): Promise<Columns> {
  const { rows } = await connection.query(
    `SELECT relname, attname FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
     WHERE relnamespace = $1::regnamespace AND relname = ANY($2::text[]) AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    ['pg_catalog', POSTGRES_VIEWS],
  );
  const found = new Map<string, string[]>();
  for (const [relation, column] of rows) {
    found.set(String(relation), [...(found.get(String(relation)) ?? []), String(column)]);
  }
  return found;
}

interface AskedPart {
  sql: string;
  read(rows: readonly (readonly unknown[])[], columns: readonly string[]): readonly (readonly [string, unknown])[];
}

/** SQLSTATE: the server's own refusal, and the connection is whole. */
const isRefusal = (error: unknown): boolean => /^(42|0A|55|22|XX)/.test(codeOf(error));

/** Each part is asked by itself once: what the server or the account's rights do not have is left out from then on. */
async function partsOf(connection: PostgresConnection): Promise<{ parts: AskedPart[]; problems: string[] }> {
  const columns = await columnsOf(connection);
  const [parts, problems]: [AskedPart[], string[]] = [[], []];
  for (const part of POSTGRES_PARTS) {
    const sql = part.sql(columns);
    if (sql === undefined) continue;
    try {
      await connection.query(sql);
      parts.push({ sql, read: part.read() });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      problems.push(part.missing);
    }
  }
  const { rows } = await connection.query("SELECT pg_has_role(current_user, 'pg_read_all_stats', 'USAGE')");
  if (rows[0]?.[0] !== true) {
    problems.push(
      'What sessions of other accounts do and wait for is not told to the account: GRANT pg_monitor to it, and it is.',
    );
  }
  return { parts, problems };
}

/** All in one round trip and one transaction that only reads. */
export function postgresSampler(connection: PostgresConnection): () => Promise<ServerSample> {
  let asked: AskedPart[] | undefined;
  return async () => {
    let problems: readonly string[] = [];
    if (!asked) {
      const found = await partsOf(connection);
      problems = found.problems;
      asked = found.parts;
    }
    const parts = asked;
    const answers = await connection.several(parts.map(({ sql }) => sql).join(';\n'));
    const found = answers.flatMap(({ rows, columns }, index) => parts[index]?.read(rows, columns) ?? []);
    return { metrics: numbersFrom(found), ...(problems.length > 0 && { problems }) };
  };
}
