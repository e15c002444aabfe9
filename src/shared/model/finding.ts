import { z } from 'zod';
import { formatCount } from '../util/format.ts';

/** `block` stops a start, `error` says a run is not a result, `warn` and `note` stand beside a result. */
/** The gravest first. */
export const SEVERITIES = ['block', 'error', 'warn', 'note'] as const;
const Severity = z.enum(SEVERITIES);

/** One thing noticed by a parser, a preflight or a fairness check. `code` is stable and kebab-case; `message` is a sentence. */
export const Finding = z.object({
  code: z.string(),
  severity: Severity,
  message: z.string(),
  /** What it was read from: a line of output, a setting and its value. */
  evidence: z.string().optional(),
  /** What to do about it. */
  next: z.string().optional(),
  /** Run that it is about, where a person may want to exclude it from the figures. */
  runId: z.number().optional(),
  /** watching: made of what was watched in a run, so it is found anew, or not, when the run is judged again. Absent: by its code. */
  from: z.literal('watching').optional(),
  /**
   * The effect of an event on the work of a tool or a server: the second it was planned for and its words. `seconds`: until the work was back; absent: it was not. `depth`: by how much of
   * the rate before it fell, 0 to 1. `none`: it did not fall.
   */
  recovery: z
    .object({
      at: z.number(),
      event: z.string(),
      seconds: z.number().optional(),
      depth: z.number().optional(),
      none: z.literal(true).optional(),
    })
    .optional(),
});
export type Finding = z.infer<typeof Finding>;

/**
 * A finding before a start that a person may lift by typing the name of its place, and behind it a word or the setting that it is about.
 * Absent: it cannot be lifted.
 */
export interface LiftableFinding extends Finding {
  readonly liftedBy?: 'setting' | { readonly word: string };
}

/** Code of the finding that the factor under test is still to be chosen. */
export const NO_FACTOR_UNDER_TEST = 'no-factor-under-test';

const WORDS: Readonly<Record<Finding['severity'], string>> = {
  block: 'block',
  error: 'error',
  warn: 'warning',
  note: 'note',
};

/** “2 warnings, 5 notes”; empty: there is none. */
export const severityWords = (findings: readonly Pick<Finding, 'severity'>[]): string =>
  SEVERITIES.flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return count > 0 ? [formatCount(count, WORDS[severity])] : [];
  }).join(', ');
