import { UsageError } from '../exit.ts';

/** A number by which something is called; what it is completes the error. */
export const idOf = (text: string, what = "session's number (kneepoint sessions lists them)"): number => {
  const id = Number(text);
  if (!Number.isInteger(id) || id < 1) throw new UsageError(`“${text}” is not a ${what}.`);
  return id;
};
