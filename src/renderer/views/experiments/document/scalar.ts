import type { Scalar } from '../../../../shared/model/experiment.ts';

const PLAIN_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** A text as the value that a document would hold: a number where it is written as one. */
export const readScalar = (text: string): Scalar => {
  const trimmed = text.trim();
  if (trimmed === 'true' || trimmed === 'false') return trimmed === 'true';
  return PLAIN_NUMBER.test(trimmed) && String(Number(trimmed)) === trimmed ? Number(trimmed) : trimmed;
};
