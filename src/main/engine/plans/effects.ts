import { builtInOf } from '../../../shared/measures/index.ts';
import { combinationsOf, measuredOf } from '../../../shared/model/cells.ts';
import type { Experiment, Levels, Measure } from '../../../shared/model/experiment.ts';
import { fittedDurations, turnsOf } from '../../../shared/model/parallel-steps.ts';
import type { Cell, PlannedCell, SessionStep, Trial } from '../../../shared/model/plan.ts';
import type { SessionSnapshot } from '../../../shared/model/session-snapshot.ts';
import {
  isMeasured,
  mostSeconds,
  type SteadyWhen,
  type StepAct,
  type TrialStep,
  wholeSteps,
  worksOnData,
} from '../../../shared/model/step.ts';
import type { StepDraft } from '../factors/factor.ts';
import { rankOf, rulesOf } from '../factors/index.ts';
import { actToolById, preparedIn, toolOfAct } from '../tools/index.ts';
import { toolOptions } from '../tools/option-problem.ts';
import type { Tool, ToolReader } from '../tools/tool.ts';
import { primaryOfStep } from './measures.ts';
import { trialSeed } from './seeds.ts';

/** A step of a cell's trials: everything that its levels decide, and the tool's options derived from it. */
export interface Step extends StepDraft {
  /** The workload's options under the tool's own names, with defaults. */
  readonly options: Record<string, unknown>;
  /** Host that it runs on instead of the generators. */
  readonly on?: string;
  /** The step only brings the system into a state and has no figures. Default: it is measured. */
  readonly measured?: false;
  /** The load ends as soon as it is this steady. `fails`: the step fails if it never is. */
  readonly steady?: SteadyWhen & { readonly fails: boolean };
  /** Name of the group of steps that run at the same time. Undefined if it runs alone. */
  readonly parallel?: string;
  /** Seconds after the start of that group. Default: 0. */
  readonly from?: number;
}

/** Interprets a cell's levels for one step. Pure. Throws zod's error for invalid options; documents are checked before. */
export function effectsOf(
  experiment: Experiment,
  { levels }: Pick<Cell, 'levels'>,
  tool: Tool,
  own: Omit<TrialStep, 'name' | 'at'> = { options: {} },
): Step {
  const { workload, where, factors, measure } = experiment;
  const unvaried: StepDraft = {
    workload: {
      ...workload,
      options: { ...toolOptions(tool, workload.options), ...toolOptions(tool, own.options) },
    },
    ...(where.target !== undefined && { target: where.target }),
    generators: where.generators,
    warmup: own.warmup ?? measure.warmup,
    duration: own.duration ?? measure.duration,
    settings: [],
    launch: {},
  };
  const ranked = factors.toSorted((a, b) => rankOf(a) - rankOf(b));
  const draft = ranked.reduce<StepDraft>((reached, factor) => {
    const level = levels[factor.name];
    return level === undefined ? reached : rulesOf(factor, tool).apply(reached, level);
  }, unvaried);
  const more = {
    ...(!isMeasured(own) && { measured: false as const }),
    ...(own.parallel !== undefined && { parallel: own.parallel }),
    ...(own.from !== undefined && { from: own.from }),
  };
  if (own.do !== undefined) return { ...actOf(draft, own, own.do, tool), ...more };
  const steady = own.steady && { steady: { ...own.steady, fails: own.else === undefined } };
  return { ...draft, options: tool.options.parse(draft.workload.options), ...more, ...steady };
}

/** A step that does not run the workload: it has its cell's places and settings, and one generator. */
function actOf(draft: StepDraft, own: Omit<TrialStep, 'name' | 'at'>, act: StepAct, workloadTool: Tool): Step {
  const tool = toolOfAct(act);
  const { until, statement, command, overwrites, on } = own;
  const duration = mostSeconds(own);
  const options = worksOnData(own)
    ? {
        ...{ tool: workloadTool.id, options: workloadTool.options.parse(draft.workload.options) },
        'at-most': duration,
      }
    : {
        ...{ until, statement, command, overwrites, 'only-reads': own['only-reads'] },
        ...{ 'at-most': own.for === undefined ? duration : 0, for: own.for, else: own.else },
      };
  return {
    ...draft,
    workload: { tool: tool.id, options: {}, data: 'keep' },
    generators: draft.generators.slice(0, 1),
    launch: {},
    warmup: 0,
    duration,
    options: tool.options.parse(Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))),
    ...(on !== undefined && { on }),
  };
}

/** Hosts that run a step's jobs. */
export const hostsOf = ({ generators, on }: Pick<Step, 'generators' | 'on'>): readonly string[] =>
  on === undefined ? generators : [on];

/** The tool of a step that does not run the workload; undefined for one that does. */
export const actToolOf = ({ workload }: Pick<Step, 'workload'>): Tool | undefined => actToolById(workload.tool);
export const isAct = (step: Pick<Step, 'workload'>): boolean => actToolOf(step) !== undefined;

/** The workload step whose data this step prepares or removes; undefined for any other step. */
export function dataStepOf(step: Step): Step | undefined {
  const prepared = preparedIn(step.workload.tool, step.options);
  return prepared && { ...step, workload: { ...step.workload, tool: prepared.tool }, options: prepared.options };
}

/** Steps stored with a cell; empty for sessions of earlier versions. The session was started with them, so they have this type. */
const storedSteps = (cell: PlannedCell | undefined): readonly Step[] =>
  (cell?.steps ?? []) as unknown as readonly Step[];

/** A step of a session and its tool. */
export interface KnownStep {
  readonly tool: Tool;
  readonly step: Step;
}

type Started = Pick<SessionSnapshot, 'experiment' | 'plan' | 'steps'>;

/**
 * The step of a run as it was stored at the start, else as this version interprets its document. Undefined if the tool is unknown, or if
 * trials have no such step. Throws like `effectsOf`.
 */
export function stepOfRun(
  { experiment, plan, steps }: Started,
  { cell, levels, step: place }: { cell: number; levels: Levels; step: number },
  toolOf: (id: string) => Tool | undefined,
): KnownStep | undefined {
  const tool = toolOf(steps[place]?.tool ?? '');
  if (!tool) return undefined;
  const stored = storedSteps(plan.cells[cell]);
  const step =
    stored.length > 0 || experiment.workload.tool !== tool.id
      ? stored[place]
      : effectsOf(experiment, { levels }, tool, wholeSteps(experiment.steps ?? [])[place]);
  return step && { tool, step };
}

/** Like `stepOfRun`, but also undefined if the tool no longer accepts the options, as in a session of another version. */
export function knownStepOfRun(...[started, run, toolOf]: Parameters<typeof stepOfRun>): KnownStep | undefined {
  try {
    return stepOfRun(started, run, toolOf);
  } catch {
    return undefined;
  }
}

/** Steps of these cells in order. Default: of all cells. Throws like `stepOfRun`. */
export const stepsOfCells = (
  started: Started,
  toolOf: (id: string) => Tool | undefined,
  cells: readonly Cell[] = started.plan.cells,
): KnownStep[] =>
  cells.flatMap(({ index, levels }) =>
    started.steps.flatMap((_, step) => stepOfRun(started, { cell: index, levels, step }, toolOf) ?? []),
  );

/** Returns a function that finds the known steps of a session by levels and place in the trial. */
export function stepsByLevels(
  started: Started,
  toolOf: (id: string) => Tool | undefined,
): (levels: Levels, place: number) => KnownStep | undefined {
  const names = started.experiment.factors.map(({ name }) => name);
  const keyOf = (levels: Levels): string => JSON.stringify(names.map((name) => levels[name] ?? null));
  let cells: Map<string, number> | undefined;
  return (levels, step) => {
    cells ??= new Map(started.plan.cells.map((cell, index) => [keyOf(cell.levels), index]));
    return knownStepOfRun(started, { cell: cells.get(keyOf(levels)) ?? -1, levels, step }, toolOf);
  };
}

/** A cell with the steps of its trials, in order. */
export interface ResolvedCell extends Cell {
  readonly steps: readonly Step[];
}

/** Interprets each of these cells once, one after another. Default: all cells of the document. Throws like `effectsOf`. */
export function* resolvingCells(
  experiment: Experiment,
  tool: Tool,
  cells: readonly Cell[] = expandCells(experiment),
): Generator<{ done: number; of: number }, ResolvedCell[]> {
  const steps = experiment.steps ? wholeSteps(experiment.steps) : [undefined];
  const resolved: ResolvedCell[] = [];
  for (const cell of cells) {
    resolved.push({ ...cell, steps: fitted(steps.map((own) => effectsOf(experiment, cell, tool, own))) });
    yield { done: resolved.length, of: cells.length };
  }
  return resolved;
}

/** Like `resolvingCells`, at once. */
export function resolveCells(...cells: Parameters<typeof resolvingCells>): ResolvedCell[] {
  const work = resolvingCells(...cells);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Adjusts the durations of a cell's steps: a load that starts later than its parallel group ends with it. */
function fitted(steps: readonly Step[]): Step[] {
  if (steps.every(({ parallel }) => parallel === undefined)) return [...steps];
  const durations = fittedDurations(steps.map((step) => ({ ...step, ends: isAct(step) })));
  return steps.map((step, place) => ({ ...step, duration: durations[place] ?? step.duration }));
}

/** The steps of every trial, taken from the first cell. */
export const sessionSteps = (
  experiment: Pick<Experiment, 'steps' | 'measure' | 'derived' | 'primary'>,
  cells: readonly ResolvedCell[],
  toolOf: (id: string) => ToolReader,
): SessionStep[] => {
  const whole = wholeSteps(experiment.steps ?? []);
  return (cells[0]?.steps ?? []).map(({ workload, options, measured }, place) => {
    const tool = toolOf(workload.tool);
    const own = tool.metrics.primary(options);
    const metric = metricOfStep(
      // A step that ends by itself has its time as the figure.
      actToolById(workload.tool) ? {} : experiment,
      cells.flatMap(({ steps }) => steps[place] ?? []),
      tool,
      place,
    );
    return {
      ...(whole[place] && { name: whole[place].name }),
      ...{ tool: workload.tool, metric },
      ...(own !== null && own !== metric && { toolMetric: own }),
      ...(measured === false && { measured }),
      ...(whole[place]?.parallel !== undefined && { parallel: whole[place].parallel }),
    };
  });
};

/**
 * The primary metric of the step at `place`: the document's, else the tool's. If cells differ in the tool's, one that all of them have, if there is
 * one, else the first cell's.
 */
export function metricOfStep(
  experiment: Parameters<typeof primaryOfStep>[0],
  steps: readonly Pick<Step, 'options' | 'measured'>[],
  { metrics, options }: Pick<ToolReader, 'metrics' | 'options'>,
  place = 0,
): string | null {
  const all = new Set(
    (steps.length > 0 ? steps : [{ options: options.parse({}) }]).map((step) => metrics.primary(step.options)),
  );
  const [first = null] = all;
  const own = steps[0]?.measured === false ? undefined : primaryOfStep(experiment, place);
  if (own !== undefined || all.size < 2) return own ?? first;
  return builtInOf([...all].flatMap((id) => id ?? [])) ?? first;
}

/** A run for each step of a trial. `session` is the number drawn for the session. */
export const runsOfTrial = (
  { cell, repeat }: Pick<Trial, 'cell' | 'repeat'>,
  { levels, steps }: ResolvedCell,
  measure: Measure,
  session: number | undefined,
) =>
  steps.map(({ warmup, duration }, step) => ({
    ...{ cell, repeat, step, levels, warmup, duration },
    seed: trialSeed(measure, { cell, repeat, step, steps: steps.length }, session),
  }));

/** Steps of these cells that run the workload. */
export const stepsOf = (cells: readonly ResolvedCell[]): Step[] => allStepsOf(cells).filter((step) => !isAct(step));

/** Steps that need the workload's target: they run it, or prepare or remove its data. Each has the workload's tool and options. */
export const workSteps = (cells: readonly ResolvedCell[]): Step[] =>
  allStepsOf(cells).flatMap((step) => (isAct(step) ? (dataStepOf(step) ?? []) : [step]));

/** All steps, including those that do not run the workload. */
export const allStepsOf = (cells: readonly ResolvedCell[]): Step[] => cells.flatMap(({ steps }) => steps);

/** Assumed operations per second for runs that end after a number of operations. */
const DEFAULT_OPERATIONS = 2000;

/**
 * Warm-up and measured time of all trials together, seconds. `rate`: operations per second, to estimate runs that end before their time is
 * over.
 */
export function loadSeconds(
  tool: Tool,
  { cells, trials }: { cells: readonly ResolvedCell[]; trials: readonly Pick<Trial, 'cell'>[] },
  rate = DEFAULT_OPERATIONS,
): number {
  const lengthOf = (step: Step): number => {
    if (isAct(step)) return 0;
    const { warmup, duration, options } = step;
    const operations = tool.endsAfter?.(options);
    const most = operations === undefined ? Infinity : operations / (tool.load?.rate?.(options) || rate);
    return Math.min(warmup + duration, most);
  };
  const inTurn = (steps: readonly Step[]): number =>
    Math.max(...steps.map((step) => (step.from ?? 0) + lengthOf(step)));
  const lengths = new Map(
    cells.map(({ index, steps }) => [index, turnsOf(steps).reduce((sum, turn) => sum + inTurn(turn), 0)]),
  );
  return trials.reduce((sum, { cell }) => sum + (lengths.get(cell) ?? 0), 0);
}

/**
 * The experiment with its shortest measured step and the largest set of generators, for rules on whole documents: valid for these, it is
 * valid for all steps.
 */
export function withLargestOptions(experiment: Experiment, steps: readonly Step[]): Experiment {
  const { measure, where } = experiment;
  const [first, ...rest] = steps.filter(({ measured }) => measured !== false);
  if (!first) return experiment;
  const limits = rest.reduce<Pick<StepDraft, 'warmup' | 'duration' | 'generators'>>(
    (reached, { warmup, duration, generators }) => ({
      warmup: Math.min(reached.warmup, warmup),
      duration: Math.min(reached.duration, duration),
      generators: generators.length > reached.generators.length ? generators : reached.generators,
    }),
    first,
  );
  const { warmup, duration, generators } = limits;
  return {
    ...experiment,
    where: { ...where, generators: [...generators] },
    measure: { ...measure, warmup, duration },
  };
}

/** Hosts and servers under load, which are checked before the first trial and reserved for the session. Unique names. */
export interface UsedPlaces {
  readonly targets: readonly string[];
  readonly generators: readonly string[];
}

/** Places of all cells, in the order of the cells. Throws like `effectsOf`. */
export const placesOf = (experiment: Experiment, tool: Tool): UsedPlaces =>
  placesIn(allStepsOf(resolveCells(experiment, tool)));

/** Places of these steps, in their order. */
export const placesIn = (steps: readonly Pick<Step, 'target' | 'generators'>[]): UsedPlaces => ({
  targets: [...new Set(steps.flatMap(({ target }) => target ?? []))],
  generators: [...new Set(steps.flatMap(({ generators }) => generators))],
});

/** The cells of a document, each once, in the order of `combinationsOf`, without those that are not measured. */
export const expandCells = (experiment: Experiment): Cell[] =>
  combinationsOf(experiment)
    .filter(measuredOf(experiment))
    .map((levels, index) => ({ index, levels }));
