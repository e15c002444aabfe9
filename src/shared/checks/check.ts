import type { Finding } from '../model/finding.ts';
import { asSentence } from '../util/format.ts';

/** A fairness rule as it is explained: what it looks for, why, and how to avoid it. Findings have its code. */
export interface Check {
  /** Stable, kebab-case: that of its findings. */
  readonly code: string;
  readonly title: string;
  /** Of its findings; several where it depends on what was found. */
  readonly severity: Finding['severity'] | readonly Finding['severity'][];
  readonly when: 'start' | 'run' | 'session' | 'comparison';
  /** Code of a check before the start that this one tells again, with figures: then it alone is shown. */
  readonly replaces?: string;
  /** Figures of the two sides are then not of the same work, in a few words; unless that is compared on purpose. */
  readonly incomparable?: { readonly why: string; readonly unless?: 'levels' };
  /** Ids of the methodological traps that it is about; empty: one of our own. */
  readonly traps: readonly string[];
  /** Two sentences: what happens, and what it does to a result. */
  readonly why: string;
  /** What to do about it: a finding that says nothing else says this. */
  readonly avoid: string;
}

/** A finding of a check that has one severity. */
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

/** A check of one severity, as `found` takes it. */
export type PlainCheck = Check & { readonly severity: Finding['severity'] };
