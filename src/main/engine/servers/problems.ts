import { KneepointError } from '../../../shared/model/problem.ts';
import type { Controlled } from './server.ts';

type Where = Pick<Controlled, 'spec' | 'machine'> & { readonly context: Pick<Controlled['context'], 'redact'> };

const LINES_SHOWN = 6;
const LINES_KEPT = 60;
const LINE_LIMIT = 500;

/** Lines that servers mark as errors, and unmarked ones of PostgreSQL; the lines after them are about the shutdown. */
const CAUSE = /\b(?:ERROR|FATAL|PANIC|HINT)\b|\bLOG: +(?:invalid|unrecognized|syntax error|could not|parameter)\b/;

/** The last lines of a log that name the cause, else its last lines. */
function causeLines(text: string): string[] {
  const lines = lastLines(text, LINES_KEPT);
  const causes = lines.filter((line) => CAUSE.test(line));
  return (causes.length > 0 ? causes : lines).slice(-LINES_SHOWN);
}

/** The last lines of a text, each of limited length, without blank ones. */
function lastLines(text: string, count: number): string[] {
  const lines = text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what servers print goes to screens and terminals
    .replaceAll(/[\x00-\x08\x0b-\x1f\x7f]/g, '')
    .split('\n')
    .map((line) => line.trim().slice(0, LINE_LIMIT))
    .filter((line) => line !== '');
  return lines.slice(-count);
}

export const serverOf = ({ spec, machine }: Pick<Where, 'spec' | 'machine'>): string =>
  `The server of target “${spec.name}” on ${machine.name}`;

/** The server does not accept connections, or its start failed. `log` is the end of its log. */
export function notBack(where: Where, what: string, log: string): KneepointError {
  const text = where.context.redact(log);
  const shown = causeLines(text);
  return new KneepointError({
    code: 'server-not-back',
    host: where.machine.name,
    target: where.spec.name,
    message: `${serverOf(where)} ${what}${shown.length > 0 ? ` Last log lines: ${shown.join(' | ')}` : ' Its log is not available.'}`,
    safe: 'Its data was not changed by Kneepoint.',
    next: 'Fix the error in the log, or revert the last settings, then start it again.',
    ...(shown.length > 0 && { details: { log: lastLines(text, LINES_KEPT) } }),
  });
}

/** The host or the control refused. */
export function refused(where: Where, what: string, words: string): KneepointError {
  const shown = lastLines(where.context.redact(words), LINES_SHOWN);
  return new KneepointError({
    code: 'change-refused',
    host: where.machine.name,
    target: where.spec.name,
    message: `${serverOf(where)} ${what}${shown.length > 0 ? ` Output: ${shown.join(' | ')}` : ''}`,
    next: 'Check the server on its host, then try again.',
  });
}

export const notPossible = (where: Pick<Where, 'spec' | 'machine'>, message: string, next: string): KneepointError =>
  new KneepointError({
    code: 'change-not-possible',
    host: where.machine.name,
    target: where.spec.name,
    message,
    safe: 'Nothing was changed.',
    next,
  });
