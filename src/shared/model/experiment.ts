import { z } from 'zod';
import { Factor, Levels, OneLine, Scalar } from './factor.ts';
import { LOCAL_HOST_NAME } from './host.ts';
import type { OptionWords } from './tool.ts';

export { Factor, Levels, Scalar } from './factor.ts';

const DataPolicy = z
  .enum(['keep', 'create', 'recreate'])
  .default('create')
  .meta({
    title: 'Data policy',
    description:
      'keep: use the data that is there. create: use it if it is complete, else prepare it. recreate: remove and prepare it first.',
    group: 'Data',
  } satisfies OptionWords);

const ofOneTrial = (title: string, description: string, unit: string) =>
  ({ title, description, unit, group: 'One trial' }) satisfies OptionWords;
const ofAllTrials = (title: string, description: string, more: Partial<OptionWords> = {}) =>
  ({ title, description, group: 'All trials', ...more }) satisfies OptionWords;

/** Limits, defaults and words: the form is drawn from them. */
export const Measure = z.strictObject({
  warmup: z
    .number()
    .min(0)
    .max(86_400)
    .default(0)
    .meta(
      ofOneTrial(
        'Warm-up',
        'At the start of each trial; stored, but excluded from every figure. The cut can be moved in the results.',
        's',
      ),
    ),
  duration: z
    .number()
    .min(1)
    .max(864_000)
    .default(60)
    .meta(ofOneTrial('Duration', 'Measured after the warm-up.', 's')),
  repeats: z
    .number()
    .int()
    .min(1)
    .max(1000)
    .default(1)
    .meta(ofAllTrials('Repeats', 'Of every cell. Three or more give an interval that tells a difference from noise.')),
  order: z
    .enum(['listed', 'rounds', 'shuffled'])
    .default('rounds')
    .meta(
      ofAllTrials(
        'Order',
        'listed: cell by cell. rounds: every cell once, then again. shuffled: rounds, each in its own random order.',
      ),
    ),
  seed: z
    .number()
    .int()
    .min(0)
    .default(1)
    .meta(
      ofAllTrials('Seed', 'The same seed gives the same shuffled order, and the same random values in each trial.'),
    ),
  seeds: z
    .enum(['per-trial', 'fixed'])
    .optional()
    .meta(
      ofAllTrials(
        'Random values',
        'per-trial (the default): each trial draws its own, made from the seed. fixed: all trials draw the same, so from the second trial on an UPDATE writes values that the rows already have.',
      ),
    ),
  pause: z
    .number()
    .min(0)
    .max(86_400)
    .default(0)
    .meta(
      ofAllTrials('Pause', 'Pause between two trials, for caches to be written and hardware to cool.', { unit: 's' }),
    ),
  paused: z
    .enum(['keep', 'restore'])
    .optional()
    .meta(
      ofAllTrials(
        'While paused',
        'keep (the default): hosts and servers stay as the levels set them. restore: they are put back when the session is paused, and set again when it continues.',
      ),
    ),
});
export type Measure = z.infer<typeof Measure>;

/** What is asked of the tool. */
const Workload = z.strictObject({
  tool: z.string().min(1),
  options: z.record(z.string(), Scalar).default({}),
  data: DataPolicy,
});

/** The part of a document that says how it is measured, as one form. */
export const MeasureForm = z.strictObject({ ...Measure.shape, data: DataPolicy });

/** The document a person edits, shares and runs again. `kneepoint` is its format version. */
export const Experiment = z.strictObject({
  kneepoint: z.literal(1),
  name: OneLine.min(1).max(200),
  question: z.string().max(2000).optional(),
  tags: z.array(OneLine).optional(),
  workload: Workload,
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
