import { counted, movesTheServer, notInList, refused } from '../../failure.ts';
import type { SharedUse, VariedSetting } from '../../target.ts';
import type { PostgresConnection } from '../connection.ts';
import { isPoolerRefusal } from '../failure.ts';
import { CONSOLE, isPooled } from '../managed-pooler.ts';
import { consoleSet } from './statement.ts';

const PLACE = new Set(['listen_addr', 'listen_port', 'unix_socket_dir', 'conffile', 'pidfile', 'user']);
/** Settings that a line of [databases] can override, and the column that shows it. */
const OF_DATABASE: ReadonlyMap<string, string> = new Map([
  ['pool_mode', 'pool_mode'],
  ['default_pool_size', 'pool_size'],
]);
const MODES = ['session', 'transaction', 'statement'];

interface PoolerSetting {
  readonly value: string;
  readonly changeable: boolean;
  /** The overriding value of the target's database. */
  readonly ofDatabase: string | undefined;
}

/** A pooler in front of the server that responds on PgBouncer's console. */
export interface PoolerConsole {
  /** By name. Empty without PgBouncer, or if the account may not use its console. */
  settings(): Promise<ReadonlyMap<string, PoolerSetting>>;
  set(values: ReadonlyMap<string, string>): Promise<void>;
  clients(): Promise<SharedUse['clients']>;
}

export function poolerConsole(connection: PostgresConnection): PoolerConsole {
  const asked = async <Value>(
    ask: (console: PostgresConnection) => Promise<Value>,
    otherwise: Value,
  ): Promise<Value> => {
    if (!(await isPooled(connection))) return otherwise;
    let console: PostgresConnection;
    try {
      console = await connection.another(CONSOLE);
    } catch (error) {
      if (isPoolerRefusal(error)) return otherwise;
      throw error;
    }
    try {
      return await ask(console);
    } finally {
      await console.close();
    }
  };
  return {
    settings: () => asked((console) => readConfig(console, connection), new Map()),
    set: (values) => asked((console) => setAll(console, values), undefined),
    clients: () => asked(otherClients, []),
  };
}

/** Rows of a console result by column name, as columns differ by version. */
async function rowsOf(console: PostgresConnection, question: string): Promise<Map<string, string>[]> {
  const { columns, rows } = await console.query(question);
  return rows.map((row) => new Map(columns.map((column, index) => [column, String(row[index] ?? '')])));
}

async function readConfig(
  console: PostgresConnection,
  behind: PostgresConnection,
): Promise<ReadonlyMap<string, PoolerSetting>> {
  const rows = await rowsOf(console, 'SHOW CONFIG');
  const [[name] = []] = (await behind.query('SELECT current_database()')).rows;
  const databases = (await rowsOf(console, 'SHOW DATABASES')).filter((row) => row.get('database') === name);
  return new Map(
    rows.map((row) => {
      const [key = '', value = ''] = [row.get('key'), row.get('value')];
      const column = OF_DATABASE.get(key) ?? '';
      const others = databases.map((each) => each.get(column) ?? '').filter((each) => each !== '' && each !== value);
      return [key, { value, changeable: row.get('changeable') === 'yes', ofDatabase: others[0] }];
    }),
  );
}

async function setAll(console: PostgresConnection, values: ReadonlyMap<string, string>): Promise<void> {
  for (const [name, value] of values) {
    try {
      await console.query(consoleSet(name, value));
    } catch (error) {
      if (!isPoolerRefusal(error)) throw error;
      throw refused([name], error);
    }
  }
  // Open server connections would still be used, whatever the new pool size.
  await console.query('RECONNECT').catch(() => undefined);
}

async function otherClients(console: PostgresConnection): Promise<SharedUse['clients']> {
  const rows = await rowsOf(console, 'SHOW CLIENTS');
  const own = rows.find((row) => row.get('database') === CONSOLE)?.get('user');
  const others = rows.filter((row) => row.get('database') !== CONSOLE && row.get('user') !== own);
  return counted(others.map((row) => `${row.get('user')} from ${row.get('addr')}, through the pooler`));
}

export const poolerSetting = (name: string, { value, changeable, ofDatabase }: PoolerSetting): VariedSetting => ({
  name,
  value,
  effect: changeable ? 'live' : 'restart',
  keptIn: changeable ? 'memory' : 'file',
  obstacle: PLACE.has(name)
    ? movesTheServer(name)
    : ofDatabase === undefined
      ? undefined
      : {
          message: `The database of the target has its own “${name}” ${ofDatabase} in PgBouncer, which takes precedence.`,
          next: 'Remove it from the line of the database in [databases].',
        },
  undo: {},
  against: (wanted) => (name === 'pool_mode' && !MODES.includes(wanted) ? notInList(name, wanted, MODES) : undefined),
});
