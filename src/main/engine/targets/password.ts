import { createPublicKey } from 'node:crypto';
import type { KneepointError } from '../../../shared/model/problem.ts';
import { capital } from '../../../shared/util/format.ts';
import { type PasswordKept, publicKeyBody, publicKeyPem } from '../../../shared/util/password-guard.ts';
import { problem, type Whereto } from './failure.ts';
import type { ServerConfig } from './server-facts.ts';

export function passwordProblem(
  error: PasswordKept,
  where: Whereto,
  { user, tls }: Pick<ServerConfig, 'user' | 'tls'>,
): KneepointError {
  const way = where.through === undefined ? 'reached from this computer' : `reached through ${where.through}`;
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
