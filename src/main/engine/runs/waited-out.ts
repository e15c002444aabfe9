import { KneepointError, type ProblemCode } from '../../../shared/model/problem.ts';

const FOR_PERSON: readonly ProblemCode[] = [
  'secret-missing',
  'vault-locked',
  'host-key-unknown',
  'host-key-changed',
  'host-auth-failed',
  'disk-full',
];

/** Whether something is in the way that only a person can give. */
export const isForPerson = (error: unknown): error is KneepointError =>
  error instanceof KneepointError && FOR_PERSON.includes(error.code);

/** A full disk of this computer: it is waited out, nothing is wrong with the run. */
export const isOwnDiskFull = (error: unknown): boolean =>
  error instanceof KneepointError && error.code === 'disk-full' && error.problem.host === undefined;
