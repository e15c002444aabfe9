import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, Driver } from './driver.ts';
import { openMySql, sendMySql, textOf } from './mysql.ts';
import type { Connection } from './settings.ts';

const MYSQL_PORT = 9004;
/** Maximum checks of the query log, one second apart, if the account may not flush it. By default it is flushed within 7.5 s. */
const POLLS = 15;

/** The server's counters for the first statement with a mark: its totals and its ProfileEvents. */
const profileOf = (mark: string): string => `
SELECT event.1 AS event_name, event.2 AS event_value FROM (
  SELECT arrayJoin(arrayConcat(
    [('query_duration_ms', query_duration_ms), ('read_rows', read_rows), ('read_bytes', read_bytes),
     ('result_rows', result_rows), ('result_bytes', result_bytes), ('memory_usage', memory_usage)],
    arrayZip(mapKeys(ProfileEvents), mapValues(ProfileEvents)))) AS event
  FROM (
    SELECT * FROM system.query_log
    WHERE event_date >= yesterday() AND type = 'QueryFinish' AND log_comment = '${mark}'
    ORDER BY event_time_microseconds LIMIT 1
  )
)`;

/** Rows and bytes read by the server for an execution of a marked statement. Its text is sent as hex digits, which need no escaping. */
const readsOf = (mark: string, statement: string): string => `
SELECT count(), avg(read_rows), avg(read_bytes) FROM system.query_log
WHERE event_date >= yesterday() AND type = 'QueryFinish' AND log_comment = '${mark}'
  AND trimBoth(query) = unhex('${Buffer.from(statement.trim()).toString('hex')}')`;

/** MySQL's driver names ClickHouse's errors after those with the same numbers in MySQL. */
function unnamed(error: unknown): never {
  if (error instanceof Error && 'sqlState' in error) Reflect.deleteProperty(error, 'code');
  throw error;
}

/**
 * ClickHouse on its port for MySQL's protocol. Its statements are marked with `log_comment`, which identifies them among running queries and in the
 * log. For an account that may not change settings (`readonly = 1`), they are identified by the connection id, and there is no profile.
 */
export async function connectClickHouse(connection: Connection): Promise<Driver> {
  const asked = { port: MYSQL_PORT, ...connection };
  const client = await openMySql(asked).catch(unnamed);
  const run = (statement: string): Promise<Answer> => sendMySql(client, statement).catch(unnamed);
  const version = textOf((await run('SELECT version()')).values[0]?.[0]);
  const mark = `kneepoint ${randomUUID()}`;
  const markAs = (words: string): Promise<Answer> => run(`SET log_comment = '${words}'`);
  const marked = await markAs(mark).then(
    () => true,
    () => false,
  );
  /** Queries the log until it has the wanted entry. Undefined if it does not appear. */
  const inLog = async (question: string, isThere: (answer: Answer) => boolean): Promise<Answer | undefined> => {
    const written = await run('SYSTEM FLUSH LOGS').then(
      () => true,
      () => false,
    );
    for (let poll = 1; poll <= POLLS; poll += 1) {
      const answer = await run(question);
      if (isThere(answer)) return answer;
      if (written) return undefined;
      await delay(1000);
    }
    return undefined;
  };
  const ours = marked ? `Settings['log_comment'] LIKE '${mark}%'` : `query_id LIKE 'mysql:${client.threadId}:%'`;
  return {
    server: `ClickHouse ${version}`,
    encryption: client.config.ssl ? 'TLS' : 'none',
    run,
    explain: (statement, how) =>
      how === 'explain' ? `EXPLAIN indexes = 1 ${statement}` : `EXPLAIN ANALYZE ${statement}`,
    async profile(statement) {
      if (!marked)
        throw new Error(
          'The account has no permission to set log_comment, by which its query is found in system.query_log.',
        );
      const own = `${mark} profile`;
      await markAs(own);
      await run(statement);
      await markAs(mark);
      const answer = await inLog(profileOf(own), ({ rows }) => rows > 0);
      if (answer) return answer;
      throw new Error('system.query_log has nothing of this query: log_queries may be 0.');
    },
    async reads(statement) {
      const found = ({ values: [row] }: Answer): number[] => (row ?? []).map((value) => Number(textOf(value)));
      const answer = marked ? await inLog(readsOf(mark, statement), (each) => (found(each)[0] ?? 0) > 0) : undefined;
      if (!answer) return undefined;
      const [, rows = 0, bytes = 0] = found(answer);
      return { rows, bytes };
    },
    async cancel() {
      const other = await openMySql(asked);
      await sendMySql(other, `KILL QUERY WHERE ${ours}`).finally(() => other.destroy());
    },
    async close() {
      client.destroy();
    },
  };
}
