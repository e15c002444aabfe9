import type { Finding } from '../../../../../shared/model/finding.ts';
import { type EndingWords, evidenceOf, faultFindings } from '../../faults.ts';
import { FAULTS, type FaultCode } from './words.ts';

/** The finding for a fault, with the line that shows it. */
const faultFinding = faultFindings(FAULTS);

/** pgbench and libpq print no error numbers; these are their messages with LC_ALL=C. The first match is used. */
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
/** Characters of a line that contain its meaning; a query of a megabyte may follow. */
const HEAD = 4000;

/** The fault that an error message indicates. */
function classify(line: string): FaultCode | undefined {
  const head = line.slice(0, HEAD);
  return TEXTS.find(([pattern]) => pattern.test(head))?.[1];
}

export const ENDING: EndingWords = {
  name: 'pgbench',
  crashNext:
    'Likely: some clients could not connect, and pgbench 15 crashes when it gives up. Check the server’s log for refused connections.',
  missing: faultFinding('tool-missing'),
};

/** Prefixes of pgbench's own messages (`fatal` up to version 13), and a message of the program loader or the shell. */
const ERROR =
  /^(?:\S*\/)?pgbench: (?:error|fatal): |^\S*pgbench: (?:unrecognized|invalid) option|pgbench: (?:command )?not found|pgbench['’"]?: No such file/;
const WARNING = /^(?:pgbench: )?warning: +/i;
/** The server's own messages, passed on by the client library. */
const SERVER = /^(FATAL|PANIC|ERROR): {2}/;
const NOTICE = /^(NOTICE|INFO|LOG|DEBUG): {2}/;
/** Hints, and with `--verbose-errors` every failed try. */
const DETAIL =
  /^pgbench: (?:hint|detail|info): |^(?:pgbench: )?setting random seed to |^pgbench: client \d+ (?:got an error in|repeats the transaction|ends the failed)/;
/** Continuation lines of the preceding message: the server's, and the script line that pgbench could not parse. */
const CONTINUATION =
  /^(\s+\S|\\\w|Process \d+ waits for |LINE \d+: |DETAIL: |HINT: |CONTEXT: |STATEMENT: |QUERY: |LOCATION: )/;
const ABORTED = /^pgbench: (?:error: )?client (\d+) (?:script \d+ )?aborted in /;
const INCOMPLETE = /Run was aborted; the above results are incomplete/;

/** Lines on standard error that do not indicate a fault. */
const PLAIN =
  /^(Password: |Password for user .*: |Cancel request sent|starting vacuum( ?pgbench_\w+)?\.\.\.(end\.)?|end\.|\(ignoring this error and continuing anyway\))$/;

/** Faults in one output stream. Each code is reported once, with the first line that shows it. */
export class StreamFaults {
  readonly #report: (finding: Finding) => void;
  readonly #reported = new Set<string>();
  readonly #aborted = new Set<string>();
  #first: Finding | undefined;
  #firstWarning: Finding | undefined;
  #error: string | undefined;
  #incomplete = false;
  #inMessage = false;

  constructor(report: (finding: Finding) => void) {
    this.#report = report;
  }

  /** Whether pgbench reported that its results are incomplete. */
  get incomplete(): boolean {
    return this.#incomplete;
  }
  /** Number of clients that aborted. */
  get aborted(): number {
    return this.#aborted.size;
  }
  /** Whether there was any error. */
  get failed(): boolean {
    return this.#error !== undefined || this.#incomplete;
  }
  /** The first specific fault, or else the text of the first error. */
  get reason(): Finding | undefined {
    return this.#first ?? (this.#error === undefined ? this.#firstWarning : faultFinding('tool-error', this.#error));
  }
  hasReported(code: string): boolean {
    return this.#reported.has(code);
  }

  /** Called for any other line: it ends the message. */
  over(): void {
    this.#inMessage = false;
  }

  /** Whether the line belongs to a message. */
  line(text: string): boolean {
    const continued = this.#inMessage && CONTINUATION.test(text);
    if (continued) return true;
    this.#inMessage = true;
    if (INCOMPLETE.test(text)) this.#incomplete = true;
    else if (ERROR.test(text) || SERVER.test(text)) this.#fault(text);
    else if (WARNING.test(text)) this.#warn(text);
    else if (!NOTICE.test(text) && !DETAIL.test(text)) {
      this.#inMessage = false;
      return PLAIN.test(text);
    }
    return true;
  }

  #fault(text: string): void {
    const client = ABORTED.exec(text)?.[1];
    if (client !== undefined) this.#aborted.add(client);
    this.#error ??= text;
    const code = classify(text);
    if (code) this.#note(code, text);
  }

  #note(code: FaultCode, text: string): void {
    const finding = faultFinding(code, text);
    this.#first ??= finding;
    if (this.#reported.has(code)) return;
    this.#reported.add(code);
    this.#report(finding);
  }

  /** The server warns each client that it disconnects. Its meaning is reported only if the run failed because of it. */
  #warn(text: string): void {
    const code = classify(text);
    if (code) this.#firstWarning ??= faultFinding(code, text);
    const evidence = evidenceOf(text);
    if (this.#reported.has(evidence)) return;
    this.#reported.add(evidence);
    this.#report({
      code: 'tool-warning',
      severity: 'warn',
      message: 'pgbench or the server printed a warning.',
      evidence,
    });
  }
}
