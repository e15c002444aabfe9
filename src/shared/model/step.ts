import { z } from 'zod';
import { formatDuration, formatLevel, plainLevels } from '../util/format.ts';
import { OneLine, Scalar } from './factor.ts';
import type { OptionWords } from './tool.ts';

const words = (title: string, description: string, more: Partial<OptionWords> = {}) =>
  ({ title, description, ...more }) satisfies OptionWords;

const HostName = z.string().min(1).max(200);
const Seconds = z.number().min(0).max(86_400);

/** Action of a step in place of the workload. Absent: the step runs the workload. */
export const StepAct = z.enum(['prepare', 'cleanup', 'wait', 'statement', 'run']);
export type StepAct = z.infer<typeof StepAct>;

export const ACT_TITLES = {
  prepare: 'Prepare the data',
  cleanup: 'Remove the data',
  wait: 'Wait',
  statement: 'Send a statement',
  run: 'Run a command',
} as const satisfies Record<StepAct, string>;

/** Use of the workload's data by a step: tables, or files. may-change: its own statements or command. */
export const DataUse = z.enum(['none', 'reads', 'changes', 'may-change', 'prepares', 'removes']);
export type DataUse = z.infer<typeof DataUse>;

/** The condition of a wait: exactly one of `status`, `sql`, `file`, `port`, or the writes of a host (`dirty`, `writes`). */
export const WaitUntil = z.strictObject({
  status: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .meta(words('Status', 'A counter of the target by the server’s own name, with “below” or “above”.')),
  sql: z
    .string()
    .min(1)
    .max(10_000)
    .optional()
    .meta(
      words(
        'Query',
        'Until its first value is below or above a number; with neither, until it is not 0, empty or false.',
        { multiline: true, language: 'sql' },
      ),
    ),
  file: z
    .string()
    .regex(/^\/[^\0\n\r]{0,4000}$/, 'An absolute path.')
    .optional()
    .meta(words('File', 'Until this file or folder exists.')),
  port: z
    .int()
    .min(1)
    .max(65_535)
    .optional()
    .meta(words('Port', 'Until a program on the host listens on this TCP port.')),
  dirty: z
    .number()
    .min(0)
    .max(1e9)
    .optional()
    .meta(words('Dirty pages', 'Until the host has no more dirty pages than this.', { unit: 'MiB' })),
  writes: z
    .number()
    .min(0)
    .max(1e6)
    .optional()
    .meta(words('Device writes', 'Until device writes of the host are at or below this rate.', { unit: 'MiB/s' })),
  below: z.number().optional().meta(words('Below', 'The status or the value of the query is below this number.')),
  above: z.number().optional().meta(words('Above', 'The status or the value of the query is above this number.')),
  on: HostName.optional().meta(
    words('Host', 'Where file, port or writes are checked. Default: the server host, or else the first generator.'),
  ),
});
export type WaitUntil = z.infer<typeof WaitUntil>;

const Statement = z.string().min(1).max(100_000);
const Devices = z
  .string()
  .max(2000)
  .regex(/^[^\0\n\r]*$/, 'One line.');

/** Figures that a step must have for the rest of its trial to be measured. */
export const StepGate = z.strictObject({
  errors: z.int().min(0).optional().meta(words('Errors at most', 'As counted by the tool over the whole run.')),
  rows: z.int().min(0).optional().meta(words('Rows', 'Exact number of rows that a statement must return or change.')),
  equal: OneLine.min(1)
    .max(130)
    .optional()
    .meta(words('Same result as', 'An earlier step of the trial with statements: same rows and same values.')),
  above: z.number().optional().meta(words('Above', 'The figure of the step is above this number.')),
  below: z.number().optional().meta(words('Below', 'The figure of the step is below this number.')),
  'ratio-above': z
    .number()
    .positive()
    .optional()
    .meta(words('Ratio above', 'The figure, divided by that of the baseline or earlier step, is above this number.')),
  'ratio-below': z
    .number()
    .positive()
    .optional()
    .meta(words('Ratio below', 'The figure, divided by that of the baseline or earlier step, is below this number.')),
  of: OneLine.min(1)
    .max(130)
    .optional()
    .meta(words('Ratio to', 'An earlier step of the trial. Default: the baseline, as measured so far.')),
});
export type StepGate = z.infer<typeof StepGate>;

/** The conditions of a gate: “errors at most 0, ratio to step “one client” above 4”. */
export function gateWords({ errors, rows, equal, above, below, of, ...gate }: StepGate): string {
  const between = (more: number | undefined, less: number | undefined): string =>
    [more === undefined ? [] : `above ${formatLevel(more)}`, less === undefined ? [] : `below ${formatLevel(less)}`]
      .flat()
      .join(' and ');
  const figure = between(above, below);
  const ratio = between(gate['ratio-above'], gate['ratio-below']);
  return [
    errors === undefined ? [] : `errors at most ${formatLevel(errors)}`,
    rows === undefined ? [] : `rows exactly ${formatLevel(rows)}`,
    equal === undefined ? [] : `same result as step “${equal}”`,
    figure === '' ? [] : `figure ${figure}`,
    ratio === '' ? [] : `ratio to ${of === undefined ? 'the baseline' : `step “${of}”`} ${ratio}`,
  ]
    .flat()
    .join(', ');
}

/** When a load has reached its steady state. Defaults: SNIA Solid State Storage Performance Test Specification 2.0. */
export const SteadyWhen = z.strictObject({
  rounds: z.int().min(2).max(100).default(5).meta(words('Rounds', 'Number of latest rounds to compare.')),
  of: z
    .number()
    .min(1)
    .max(86_400)
    .default(60)
    .meta(words('Length of a round', 'The mean of the first metric over this time is one point.', { unit: 's' })),
  within: z
    .number()
    .positive()
    .max(100)
    .default(20)
    .meta(
      words('Range', 'The largest and the smallest of them differ by at most this share of their mean.', { unit: '%' }),
    ),
  slope: z
    .number()
    .positive()
    .max(100)
    .default(10)
    .meta(
      words('Slope', 'The straight line fitted to them rises or falls by at most this share of their mean.', {
        unit: '%',
      }),
    ),
});
export type SteadyWhen = z.infer<typeof SteadyWhen>;

/** The same as part of a sentence: “means of 5 rounds of 1 min are within 20 %, with a slope of at most 10 %”. */
export const steadyWords = ({ rounds, of, within, slope }: SteadyWhen): string =>
  `means of ${rounds} rounds of ${formatDuration(of)} are within ${formatLevel(within)} %, with a slope of at most ${formatLevel(slope)} %`;

const StepName = OneLine.min(1).max(60);
/** Full name of a step in its trial; in a group it includes the name of the group. */
const WholeName = OneLine.min(1).max(130);

/** An option with the values that it takes in turn within a trial. */
export const StepFactor = z.strictObject({
  name: OneLine.min(1).max(60),
  kind: z.literal('option').optional(),
  option: OneLine.min(1).max(100).optional().meta(words('Option', 'Tool option. Default: the option with this name.')),
  levels: z.array(Scalar).min(1).max(60),
});
export type StepFactor = z.infer<typeof StepFactor>;

/** A step in a group: a run of the workload with its own options, or the action in `do`. */
export const GroupedStep = z.strictObject({
  name: StepName,
  note: OneLine.min(1)
    .max(300)
    .optional()
    .meta(
      words(
        'Note',
        'Purpose of the step. Written to the log when the step starts, and to the shell script for manual runs.',
      ),
    ),
  do: StepAct.optional(),
  /** In addition to the options of the workload, or replacing them. */
  options: z.record(z.string(), Scalar).default({}),
  /** Seconds. Default: those of the measurement. */
  warmup: Seconds.optional(),
  duration: z.number().min(1).max(864_000).optional(),
  until: WaitUntil.optional(),
  /** The load ends as soon as it is steady; `duration` is its maximum. */
  steady: SteadyWhen.optional(),
  /** Each is sent as written, one after the other on one connection. */
  statement: z
    .union([Statement, z.array(Statement).min(1).max(100)])
    .optional()
    .meta(
      words('Statement', 'Sent to the target, and timed. A list is sent in order.', {
        multiline: true,
        language: 'sql',
      }),
    ),
  command: z
    .string()
    .min(1)
    .max(20_000)
    .optional()
    .meta(
      words('Command', 'For sh, run as the login user of the host. Exit code 0 is success.', {
        multiline: true,
      }),
    ),
  on: HostName.optional().meta(words('Host', 'Default: the first generator.')),
  overwrites: Devices.optional().meta(
    words(
      'Overwritten devices',
      'Block devices below /dev, separated by spaces, whose content the command destroys. It starts only if they are unused and you have typed host and device.',
    ),
  ),
  'only-reads': Devices.optional().meta(
    words('Read-only devices', 'Block devices that the command names but does not change.'),
  ),
  'at-most': z
    .number()
    .min(1)
    .max(864_000)
    .optional()
    .meta(
      words('At most', 'The step fails if it takes longer. Default: 300 s for a wait, otherwise no limit.', {
        unit: 's',
      }),
    ),
  for: z
    .int()
    .min(1)
    .max(864_000)
    .optional()
    .meta(
      words(
        'Runs for',
        'The command is stopped after this time, without counting as a failure. Default: it ends by itself.',
        {
          unit: 's',
        },
      ),
    ),
  else: z
    .literal('measure')
    .optional()
    .meta(words('Otherwise', 'measure: a step that waits too long does not fail; the trial continues, flagged.')),
  /** The step runs once for each combination of their levels, in order, the last factor fastest. */
  factors: z
    .array(StepFactor)
    .min(1)
    .max(4)
    .optional()
    .meta(words('Levels within a trial', 'The step runs once for each combination, in this order.')),
  gate: StepGate.optional(),
  /** false: it only prepares the state of the system, and has no figures. Default: true for the workload, else false. */
  measured: z.boolean().optional(),
});
export type GroupedStep = z.infer<typeof GroupedStep>;

/** A step that runs at the same time as the others of its group. */
export const ParallelStep = z.strictObject({
  ...GroupedStep.shape,
  from: Seconds.optional().meta(
    words('Starts after', 'Seconds after the start of the group. A load ends with the group. Default: 0.', {
      unit: 's',
    }),
  ),
  /** It equals an earlier step of this name, except for its gate: its figure is divided by that of the step alone. */
  same: WholeName.optional().meta(words('Same as', 'An earlier step of the trial, which ran alone.')),
});
export type ParallelStep = z.infer<typeof ParallelStep>;

/** A part of every trial, directly after the previous one: a step, a repeated earlier one, or a group of steps. */
export const DocumentStep = z.strictObject({
  ...GroupedStep.shape,
  /** It equals an earlier step or group of this name, but has its own name. */
  same: WholeName.optional().meta(words('Same as', 'Repeats an earlier step or group of the trial.')),
  /** Makes it a group: its options, lengths and gate apply to all of these steps that run the workload and set none themselves. */
  each: z
    .array(GroupedStep)
    .min(1)
    .max(60)
    .optional()
    .meta(words('Steps of the group', 'They share its options, lengths and gate. Their own settings take precedence.')),
  /** Makes it a group as well, whose steps run at the same time. */
  parallel: z
    .array(ParallelStep)
    .min(2)
    .max(20)
    .optional()
    .meta(words('Parallel steps', 'They run at the same time, on one clock. If one of them fails, all are stopped.')),
});
export type DocumentStep = z.infer<typeof DocumentStep>;

/** A step as it appears in each trial. */
export interface TrialStep extends Omit<DocumentStep, 'each' | 'parallel' | 'factors'> {
  /** Name of the group that it is in, or of the step that it is a level of. Its own name begins with it. */
  readonly group?: string;
  /** The group whose other steps run at the same time. Absent: it runs alone. */
  readonly parallel?: string;
  /** Seconds after the start of that group; absent: 0. */
  readonly from?: number | undefined;
  /** Its place in the document; for a step of a repeated group, the place of that group. */
  readonly at: readonly (string | number)[];
}

/** Maximum number of steps of a trial, including those of its groups. */
export const MOST_STEPS = 200;

/** Name of a group's step in its trial. */
const nameIn = (group: string, name: string): string => `${group} / ${name}`;

/** Name of a step below the heading of its group. */
export const nameInGroup = ({ name, group }: { readonly name: string; readonly group?: string | undefined }): string =>
  group === undefined ? name : name.slice(nameIn(group, '').length);

/** The option that a factor of a step varies. */
export const optionIn = ({ name, option = name }: StepFactor): string => option;

/** Options of each combination of levels, with the words for it; a single one without factors. */
function pointsOf(factors: readonly StepFactor[]): { words: string; options: Record<string, Scalar> }[] {
  return factors.reduce(
    (points, factor) =>
      points.flatMap(({ words: before, options }) =>
        factor.levels.map((level) => ({
          words: [before, plainLevels({ [factor.name]: level })].filter(Boolean).join(', '),
          options: { ...options, [optionIn(factor)]: level },
        })),
      ),
    [{ words: '', options: {} }] as { words: string; options: Record<string, Scalar> }[],
  );
}

/**
 * The steps of each trial: groups are replaced by their steps, steps with factors by one for each level, and repeats of earlier steps are
 * filled in. Each has its own name, and is measured if the step it repeats is, unless it sets that itself.
 */
export function wholeSteps(steps: readonly DocumentStep[]): TrialStep[] {
  const whole: TrialStep[] = [];
  const groups = new Map<string, DocumentStep>();
  for (const [index, step] of steps.entries()) {
    const { each: _each, parallel: _parallel, factors: _factors, ...own } = step;
    const { name, note, same, measured, gate } = own;
    const at = ['steps', index];
    const changed = {
      ...{ name, ...(same !== undefined && { same }), ...(measured !== undefined && { measured }) },
      ...{ ...(note !== undefined && { note }), ...(gate && { gate }) },
    };
    const repeated = groups.get(same ?? '');
    const group = repeated ? { ...repeated, ...changed } : step;
    if (group.parallel) {
      groups.set(name, group);
      whole.push(...parallelSteps(group, group.parallel, whole, at));
      continue;
    }
    if (group.each || (group.factors && group.do === undefined)) {
      groups.set(name, group);
      whole.push(...stepsOfGroup(group, at));
      continue;
    }
    const found: TrialStep | undefined = whole.find((other) => other.name === same);
    const { group: _group, ...source } = found ?? { ...own, at, group: undefined };
    whole.push({ ...source, ...changed, at });
  }
  return whole;
}

/** A step or group with the place at which the document has it. */
interface NamedStep {
  readonly name: string;
  readonly at: readonly (string | number)[];
}

/** Steps and groups whose settings can be named as `STEP.SETTING`: not those in a group that repeat another one. */
export function namedSteps(steps: readonly DocumentStep[]): NamedStep[] {
  const inGroups = steps.flatMap(({ name, each = [], parallel = [] }, place) =>
    [each, parallel].flatMap((list, kind) =>
      list.map((own, index) => ({
        name: nameIn(name, own.name),
        at: ['steps', place, kind === 0 ? 'each' : 'parallel', index],
        isRepeated: 'same' in own && own.same !== undefined,
      })),
    ),
  );
  return [
    ...steps.map(({ name }, place) => ({ name, at: ['steps', place] })),
    ...inGroups.flatMap(({ isRepeated, ...own }) => (isRepeated ? [] : [own])),
    ...wholeSteps(steps).filter(({ group, same }) => group !== undefined && same === undefined),
  ];
}

/** The step or group and its setting that `STEP.SETTING` names; undefined if there is no such step. Names of steps may have dots. */
export function settingOfStep(
  steps: readonly DocumentStep[],
  name: string,
): (Pick<NamedStep, 'at'> & { readonly setting: string }) | undefined {
  const [found] = namedSteps(steps)
    .filter((step) => name.startsWith(`${step.name}.`))
    .sort((one, other) => other.name.length - one.name.length);
  return found && { at: found.at, setting: name.slice(found.name.length + 1) };
}

const named = (step: string, level: string): string => [step, level].filter(Boolean).join(', ');

function stepsOfGroup(group: DocumentStep, at: TrialStep['at']): TrialStep[] {
  const { name, note, same, each = [{ name: '', options: {} }], options, warmup, duration, gate, measured } = group;
  const shared = { ...(warmup !== undefined && { warmup }), ...(duration !== undefined && { duration }) };
  return each.flatMap(({ factors = [], ...step }, place) => {
    const isLoad = step.do === undefined;
    const earlier = each.slice(0, place);
    return pointsOf(isLoad ? [...(group.factors ?? []), ...factors] : []).map(({ words: level, options: varied }) => ({
      ...(isLoad && shared),
      ...step,
      ...(isLoad && { options: { ...options, ...step.options, ...varied } }),
      ...(note !== undefined && { note }),
      ...gateIn(group, earlier, { gate: step.gate ?? (isLoad ? gate : undefined), name: named(step.name, level) }),
      ...(measured === false && { measured }),
      name: nameIn(name, named(step.name, level)),
      ...(same !== undefined && { same: nameIn(same, named(step.name, level)) }),
      group: name,
      at: same === undefined && group.each ? [...at, 'each', place] : at,
    }));
  });
}

/**
 * The gate of a step in a group: it names a step of its own group without the group, and the group that its own repeats instead of the step
 * that it repeats itself.
 */
function gateIn(
  { name: group, same }: Pick<DocumentStep, 'name' | 'same'>,
  earlier: readonly Pick<GroupedStep, 'name'>[],
  { gate, name }: { gate: StepGate | undefined; name: string },
): { gate?: StepGate } {
  if (!gate) return {};
  const whole = (step: string): string => (earlier.some((other) => other.name === step) ? nameIn(group, step) : step);
  const { equal, of, ...rest } = gate;
  return {
    gate: {
      ...rest,
      ...(equal !== undefined && { equal: whole(equal) }),
      ...(of !== undefined && { of: same !== undefined && of === same ? nameIn(same, name) : whole(of) }),
    },
  };
}

/** `earlier`: steps before the group, which its steps may repeat. */
function parallelSteps(
  { name, note, same, options, warmup, duration, gate, measured }: DocumentStep,
  parallel: readonly ParallelStep[],
  earlier: readonly TrialStep[],
  at: TrialStep['at'],
): TrialStep[] {
  return parallel.map(({ factors: _factors, ...step }, place) => {
    const before = parallel.slice(0, place);
    const alone = earlier.find((other) => other.name === step.same);
    const isLoad = (alone ?? step).do === undefined;
    const known: Omit<TrialStep, 'at'> = alone ?? { ...step, options: { ...options, ...step.options } };
    const { gate: _gate, group: _group, parallel: _parallel, from: _from, ...source } = known;
    return {
      ...(isLoad && {
        ...(warmup !== undefined && { warmup }),
        ...(duration !== undefined && { duration }),
      }),
      ...source,
      ...gateIn({ name, same }, before, { gate: step.gate ?? (isLoad ? gate : undefined), name: step.name }),
      ...(step.from !== undefined && { from: step.from }),
      ...{ ...(step.note !== undefined && { note: step.note }), ...(note !== undefined && { note }) },
      ...(step.measured !== undefined && { measured: step.measured }),
      ...(measured === false && { measured }),
      options: isLoad ? source.options : {},
      name: nameIn(name, step.name),
      ...(step.same !== undefined && { same: step.same }),
      ...(same !== undefined && { same: nameIn(same, step.name) }),
      ...{ group: name, parallel: name },
      at: same === undefined ? [...at, 'parallel', place] : at,
    };
  });
}

/** Metric id of a step that ends by itself: its duration in seconds. */
export const TOOK = 'took_s';

/** Default maximum of a wait, seconds. */
const LONGEST_WAIT = 300;

/** Whether a step runs commands of the workload’s tool on its data, with options of the workload. */
export const worksOnData = ({ do: act }: Pick<DocumentStep, 'do'>): boolean => act === 'prepare' || act === 'cleanup';

/** Whether a step cannot be part of a parallel group: it waits, or works on data that others use. */
export const runsAlone = (step: Pick<DocumentStep, 'do'>): boolean => step.do === 'wait' || worksOnData(step);

/** Whether each trial prepares the data that its steps use, so that none is prepared before it. */
export const preparesInTrial = (steps: readonly Pick<DocumentStep, 'do' | 'each'>[] = []): boolean =>
  steps.some((step) => worksOnData(step) || step.each?.some(worksOnData));

/** Whether the runs of a step are results. */
export const isMeasured = ({ do: act, measured = act === undefined }: Pick<DocumentStep, 'do' | 'measured'>): boolean =>
  measured;

/** Seconds after which a step that ends by itself is aborted; 0: no limit. */
export const mostSeconds = (step: Pick<DocumentStep, 'do' | 'at-most' | 'for'>): number =>
  step.for ?? step['at-most'] ?? (step.do === 'wait' ? LONGEST_WAIT : 0);

const comparedWords = ({ below, above }: WaitUntil): string =>
  [
    ...(below === undefined ? [] : [`below ${formatLevel(below)}`]),
    ...(above === undefined ? [] : [`above ${formatLevel(above)}`]),
  ].join(' and ');

/** A condition, worded as the end of a sentence: “Innodb_buffer_pool_pages_dirty is below 64”. */
export function untilWords(until: WaitUntil): string {
  const { status, sql, file, port, dirty, writes, on } = until;
  const at = on === undefined ? '' : ` on ${on}`;
  if (status !== undefined) return `${status} is ${comparedWords(until)}`;
  if (sql !== undefined)
    return `the query returns ${comparedWords(until) ? `a value ${comparedWords(until)}` : 'true'}`;
  if (file !== undefined) return `${file} exists${at}`;
  if (port !== undefined) return `port ${port} is open${at}`;
  const quiet = [
    ...(dirty === undefined ? [] : [`dirty pages are at most ${formatLevel(dirty)} MiB`]),
    ...(writes === undefined ? [] : [`device writes are at most ${formatLevel(writes)} MiB/s`]),
  ];
  return `${quiet.join(' and ')}${at}`;
}
