import { measureChecks, severalChecks } from '../../../shared/checks/index.ts';
import type { CheckedDocument } from '../../../shared/contract/experiments.ts';
import type { DocumentProblem, Experiment } from '../../../shared/model/experiment.ts';
import { LOCAL_HOST_NAME } from '../../../shared/model/host.ts';
import type { Plan } from '../../../shared/model/plan.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { ConnectionFacts, TargetKind } from '../../../shared/model/target.ts';
import type { Part, Tool } from '../tools/tool.ts';
import { dataFindings, eachTrialFindings, groupByData, type Workload } from './data-groups.ts';
import { type ReadDocument, readDocument } from './document.ts';
import { countCombinations, estimateSeconds, expandCells, orderTrials, sameLevel } from './expand.ts';
import { eachGenerator, generatorProblems, partOf } from './generators.ts';
import { cellOptions, levelKey, optionOf, optionProblems } from './options.ts';

const MAX_TRIALS = 20_000;
const SHOWN_COMMANDS = 200;

/** Command lines for a person, secrets left out. */
export interface ShownSteps {
  run: string;
  prepare?: string;
  cleanup?: string;
  /** The load as a file of the tool's own. */
  file?: string;
}

export interface CheckContext {
  tools: readonly Tool[];
  steps(
    tool: Tool,
    options: Record<string, unknown>,
    experiment: Experiment,
    connection: ConnectionFacts,
    part: Part,
  ): ShownSteps;
  /** What commands show before a target is chosen, and of the one that is. */
  connection(experiment: Experiment): ConnectionFacts;
}

/** Text → everything a person may know before anything runs. Touches no host and no database. */
export function checkDocument(text: string, context: CheckContext): CheckedDocument {
  const read = readDocument(text);
  if (!read.experiment) return { problems: read.problems };
  const { experiment } = read;
  const tool = context.tools.find((entry) => entry.id === experiment.workload.tool);
  const problems = meaningProblems(experiment, tool, context.tools, read.locate);
  if (problems.length > 0 || !tool) return { problems, experiment };
  const connection = context.connection(experiment);
  const plan = makePlan(experiment, { tool, kind: connection.kind });
  const commands: string[] = [];
  const prepare = new Set<string>();
  const cleanup = new Set<string>();
  const files: string[] = [];
  for (const cell of plan.cells.slice(0, SHOWN_COMMANDS)) {
    const options = cellOptions(experiment, cell.levels, tool);
    const command = (part: Part): string =>
      context.steps(tool, partOf(tool, options, part), experiment, connection, part).run;
    try {
      commands.push(eachGenerator(experiment.where.generators, command));
      // The data is made once, whole, and by one generator.
      const whole = context.steps(tool, options, experiment, connection, { index: 0, count: 1 });
      if (whole.prepare !== undefined) prepare.add(whole.prepare);
      if (whole.cleanup !== undefined) cleanup.add(whole.cleanup);
      if (whole.file !== undefined) files.push(whole.file);
    } catch (error) {
      return { problems: [contradiction(error, read.locate)], experiment };
    }
  }
  const dataCommands = { prepare: [...prepare], cleanup: [...cleanup] };
  return { problems: [], experiment, plan, commands, dataCommands, ...(tool.file && { files }) };
}

/** Options that fit their types and not each other: only the tool's plan can tell. Anything else is thrown on. */
function contradiction(error: unknown, locate: ReadDocument['locate']): DocumentProblem {
  if (!(error instanceof KneepointError) || error.code !== 'experiment-invalid') throw error;
  const path = ['workload', 'options'];
  return {
    path: path.join('.'),
    message: [error.message, error.problem.next].filter(Boolean).join(' '),
    ...locate(path),
  };
}

export function makePlan(experiment: Experiment, workload: Workload): Plan {
  const cells = expandCells(experiment);
  const groups = groupByData(experiment, cells, workload);
  const trials = orderTrials(groups, experiment.measure);
  const groupOf = new Map(groups.flatMap((group, data) => group.map((cell) => [cell, data])));
  return {
    cells: groups.length < 2 ? cells : cells.map((cell) => ({ ...cell, data: groupOf.get(cell) })),
    trials,
    seconds: estimateSeconds(trials.length, experiment.measure),
    findings: [
      ...dataFindings(experiment, groups.length),
      ...eachTrialFindings(experiment, cells, workload),
      ...severalChecks(experiment),
      ...measureChecks(experiment),
    ],
  };
}

function meaningProblems(
  experiment: Experiment,
  tool: Tool | undefined,
  tools: readonly Tool[],
  locate: ReadDocument['locate'],
): DocumentProblem[] {
  const at = (path: (string | number)[], message: string): DocumentProblem => ({
    path: path.join('.'),
    message,
    ...locate(path),
  });
  if (!tool) {
    const known = tools.map((entry) => entry.id).join(', ');
    return [at(['workload', 'tool'], `There is no tool named “${experiment.workload.tool}”. Known: ${known}.`)];
  }
  const problems = optionProblems(experiment, tool, locate);
  const away = experiment.where.generators.findIndex((name) => name !== LOCAL_HOST_NAME);
  if (tool.partOfApp?.runs === 'here' && away >= 0) {
    problems.push(
      at(['where', 'generators', away], `${tool.title} is part of the app and runs on “${LOCAL_HOST_NAME}” only.`),
    );
  }
  const names = new Set<string>();
  const options = new Set<string>();
  experiment.factors.forEach((factor, index) => {
    if (names.has(factor.name))
      problems.push(at(['factors', index, 'name'], `Two factors are named “${factor.name}”.`));
    else if (options.has(optionOf(factor)))
      problems.push(at(['factors', index], `Two factors vary “${optionOf(factor)}”.`));
    names.add(factor.name);
    options.add(optionOf(factor));
    if (new Set(factor.levels.map((level) => levelKey(factor, level, tool))).size !== factor.levels.length) {
      problems.push(at(['factors', index, 'levels'], `Factor “${factor.name}” has the same level twice.`));
    }
  });
  problems.push(...excludeProblems(experiment, at));
  if (problems.length > 0) return problems;
  const trials = countCombinations(experiment) * experiment.measure.repeats;
  if (trials > MAX_TRIALS) {
    problems.push(at(['factors'], `The matrix has ${trials} trials; at most ${MAX_TRIALS} are run in one session.`));
  } else if (expandCells(experiment).length === 0) {
    problems.push(at(['exclude'], 'Every cell is excluded: there is no trial left to run.'));
  }
  if (problems.length > 0) return problems;
  return [...generatorProblems(experiment, tool, at), ...needProblems(experiment, tool, at)];
}

/** A pattern that fits no cell is a slip of the pen: the cell that was meant would be run. */
function excludeProblems(
  { exclude = [], factors }: Experiment,
  at: (path: (string | number)[], message: string) => DocumentProblem,
): DocumentProblem[] {
  return exclude.flatMap((pattern, index) => {
    const entries = Object.entries(pattern);
    if (entries.length === 0) return [at(['exclude', index], 'This exclusion names no level.')];
    return entries.flatMap(([name, level]) => {
      const factor = factors.find((entry) => entry.name === name);
      if (!factor) return [at(['exclude', index], `“${name}” is excluded by, but is no factor.`)];
      if (factor.levels.some((known) => sameLevel(known, level))) return [];
      return [at(['exclude', index, name], `${String(level)} is excluded, but is no level of “${name}”.`)];
    });
  });
}

/** Whether a target is named exactly when a cell needs one, and one kind fits all cells. */
function needProblems(
  experiment: Experiment,
  tool: Tool,
  at: (path: (string | number)[], message: string) => DocumentProblem,
): DocumentProblem[] {
  const kinds = neededTargets(experiment, tool);
  if (!kinds) return [at(['factors'], 'The cells need different kinds of target; put them into two experiments.')];
  const named = experiment.where.target !== undefined;
  if (isServer(kinds) && !named) {
    return [
      at(
        ['where'],
        `This workload needs a target of the ${either(kinds.map((kind) => FAMILIES[kind]))} family, and none is chosen.`,
      ),
    ];
  }
  if (named && kinds.every((kind) => kind === 'host')) {
    return [at(['where', 'target'], 'This workload measures the generator itself; it takes no target.')];
  }
  return [];
}

const FAMILIES: Readonly<Record<TargetKind, string>> = {
  mysql: 'MySQL',
  postgres: 'PostgreSQL',
  mongodb: 'MongoDB',
  clickhouse: 'ClickHouse',
  sqlite: 'SQLite',
  storage: 'storage',
  host: 'host',
};

const either = (names: readonly string[]): string =>
  [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' or ');

const SERVERS: readonly TargetKind[] = ['mysql', 'postgres', 'mongodb', 'clickhouse'];

/** Whether a workload cannot do without a saved target. */
const isServer = (kinds: readonly TargetKind[]): boolean =>
  kinds.length > 0 && kinds.every((kind) => SERVERS.includes(kind));

/** Kinds of target that every cell can drive (none: the tool brings what it needs); undefined when no kind fits all cells. */
export function neededTargets(experiment: Experiment, tool: Tool): readonly TargetKind[] | undefined {
  const perCell = expandCells(experiment).map((cell) => tool.needs(cellOptions(experiment, cell.levels, tool)));
  const [first = [], ...rest] = perCell;
  const common = first.filter((kind) => rest.every((kinds) => kinds.includes(kind)));
  return common.length === 0 && perCell.some((kinds) => kinds.length > 0) ? undefined : common;
}
