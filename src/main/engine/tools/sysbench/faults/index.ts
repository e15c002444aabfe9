import { type EndingWords, faultFindings } from '../../faults.ts';
import type { SysbenchOptions } from '../options/index.ts';
import { usesDatabase } from '../scripts/index.ts';
import { ERROR_NUMBERS, SQL_STATES, SYSTEM_ERRORS, TEXTS } from './signs.ts';
import { FAULTS, type FaultCode } from './words.ts';

/** The finding for a fault, with the line it was read from. */
export const faultFinding = faultFindings(FAULTS);

/** `error 2013`, `errno = 1050`, `MySQL error: 1146`, `Error 2013 Lost …`. */
const NUMBER = /\b(?:error:?|errno =) (\d{4})\b/i;
const STATE = /\bstate = '([0-9A-Z]{5})'/;
/** Where codes stand; behind it is only the query, which can be a megabyte long. */
const HEAD = 4000;

/**
 * What a line of trouble means, from the system's number behind it, its own number, its SQL state, then its words:
 * the same failure has different texts in different client libraries and server languages.
 */
export function classify(line: string): FaultCode | undefined {
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

/** sysbench prints nothing when it crashes, so the likely cause is told by what was going on. */
function crashCause(options: SysbenchOptions): string {
  if (!usesDatabase(options.script)) return 'Check the host’s log (dmesg) for the crash.';
  const ignored = options['mysql-ignore-errors'].split(',');
  if (ignored.some((entry) => entry === 'all' || entry === '2013' || entry === '2006'))
    return 'Likely: a connection was lost while mysql-ignore-errors covers that, and the reconnect of sysbench with MariaDB’s client library crashes. Remove 2006, 2013 and all from mysql-ignore-errors.';
  return 'Likely: the connection to the database was lost (sysbench 1.0 crashes then with PostgreSQL, and with MySQL when it tries to reconnect). Check the server’s log for a restart or a killed connection at this time.';
}

export const endingWords = (options: SysbenchOptions): EndingWords => ({
  name: 'sysbench',
  crashNext: crashCause(options),
  missing: faultFinding('tool-missing'),
});
