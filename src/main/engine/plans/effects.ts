import type { Experiment } from '../../../shared/model/experiment.ts';
import { UNNAMED_KIND } from '../../../shared/model/factor.ts';
import type { Cell, Trial } from '../../../shared/model/plan.ts';
import type { PlainEffects } from '../factors/factor.ts';
import { rankOf, rulesOf } from '../factors/index.ts';
import { toolOptions } from '../tools/option-problem.ts';
import type { Tool } from '../tools/tool.ts';
import { expandCells } from './expand.ts';

/** What a cell means: everything that its levels decide, and what the tool makes of it. */
export interface CellEffects extends PlainEffects {
  /** The tool's options of that workload, by its own names, defaults filled in. */
  readonly options: Record<string, unknown>;
}

/** What the levels of a cell amount to. Pure. Throws zod's error for options that do not fit: documents are checked before. */
export function effectsOf(experiment: Experiment, { levels }: Pick<Cell, 'levels'>, tool: Tool): CellEffects {
  const { workload, where, factors, measure } = experiment;
  const unvaried: PlainEffects = {
    workload: { ...workload, options: toolOptions(tool, workload.options) },
    ...(where.target !== undefined && { target: where.target }),
    generators: where.generators,
    warmup: measure.warmup,
    duration: measure.duration,
    wishes: [],
    launch: {},
  };
  const inTurn = factors.toSorted((a, b) => rankOf(a) - rankOf(b));
  const effects = inTurn.reduce<PlainEffects>((reached, factor) => {
    const level = levels[factor.name];
    return level === undefined ? reached : rulesOf(factor, tool).apply(reached, level);
  }, unvaried);
  return { ...effects, options: tool.options.parse(effects.workload.options) };
}

/** The cells that meet the target of this name. Throws as `effectsOf` does. */
export const cellsAgainst = <T extends Pick<Cell, 'levels'>>(
  experiment: Experiment,
  cells: readonly T[],
  tool: Tool,
  target: string | undefined,
): T[] => cells.filter((cell) => effectsOf(experiment, cell, tool).target === target);

/** Operations a second of a run that a number of them ends, where nothing is known. */
const DEFAULT_OPERATIONS = 2000;

/**
 * Warm-up and measured part of all trials together, seconds. `rate`: operations a second, by which the end of runs is told that do not
 * last their whole time. Throws as `effectsOf` does.
 */
export function loadSeconds(
  experiment: Experiment,
  { cells, trials }: { cells: readonly Cell[]; trials: readonly Pick<Trial, 'cell'>[] },
  tool: Tool,
  rate = DEFAULT_OPERATIONS,
): number {
  const { factors, measure } = experiment;
  // Options change no lengths: they are what most documents vary, and this is asked on every keystroke.
  if (!tool.endsAfter && factors.every(({ kind }) => kind === UNNAMED_KIND))
    return trials.length * (measure.warmup + measure.duration);
  const lengths = new Map(
    cells.map((cell) => {
      const { warmup, duration, options } = effectsOf(experiment, cell, tool);
      const operations = tool.endsAfter?.(options);
      const most = operations === undefined ? Infinity : operations / (tool.load?.rate?.(options) || rate);
      return [cell.index, Math.min(warmup + duration, most)];
    }),
  );
  return trials.reduce((sum, { cell }) => sum + (lengths.get(cell) ?? 0), 0);
}

/**
 * The experiment as rules on whole documents judge it: with its shortest trial, and the generators of the cell that has most of them. What
 * is in order for these is in order for all cells.
 */
export function atItsLimits(experiment: Experiment, cells: readonly Pick<Cell, 'levels'>[], tool: Tool): Experiment {
  const { factors, measure, where } = experiment;
  const [first, ...rest] = factors.every(({ kind }) => kind === UNNAMED_KIND)
    ? []
    : cells.map((cell) => effectsOf(experiment, cell, tool));
  if (!first) return experiment;
  const limits = rest.reduce<Pick<PlainEffects, 'warmup' | 'duration' | 'generators'>>(
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
export function placesOf(experiment: Experiment, tool: Tool): UsedPlaces {
  const cells = expandCells(experiment).map((cell) => effectsOf(experiment, cell, tool));
  return {
    targets: [...new Set(cells.flatMap(({ target }) => target ?? []))],
    generators: [...new Set(cells.flatMap(({ generators }) => generators))],
  };
}
