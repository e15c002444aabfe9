import { z } from 'zod';
import { Factor, Levels, OneLine, Scalar } from './factor.ts';
import { LOCAL_HOST_NAME } from './host.ts';
import { BeforeTrial, Canary, MEASURE_GROUPS, Stop } from './measure.ts';
import { Monitors } from './monitors.ts';
import { PickRule } from './pick.ts';
import { ScenarioEvent } from './scenario.ts';
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
  ({ title, description, unit, group: 'One trial', main: true }) satisfies OptionWords;
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
    .meta(
      ofAllTrials('Repeats', 'Of every cell. Three or more give an interval that tells a difference from noise.', {
        main: true,
      }),
    ),
  order: z
    .enum(['listed', 'rounds', 'shuffled', 'interleaved'])
    .default('rounds')
    .meta(
      ofAllTrials(
        'Order',
        'listed: cell by cell. rounds: every cell once, then again. shuffled: rounds, each in its own random order. interleaved: rounds, every second one backwards (A B B A), so that a steady drift cancels out with an even number of repeats.',
        { main: true },
      ),
    ),
  blocks: z
    .enum(['once', 'rounds', 'none'])
    .optional()
    .meta(
      ofAllTrials(
        'Costly changes',
        'once: cells that need the same restarts and reloads are measured together, with all of their repeats, before the next change; the order holds among them. rounds: the same for one repeat at a time, so there are as many changes as blocks times repeats. none: the order alone counts, whatever changes cost.',
        { unset: 'once' },
      ),
    ),
  canary: Canary.optional(),
  before: BeforeTrial.optional(),
  /** Done while each trial runs. */
  events: z.array(ScenarioEvent).min(1).max(20).optional(),
  stop: Stop.optional(),
  seed: z
    .number()
    .int()
    .min(0)
    .default(1)
    .meta(
      ofAllTrials(
        'Seed',
        'The same seed gives the same shuffled order. The random values of trials are made from it and a number that each session draws.',
      ),
    ),
  seeds: z
    .enum(['per-trial', 'fixed'])
    .optional()
    .meta(
      ofAllTrials(
        'Random values',
        'per-trial: each trial of each session draws its own. fixed: all trials of all sessions draw the same, so from the second trial on an UPDATE writes values that the rows already have.',
        { unset: 'per-trial' },
      ),
    ),
  pick: PickRule.optional().meta(
    ofAllTrials(
      'Figure of a cell',
      'Which of its repeats stands for a cell; all of them are kept. mean, median, best, second-best; all: each repeat by itself, and no figure for the cell. Chosen before the start, so that nobody picks by the results.',
      { unset: 'mean' },
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
        'keep: hosts and servers stay as the levels set them. restore: they are put back when the session is paused, and set again when it continues.',
        { unset: 'keep' },
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

const { canary: _canary, before: _before, events: _events, stop: _stop, ...ungrouped } = Measure.shape;

/** The settings of the groups that are plain values, by `group.name`; none of them is required. */
const grouped = Object.entries(MEASURE_GROUPS).flatMap(([group, { shape }]) =>
  Object.entries(shape)
    .filter(([, setting]) => setting.meta()?.title !== undefined)
    .map(([name, setting]) => [`${group}.${name}`, setting.optional()] as const),
);

/** The part of a document that says how it is measured, as one form. */
export const MeasureForm = z.strictObject({ ...ungrouped, data: DataPolicy }).extend(Object.fromEntries(grouped));

const Design = z.enum(['full', 'one-at-a-time']);

/** A part of every trial: a run of the tool with options of its own, right after the one before it. */
export const DocumentStep = z.strictObject({
  name: OneLine.min(1).max(60),
  /** In addition to those of the workload, or in their place. */
  options: z.record(z.string(), Scalar).default({}),
  /** Seconds; absent: as the measurement has it. */
  warmup: Measure.shape.warmup.removeDefault().optional(),
  duration: Measure.shape.duration.removeDefault().optional(),
  /** false: it only brings the system into a state, and has no figures. */
  measured: z.boolean().default(true),
});
export type DocumentStep = z.infer<typeof DocumentStep>;

/** Format of a document whose trials have steps; all others are of format 1. */
export const STEPS_FORMAT = 2;

/** The document a person edits, shares and runs again. `kneepoint` is its format version. */
export const Experiment = z.strictObject({
  kneepoint: z.literal([1, STEPS_FORMAT]),
  name: OneLine.min(1).max(200),
  question: z.string().max(2000).optional(),
  tags: z.array(OneLine).optional(),
  workload: Workload,
  /** What every trial does, in this order. Absent: it runs the workload once. */
  steps: z.array(DocumentStep).min(1).max(60).optional(),
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
  /** What is watched beside the tool. Absent: generators, the server and its host. */
  monitors: Monitors.optional(),
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
