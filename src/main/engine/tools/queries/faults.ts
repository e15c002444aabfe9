import type { Finding } from '../../../../shared/model/finding.ts';
import { evidenceOf, faultFindings } from '../faults.ts';
import type { Failure } from './program/lines.ts';

/** Recognizes failures by codes of the server and the system, as messages are translated and differ by version. ClickHouse’s codes follow HY000. */
const SIGNS = {
  'target-unreachable':
    /\b(ECONNREFUSED|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT|MongoServerSelectionError)\b/,
  'password-kept': /\b(PASSWORD_KEPT|MYSQL_CLEAR_PASSWORD_NOT_ENABLED)\b/,
  'access-denied':
    /\b(ER_ACCESS_DENIED\w*|ER_DBACCESS_DENIED\w*|28P01|28000|AuthenticationFailed|Unauthorized|HY000 (192|193|497|516))\b/,
  'database-missing': /\b(ER_BAD_DB_ERROR|3D000|HY000 81)\b/,
  'table-missing': /\b(ER_NO_SUCH_TABLE|42P01|NamespaceNotFound|HY000 60)\b/,
  'syntax-error': /\b(ER_PARSE_ERROR|42601|FailedToParse|CommandNotFound|BSONError|HY000 62)\b/,
  'disk-full': /\b(ER_DISK_FULL\w*|ER_RECORD_FILE_FULL|53100|HY000 243)\b/,
  'server-gone':
    /\b(PROTOCOL_CONNECTION_LOST|ECONNRESET|EPIPE|ER_SERVER_SHUTDOWN|ER_SESSION_WAS_KILLED|ER_CLIENT_INTERACTION_TIMEOUT|70100 1927|08(?!004|S01 1153)[0-9A-Z]{3}|57P0[1235]|25P0[34]|MongoNetworkError|MongoNetworkTimeoutError|PoolClearedError|MongoPoolClearedError|ShutdownInProgress|InterruptedAtShutdown|InterruptedDueToReplStateChange|SocketException|HostUnreachable)\b/,
} as const;
type Code = keyof typeof SIGNS | 'statement-failed';

const WORDS: Readonly<Record<Code, { message: string; next: string }>> = {
  'target-unreachable': {
    message: 'The database server cannot be reached from the host that sends the queries.',
    next: 'Test the target; if only one of your hosts reaches it, choose that host in the target, or as the generator.',
  },
  'password-kept': {
    message: 'The server requested a cleartext password. It was not sent.',
    next: 'Turn TLS on, in the server and for the target; pin the server’s key (Server key, for MySQL and ClickHouse); choose the server host as the generator, with its loopback address or socket; or allow a cleartext password for this target.',
  },
  'access-denied': { message: 'The server rejected the login.', next: 'Correct user and password of the target.' },
  'database-missing': {
    message: 'The database does not exist.',
    next: 'Create it, or choose another one in the target.',
  },
  'table-missing': {
    message: 'A table of the queries does not exist.',
    next: 'Create it in @prepare or @set-up, or correct its name.',
  },
  'syntax-error': {
    message: 'The server does not understand a statement.',
    next: 'Correct it; the evidence quotes the server.',
  },
  'disk-full': { message: 'The disk of the server is full.', next: 'Free up space there, then repeat the run.' },
  'server-gone': {
    message: 'The connection was closed while the server was working.',
    next: 'Check the server log at that time. Queries that this computer sends via a host end when Kneepoint or the connection to that host ends; queries sent by the host itself as the generator continue.',
  },
  'statement-failed': {
    message: 'The server rejected a statement.',
    next: 'Correct the queries or the data; the evidence quotes the server.',
  },
};
const findingOf = faultFindings(WORDS);

function codeOf({ code, message }: Failure): Code {
  const found = Object.entries(SIGNS).find(([, sign]) => sign.test(code));
  // pg reports a lost connection without a code.
  if (!found && /^Connection terminated|closed state/.test(message)) return 'server-gone';
  return (found?.[0] as Code | undefined) ?? 'statement-failed';
}

/** A failure in words, with its context. If it did not end the run, it is a warning. */
export function failureFinding(failure: Failure): Finding {
  const finding = findingOf(codeOf(failure), [failure.code, failure.message].filter(Boolean).join(': '));
  const message = `${finding.message.slice(0, -1)} (${failure.doing}).`;
  return { ...finding, message, severity: failure.fatal ? 'error' : 'warn' };
}

/** The error output of a program that did not end normally. */
export const complaintFinding = (complaint: string): Finding => ({
  code: 'tool-error',
  severity: 'error',
  message: 'The queries were not sent.',
  evidence: evidenceOf(complaint),
  next: 'Check the log of this run, correct the cause and start it again.',
});
