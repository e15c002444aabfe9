import { z } from 'zod';
import { TargetKind } from './target.ts';

/** What the UI and `kneepoint tools` know of a tool: enough to draw its form without a line of code of its own. */
export const ToolInfo = z.object({
  id: z.string(),
  title: z.string(),
  summary: z.string(),
  drives: z.array(TargetKind),
  /** Whether several hosts can put one load of it on a target. */
  divides: z.boolean().optional(),
  /** A file of the program's own, which options can be turned into and read from. `name`: what it is called when it is saved. */
  file: z.object({ title: z.string(), name: z.string() }).optional(),
  /**
   * JSON Schema (object) of its options. Each property may carry `title`, `description`, `default`, `enum`, `unit`, `group`, `main`,
   * `multiline`, `language` and `when: { option, in: [...] }` (shown only while another option has one of these values).
   */
  options: z.record(z.string(), z.unknown()),
  /** Metric drawn first; null: it measures nothing by itself. */
  primaryMetric: z.string().nullable(),
  /** It loads nothing: hosts and servers are watched meanwhile. */
  watchesOnly: z.literal(true).optional(),
});
export type ToolInfo = z.infer<typeof ToolInfo>;

/** What a text of several lines is written in, where an editor knows it. */
export type CodeLanguage = 'sql' | 'lua';

/** Limits of a process that Kneepoint starts: they end with it, so there is nothing to undo. */
export interface LaunchLimits {
  /** CPUs as `taskset -c` takes them: "0-3,8". Absent: all. */
  readonly cpus?: string;
  /** By the letter of `ulimit`: `n` for open files. Hard and soft. */
  readonly limits?: Readonly<Record<string, number>>;
}

/** The oldest version that has it, and the first one of which not every build has it any more. */
export interface VersionRange {
  from?: string;
  before?: string;
}
/** What an option that is a load raises. */
export const LoadKind = z.enum(['concurrency', 'rate']);
export type LoadKind = z.infer<typeof LoadKind>;

/** Extra words on a tool option; put into the zod schema with `.meta()`. */
export interface OptionWords {
  title: string;
  description: string;
  unit?: string;
  group?: string;
  /** In force while nothing is set and no default is written down: “once”. */
  unset?: string;
  /** Among the eight or so that matter first: a form shows these, and folds the others. */
  main?: true;
  /** A text of several lines, such as a script: written in an area of its own width. */
  multiline?: true;
  language?: CodeLanguage;
  /** A folder of the host that it is for: the form can browse for it. */
  folder?: true;
  when?: { option: string; in: readonly (string | number | boolean)[] };
  /** Versions of the tool that know it; others refuse the run. `values`: of single values of it. */
  versions?: VersionRange & { values?: Readonly<Record<string, VersionRange>> };
  /**
   * A number that says how hard the target is driven: `concurrency` how much is done at the same time, `rate` how much is asked per
   * second (0: as fast as it goes). Only factors of such options have a knee.
   */
  load?: LoadKind;
  /** A switch that gives up safety: what is said wherever the thing is shown while it is on. */
  warns?: string;
}
