import type { LiveSession } from '../../../../shared/model/target-details.ts';
import { present, SESSIONS_LISTED, statementOf } from '../server-facts.ts';
import type { PostgresConnection } from './connection.ts';

/** Clients of the server, the longest in their state first. Of others' without pg_read_all_stats only whose they are is told: not even their kind. */
export async function postgresSessions(connection: PostgresConnection): Promise<LiveSession[]> {
  const { rows } = await connection.query(
    `SELECT pid, state, usename, CASE WHEN backend_type IS NOT NULL THEN coalesce(host(client_addr), 'socket') END, application_name, datname,
       concat_ws(': ', wait_event_type, wait_event), extract(epoch FROM clock_timestamp() - state_change)::float8,
       query, pid = pg_backend_pid()
     FROM pg_stat_activity
     WHERE backend_type = 'client backend' OR (backend_type IS NULL AND datid IS NOT NULL AND usesysid IS NOT NULL)
     ORDER BY state_change NULLS LAST, pid LIMIT ${SESSIONS_LISTED}`,
  );
  return rows.map(([pid, state, user, address, program, database, wait, seconds, statement, own]) => ({
    id: String(pid),
    state: typeof state === 'string' ? state : 'not reported',
    own: own === true,
    ...present({
      user: text(user),
      client: [text(address), text(program)].filter(Boolean).join(', '),
      database: text(database),
      wait: text(wait),
      seconds: typeof seconds === 'number' ? Math.max(0, seconds) : undefined,
      statement: statementOf(statement),
    }),
  }));
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
