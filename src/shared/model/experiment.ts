import { z } from 'zod';
import { Capture } from './capture.ts';
import { ChartChoice, MOST_CHARTS } from './chart.ts';
import { DerivedMeasure, MOST_MEASURES } from './derived.ts';
import { Factor, Level, Levels, OneLine, Scalar } from './factor.ts';
import { LOCAL_HOST_NAME } from './host.ts';
import { BeforeTrial, Canary, MEASURE_GROUPS, PickRule, Stop } from './measure.ts';
import { Monitors } from './monitors.ts';
import { fittedDurations, type Timed, turnsOf } from './parallel-steps.ts';
import { MOST_LEVELS } from './ranges.ts';
import { ScenarioEvent } from './scenario.ts';
import { DocumentStep, mostSeconds, wholeSteps } from './step.ts';
import type { OptionWords } from './tool.ts';

export { Factor, Levels, Scalar } from './factor.ts';
export { DocumentStep } from './step.ts';

const DataPolicy = z
  .enum(['keep', 'create', 'recreate'])
  .default('create')
  .meta({
    title: 'Data policy',
    description:
      'keep: use existing data. create: use existing data if complete, otherwise prepare it. recreate: remove and prepare it first.',
    group: 'Data',
  } satisfies OptionWords);

const ofOneTrial = (title: string, description: string, unit: string) =>
  ({ title, description, unit, group: 'One trial', main: true }) satisfies OptionWords;
const ofAllTrials = (title: string, description: string, more: Partial<OptionWords> = {}) =>
  ({ title, description, group: 'All trials', ...more }) satisfies OptionWords;

/** Limits, defaults and words: the form is generated from them. */
export const Measure = z.strictObject({
  warmup: z
    .number()
    .min(0)
    .max(86_400)
    .default(0)
    .meta(
      ofOneTrial(
        'Warm-up',
        'At the start of each trial; recorded, but excluded from all figures. The cut can be moved in the results.',
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
      ofAllTrials('Repeats', 'Per cell. Three or more give an interval that distinguishes differences from noise.', {
        main: true,
      }),
    ),
  order: z
    .enum(['listed', 'rounds', 'shuffled', 'interleaved'])
    .default('rounds')
    .meta(
      ofAllTrials(
        'Order',
        'listed: cell by cell. rounds: every cell once, then again. shuffled: rounds in random order. interleaved: rounds, every second one reversed (A B B A), so that a steady drift cancels out with an even number of repeats.',
        { main: true },
      ),
    ),
  blocks: z
    .enum(['once', 'rounds', 'none'])
    .optional()
    .meta(
      ofAllTrials(
        'Costly changes',
        'once: cells with the same restarts and reloads are measured together with all their repeats, in the order above. rounds: the same, one repeat at a time, so every repeat makes all changes again. none: the order applies regardless of cost.',
        { unset: 'once' },
      ),
    ),
  canary: Canary.optional(),
  before: BeforeTrial.optional(),
  /** Run during each trial. */
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
        'The same seed gives the same shuffled order. Random values of trials derive from it and a random number per session.',
      ),
    ),
  seeds: z
    .enum(['per-trial', 'fixed'])
    .optional()
    .meta(
      ofAllTrials(
        'Random values',
        'per-trial: different in every trial. fixed: the same in all trials of all sessions, so from the second trial on an UPDATE writes values that the rows already have.',
        { unset: 'per-trial' },
      ),
    ),
  answer: z
    .enum(['throughput', 'steadiness'])
    .optional()
    .meta(
      ofAllTrials(
        'Answer by',
        'throughput: the first figure that the tool reports. steadiness: how much throughput varies from second to second (standard deviation ÷ mean), with stalls and dips. Steadiness needs trials of 20 s or longer; for shorter ones, the answer is throughput.',
        { unset: 'throughput' },
      ),
    ),
  pick: PickRule.optional().meta(
    ofAllTrials(
      'Figure of a cell',
      'How the repeats of a cell become one figure; all repeats are stored. mean, median, best, second-best; all: each repeat individually, without a figure for the cell. Fixed before the start, so that results cannot influence the choice.',
      { unset: 'mean' },
    ),
  ),
  pause: z
    .number()
    .min(0)
    .max(86_400)
    .default(0)
    .meta(
      ofAllTrials(
        'Pause',
        'Pause between two trials, to flush caches and cool the hardware. A factor can have one of its own, for changes of its levels.',
        { unit: 's' },
      ),
    ),
  'tool-died': z
    .enum(['fail', 'restart'])
    .optional()
    .meta(
      ofAllTrials(
        'If the tool exits early',
        'fail: the trial fails. restart: after the first event, or the start of a parallel step, the tool is restarted for the remaining time; seconds without it count as zero work. For sysbench and pgbench, which exit when they lose the connection to the server.',
        { unset: 'fail' },
      ),
    ),
  paused: z
    .enum(['keep', 'restore'])
    .optional()
    .meta(
      ofAllTrials(
        'While paused',
        'keep: hosts and servers keep the settings of the current level. restore: settings are restored while the session is paused, and applied again when it continues.',
        { unset: 'keep' },
      ),
    ),
});
export type Measure = z.infer<typeof Measure>;

/** Task of the tool. */
const Workload = z.strictObject({
  tool: z.string().min(1),
  options: z.record(z.string(), Scalar).default({}),
  data: DataPolicy,
});

const { canary: _canary, before: _before, events: _events, stop: _stop, ...ungrouped } = Measure.shape;

/** Plain-valued settings of the groups, by `group.name`; all are optional. */
const grouped = Object.entries(MEASURE_GROUPS).flatMap(([group, { shape }]) =>
  Object.entries(shape)
    .filter(([, setting]) => setting.meta()?.title !== undefined)
    .map(([name, setting]) => [`${group}.${name}`, setting.optional()] as const),
);

/** The part of a document about measurement, as one form. */
export const MeasureForm = z.strictObject({ ...ungrouped, data: DataPolicy }).extend(Object.fromEntries(grouped));

const Design = z.enum(['full', 'one-at-a-time']);

const ofMeasure = <Name extends 'warmup' | 'duration' | 'repeats' | 'pause'>(name: Name) =>
  Measure.shape[name].removeDefault().optional();

/** Values that replace those of the document in another form of it. */
export const Variant = z.strictObject({
  /**
   * By name: the levels of a factor, or names that select some of its levels; otherwise an option of the workload, or of a step (`STEP.option`). A
   * single value is the only level.
   */
  set: z.record(z.string(), z.union([Scalar, z.array(Level).min(1).max(MOST_LEVELS)])).optional(),
  warmup: ofMeasure('warmup'),
  duration: ofMeasure('duration'),
  repeats: ofMeasure('repeats'),
  pause: ofMeasure('pause'),
  data: DataPolicy.removeDefault().optional(),
  primary: OneLine.min(1).optional(),
});
export type Variant = z.infer<typeof Variant>;

/** Format of documents whose trials have steps; all others have format 1. */
export const STEPS_FORMAT = 2;

/** The document that users edit, share and run again. `kneepoint` is its format version. */
export const Experiment = z.strictObject({
  kneepoint: z.literal([1, STEPS_FORMAT]),
  name: OneLine.min(1).max(200),
  question: z.string().max(2000).optional(),
  tags: z.array(OneLine).optional(),
  /** only: a session of it shows that the experiment runs. Its figures answer no question and lead to no verdict. */
  mechanics: z.literal('only').optional(),
  workload: Workload,
  /** Steps of every trial, in order. Absent: it runs the workload once. */
  steps: z.array(DocumentStep).min(1).max(60).optional(),
  where: z.strictObject({
    /** Names of hosts that all run the tool at the same time: counts and rates of the options are divided between them. */
    generators: z.array(z.string()).min(1).default([LOCAL_HOST_NAME]),
    /** Name of a saved target; absent for tools that drive the host itself or bring their own database. */
    target: z.string().optional(),
  }),
  factors: z.array(Factor).max(12).default([]),
  /**
   * full: every combination of levels. one-at-a-time: one cell at the base, and each factor varied alone around it. Absent: full.
   */
  design: Design.optional(),
  /** Base levels of the one-at-a-time design; for a factor without one, its first level. */
  base: Levels.optional(),
  /** Combinations to measure: every cell that has all levels of one of these. Absent: all. */
  only: z.array(Levels).optional(),
  /** Excluded combinations: every cell that has all of these levels. */
  exclude: z.array(Levels).optional(),
  measure: Measure,
  /** Sources watched in addition to the tool. Absent: generators, the server and its host. */
  monitors: Monitors.optional(),
  /** Text and tables of server and hosts that are stored for each run. */
  captures: z.array(Capture).min(1).max(20).optional(),
  /** Figures of each cell in addition to those of the tool. Each may use those before it. */
  derived: z.array(DerivedMeasure).min(1).max(MOST_MEASURES).optional(),
  /** The primary metric: a measure of `derived` by its name, or a metric. Absent: the tool's own. */
  primary: OneLine.min(1).optional(),
  /** Charts of its results in addition to the standard ones. */
  charts: z.array(ChartChoice).min(1).max(MOST_CHARTS).optional(),
  /** Its small form: fewer levels and less data, to check within minutes that everything works. Its sessions are mechanics only. */
  small: Variant.optional(),
});
export type Experiment = z.infer<typeof Experiment>;

/**
 * Warm-up and duration of each step of a trial, seconds; steps without their own use those of the measurement. A step that ends by itself
 * has its maximum time, 0 without a limit.
 */
export const stepLengths = ({
  steps = [{ name: '', options: {} }],
  measure,
}: {
  readonly steps?: readonly DocumentStep[] | undefined;
  readonly measure: Pick<Measure, 'warmup' | 'duration'>;
}): { warmup: number; duration: number }[] =>
  timedSteps({ steps, measure }).map(({ warmup, duration }) => ({ warmup, duration }));

function timedSteps({ steps, measure }: Required<Parameters<typeof stepLengths>[0]>): Timed[] {
  const timed = wholeSteps(steps ?? []).map((step) => {
    const { parallel, from, warmup = measure.warmup, duration = measure.duration } = step;
    const lengths = step.do === undefined ? { warmup, duration } : { warmup: 0, duration: mostSeconds(step) };
    return { parallel, from, ...lengths, ends: step.do !== undefined };
  });
  const fitted = fittedDurations(timed);
  return timed.map((step, place) => ({ ...step, duration: fitted[place] ?? step.duration }));
}

/** Seconds of a trial: the sum of its steps, with the longest one of each parallel group. */
export const trialSeconds = ({
  steps = [{ name: '', options: {} }],
  measure,
}: Parameters<typeof stepLengths>[0]): number =>
  turnsOf(timedSteps({ steps, measure })).reduce(
    (sum, turn) => sum + Math.max(...turn.map(({ from = 0, warmup, duration }) => from + warmup + duration)),
    0,
  );

/** A run of fewer seconds does not show its variation. */
export const LEAST_VARYING = 20;

type Timing = Pick<Experiment, 'steps' | 'measure'>;

/** The seconds of a step whose document asks for steadiness, if they are too few for it. */
export function tooShortToVary(experiment: Timing, step = 0): number | undefined {
  const { duration } = stepLengths(experiment)[step] ?? experiment.measure;
  return experiment.measure.answer === 'steadiness' && duration < LEAST_VARYING ? duration : undefined;
}

/** Whether a step is long enough for an answer about steadiness, and its document asks for one. */
export const asksSteadiness = (experiment: Timing, step = 0): boolean =>
  experiment.measure.answer === 'steadiness' && tooShortToVary(experiment, step) === undefined;

/** A problem in a document, at a place that can be located. Lines and columns count from 1. */
export const DocumentProblem = z.object({
  path: z.string(),
  message: z.string(),
  line: z.number().optional(),
  column: z.number().optional(),
});
export type DocumentProblem = z.infer<typeof DocumentProblem>;

type Paused = Pick<Experiment, 'factors'> & { readonly measure: Pick<Experiment['measure'], 'pause'> };

/**
 * Seconds between two trials with these levels: the longest pause among the factors whose levels differ. The pause of the session applies
 * to factors without their own, and to the next repeat of the same cell.
 */
export function pauseBetween({ factors, measure }: Paused, last: Levels, next: Levels): number {
  const changed = factors.filter(({ name }) => last[name] !== next[name]);
  return changed.length === 0 ? measure.pause : Math.max(...changed.map(({ pause = measure.pause }) => pause));
}

/** Seconds of all pauses between trials with these levels, in their order. */
export const pausesOf = (experiment: Paused, trials: readonly Levels[]): number =>
  trials.reduce((sum, levels, at) => {
    const last = trials[at - 1];
    return last ? sum + pauseBetween(experiment, last, levels) : sum;
  }, 0);

/** Whether all pauses between trials have the same length. */
export const pausesAlike = ({ factors }: Pick<Experiment, 'factors'>): boolean =>
  factors.every(({ pause }) => pause === undefined);
