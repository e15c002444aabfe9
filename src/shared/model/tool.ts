import { z } from 'zod';
import { TargetKind } from './target.ts';

/** Description of a tool for the UI and `kneepoint tools`: enough to draw its form without code specific to it. */
export const ToolInfo = z.object({
  id: z.string(),
  title: z.string(),
  summary: z.string(),
  drives: z.array(TargetKind),
  /** Whether several hosts can share one load on a target. */
  divides: z.boolean().optional(),
  /** A file format of the program itself, which options can be exported to and imported from. `name`: default file name. */
  file: z.object({ title: z.string(), name: z.string() }).optional(),
  /**
   * JSON Schema (object) of its options. Each property may have `title`, `description`, `default`, `enum`, `unit`, `group`, `main`,
   * `multiline`, `language` and `when: { option, in: [...] }` (shown only while another option has one of these values).
   */
  options: z.record(z.string(), z.unknown()),
  /** Primary metric, drawn first; null: it measures nothing by itself. */
  primaryMetric: z.string().nullable(),
  /** It runs no load: hosts and servers are watched meanwhile. */
  watchesOnly: z.literal(true).optional(),
});
export type ToolInfo = z.infer<typeof ToolInfo>;

/** Language of a multi-line text, if an editor supports it. */
export type CodeLanguage = 'sql' | 'lua';

/** Limits of a process that Kneepoint starts: they end with it, so nothing has to be restored. */
export interface LaunchLimits {
  /** CPUs as `taskset -c` takes them: "0-3,8". Absent: all. */
  readonly cpus?: string;
  /** By the letter of `ulimit`: `n` for open files. Applies to hard and soft limits. */
  readonly limits?: Readonly<Record<string, number>>;
}

/** The oldest version that has it, and the first one in which some builds no longer do. */
export interface VersionRange {
  from?: string;
  before?: string;
}
/** Quantity that an option raises if it is a load. */
export const LoadKind = z.enum(['concurrency', 'rate']);
export type LoadKind = z.infer<typeof LoadKind>;

/** Additional attributes of a tool option; added to the zod schema with `.meta()`. */
export interface OptionWords {
  title: string;
  description: string;
  unit?: string;
  group?: string;
  /** In force while it is not set and has no default: “once”. */
  unset?: string;
  /** One of the eight or so most important options: a form shows these and folds the others. */
  main?: true;
  /** A multi-line text, such as a script: edited in an area of its own width. */
  multiline?: true;
  language?: CodeLanguage;
  /** A folder on its host: the form can browse for it. */
  folder?: true;
  when?: { option: string; in: readonly (string | number | boolean)[] };
  /** Tool versions that have it; others refuse the run. `values`: versions for single values. */
  versions?: VersionRange & { values?: Readonly<Record<string, VersionRange>> };
  /**
   * A number that determines how hard the target is driven: `concurrency` is the amount of simultaneous work, `rate` the requests per
   * second (0: unlimited). Only factors of such options have a knee.
   */
  load?: LoadKind;
  /** Text for a switch that gives up safety, shown with the object while it is on. */
  warns?: string;
}

/** Distribution of accesses over rows, records or blocks, whichever of them these are. */
export const AccessShares = z.object({
  /** The distribution and its parameters in force: “special: 75 % of accesses to 1 % of the rows”. */
  words: z.string(),
  /** Accessed objects: rows of a table, records, blocks of files or of a device. */
  of: z.enum(['rows', 'records', 'blocks']),
  /** The smallest share of rows that together get this share of the accesses, both 0 to 1: for half, 90 % and 99 %. */
  shares: z.array(z.object({ accesses: z.number(), rows: z.number() })),
  /** Points of the whole curve from (0, 0) to (1, 1). */
  curve: z.array(z.object({ rows: z.number(), accesses: z.number() })),
});
export type AccessShares = z.infer<typeof AccessShares>;
