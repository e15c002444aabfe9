import type { Experiment } from '../model/experiment.ts';
import type { Finding } from '../model/finding.ts';
import type { HostFacts } from '../model/host.ts';
import type { TargetDescription } from '../model/target.ts';
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

/** Facts known before a start. */
export interface StartFacts {
  experiment: Experiment;
  /** Nothing is loaded or measured: fairness rules do not apply. */
  watchesOnly?: true;
  /** Number of trials that change data, files or a device; absent: none known. */
  writingTrials?: number;
  generators: readonly {
    name: string;
    facts?: HostFacts;
    /** Maximum simultaneous work of its tool in any cell, with the tool's word for it. */
    workers?: { most: number; unit: readonly [one: string, many: string] };
    /** Its tool encrypts its connection to the target, in some cell. */
    encrypts?: boolean;
  }[];
  /** Address of the target as seen by the generators. */
  targetAddress?: string;
  target?: TargetDescription;
  /** The smallest round trip from each generator to it, milliseconds. */
  roundTrips?: readonly { from: string; ms: number }[];
}
