import type { DocumentProblem, Experiment } from '../../../shared/model/experiment.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { DataUse, isMeasured, preparesInTrial, wholeSteps, worksOnData } from '../../../shared/model/step.ts';
import type { TargetKind } from '../../../shared/model/target.ts';
import { preparesData, toolOfAct } from '../tools/index.ts';
import type { DataNeed, FileNeed, Tool } from '../tools/tool.ts';
import { dataStepOf, isAct, type ResolvedCell, type Step, stepsOf } from './effects.ts';

/** The tool of an experiment, and the kind of target in a cell. */
export interface Workload {
  tool: Tool;
  /** Kind of a saved target by its name; without a name, the kind that the workload brings. Throws `not-found` for an unknown target. */
  kindOf(target: string | undefined): TargetKind;
  /** Equal for two targets that lead to the same database. By default each target has its own. */
  databaseOf?(target: string): string;
}

/**
 * Data of one step. Undefined if it has none with known tables, or if its options are invalid: planning its commands then reports the
 * problem.
 */
export function dataOf(step: Step, { tool, kindOf }: Workload): DataNeed | undefined {
  if (isAct(step)) return undefined;
  const { options, target, generators, madeUnder } = step;
  try {
    const need = tool.data?.(options, kindOf(target), generators.length);
    // Tables keep the settings under which they were made, so another level needs other data, even with the same rows.
    return need && madeUnder !== undefined ? { ...need, shape: `${need.shape}, made under ${madeUnder}` } : need;
  } catch (error) {
    if (error instanceof KneepointError && error.code === 'experiment-invalid') return undefined;
    throw error;
  }
}

/**
 * Groups cells that can use the same data, in the order in which data is first needed. Within a group, no table has two contents or two
 * variants.
 */
export const groupByData = (cells: readonly ResolvedCell[], workload: Workload): ResolvedCell[][] =>
  grouped(cells, workload, ({ variant = '', madeUnder = '' }) => [variant, madeUnder]);

/** Number of different data that the cells need, ignoring variants. */
const countContents = (cells: readonly ResolvedCell[], workload: Workload): number =>
  grouped(cells, workload, ({ madeUnder = '' }) => [madeUnder]).length;

function grouped(
  cells: readonly ResolvedCell[],
  workload: Workload,
  apart: (step: Step) => readonly string[],
): ResolvedCell[][] {
  // Each trial makes its own data, so none is shared.
  if (cells.some(({ steps }) => steps.some(dataStepOf))) return [[...cells]];
  const groups: { cells: ResolvedCell[]; apart: string; contents: Map<string, string> }[] = [];
  for (const cell of cells) {
    const own = JSON.stringify(cell.steps.map(apart));
    const wanted = cell.steps.flatMap((step) => {
      const need = dataOf(step, workload);
      return need ? contentsOf(need, databaseOf(step, workload)) : [];
    });
    let group = groups.find(
      (each) =>
        each.apart === own && wanted.every(([name, content]) => (each.contents.get(name) ?? content) === content),
    );
    if (!group) {
      group = { cells: [], apart: own, contents: new Map() };
      groups.push(group);
    }
    group.cells.push(cell);
    for (const [name, content] of wanted) group.contents.set(name, content);
  }
  return groups.map((group) => group.cells);
}

/** Contents of tables, by database and name. */
export const contentsOf = ({ tables, shape }: DataNeed, database: string): (readonly [string, string])[] =>
  tables.map(({ name, rows }) => [`${database} ${name}`, `${rows} ${shape}`]);

export const databaseOf = ({ target }: Step, { databaseOf: of }: Workload): string =>
  target === undefined ? '' : (of?.(target) ?? target);

/** A note for the user if trials use their data up. */
export function eachTrialFindings(
  { measure, steps }: Experiment,
  cells: readonly ResolvedCell[],
  workload: Workload,
): Finding[] {
  if (preparesInTrial(steps)) return [];
  const needs = stepsOf(cells).flatMap((step) => dataOf(step, workload) ?? []);
  if (cells.length * measure.repeats < 2 || !needs.some(({ eachTrial }) => eachTrial)) return [];
  return [
    {
      code: 'data-each-trial',
      severity: 'note',
      message: 'Trials add records, so data is prepared again before each trial after the first.',
      next: 'The estimate includes the time for it if known.',
    },
  ];
}

/**
 * A note for the user if a step changes tables that an earlier one measures, and a later trial on the same database finds them so. Not for
 * trials that prepare their own data.
 */
export function carriedFindings(
  { measure, steps = [] }: Pick<Experiment, 'measure' | 'steps'>,
  cells: readonly ResolvedCell[],
  workload: Workload,
): Finding[] {
  if (preparesInTrial(steps)) return [];
  const whole = wholeSteps(steps);
  const trials = new Map<string, number>();
  for (const { steps: of } of cells) {
    const databases = new Set(of.flatMap((step) => (isAct(step) ? [] : databaseOf(step, workload))));
    for (const database of databases) trials.set(database, (trials.get(database) ?? 0) + measure.repeats);
  }
  for (const cell of cells) {
    const needs = cell.steps.map((step) => dataOf(step, workload));
    const writer = needs.findIndex((need) => need?.written && !need.eachTrial);
    const step = cell.steps[writer];
    if (!step || (trials.get(databaseOf(step, workload)) ?? 0) < 2) continue;
    const changed = new Set(needs[writer]?.tables.map(({ name }) => name));
    const reader = whole.findIndex(
      (each, place) =>
        place < writer && isMeasured(each) && needs[place]?.tables.some(({ name }) => changed.has(name)) === true,
    );
    if (reader < 0) continue;
    return [
      {
        code: 'data-carried',
        severity: 'note',
        message: `Step “${whole[reader]?.name}” measures data that the later step “${whole[writer]?.name}” changes, so each trial starts with the data left by the previous one. Only the first trial measures the data as prepared.`,
        next: 'Begin each trial with a step “do: prepare” if that matters, or compare levels within the same repeat (“order: interleaved”).',
      },
    ];
  }
  return [];
}

/** A note for the user if no single data fits all cells. */
export function dataFindings({ workload }: Experiment, groups: number): Finding[] {
  if (groups < 2 || workload.data !== 'recreate') return [];
  return [
    {
      code: 'data-changes',
      severity: 'note',
      message: `The cells need different data in the same tables, so it is prepared ${groups} times, each before the first trial that needs it. Trials are grouped by data, so drift over time affects comparisons between groups.`,
      next: 'Compare across groups with care, or repeat the session with another seed and the order “shuffled”, which also shuffles groups.',
    },
  ];
}

/** The problem of data that is used up but may not be made again. */
export const KEPT_AND_USED_UP = {
  message:
    'Each trial of this workload needs freshly prepared data, and data: keep does not allow preparing it again between trials.',
  next: 'Set “data: create” or “data: recreate”, or run one trial.',
};

/** Why the document's data policy does not allow its cells to run. Undefined if it does. */
export function dataRefusal(
  experiment: Experiment,
  cells: readonly ResolvedCell[],
  workload: Workload,
): string | undefined {
  const policy = experiment.workload.data;
  const [under] = stepsOf(cells).flatMap(({ madeUnder }) => madeUnder ?? []);
  if (under !== undefined && policy !== 'recreate')
    return `“${under}” applies only when data is created. Choose “recreate”, so that data is created for each level.`;
  const groups = countContents(cells, workload);
  if (groups > 1 && policy !== 'recreate')
    return `The cells need ${groups} different data sets in the same tables, so data must be replaced between trials. Choose “recreate” to allow that; trials are then grouped by data set.`;
  const isUsedUp = policy === 'keep' && eachTrialFindings(experiment, cells, workload).length > 0;
  return isUsedUp ? `${KEPT_AND_USED_UP.message} ${KEPT_AND_USED_UP.next}` : undefined;
}

/** Use of the data by each step of a trial, in order: the strongest one over all cells. */
export function dataUses(cells: readonly ResolvedCell[], workload: Workload): DataUse[] {
  const uses: DataUse[] = [];
  for (const { steps } of cells)
    for (const [place, step] of steps.entries()) {
      const use = stepDataUse(step, workload, steps.some(dataStepOf));
      const before = uses[place] ?? 'none';
      uses[place] = DataUse.options.indexOf(use) > DataUse.options.indexOf(before) ? use : before;
    }
  return uses;
}

function stepDataUse(step: Step, workload: Workload, isPrepared: boolean): DataUse {
  if (dataStepOf(step)) return preparesData(step.workload.tool) ? 'prepares' : 'removes';
  if (isAct(step)) return step.workload.tool === toolOfAct('wait').id ? 'none' : 'may-change';
  const need = dataOf(step, workload) ?? neededFiles(step, workload);
  // A tool that prepares data uses it, even if it does not report how.
  if (need === undefined) return isPrepared ? 'may-change' : 'none';
  return need.written ? 'changes' : 'reads';
}

function neededFiles({ options }: Step, { tool }: Workload): Pick<FileNeed, 'written'> | undefined {
  try {
    return tool.files?.(options, undefined);
  } catch {
    // Planning its commands reports what is wrong with its options.
    return undefined;
  }
}

type Placed = (path: (string | number)[], message: string) => DocumentProblem;

/**
 * Problems of trials that prepare their data in a step: data that is not theirs to remove, and loads that would not find what they need.
 */
export function dataStepProblems(
  { steps = [], workload: { data } }: Experiment,
  cells: readonly ResolvedCell[],
  workload: Workload,
  at: Placed,
): DocumentProblem[] {
  const whole = wholeSteps(steps);
  const first = whole.find(worksOnData);
  if (!first) return [];
  if (data !== 'recreate')
    return [
      at(
        ['workload', 'data'],
        `Step “${first.name}” removes existing data in each trial. Set “data: recreate” to allow that.`,
      ),
    ];
  const nameOf = (place: number): string => `Step “${whole[place]?.name}”`;
  const found = new Map<string, DocumentProblem>();
  const problem = (place: number, message: string): void =>
    void found.set(message, at([...(whole[place]?.at ?? ['steps'])], message));
  for (const cell of cells) {
    if (cell.steps.some(({ variant }) => variant !== undefined))
      return [
        at(
          [...first.at, 'do'],
          'Variants of tables are applied before a trial, but this trial prepares its own tables. Apply the variant with a step “do: statement” after the preparation.',
        ),
      ];
    /** Contents of tables after the steps so far, and the step that prepared them. */
    let there = new Map<string, string>();
    let made: number | undefined;
    for (const [place, step] of cell.steps.entries()) {
      const prepared = dataStepOf(step);
      const need = neededBy(prepared ?? step, workload);
      if (prepared) {
        const isMade = preparesData(step.workload.tool);
        there = new Map(isMade ? need : []);
        made = isMade ? place : undefined;
      } else if (need.length === 0) continue;
      else if (made === undefined)
        problem(
          place,
          `${nameOf(place)} needs data, but no earlier step prepares it. Move the step that prepares the data before this one.`,
        );
      else if (need.some(([table, content]) => there.get(table) !== content))
        problem(
          place,
          `${nameOf(place)} needs data that differs from what step “${whole[made]?.name}” prepares. Use the same data size in both.`,
        );
    }
  }
  return [...found.values()];
}

/** Tables that a workload step needs, with their contents. Empty if unknown. */
function neededBy(step: Step, workload: Workload): readonly (readonly [string, string])[] {
  const need = isAct(step) ? undefined : dataOf(step, workload);
  return need ? contentsOf(need, databaseOf(step, workload)) : [];
}
