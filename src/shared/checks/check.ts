import type { Finding } from '../model/finding.ts';
import { asSentence } from '../util/format.ts';

/** A fairness rule with its explanation: its subject, the reason, and how to avoid it. Findings have its code. */
export interface Check {
  /** Stable, kebab-case: also the code of its findings. */
  readonly code: string;
  readonly title: string;
  /** Severity of its findings; several if it depends on the facts. */
  readonly severity: Finding['severity'] | readonly Finding['severity'][];
  readonly when: 'start' | 'run' | 'session' | 'comparison';
  /** Code of a check before the start that this one repeats with figures: then only this one is shown. */
  readonly replaces?: string;
  /** Why figures of the two sides then measure different work, in a few words; `unless` that is compared on purpose. */
  readonly incomparable?: { readonly why: string; readonly unless?: 'levels' };
  /** Ids of the methodological traps that it covers; empty: Kneepoint's own. */
  readonly traps: readonly string[];
  /** Two sentences: what happens, and its effect on a result. */
  readonly why: string;
  /** Remedy: the default of its findings. */
  readonly avoid: string;
}

/** A finding of a check with a single severity. */
export const found = (
  { code, severity, avoid }: Check & { readonly severity: Finding['severity'] },
  message: string,
  evidence?: string,
): Finding => ({
  code,
  severity,
  message: asSentence(message),
  ...(evidence !== undefined && { evidence }),
  next: avoid,
});

/** A check with a single severity, as `found` requires. */
export type PlainCheck = Check & { readonly severity: Finding['severity'] };
