import { builtInOf } from '../../../shared/measures/index.ts';
import type { Experiment, Levels, Measure } from '../../../shared/model/experiment.ts';
import type { Cell, PlannedCell, SessionStep, Trial } from '../../../shared/model/plan.ts';
import type { SessionSnapshot } from '../../../shared/model/session-snapshot.ts';
import {
  fittedDurations,
  isMeasured,
  mostSeconds,
  type SteadyWhen,
  type StepAct,
  type TrialStep,
  turnsOf,
  wholeSteps,
  worksOnData,
} from '../../../shared/model/step.ts';
import type { StepDraft } from '../factors/factor.ts';
import { rankOf, rulesOf } from '../factors/index.ts';
import { actToolById, preparedIn, toolOfAct } from '../tools/index.ts';
import { toolOptions } from '../tools/option-problem.ts';
import type { Tool, ToolReader } from '../tools/tool.ts';
import { expandCells } from './expand.ts';
import { primaryOf } from './measures.ts';
import { trialSeed } from './seeds.ts';

/** What a trial of a cell does: everything that its levels decide, and the options that the tool makes of it. */
export interface Step extends StepDraft {
  /** The tool's options of that workload, by its own names, defaults filled in. */
  readonly options: Record<string, unknown>;
  /** The host that it runs on, in place of the generators. */
  readonly on?: string;
  /** It only brings the system into a state, and has no figures. Absent: it is measured. */
  readonly measured?: false;
  /** The load ends as soon as it is that steady. `fails`: the step fails when that does not happen. */
  readonly steady?: SteadyWhen & { readonly fails: boolean };
  /** Name of the group whose other steps run at the same time; absent: it runs alone. */
  readonly parallel?: string;
  /** Seconds after the start of that group; absent: 0. */
  readonly from?: number;
}

/** What the levels of a cell amount to in one step. Pure. Throws zod's error for options that do not fit: documents are checked before. */
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
  const inTurn = factors.toSorted((a, b) => rankOf(a) - rankOf(b));
  const draft = inTurn.reduce<StepDraft>((reached, factor) => {
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

/** A step that does not run the workload: it has the places and settings of its cell, and one generator. */
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

/** Hosts that the jobs of a step run on. */
export const hostsOf = ({ generators, on }: Pick<Step, 'generators' | 'on'>): readonly string[] =>
  on === undefined ? generators : [on];

/** The tool of a step that does not run the workload; undefined for one that does. */
export const actToolOf = ({ workload }: Pick<Step, 'workload'>): Tool | undefined => actToolById(workload.tool);
export const isAct = (step: Pick<Step, 'workload'>): boolean => actToolOf(step) !== undefined;

/** The step of the workload whose data this one prepares or removes; undefined for any other step. */
export function dataStepOf(step: Step): Step | undefined {
  const prepared = preparedIn(step.workload.tool, step.options);
  return prepared && { ...step, workload: { ...step.workload, tool: prepared.tool }, options: prepared.options };
}

/** The steps that were stored with a cell; none of a session of an earlier version. The session was started with them, so they have their type. */
const storedSteps = (cell: PlannedCell | undefined): readonly Step[] =>
  (cell?.steps ?? []) as unknown as readonly Step[];

/** A step of a session with its tool. */
export interface KnownStep {
  readonly tool: Tool;
  readonly step: Step;
}

type Started = Pick<SessionSnapshot, 'experiment' | 'plan' | 'steps'>;

/**
 * The step of a run as it was stored at the start, else as this version interprets its document. Undefined without the tool, or if trials have no such step. Throws as
 * `effectsOf` does.
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

/** The same; also undefined where the tool does not take the options any more, as in a session of another version. */
export function knownStepOfRun(...[started, run, toolOf]: Parameters<typeof stepOfRun>): KnownStep | undefined {
  try {
    return stepOfRun(started, run, toolOf);
  } catch {
    return undefined;
  }
}

/** Steps of these cells, all where none are named, in order. Throws as `stepOfRun` does. */
export const stepsOfCells = (
  started: Started,
  toolOf: (id: string) => Tool | undefined,
  cells: readonly Cell[] = started.plan.cells,
): KnownStep[] =>
  cells.flatMap(({ index, levels }) =>
    started.steps.flatMap((_, step) => stepOfRun(started, { cell: index, levels, step }, toolOf) ?? []),
  );

/** Returns a look-up of the known steps of a session by levels and place in the trial. */
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

/** A cell with what is done in each of its trials, in order. */
export interface ResolvedCell extends Cell {
  readonly steps: readonly Step[];
}

/** Cells of a document, all where none are named, each interpreted once. Throws as `effectsOf` does. */
export const resolveCells = (
  experiment: Experiment,
  tool: Tool,
  cells: readonly Cell[] = expandCells(experiment),
): ResolvedCell[] => {
  const steps = experiment.steps ? wholeSteps(experiment.steps) : [undefined];
  return cells.map((cell) => ({
    ...cell,
    steps: fitted(steps.map((own) => effectsOf(experiment, cell, tool, own))),
  }));
};

/** Steps of one cell; a load that starts later than its parallel group ends with it. */
function fitted(steps: readonly Step[]): Step[] {
  if (steps.every(({ parallel }) => parallel === undefined)) return [...steps];
  const durations = fittedDurations(steps.map((step) => ({ ...step, ends: isAct(step) })));
  return steps.map((step, place) => ({ ...step, duration: durations[place] ?? step.duration }));
}

/** The steps of every trial: those of the first cell. */
export const sessionSteps = (
  experiment: Pick<Experiment, 'steps' | 'derived' | 'primary'>,
  cells: readonly ResolvedCell[],
  toolOf: (id: string) => ToolReader,
): SessionStep[] => {
  const whole = wholeSteps(experiment.steps ?? []);
  return (cells[0]?.steps ?? []).map(({ workload, options, measured }, place) => {
    const tool = toolOf(workload.tool);
    const own = tool.metrics.primary(options);
    const metric = metricOfStep(
      // The figure of a step that ends by itself is its time.
      actToolById(workload.tool) ? {} : experiment,
      cells.flatMap(({ steps }) => steps[place] ?? []),
      tool,
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
 * The metric that is shown first of a step: the document's, else the tool's. Where cells differ in the tool's, one that is the figure of each, as far as
 * there is one; else that of the first.
 */
export function metricOfStep(
  experiment: Pick<Experiment, 'derived' | 'primary'>,
  steps: readonly Pick<Step, 'options' | 'measured'>[],
  { metrics, options }: Pick<ToolReader, 'metrics' | 'options'>,
): string | null {
  const all = new Set(
    (steps.length > 0 ? steps : [{ options: options.parse({}) }]).map((step) => metrics.primary(step.options)),
  );
  const [first = null] = all;
  const own = steps[0]?.measured === false ? undefined : primaryOf(experiment);
  if (own !== undefined || all.size < 2) return own ?? first;
  return builtInOf([...all].flatMap((id) => id ?? [])) ?? first;
}

/** A run for each step of a trial. `session`: the number that was drawn for it. */
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

/** Those that meet what the workload needs: they run it, or prepare or remove its data, and have its tool and options. */
export const workSteps = (cells: readonly ResolvedCell[]): Step[] =>
  allStepsOf(cells).flatMap((step) => (isAct(step) ? (dataStepOf(step) ?? []) : [step]));

/** Those too that do something else. */
export const allStepsOf = (cells: readonly ResolvedCell[]): Step[] => cells.flatMap(({ steps }) => steps);

/** Operations a second of a run that a number of them ends, where nothing is known. */
const DEFAULT_OPERATIONS = 2000;

/**
 * Warm-up and measured part of all trials together, seconds. `rate`: operations a second, by which the end of runs is told that do not
 * last their whole time.
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
 * The experiment as rules on whole documents judge it: with its shortest measured step, and the generators of the step that has most of them. What
 * is in order for these is in order for all.
 */
export function atItsLimits(experiment: Experiment, steps: readonly Step[]): Experiment {
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

/** Hosts and servers that are loaded: what is checked, and kept free of others, before the first trial. Names, each once. */
export interface UsedPlaces {
  readonly targets: readonly string[];
  readonly generators: readonly string[];
}

/** The places of all cells, in the order in which cells name them. Throws as `effectsOf` does. */
export const placesOf = (experiment: Experiment, tool: Tool): UsedPlaces =>
  placesIn(allStepsOf(resolveCells(experiment, tool)));

/** The places of these steps, in their order. */
export const placesIn = (steps: readonly Pick<Step, 'target' | 'generators'>[]): UsedPlaces => ({
  targets: [...new Set(steps.flatMap(({ target }) => target ?? []))],
  generators: [...new Set(steps.flatMap(({ generators }) => generators))],
});
