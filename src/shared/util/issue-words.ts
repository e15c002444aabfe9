import type { z } from 'zod';

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a group of settings',
  record: 'a group of settings',
};

/** A schema issue in words for users. Messages written in the schemas are already sentences. */
export function issueWords(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined && /received undefined/.test(issue.message)
        ? 'required.'
        : `must be ${TYPES[issue.expected] ?? issue.expected}.`;
    case 'too_small':
      return /^Too small/.test(issue.message) ? `${bound(issue.origin, issue.minimum, 'at least')}.` : issue.message;
    case 'too_big':
      return /^Too big/.test(issue.message) ? `${bound(issue.origin, issue.maximum, 'at most')}.` : issue.message;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}.`;
    case 'invalid_union':
      if (issue.discriminator !== undefined) return issue.message;
      return 'must be text, a number, or true or false.';
    default:
      return issue.message;
  }
}

function bound(origin: string, limit: number | bigint, words: string): string {
  if (origin === 'string') return `${words} ${limit} ${limit === 1 ? 'character' : 'characters'}`;
  if (origin === 'array' || origin === 'set') return `${words} ${limit} ${limit === 1 ? 'entry' : 'entries'}`;
  return `${words} ${limit}`;
}
