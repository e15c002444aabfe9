import { createPublicKey } from 'node:crypto';
import { KneepointError, type Problem, type ProblemCode } from '../../../shared/model/problem.ts';
import { capital } from '../../../shared/util/format.ts';
import { type PasswordKept, publicKeyBody, publicKeyPem } from '../../../shared/util/password-guard.ts';
import { AnswerTooLong, CONNECT_LIMIT, type Place } from './link.ts';
import type { ServerConfig } from './server-facts.ts';
import type { Obstacle } from './target.ts';

/** The destination of a connection, as shown in messages: "the MySQL server" at "10.0.0.5:3306" or "/run/mysqld/mysqld.sock". */
export interface Whereto {
  server: string;
  address: string;
  place: string;
  /** The host that the app connects through. Undefined: it connects from this computer. */
  through?: string;
}

export const whereto = (server: string, { address, port, socket }: Place): Whereto => ({
  server,
  address,
  place: socket === '' ? `${address}:${port}` : socket,
});

/** Code of an error of Node or of a driver, e.g. `ECONNREFUSED`. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The server's own words on one line, without a final full stop. An error that bundles others uses the first one's words. */
export function wordsOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return wordsOf(error.errors[0]);
  const text = error instanceof Error ? error.message || codeOf(error) || error.name : String(error);
  return text
    .replaceAll(/\s+/g, ' ')
    .replace(/[\s.:]+$/, '')
    .trim();
}

export function problem(code: ProblemCode, message: string, next: string, cause: unknown): KneepointError {
  const details: Problem['details'] = { words: wordsOf(cause), code: codeOf(cause) };
  return new KneepointError({ code, message, next, details }, { cause });
}

export const unreachableProblem = (error: unknown, message: string, next: string): KneepointError =>
  problem('target-unreachable', message, next, error);

export const certificateProblem = (error: unknown, where: Whereto, words: string): KneepointError =>
  unreachableProblem(
    error,
    `The encrypted connection to ${where.server} at ${where.place} was not accepted: ${words}.`,
    'Set the CA file for the server certificate and use the address that the certificate was issued for, or deliberately choose a weaker TLS mode.',
  );

/** Why a requested TLS connection was not possible. */
export const NO_TLS = 'the server offers no TLS';

/** Description of a connection without TLS. */
export const plainText = (why: string | undefined): string => (why === undefined ? 'none' : `none: ${why}`);

/** Description of a connection with TLS: its version and cipher. An empty `cipher` means no TLS. */
export const tlsWords = (cipher: readonly string[], { tls }: { tls: string }, why: string | undefined): string =>
  cipher.length === 0
    ? plainText(why)
    : [...cipher, tls === 'verify' ? 'certificate checked' : 'certificate not checked'].join(', ');

/** `how`: a sentence that explains how to enable TLS in the server. */
export const noTlsProblem = (error: unknown, where: Whereto, how: string): KneepointError =>
  unreachableProblem(
    error,
    `The server at ${where.place} offers no TLS, but the target requires it.`,
    `${how}, or deliberately choose "preferred" or "disabled".`,
  );

export const loginRefused = (error: unknown, where: Whereto, user: string, next: string): KneepointError =>
  problem(
    'target-auth-failed',
    `The server at ${where.place} refused the login of ${user}: ${wordsOf(error)}.`,
    next,
    error,
  );

/** The login succeeded, but the account lacks the right for the request. */
export const rightMissing = (error: unknown, where: Whereto, user: string, next: string): KneepointError =>
  problem(
    'target-auth-failed',
    `The server at ${where.place} does not allow ${user} to run this query: ${wordsOf(error)}.`,
    next,
    error,
  );

export const databaseMissing = (error: unknown, where: Whereto, database: string): KneepointError =>
  problem(
    'database-missing',
    `The server at ${where.place} has no database ${database}: ${wordsOf(error)}.`,
    'Create the database (CREATE DATABASE), or correct the name.',
    error,
  );

/** A server that is running but has no free connection. */
class ServerFull extends KneepointError {}

export const busyProblem = (error: unknown, where: Whereto, setting: string): KneepointError =>
  new ServerFull(
    {
      code: 'target-unreachable',
      message: `The server at ${where.place} accepts no more connections: ${wordsOf(error)}.`,
      next: `Close other connections or raise ${setting}.`,
      details: { words: wordsOf(error), code: codeOf(error) },
    },
    { cause: error },
  );

/** Whether an error means that no server responds. A full server does respond. */
export const isSilent = (error: unknown): boolean =>
  error instanceof KneepointError && error.code === 'target-unreachable' && !isFull(error);

const isFull = (error: unknown): boolean =>
  error instanceof ServerFull || (error instanceof KneepointError && isFull(error.cause));

export const brokenProblem = (error: unknown, where: Whereto): KneepointError =>
  unreachableProblem(
    error,
    `The connection to ${where.server} at ${where.place} was lost: ${wordsOf(error)}.`,
    'Check the server log: it may have stopped or restarted.',
  );

/** The connection works, and the server's error has no more specific problem. */
export const answerProblem = (error: unknown, where: Whereto): KneepointError =>
  unreachableProblem(
    error,
    `The server at ${where.place} returned an error: ${wordsOf(error)}.`,
    'Check the server log.',
  );

export const refusedStatement = (error: unknown, where: Whereto): KneepointError =>
  problem(
    'change-refused',
    `The server at ${where.place} refused a statement: ${wordsOf(error)}.`,
    'Correct the statement, or grant the account the privilege to run it.',
    error,
  );

const CERTIFICATE = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO|INVALID_CA)/;
/** Codes of a socket or a stream over it when the other side is gone. */
const BROKEN = new Set(['ECONNRESET', 'EPIPE', 'PROTOCOL_CONNECTION_LOST']);
const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError';
const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

/** Recognizes the errors common to all servers: name, route, port, timeout, encryption. Undefined for server-specific errors. */
export function networkProblem(error: unknown, where: Whereto): KneepointError | undefined {
  if (error instanceof KneepointError) return error;
  const code = codeOf(error instanceof AggregateError ? error.errors[0] : error);
  const words = wordsOf(error);
  const place = `${where.server} at ${where.place}`;
  const unreachable = (message: string, next: string): KneepointError => unreachableProblem(error, message, next);
  if (isAbort(error)) return problem('cancelled', `The connection to ${place} was cancelled.`, 'Try again.', error);
  if (error instanceof AnswerTooLong) {
    return unreachable(
      `${place} sent a reply that is too long, so the connection was closed.`,
      'Check that this is the right database server.',
    );
  }
  if (CERTIFICATE.test(code) || /certificate|altnames/i.test(words)) {
    return certificateProblem(error, where, words);
  }
  if (code === 'ECONNREFUSED' || /connection refused/i.test(words)) {
    return unreachable(
      `Nothing listens at ${where.place}: the connection was refused.`,
      'Check the port, and that the server is running and listens on this address.',
    );
  }
  if (['ENOTFOUND', 'EAI_AGAIN', 'EAI_NONAME'].includes(code)) {
    return unreachable(
      `The host name cannot be resolved: ${where.address}.`,
      'Check the spelling, or give an IP address.',
    );
  }
  if (isTimeout(error) || code === 'ETIMEDOUT' || /timeout|timed out/i.test(words)) {
    return unreachable(
      `${place} did not respond within ${CONNECT_LIMIT / 1000} seconds.`,
      'Check the address, the port and firewalls; a stopped or overloaded server looks the same.',
    );
  }
  if (['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN'].includes(code)) {
    return unreachable(`There is no route to ${where.address}.`, 'Check the address, or connect via a host.');
  }
  if (BROKEN.has(code) || code.startsWith('ERR_STREAM_')) {
    return brokenProblem(error, where);
  }
  return undefined;
}

/** The server refused a settings change; the problem has its own words. `rights`: set if the account may not make the change. */
export function refused(names: readonly string[], error: unknown, rights?: string): KneepointError {
  const what = names.map((name) => `“${name}”`).join(', ');
  return new KneepointError(
    {
      code: rights === undefined ? 'change-refused' : 'change-not-possible',
      message: `The server rejected the change of ${what}: ${wordsOf(error)}.`,
      next: rights ?? 'Choose a value that the server accepts.',
      details: { words: wordsOf(error), code: codeOf(error) },
    },
    { cause: error },
  );
}

/** A setting that determines the server's address cannot be varied. */
export const movesTheServer = (name: string): Obstacle => ({
  message: `“${name}” determines how the server is reached, so a change would make it unreachable.`,
  next: 'Add a second target for the other address, and vary the target.',
});

/** A number outside the server's range; `unit` is the one that the server counts in. */
export const outOfRange = (name: string, value: string, least: string, most: string, unit = ''): Obstacle => ({
  message: `“${name}” cannot be ${value}: the server accepts ${least} to ${most}${unit === '' ? '' : `, in units of ${unit}`}.`,
  next: 'Choose a value in this range.',
});

export const notInList = (name: string, value: string, list: readonly string[]): Obstacle => ({
  message: `“${name}” cannot be “${value}”: the server accepts ${list.join(', ')}.`,
  next: 'Choose one of them.',
});

/** Lists each distinct text once, with its count if it occurs several times: “client app from 10.0.0.7 (3)”. */
export function counted(several: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const each of several) counts.set(each, (counts.get(each) ?? 0) + 1);
  return [...counts].map(([text, count]) => (count === 1 ? text : `${text} (${count})`));
}

export function passwordProblem(
  error: PasswordKept,
  where: Whereto,
  { user, tls }: Pick<ServerConfig, 'user' | 'tls'>,
): KneepointError {
  const way = where.through === undefined ? 'connected directly' : `connected via ${where.through}`;
  const plain = tls === 'disabled' ? ', and TLS is disabled for the target' : ', and offers no TLS';
  const ways = [
    ...(error.encrypted ? [] : ['Turn TLS on, in the server and for the target']),
    ...error.ways,
    'or allow a cleartext password for this target',
  ].join('; ');
  return problem(
    'target-auth-failed',
    `${where.server.replace(/^the/, 'The')} at ${where.place}, ${way}, asked for the password of ${user} ${error.asked}${error.encrypted ? '' : plain}. The password was not sent.`,
    `${capital(ways)}. A server that requests this unexpectedly may not be the intended one.`,
    error,
  );
}

/** Whether a text is an RSA public key like that of a server. */
export function isRsaKey(text: string): boolean {
  const body = publicKeyBody(text);
  if (body === undefined) return false;
  try {
    return createPublicKey(publicKeyPem(body)).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}
