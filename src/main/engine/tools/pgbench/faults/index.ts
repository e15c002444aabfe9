import { type EndingWords, faultFindings } from '../../faults.ts';
import { FAULTS, type FaultCode } from './words.ts';

/** The finding for a fault, with the line it was read from. */
export const faultFinding = faultFindings(FAULTS);

/** pgbench and libpq print no error numbers, and with LC_ALL=C their words are these. The first that fits counts. */
const TEXTS: readonly (readonly [RegExp, FaultCode])[] = [
  [/password file ".*" has group or world access/, 'password-file-ignored'],
  [/authentication method requirement ".*" failed/i, 'password-kept'],
  [/no space left on device|could not extend file|disk full/i, 'disk-full'],
  [/SCRAM authentication requires libpq|authentication method \d+ not supported/i, 'login-unknown'],
  [/, (no encryption|SSL off)\b|connection requires .*(SSL|TLS)|SSL (connection )?is required/i, 'tls-required'],
  [
    /password authentication failed|no password supplied|no pg_hba\.conf entry|role ".*" does not exist|authentication failed for user/i,
    'auth-failed',
  ],
  [/database ".*" does not exist|permission denied for database/i, 'database-missing'],
  [/prepared statement ".*" (already exists|does not exist)/i, 'statement-on-other-connection'],
  [/query_wait_timeout/, 'pool-exhausted'],
  [/too many (clients|connections)|remaining connection slots|no more connections allowed/i, 'too-many-connections'],
  [/need at least \d+ open files|too many open files|too many client connections for select/i, 'too-many-files'],
  [/could not translate host name .*(System error|Too many open files|Memory allocation)/i, 'too-many-files'],
  [/could not translate host name/i, 'unknown-host'],
  [/server does not support SSL|SSL error|certificate|root certificate file/i, 'tls-failed'],
  [
    /Connection refused|No route to host|Network is unreachable|timeout expired|Connection timed out|No such file or directory\n?\s*Is the server/i,
    'connection-refused',
  ],
  [/permission denied|must be owner of/i, 'permission-denied'],
  [/relation ".*" does not exist/i, 'table-missing'],
  [/duplicate key value/i, 'duplicate-key'],
  [/could not serialize access/i, 'serialization-failure'],
  [/deadlock detected/i, 'deadlock'],
  [/canceling statement due to (statement|lock) timeout/i, 'lock-timeout'],
  [/canceling statement due to/i, 'query-canceled'],
  [
    /terminating connection|server closed the connection|perhaps the backend died|the database system is (starting up|shutting down|in recovery)|connection to server was lost|could not receive data from server/i,
    'connection-lost',
  ],
  [/read-only transaction|recovery is in progress/i, 'read-only'],
  [/unrecognized option|invalid option|requires an argument/i, 'unknown-option'],
  [
    /syntax error in command|unexpected (character|end)|invalid command|could not open file ".*\.sql"|missing argument|\.sql:\d+: /i,
    'script-error',
  ],
  [/aborted in command|client \d+ (script \d+ )?aborted|undefined variable|ERROR: {2}/i, 'sql-error'],
  [
    /must be in range|invalid (number|value|argument|client|scaling|weight|variable|builtin|latency|rate|interval)|no builtin script|too many command-line/i,
    'bad-option-value',
  ],
  [/pgbench: (command )?not found|['‘"]?pgbench['’"]?: No such file/i, 'tool-missing'],
];
/** Where the meaning stands; behind it can be a query of a megabyte. */
const HEAD = 4000;

/** What a line of trouble means. */
export function classify(line: string): FaultCode | undefined {
  const head = line.slice(0, HEAD);
  return TEXTS.find(([pattern]) => pattern.test(head))?.[1];
}

export const ENDING: EndingWords = {
  name: 'pgbench',
  crashNext:
    'Likely: not every client could connect, and pgbench 15 crashes when it gives up then. Check the server’s log for refused connections.',
  missing: faultFinding('tool-missing'),
};
