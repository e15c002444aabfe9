import { z } from 'zod';
import { LOCAL_HOST_NAME } from './host.ts';

/** Shown in terminals, file names and one-line lists. */
const OneLine = z.string().regex(/^\P{Cc}*$/u, 'one line without control characters is wanted here.');

export const Scalar = z.union([z.string(), z.number(), z.boolean()]);
export type Scalar = z.infer<typeof Scalar>;
export const Levels = z.record(z.string(), Scalar);
/** A combination of levels: factor name → level. */
export type Levels = z.infer<typeof Levels>;

/** A varied dimension. `option` names the tool option it sets (the factor's own name if absent). */
export const Factor = z.strictObject({
  name: OneLine.min(1)
    .max(80)
    .refine((name) => name !== '__proto__', 'this name cannot be used.'),
  kind: z.literal('option').default('option'),
  option: z.string().optional(),
  levels: z.array(Scalar).min(1, 'A factor needs at least one level.').max(200),
});
export type Factor = z.infer<typeof Factor>;

/** keep: use the data that is there. create: use it if complete, else prepare. recreate: clean up and prepare first. */
const DataPolicy = z.enum(['keep', 'create', 'recreate']);

export const Measure = z.strictObject({
  /** Seconds at the start of each trial left out of summaries. They are stored all the same. */
  warmup: z.number().min(0).max(86_400).default(0),
  /** Seconds measured after the warm-up. */
  duration: z.number().min(1).max(864_000).default(60),
  repeats: z.number().int().min(1).max(1000).default(1),
  /** listed: cell by cell; rounds: every cell once, then again; shuffled: rounds, each in its own random order from `seed`. */
  order: z.enum(['listed', 'rounds', 'shuffled']).default('rounds'),
  seed: z.number().int().min(0).default(1),
  /** Seconds of rest between trials. */
  pause: z.number().min(0).max(86_400).default(0),
});
export type Measure = z.infer<typeof Measure>;

/** The document a person edits, shares and runs again. `kneepoint` is its format version. */
export const Experiment = z.strictObject({
  kneepoint: z.literal(1),
  name: OneLine.min(1).max(200),
  question: z.string().max(2000).optional(),
  tags: z.array(OneLine).optional(),
  workload: z.strictObject({
    tool: z.string().min(1),
    options: z.record(z.string(), Scalar).default({}),
    data: DataPolicy.default('create'),
  }),
  where: z.strictObject({
    /** Names of hosts that run the tool, all at once: counts and rates of the options are divided between them. */
    generators: z.array(z.string()).min(1).default([LOCAL_HOST_NAME]),
    /** Name of a saved target; absent for tools that drive the host itself or bring their own database. */
    target: z.string().optional(),
  }),
  factors: z.array(Factor).max(12).default([]),
  /** Combinations left out: every cell that has all of these levels. */
  exclude: z.array(Levels).optional(),
  measure: Measure,
});
export type Experiment = z.infer<typeof Experiment>;

/** A problem in a document, at a place a person can find. Lines and columns count from 1. */
export const DocumentProblem = z.object({
  path: z.string(),
  message: z.string(),
  line: z.number().optional(),
  column: z.number().optional(),
});
export type DocumentProblem = z.infer<typeof DocumentProblem>;
