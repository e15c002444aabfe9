import type { Experiment, Scalar } from '../../../shared/model/experiment.ts';
import type { Cell } from '../../../shared/model/plan.ts';
import type { Tool } from '../tools/tool.ts';
import { expandCells } from './expand.ts';
import { rulesOf } from './factors.ts';
import { toolOptions } from './options.ts';

/** A setting of a server or a host, and the value that it has in a cell. */
export interface WantedSetting {
  readonly name: string;
  readonly value: Scalar;
}

/** What a cell means: everything that its levels decide, and what the document says where no level does. */
export interface CellEffects {
  /** The workload as the document would say it for this cell alone. */
  readonly workload: Experiment['workload'];
  /** The tool's options of that workload, by its own names, defaults filled in. */
  readonly options: Record<string, unknown>;
  /** Name of the saved target; absent: the workload brings its own, or drives the generator itself. */
  readonly target?: string;
  /** Names of the hosts that run the tool, in the order of the document. */
  readonly generators: readonly string[];
  /** The address that the tool uses in place of the target's own. */
  readonly endpoint?: string;
  readonly serverSettings: readonly WantedSetting[];
  readonly hostSettings: readonly WantedSetting[];
  /** Shell commands run on the host before the trial. */
  readonly commands: readonly string[];
}

/** All but what the tool makes of it: what the rules of factors work on. */
export type PlainEffects = Omit<CellEffects, 'options'>;

/** What the levels of a cell amount to. Pure. Throws zod's error for options that do not fit: documents are checked before. */
export function effectsOf(experiment: Experiment, { levels }: Pick<Cell, 'levels'>, tool: Tool): CellEffects {
  const { workload, where, factors } = experiment;
  const unvaried: PlainEffects = {
    workload: { ...workload, options: toolOptions(tool, workload.options) },
    ...(where.target !== undefined && { target: where.target }),
    generators: where.generators,
    serverSettings: [],
    hostSettings: [],
    commands: [],
  };
  const effects = factors.reduce<PlainEffects>((reached, factor) => {
    const level = levels[factor.name];
    return level === undefined ? reached : rulesOf(factor, tool).apply(reached, level);
  }, unvaried);
  return { ...effects, options: tool.options.parse(effects.workload.options) };
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
