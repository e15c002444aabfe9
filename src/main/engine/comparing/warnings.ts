import type { Finding } from '../../../shared/model/finding.ts';

/** A warning of a comparison: the observation, and what to do about it. */
export const warning = (code: string, message: string, next: string): Finding => ({
  code,
  severity: 'warn',
  message,
  next,
});

/** Both values if they differ: both are known, and not the same. */
export function differing<Value>(
  one: Value | undefined,
  other: Value | undefined,
): readonly [Value, Value] | undefined {
  return one === undefined || other === undefined || one === other ? undefined : [one, other];
}
