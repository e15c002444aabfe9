import { z } from 'zod';
import { Factor, Levels, OneLine, Scalar } from './factor.ts';
import { LOCAL_HOST_NAME } from './host.ts';
import { MEASURE_GROUPS, Measure } from './measure.ts';
import type { OptionWords } from './tool.ts';

export { Factor, Levels, Scalar } from './factor.ts';
export { Measure } from './measure.ts';

const DataPolicy = z
  .enum(['keep', 'create', 'recreate'])
  .default('create')
  .meta({
    title: 'Data policy',
    description:
      'keep: use the data that is there. create: use it if it is complete, else prepare it. recreate: remove and prepare it first.',
    group: 'Data',
    main: true,
  } satisfies OptionWords);

/** What is asked of the tool. */
const Workload = z.strictObject({
  tool: z.string().min(1),
  options: z.record(z.string(), Scalar).default({}),
  data: DataPolicy,
});

const { canary: _canary, before: _before, stop: _stop, ...ungrouped } = Measure.shape;

/** The settings of the groups that are plain values, by `group.name`; none of them is required. */
const grouped = Object.entries(MEASURE_GROUPS).flatMap(([group, { shape }]) =>
  Object.entries(shape)
    .filter(([, setting]) => setting.meta()?.title !== undefined)
    .map(([name, setting]) => [`${group}.${name}`, setting.optional()] as const),
);

/** The part of a document that says how it is measured, as one form. */
export const MeasureForm = z.strictObject({ ...ungrouped, data: DataPolicy }).extend(Object.fromEntries(grouped));

const Design = z.enum(['full', 'one-at-a-time']);

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
  /**
   * full: every combination of levels. one-at-a-time: one cell at the base, and each factor varied alone around it. Absent: full.
   */
  design: Design.optional(),
  /** Levels that one factor at a time is varied around; of a factor that it does not name, the first. */
  base: Levels.optional(),
  /** Combinations that are measured: every cell that has all levels of one of these. Absent: all. */
  only: z.array(Levels).optional(),
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
