import type { Finding } from '../../../../../shared/model/finding.ts';
import { type EndingWords, faultFindings } from '../../faults.ts';
import { FAULTS, type FaultCode } from './words.ts';

/** Characters of a line that contain its meaning; a whole record may follow. */
const HEAD = 4000;

/** The finding for a fault, with the line that shows it. */
const faultFinding = faultFindings(FAULTS);

/** Exception classes and SQL states do not depend on the language; texts are those of the drivers in English. */
const SIGNS: readonly (readonly [RegExp, FaultCode])[] = [
  [/Could not find or load main class|^YCSB launcher: no YCSB/, 'tool-missing'],
  [/^YCSB launcher: the properties file .* sets what/, 'properties-decided'],
  [/^YCSB launcher: .* is no JDK/, 'jdk-missing'],
  [/^YCSB launcher: no binding|^Unknown DB /, 'binding-missing'],
  [/\bjava: (command )?not found|: exec: .*: not found|No such file or directory: .*java\b/, 'java-missing'],
  [/UnsupportedClassVersionError/, 'java-too-old'],
  [
    /^Unrecognized (VM )?option|^Invalid (maximum|initial) heap size|Could not create the Java Virtual Machine/,
    'jvm-arguments',
  ],
  [/java\.lang\.OutOfMemoryError|unable to create (new )?native thread/, 'out-of-memory'],
  [/javax\/xml\/bind|javax\.xml\.bind/, 'export-failed'],
  [
    /ClassNotFoundException: (com\.mysql\.|org\.mariadb\.|org\.postgresql\.|\S*Driver\b)|JDBC Driver class not found|No suitable driver/,
    'driver-missing',
  ],
  [/ClassNotFoundException: \S*\.workloads?\./, 'workload-class-missing'],
  // Below another message, it is a class that a driver or Java itself cannot find.
  [/^java\.lang\.ClassNotFoundException: /, 'binding-missing'],
  [
    /unknown measurementtype|NumberFormatException|Unknown (request|scan length|field length) distribution|Distribution "/,
    'bad-option-value',
  ],
  [/^Unknown option /, 'unknown-option'],
  [/^(At least one argument specifying a workload|Missing (argument|property))/, 'missing-option'],
  [/Too many open files/, 'open-files'],
  [/FileNotFoundException|^Unable to open the properties file|\(No such file or directory\)/, 'file-missing'],
  [/Duplicate entry|duplicate key|\b23505\b/, 'duplicate-key'],
  [
    /Access denied for user '[^']*'@'[^']*' to database|permission denied for (database|schema|table)|\(Unauthorized\)/,
    'database-access-denied',
  ],
  [/, (no encryption|SSL off)\b|insecure transport are prohibited|require_secure_transport/, 'tls-required'],
  [/authentication type \d+ is not supported|Unable to load authentication plugin/, 'login-unknown'],
  [
    /SQLInvalidAuthorizationSpecException|Access denied for user|authentication failed|MongoSecurityException|\(AuthenticationFailed\)|no pg_hba\.conf entry|Authentication failed/,
    'auth-failed',
  ],
  [/mysql_clear_password|restrictedAuth|requireAuth/, 'password-kept'],
  [/Public Key Retrieval is not allowed|RSA public key is not available/, 'key-retrieval'],
  [
    /SSLHandshakeException|PKIX path|does not support SSL|server does not support TLS|^YCSB launcher: the certificates of/i,
    'tls-failed',
  ],
  [/Unknown database|database "[^"]*" does not exist/, 'database-missing'],
  [/\(NamespaceExists\)|[Tt]able '[^']*' already exists|relation "[^"]*" already exists/, 'table-exists'],
  [/^Nothing (updated|deleted) for key |^Nothing found in scan /, 'records-missing'],
  [/Table '[^']*' doesn't exist|relation "[^"]*" does not exist/, 'table-missing'],
  [/Too many connections|too many clients|remaining connection slots/, 'too-many-connections'],
  [/No space left on device|could not extend file|The table '[^']*' is full/, 'disk-full'],
  [/Deadlock found|deadlock detected|could not serialize access|Lock wait timeout/, 'deadlock'],
  [/UnknownHostException|Name or service not known/, 'unknown-host'],
  [/Connection refused|ConnectException|Connection to \S+ refused/, 'connection-refused'],
  [/connect timed out|SocketTimeoutException: [Cc]onnect/, 'connection-timed-out'],
  // At the start of a thread there was no connection to lose; a cause further down is more specific.
  [
    /^(Error in (executing command|database operation)|Caused by: |\S*DBException\b).*Communications link failure/,
    'connection-failed',
  ],
  [
    /An I\/O error occurred while sending|[Cc]onnection has been closed|connection closed|Communications link failure|Connection reset|Connection is closed|Broken pipe|terminating connection|server has gone away|SocketException|MongoSocket(Read|Write|Closed)Exception|Prematurely reached end of stream|EOFException|unexpected end of stream/,
    'connection-lost',
  ],
  [/^YCSB launcher: the load/, 'load-incomplete'],
  [/^Error inserting, not retrying any more/, 'insert-errors'],
  [/\bDBException\b|^Could not initialize |^Error in (initializing|creating)/, 'binding-failed'],
  [
    /^Exception in thread |^(Caused by: )?[\w$]+(\.[\w$]+)+(Exception|Error)\b|^Error in |^Error occurred during initialization/,
    'tool-error',
  ],
];

/** Unspecific faults. More specific ones take precedence as the reason. */
const VAGUE: ReadonlySet<FaultCode> = new Set([
  'tool-error',
  'binding-failed',
  'connection-failed',
  'insert-errors',
  'load-incomplete',
]);
const isVague = (code: FaultCode): boolean => VAGUE.has(code);

/** The fault that an error message indicates. Undefined if it is not one. */
function classify(line: string): FaultCode | undefined {
  const head = line.slice(0, HEAD);
  return SIGNS.find(([pattern]) => pattern.test(head))?.[1];
}

export const ENDING: EndingWords = {
  name: 'YCSB',
  crashNext: 'Java crashed: see the file hs_err_pid*.log in the job folder.',
  missing: faultFinding('java-missing'),
  killedNext: {
    SIGKILL:
      'If this was not intended, the kernel may have run out of memory: check the host’s log (dmesg), and lower -Xmx.',
  },
};

/** Lines of a stack trace below the first: `	at …`, `Caused by: …`, `	... 3 more`. */
const STACK = /^\s+(at \S|\.\.\. \d+ more)|^Caused by: |^\s*Suppressed: /;
/** Foreign text can look like an error: only lines that begin like this count, on either stream. */
const ERROR_LINE =
  /^(Exception in thread |[\w$]+(\.[\w$]+)+(Exception|Error)\b|Caused by: |Error\b|Unknown (option|DB) |Unrecognized |Invalid |At least one argument|Missing (argument|property)|YCSB launcher: |Nothing (updated|deleted|found) |Could not |Unable to |\S*sh: |\S*launch\.sh: |Insertion failed|Retrying insertion|OpenJDK .* warning:|Java HotSpot)/;
const MOST_LETTERS = 4000;
const WARNING = /^(OpenJDK|Java HotSpot)\b.* warning: /;
const RETRY = /^Retrying insertion, retry count: \d+/;

/** Faults in one output stream, each reported once with the first line that shows it. YCSB prints its stack traces on both streams. */
export class StreamFaults {
  readonly #found = new Map<string, Finding>();
  readonly #report: (finding: Finding) => void;
  #retries = 0;
  #inMessage = false;

  /** `report` is called immediately. Pass a function without effect for a stream that only repeats the other. */
  constructor(report: (finding: Finding) => void) {
    this.#report = report;
  }

  /** The first specific fault, or else the first one. */
  get reason(): Finding | undefined {
    const all = [...this.#found.values()].filter(({ severity }) => severity === 'error');
    return all.find(({ code }) => !isVague(code as FaultCode)) ?? all[0];
  }
  get findings(): readonly Finding[] {
    return [...this.#found.values()];
  }
  get retries(): number {
    return this.#retries;
  }

  /** Whether the line is an error message. */
  line(text: string): boolean {
    if (RETRY.test(text)) {
      this.#retries += 1;
      return true;
    }
    if (WARNING.test(text)) {
      this.#note({
        code: 'tool-warning',
        severity: 'warn',
        message: 'Java printed a warning.',
        evidence: text.slice(0, 300),
      });
      return true;
    }
    if (STACK.test(text)) {
      // The cause at the end of a stack trace can be more specific than its first line.
      const cause = text.startsWith('Caused by: ') ? classify(text) : undefined;
      if (cause && !isVague(cause)) this.#fault(cause, text);
      this.#inMessage = this.#inMessage || cause !== undefined;
      return true;
    }
    if (!ERROR_LINE.test(text.slice(0, MOST_LETTERS))) return false;
    const code = classify(text);
    if (code === undefined) return false;
    this.#fault(code, text);
    this.#inMessage = true;
    return true;
  }

  /** Whether the line continues the message of the preceding exception: drivers write several lines. */
  continues(text: string): boolean {
    const inMessage = this.#inMessage;
    if (!/^\s+\S/.test(text)) this.#inMessage = false;
    return inMessage;
  }
  over(): void {
    this.#inMessage = false;
  }

  #fault(code: FaultCode, line: string): void {
    this.#note(faultFinding(code, line));
  }
  #note(finding: Finding): void {
    if (this.#found.has(finding.code)) return;
    this.#found.set(finding.code, finding);
    this.#report(finding);
  }
}
