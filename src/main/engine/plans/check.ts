import { measureChecks, severalChecks } from '../../../shared/checks/index.ts';
import type { CheckedDocument } from '../../../shared/contract/experiments.ts';
import { countCombinations } from '../../../shared/model/cells.ts';
import type { DocumentProblem, Experiment } from '../../../shared/model/experiment.ts';
import { type Finding, MECHANICS_FINDING, NO_FACTOR_UNDER_TEST } from '../../../shared/model/finding.ts';
import { LOCAL_HOST_NAME } from '../../../shared/model/host.ts';
import { type Plan, withoutSteps } from '../../../shared/model/plan.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { gateWords, preparesInTrial, wholeSteps } from '../../../shared/model/step.ts';
import type { ConnectionFacts, TargetKind } from '../../../shared/model/target.ts';
import type { Progress } from '../../../shared/rpc/define.ts';
import { factorProblems, testableFactors } from '../factors/index.ts';
import { GENERATOR_KIND, targetByKind } from '../targets/index.ts';
import type { Part, Tool } from '../tools/tool.ts';
import { blockFindings, blocksOf, costsFor } from './blocks.ts';
import { captureProblems, type MonitorKnowledge, monitorProblems } from './capture-problems.ts';
import { chartProblems } from './charts.ts';
import {
  carriedFindings,
  dataFindings,
  dataRefusal,
  dataStepProblems,
  dataUses,
  eachTrialFindings,
  groupByData,
  type Workload,
} from './data-groups.ts';
import { deviceProblems } from './device-problems.ts';
import { type ReadDocument, readDocument } from './document.ts';
import {
  actToolOf,
  allStepsOf,
  expandCells,
  loadSeconds,
  placesIn,
  type ResolvedCell,
  resolveCells,
  resolvingCells,
  type Step,
  stepsOf,
  withLargestOptions,
  workSteps,
} from './effects.ts';
import { countOf, estimateSeconds, ownPauses } from './estimate.ts';
import { eventFindings, eventProblems } from './events.ts';
import { eachGenerator, generatorProblems, partOf } from './generators.ts';
import { measureFindings, measureProblems } from './measures.ts';
import { accessesOf, accessFindings, conditionProblems, optionProblems, stopFindings } from './option-problems.ts';
import { canaryCell, countTrials, orderTrials } from './order.ts';
import { lengthProblems, OVERWRITES } from './parallel.ts';
import { generatorSeed, trialSeed } from './seeds.ts';
import { actPlaceProblems, sharedDataProblems, stepProblems } from './steps.ts';
import { restartProblems } from './tool-restarts.ts';
import { smallForm } from './variant.ts';

const MAX_TRIALS = 20_000;
/** Number of cells with command lines. The others are only planned, to check that they can be. */
const SHOWN_COMMANDS = 200;
const WHOLE: Part = { index: 0, count: 1 };

/** Command lines for display, without secrets. */
export interface ShownSteps {
  run: string;
  prepare?: string;
  cleanup?: string;
  /** The load in the tool's own file format. */
  file?: string;
  /** Whether `run` overwrites a device. */
  overwrites?: boolean;
}

export interface CheckContext {
  tools: readonly Tool[];
  steps(
    tool: Tool,
    /** Step of one cell; its `options` are those of the part. */
    effects: Step,
    experiment: Experiment,
    connection: ConnectionFacts,
    part: Part,
    seed: number,
  ): ShownSteps;
  /** Connection shown in commands of cells with this target; undefined for cells without one. */
  connection(experiment: Experiment, target: string | undefined): ConnectionFacts;
  /** Equal for two targets that lead to the same database. By default each target has its own. */
  databaseOf?(target: string): string;
  /** Knowledge to check `monitors` with. Without it, they are not checked. */
  monitors?: MonitorKnowledge;
  /** Adds an itemized time estimate to the plan, learned from earlier sessions if there are any. */
  estimated?(experiment: Experiment, plan: ResolvedPlan, workload: Workload): ResolvedPlan;
}

/** Checks a document: everything that can be known before anything runs. Contacts no host and no database. */
export function checkDocument(text: string, context: CheckContext): CheckedDocument {
  const work = checkingDocument(text, context);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Like `checkDocument`, cell by cell: a document with thousands of them may take seconds. */
export function* checkingDocument(text: string, context: CheckContext): Generator<Progress, CheckedDocument> {
  const read = readDocument(text);
  if (!read.experiment) return { problems: read.problems };
  const { experiment } = read;
  const tool = context.tools.find((entry) => entry.id === experiment.workload.tool);
  const early = earlyProblems(experiment, tool, context.tools, read.locate);
  const resolvedCells = early.length === 0 && tool ? yield* planning(experiment, tool) : [];
  const own = early.length > 0 || !tool ? early : cellProblems(experiment, tool, resolvedCells, read.locate);
  const problems = own.length > 0 ? own : smallProblems(experiment, tool, context.tools, read.locate);
  if (problems.length > 0 || !tool) return { problems, experiment, ...outlineOf(experiment) };
  const at = placed(read.locate);
  const connectionTo = memoized((target) => context.connection(experiment, target));
  const { databaseOf } = context;
  const workload = { tool, kindOf: (target?: string) => connectionTo(target).kind, ...(databaseOf && { databaseOf }) };
  const made = makePlan(experiment, workload, resolvedCells);
  const { cells } = made;
  const resolved = { tool, steps: stepsOf(cells) };
  const plan = context.estimated?.(experiment, made, workload) ?? made;
  const missing = missingTarget({ tool, steps: workSteps(cells) }, at);
  const refused = [
    ...missing,
    ...(missing.length === 0 ? actPlaceProblems(experiment, cells, context.monitors?.isHost, at) : []),
    ...dataProblems(experiment, cells, workload, at),
    ...(context.monitors && missing.length === 0
      ? monitorProblems(experiment, placesIn(allStepsOf(cells)).targets, context.monitors, at)
      : []),
    ...(missing.length === 0
      ? captureProblems(experiment, placesIn(resolved.steps).targets, context.monitors, at)
      : []),
    ...deviceProblems(experiment, resolved, at),
    ...restartProblems(experiment, resolved, at),
    ...(missing.length === 0 ? eventProblems(experiment, resolved, context.monitors?.isHost ?? (() => true), at) : []),
  ];
  const shown = yield* writingCommands(experiment, cells, { tool, context, connectionTo });
  if ('error' in shown)
    return { problems: [contradiction(shown.error, read.locate, shown.where)], experiment, ...outlineOf(experiment) };
  const costOf = costsFor(tool);
  const accesses = accessesOf(resolved.steps, tool);
  const whole = wholeSteps(experiment.steps ?? []);
  return {
    ...{
      problems: [...refused, ...shown.overwriting.map((place) => at(whole[place]?.at.slice() ?? [], OVERWRITES))],
      experiment,
      plan: { ...plan, cells: cells.map(withoutSteps) },
      commands: shown.commands,
      dataCommands: shown.dataCommands,
    },
    changeCosts: experiment.factors.map((factor) => costOf(factor)),
    testable: tool.watchesOnly ? [] : testableFactors(experiment.factors, tool).map(({ name }) => name),
    ...(tool.file && { files: shown.files }),
    ...(accesses.length > 0 && { accesses }),
    ...(whole.length > 0 && refused.length === 0 && { dataUses: dataUses(cells.slice(0, SHOWN_COMMANDS), workload) }),
  };
}

function* planning(experiment: Experiment, tool: Tool): Generator<Progress, ResolvedCell[]> {
  const work = resolvingCells(experiment, tool);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    yield { what: 'Planning cells', unit: 'cell', ...step.value };
  }
}

interface Writing {
  readonly tool: Tool;
  readonly context: CheckContext;
  connectionTo(target: string | undefined): ConnectionFacts;
}

interface Written extends Required<Pick<CheckedDocument, 'commands' | 'dataCommands' | 'files'>> {
  /** Places of parallel steps that overwrite a device. */
  readonly overwriting: number[];
}

/** Commands of the cells; the error of the first step that cannot be planned, with its place in the document. */
function* writingCommands(
  experiment: Experiment,
  cells: readonly ResolvedCell[],
  { tool, context, connectionTo }: Writing,
): Generator<Progress, Written | { error: unknown; where: (string | number)[] }> {
  const inTrial = preparesInTrial(experiment.steps);
  const whole = wholeSteps(experiment.steps ?? []);
  const commands: string[] = [];
  const prepare = new Set<string>();
  const cleanup = new Set<string>();
  const files: string[] = [];
  const overwriting = new Set<number>();
  for (const [cell, effects, place] of cells.flatMap((each) =>
    each.steps.map((step, place) => [each, step, place] as const),
  )) {
    if (place === 0) yield { what: 'Checking commands', unit: 'cell', done: cell.index + 1, of: cells.length };
    const ownTool = actToolOf(effects) ?? tool;
    // A missing target is reported separately.
    if (actToolOf(effects) && effects.target === undefined && ownTool.needs(effects.options).length > 0) continue;
    const steps = (part: Part, seed: number): ShownSteps => {
      const own = { ...effects, options: partOf(ownTool, effects.options, part) };
      return context.steps(ownTool, own, experiment, connectionTo(effects.target), part, generatorSeed(seed, part));
    };
    const at = { cell: cell.index, repeat: 0, step: place, steps: cell.steps.length };
    const seed = trialSeed(experiment.measure, at);
    try {
      if (cell.index >= SHOWN_COMMANDS) {
        steps(WHOLE, seed);
        continue;
      }
      const command = eachGenerator(effects.generators, (part) => steps(part, seed).run);
      if (effects.parallel !== undefined && steps(WHOLE, seed).overwrites) overwriting.add(place);
      const { name, note, gate } = whole[place] ?? {};
      const named = [name ?? [], note ?? [], gate ? `gate: ${gateWords(gate)}` : []]
        .flat()
        .map((words) => `# ${words}`);
      commands[cell.index] = [commands[cell.index] ?? [], ...named, command].flat().join('\n');
      // Data is made once, completely, by one generator, and is the same for every trial.
      const { prepare: made, cleanup: removed } = steps(WHOLE, experiment.measure.seed);
      const { file } = steps(WHOLE, seed);
      // If a step of each trial makes the data, the commands are those of that step.
      if (made !== undefined && !inTrial) prepare.add(made);
      if (removed !== undefined && !inTrial) cleanup.add(removed);
      if (file !== undefined) files.push(file);
    } catch (error) {
      return { error, where: actToolOf(effects) ? [...(whole[place]?.at ?? [])] : ['workload', 'options'] };
    }
  }
  return {
    ...{ commands, files, overwriting: [...overwriting] },
    dataCommands: { prepare: [...prepare], cleanup: [...cleanup] },
  };
}

/** Problems of the small form, all at its place in the text. */
function smallProblems(
  experiment: Experiment,
  tool: Tool | undefined,
  tools: readonly Tool[],
  locate: ReadDocument['locate'],
): DocumentProblem[] {
  const small = smallForm(experiment);
  if (!small) return [];
  return meaningProblems({ ...small, charts: undefined }, tool, tools, () => locate(['small'])).map((problem) => ({
    ...problem,
    path: 'small',
    message: `In the small form: ${problem.message}`,
  }));
}

/** Caches a look-up by name. */
function memoized(look: (target: string | undefined) => ConnectionFacts): typeof look {
  const known = new Map<string | undefined, ConnectionFacts>();
  return (target) => {
    const found = known.get(target) ?? look(target);
    known.set(target, found);
    return found;
  };
}

/** Number of trials of the matrix, even if the document has other problems. */
function outlineOf(experiment: Experiment): Pick<CheckedDocument, 'outline'> {
  const { measure } = experiment;
  if (countTrials(countCombinations(experiment, MAX_TRIALS), measure) > MAX_TRIALS) return {};
  const cells = expandCells(experiment);
  const trials = countTrials(cells.length, measure);
  const pauses = ownPauses(experiment, cells, () => orderTrials([[cells]], measure, canaryCell(experiment, cells)));
  const seconds = estimateSeconds(countOf(experiment, trials, pauses), measure);
  return { outline: { cells: cells.length, trials, seconds } };
}

/** Converts the error of options that fit their types but not each other, which only the tool's plan detects. Rethrows any other error. */
function contradiction(error: unknown, locate: ReadDocument['locate'], path: (string | number)[]): DocumentProblem {
  if (!(error instanceof KneepointError) || error.code !== 'experiment-invalid') throw error;
  return {
    path: path.join('.'),
    message: [error.message, error.problem.next].filter(Boolean).join(' '),
    ...locate(path),
  };
}

/** A plan with its cells' steps. */
export interface ResolvedPlan extends Plan {
  cells: ResolvedCell[];
}

/** `cells`: those of the document, if they are resolved already. */
export function makePlan(
  experiment: Experiment,
  workload: Workload,
  cells: ResolvedCell[] = resolveCells(experiment, workload.tool),
): ResolvedPlan {
  const steps = stepsOf(cells);
  const groups = groupByData(cells, workload);
  const blocks = groups.map((group) => blocksOf(experiment, group, costsFor(workload.tool)));
  const trials = orderTrials(blocks, experiment.measure, canaryCell(experiment, cells));
  const limits = withLargestOptions(experiment, steps);
  const groupOf = new Map(groups.flatMap((group, data) => group.map((cell) => [cell, data])));
  return {
    cells: groups.length < 2 ? cells : cells.map((cell) => ({ ...cell, data: groupOf.get(cell) })),
    trials,
    seconds: estimateSeconds(
      countOf(
        experiment,
        trials.length,
        ownPauses(experiment, cells, () => trials),
      ),
      experiment.measure,
      loadSeconds(workload.tool, { cells, trials }),
    ),
    findings: [
      ...dataFindings(experiment, groups.length),
      ...blockFindings(experiment, Math.max(...blocks.map((group) => group.length))),
      ...eachTrialFindings(experiment, cells, workload),
      ...eventFindings(experiment, cells),
      ...stopFindings(experiment, steps, workload.tool),
      ...accessFindings(accessesOf(steps, workload.tool)),
      ...measureFindings(experiment),
      ...(experiment.mechanics ? [MECHANICS_FINDING] : []),
      ...(workload.tool.watchesOnly || experiment.mechanics
        ? []
        : [
            ...carriedFindings(experiment, cells, workload),
            ...severalChecks(limits),
            ...measureChecks(limits),
            ...testedFindings(experiment, workload.tool),
          ]),
    ],
  };
}

/** A note if several factors could be the one under test: only the user knows. */
function testedFindings({ factors }: Experiment, tool: Tool): Finding[] {
  const testable = testableFactors(factors, tool);
  if (testable.length < 2 || factors.some(({ tested }) => tested)) return [];
  return [
    {
      code: NO_FACTOR_UNDER_TEST,
      severity: 'note',
      message: `No factor is under test. Choose one: ${testable.map(({ name }) => `“${name}”`).join(' or ')}.`,
      next: 'Results begin with the effect of this factor; without one, they show figures but no answer.',
    },
  ];
}

/** Problems that prevent planning. A target that still has to be chosen does not. */
export function meaningProblems(
  experiment: Experiment,
  tool: Tool | undefined,
  tools: readonly Tool[],
  locate: ReadDocument['locate'],
): DocumentProblem[] {
  const early = earlyProblems(experiment, tool, tools, locate);
  return early.length > 0 || !tool ? early : cellProblems(experiment, tool, resolveCells(experiment, tool), locate);
}

/** Those that are known without its cells. */
function earlyProblems(
  experiment: Experiment,
  tool: Tool | undefined,
  tools: readonly Tool[],
  locate: ReadDocument['locate'],
): DocumentProblem[] {
  const at = placed(locate);
  if (!tool) {
    const known = tools.map((entry) => entry.id).join(', ');
    return [at(['workload', 'tool'], `There is no tool named “${experiment.workload.tool}”. Known: ${known}.`)];
  }
  const problems = optionProblems(experiment, tool, locate);
  const remote = experiment.where.generators.findIndex((name) => name !== LOCAL_HOST_NAME);
  if (tool.partOfApp?.runs === 'here' && remote >= 0) {
    problems.push(
      at(['where', 'generators', remote], `${tool.title} is part of Kneepoint and runs on “${LOCAL_HOST_NAME}” only.`),
    );
  }
  problems.push(
    ...factorProblems(experiment, tool, at),
    ...conditionProblems(experiment, at),
    ...measureProblems(experiment, at),
    ...chartProblems(experiment, at),
  );
  if (problems.length > 0) return problems;
  problems.push(...stepProblems(experiment, tool, at));
  if (problems.length > 0) return problems;
  const trials = countTrials(countCombinations(experiment, MAX_TRIALS), experiment.measure);
  const { runs } = countOf(experiment, trials);
  if (runs > MAX_TRIALS) {
    const of = experiment.steps ? `${trials} trials of ${runs / trials} steps` : `${trials} trials`;
    problems.push(at(['factors'], `The matrix has ${of}; at most ${MAX_TRIALS} are run in one session.`));
  }
  return problems;
}

function cellProblems(
  experiment: Experiment,
  tool: Tool,
  cells: readonly ResolvedCell[],
  locate: ReadDocument['locate'],
): DocumentProblem[] {
  const at = placed(locate);
  if (cells.length === 0) return [at(['exclude'], 'Every cell is excluded: no trials left to run.')];
  if (experiment.measure.canary && !canaryCell(experiment, cells))
    return [at(['measure', 'canary', 'cell'], 'No cell has these levels for the canary.')];
  const resolved = { tool, steps: stepsOf(cells) };
  return [
    ...lengthProblems(experiment, cells, at),
    ...generatorProblems(experiment, resolved, at),
    ...needProblems(experiment, { tool, steps: workSteps(cells) }, at),
  ];
}

type Placed = (path: (string | number)[], message: string, offset?: number) => DocumentProblem;

/** Every step of every cell, and the tool that they use. */
export interface Resolved {
  readonly tool: Tool;
  readonly steps: readonly Step[];
}

const placed =
  (locate: ReadDocument['locate']): Placed =>
  (path, message, offset) => ({ path: path.join('.'), message, ...locate(path, offset) });

/** Whether each target can be of a kind that all its cells drive, and no target is named if only the generator is driven. */
function needProblems({ where }: Experiment, resolved: Resolved, at: Placed): DocumentProblem[] {
  const needs = neededTargets(resolved);
  const torn = [...needs].find(([, kinds]) => kinds === undefined);
  if (torn) {
    const [name] = torn;
    const which = needs.size > 1 && name !== undefined ? `The cells against “${name}”` : 'The cells';
    return [at(['factors'], `${which} need different kinds of target; use separate experiments.`)];
  }
  const named = [...needs].filter(([name]) => name !== undefined);
  if (named.length === 0 || !named.every(([, kinds = []]) => kinds.every((kind) => kind === GENERATOR_KIND))) return [];
  const path = where.target === undefined ? ['factors'] : ['where', 'target'];
  return [at(path, 'This workload measures the generator itself and takes no target.')];
}

/** Data that the document's policy does not allow to be made as its cells need it. */
function dataProblems(
  experiment: Experiment,
  cells: readonly ResolvedCell[],
  workload: Workload,
  at: Placed,
): DocumentProblem[] {
  const groups = new Set(cells.map(({ data = 0 }) => data)).size;
  const refusal = dataRefusal(experiment, cells, workload);
  const problems = [
    ...(refusal === undefined ? [] : [at(['workload', 'data'], refusal)]),
    ...(preparesInTrial(experiment.steps)
      ? dataStepProblems(experiment, cells, workload, at)
      : sharedDataProblems(experiment, cells, workload, at)),
  ];
  if (experiment.measure.canary && groups > 1)
    problems.push(
      at(
        ['measure', 'canary'],
        'The cells need different data in the same tables, but a canary needs the same data throughout.',
      ),
    );
  return problems;
}

/** A target that has to be chosen before a start. The rest of the document can be checked without it. */
function missingTarget(resolved: Resolved, at: Placed): DocumentProblem[] {
  const types = (neededTargets(resolved).get(undefined) ?? []).map(targetByKind);
  const canGoWithout = types.length === 0 || types.some(({ withoutTarget }) => withoutTarget !== undefined);
  if (canGoWithout) return [];
  const families = either(types.map(({ family }) => family));
  return [at(['where'], `This workload needs a target of the ${families} family, but none is chosen.`)];
}

const either = (names: readonly string[]): string =>
  [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' or ');

/**
 * By target name: kinds of target that all of its cells can drive, none if the tool brings what it needs. The name is undefined for
 * cells without a target; kinds are undefined if none fits all cells.
 */
export function neededTargets({
  tool,
  steps,
}: Resolved): ReadonlyMap<string | undefined, readonly TargetKind[] | undefined> {
  const needs = new Map<string | undefined, (readonly TargetKind[])[]>();
  for (const { target, options } of steps) {
    const perCell = needs.get(target) ?? [];
    perCell.push(tool.needs(options));
    needs.set(target, perCell);
  }
  return new Map([...needs].map(([target, perCell]) => [target, commonKinds(perCell)]));
}

function commonKinds([first = [], ...rest]: readonly (readonly TargetKind[])[]): readonly TargetKind[] | undefined {
  const common = first.filter((kind) => rest.every((kinds) => kinds.includes(kind)));
  return common.length === 0 && [first, ...rest].some((kinds) => kinds.length > 0) ? undefined : common;
}
