import { z } from 'zod';
import { formatCount } from '../util/format.ts';

/** `block` prevents a start, `error` means that a run is not a result, `warn` and `note` accompany a result. */
/** The most severe first. */
export const SEVERITIES = ['block', 'error', 'warn', 'note'] as const;
const Severity = z.enum(SEVERITIES);

/** A finding of a parser, a preflight or a fairness check. `code` is stable and kebab-case; `message` is a sentence. */
export const Finding = z.object({
  code: z.string(),
  severity: Severity,
  message: z.string(),
  /** Its source: a line of output, a setting and its value. */
  evidence: z.string().optional(),
  /** Remedy. */
  next: z.string().optional(),
  /** The run that it is about, if the user may want to exclude it from the figures. */
  runId: z.number().optional(),
  /**
   * watching: derived from watched data of a run, so it is found again, or not, when the run is judged again. Absent: depends on its code.
   */
  from: z.literal('watching').optional(),
  /**
   * The effect of an event on the throughput of a tool or server: its planned second and its words. `seconds`: until throughput recovered;
   * absent: it did not. `depth`: the drop as a share of the rate before it, 0 to 1. `none`: there was no drop.
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
 * A finding before a start that the user can lift by typing the name of its place, followed by a word or the setting concerned. Absent: it
 * cannot be lifted.
 */
export interface LiftableFinding extends Finding {
  readonly liftedBy?: 'setting' | { readonly word: string };
}

/** Code of the finding that the factor under test has not been chosen. */
export const NO_FACTOR_UNDER_TEST = 'no-factor-under-test';

const WORDS: Readonly<Record<Finding['severity'], string>> = {
  block: 'block',
  error: 'error',
  warn: 'warning',
  note: 'note',
};

/** “2 warnings, 5 notes”; empty if there are none. */
export const severityWords = (findings: readonly Pick<Finding, 'severity'>[]): string =>
  SEVERITIES.flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return count > 0 ? [formatCount(count, WORDS[severity])] : [];
  }).join(', ');

/** Label of a session whose figures answer no question. */
export const MECHANICS_ONLY = 'functional check';

/** Replaces the answer of such a session. */
export const MECHANICS_SENTENCE =
  'Functional check only: this session shows that the experiment runs. Its figures are not results.';

/** A note on the plan of its document. */
export const MECHANICS_FINDING: Finding = {
  code: 'mechanics-only',
  severity: 'note',
  message: 'Functional check only: the session shows that the experiment runs. Its figures are not results.',
};
