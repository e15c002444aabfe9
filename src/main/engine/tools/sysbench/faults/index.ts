import type { Finding } from '../../../../../shared/model/finding.ts';
import { type EndingWords, evidenceOf, faultFindings } from '../../faults.ts';
import type { SysbenchOptions } from '../options/index.ts';
import { usesDatabase } from '../scripts/index.ts';
import { ERROR_NUMBERS, SQL_STATES, SYSTEM_ERRORS, TEXTS } from './signs.ts';
import { FAULTS, type FaultCode } from './words.ts';

/** The finding for a fault, with the line that shows it. */
const faultFinding = faultFindings(FAULTS);

/** `error 2013`, `errno = 1050`, `MySQL error: 1146`, `Error 2013 Lost …`. */
const NUMBER = /\b(?:error:?|errno =) (\d{4})\b/i;
const STATE = /\bstate = '([0-9A-Z]{5})'/;
/** Characters of a line that contain its codes; a query of up to a megabyte may follow. */
const HEAD = 4000;

/**
 * The fault that an error message indicates. Decided by its system error, its own number, its SQL state and its text, in this order: the same failure
 * has different texts by client library and server language.
 */
function classify(line: string): FaultCode | undefined {
  const head = line.slice(0, HEAD);
  const bySystem = SYSTEM_ERRORS.find(([pattern]) => pattern.test(head))?.[1];
  if (bySystem) return bySystem;
  const number = NUMBER.exec(head)?.[1];
  const byNumber = number === undefined ? undefined : ERROR_NUMBERS[Number(number)];
  if (byNumber) return byNumber;
  const state = STATE.exec(head)?.[1];
  const byState = state === undefined ? undefined : (SQL_STATES[state] ?? SQL_STATES[state.slice(0, 2)]);
  return byState ?? TEXTS.find(([pattern]) => pattern.test(head))?.[1];
}

/** sysbench prints nothing when it crashes, so the likely cause is derived from the options. */
function crashCause(options: SysbenchOptions): string {
  if (!usesDatabase(options.script)) return 'Check the host’s log (dmesg) for the crash.';
  const ignored = options['mysql-ignore-errors'].split(',');
  if (ignored.some((entry) => entry === 'all' || entry === '2013' || entry === '2006'))
    return 'Likely: a connection was lost, mysql-ignore-errors made sysbench reconnect, and reconnecting crashes with MariaDB’s client library. Remove 2006, 2013 and all from mysql-ignore-errors.';
  return 'Likely: the connection to the database was lost (sysbench 1.0 crashes then with PostgreSQL, and with MySQL when it tries to reconnect). Check the server’s log for a restart or a killed connection at this time.';
}

export const endingWords = (options: SysbenchOptions): EndingWords => ({
  name: 'sysbench',
  crashNext: crashCause(options),
  missing: faultFinding('tool-missing'),
});

/** sysbench's own message levels. DEBUG and INFO do not indicate faults. */
const MARK = /\b(FATAL|ALERT|CRITICAL|PANIC|WARNING|INFO|DEBUG): /;
/** Advice that only repeats the preceding FATAL line. */
const ADVICE = /WARNING: Did you (forget to run|run 'prepare' with)/;
/** Continuation lines of the preceding message: lines of libpq and MySQL, the text of a query, Lua's search path. */
const CONTINUATION = /^(\s+\S|LINE \d+: |DETAIL: |HINT: |CONTEXT: |password retrieved from file |\) ?)/;

/**
 * Faults in one output stream. Each code is reported once, with the first line that shows it. Streams can share `reported`, the codes already reported.
 */
export class StreamFaults {
  readonly #report: (finding: Finding) => void;
  readonly #reported: Set<string>;
  #first: Finding | undefined;
  #firstFatal: string | undefined;
  #inMessage = false;

  constructor(report: (finding: Finding) => void, reported = new Set<string>()) {
    this.#report = report;
    this.#reported = reported;
  }

  /** Whether sysbench reported that it aborts. */
  get fatal(): boolean {
    return this.#firstFatal !== undefined;
  }

  /** The first specific fault, or else the text of the first FATAL line. */
  get reason(): Finding | undefined {
    return this.#first ?? (this.#firstFatal === undefined ? undefined : faultFinding('tool-error', this.#firstFatal));
  }

  /** Whether a finding with this code was reported. */
  reported(code: string): boolean {
    return this.#reported.has(code);
  }

  /** Handles a line of standard output, where only messages with a level count. */
  marked(text: string): boolean {
    const mark = MARK.exec(text)?.[1];
    if (mark === undefined) return this.#inMessage && CONTINUATION.test(text);
    this.#inMessage = true;
    if (mark === 'INFO' || mark === 'DEBUG' || ADVICE.test(text)) return true;
    if (mark === 'WARNING') this.#warn(text);
    else this.#fault(text, mark !== 'ALERT' && mark !== 'CRITICAL');
    return true;
  }

  /** Handles a line of standard error, which only contains error messages. */
  unmarked(text: string): boolean {
    const code = classify(text);
    if (code) this.#note(faultFinding(code, text));
    return code !== undefined;
  }

  /** Called for any other line: it ends the message. */
  over(): void {
    this.#inMessage = false;
  }

  #fault(text: string, fatal: boolean): void {
    if (fatal) this.#firstFatal ??= text;
    const code = classify(text);
    if (code) this.#note(faultFinding(code, text));
  }

  #note(finding: Finding): void {
    this.#first ??= finding;
    if (this.#reported.has(finding.code)) return;
    this.#reported.add(finding.code);
    this.#report(finding);
  }

  #warn(text: string): void {
    const evidence = evidenceOf(text);
    if (this.#reported.has(evidence)) return;
    this.#reported.add(evidence);
    this.#report({ code: 'tool-warning', severity: 'warn', message: 'sysbench printed a warning.', evidence });
  }
}
