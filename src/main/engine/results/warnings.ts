import type { Finding } from '../../../shared/model/finding.ts';

/** Things that are named in one sentence. */
const NAMED = 5;

/** Of a comparison: what was seen, and what to do about it. */
export const warning = (code: string, message: string, next: string): Finding => ({
  code,
  severity: 'warn',
  message,
  next,
});

/** `what` of both sides, where they differ: both are known, and not the same. */
export function differing<Value>(
  one: Value | undefined,
  other: Value | undefined,
): readonly [Value, Value] | undefined {
  return one === undefined || other === undefined || one === other ? undefined : [one, other];
}

/** The first few of these, and how many more there are. */
export function named(what: readonly string[]): string {
  const more = what.length - NAMED;
  return `${what.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
