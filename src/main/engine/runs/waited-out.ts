import { KneepointError, problemKind } from '../../../shared/model/problem.ts';

/** Whether something is in the way that only a person can give. */
export const isForPerson = (error: unknown): error is KneepointError =>
  error instanceof KneepointError && problemKind(error)?.needsPerson === true;

/** A full disk of this computer: it is waited out, nothing is wrong with the run. */
export const isOwnDiskFull = (error: unknown): boolean =>
  error instanceof KneepointError && error.code === 'disk-full' && error.problem.host === undefined;
