import type { LiveSession } from '../../../../shared/model/target-details.ts';
import { present, SESSIONS_LISTED, statementOf } from '../server-facts.ts';
import type { MySqlConnection } from './connection.ts';

/** Threads of the server that the account may see; without the PROCESS privilege only its own. */
export async function mysqlSessions(connection: MySqlConnection): Promise<LiveSession[]> {
  const [[own] = []] = await connection.query('SELECT CONNECTION_ID()');
  const rows = await connection.query('SHOW FULL PROCESSLIST');
  return rows.slice(0, SESSIONS_LISTED).map(([id, user, client, database, command, seconds, wait, statement]) => ({
    id: String(id),
    state: String(command),
    own: String(id) === String(own),
    ...present({
      user: words(user),
      client: words(client),
      database: words(database),
      wait: words(wait),
      seconds: seconds === null ? undefined : Number(seconds),
      statement: statementOf(statement),
    }),
  }));
}

const words = (value: unknown): string | undefined => (value === null ? undefined : String(value));
