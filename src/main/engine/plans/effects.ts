import type { Experiment } from '../../../shared/model/experiment.ts';
import type { Cell, PlannedCell, Trial } from '../../../shared/model/plan.ts';
import type { StepDraft } from '../factors/factor.ts';
import { rankOf, rulesOf } from '../factors/index.ts';
import { toolOptions } from '../tools/option-problem.ts';
import type { Tool } from '../tools/tool.ts';
import { expandCells } from './expand.ts';

/** What a trial of a cell does: everything that its levels decide, and the options that the tool makes of it. */
export interface Step extends StepDraft {
  /** The tool's options of that workload, by its own names, defaults filled in. */
  readonly options: Record<string, unknown>;
}

/** What the levels of a cell amount to. Pure. Throws zod's error for options that do not fit: documents are checked before. */
export function effectsOf(experiment: Experiment, { levels }: Pick<Cell, 'levels'>, tool: Tool): Step {
  const { workload, where, factors, measure } = experiment;
  const unvaried: StepDraft = {
    workload: { ...workload, options: toolOptions(tool, workload.options) },
    ...(where.target !== undefined && { target: where.target }),
    generators: where.generators,
    warmup: measure.warmup,
    duration: measure.duration,
    settings: [],
    launch: {},
  };
  const inTurn = factors.toSorted((a, b) => rankOf(a) - rankOf(b));
  const draft = inTurn.reduce<StepDraft>((reached, factor) => {
    const level = levels[factor.name];
    return level === undefined ? reached : rulesOf(factor, tool).apply(reached, level);
  }, unvaried);
  return { ...draft, options: tool.options.parse(draft.workload.options) };
}

/** The steps that were stored with a cell; none of a session of an earlier version. The session was started with them, so they have their type. */
export const storedSteps = (cell: PlannedCell | undefined): readonly Step[] =>
  (cell?.steps ?? []) as unknown as readonly Step[];

/** The same; undefined where the tool does not take the options any more, as in a session of another version. */
export function knownStep(experiment: Experiment, cell: Pick<Cell, 'levels'>, tool: Tool): Step | undefined {
  try {
    return effectsOf(experiment, cell, tool);
  } catch {
    return undefined;
  }
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
): ResolvedCell[] => cells.map((cell) => ({ ...cell, steps: [effectsOf(experiment, cell, tool)] }));

/** Warm-up and measured part of a trial of a cell, seconds. */
export function lengthOf({ steps: [first] }: ResolvedCell): Pick<Step, 'warmup' | 'duration'> {
  return { warmup: first?.warmup ?? 0, duration: first?.duration ?? 0 };
}

export const stepsOf = (cells: readonly ResolvedCell[]): Step[] => cells.flatMap(({ steps }) => steps);

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
  const lengthOf = ({ warmup, duration, options }: Step): number => {
    const operations = tool.endsAfter?.(options);
    const most = operations === undefined ? Infinity : operations / (tool.load?.rate?.(options) || rate);
    return Math.min(warmup + duration, most);
  };
  const lengths = new Map(
    cells.map(({ index, steps }) => [index, steps.reduce((sum, step) => sum + lengthOf(step), 0)]),
  );
  return trials.reduce((sum, { cell }) => sum + (lengths.get(cell) ?? 0), 0);
}

/**
 * The experiment as rules on whole documents judge it: with its shortest trial, and the generators of the step that has most of them. What
 * is in order for these is in order for all.
 */
export function atItsLimits(experiment: Experiment, [first, ...rest]: readonly Step[]): Experiment {
  const { measure, where } = experiment;
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
  placesIn(stepsOf(resolveCells(experiment, tool)));

/** The places of these steps, in their order. */
export const placesIn = (steps: readonly Pick<Step, 'target' | 'generators'>[]): UsedPlaces => ({
  targets: [...new Set(steps.flatMap(({ target }) => target ?? []))],
  generators: [...new Set(steps.flatMap(({ generators }) => generators))],
});
