import { expectedChart } from '../../../shared/chart-models/expected-chart.ts';
import type { Experiment, Scalar } from '../../../shared/model/experiment.ts';
import { levelsOf, optionOf } from '../../../shared/model/factor.ts';
import type { ExperimentOutline } from '../../../shared/model/plan.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { TargetKind } from '../../../shared/model/target.ts';
import type { OptionWords } from '../../../shared/model/tool.ts';
import { formatLevel, withinSentence } from '../../../shared/util/format.ts';
import { sum } from '../../../shared/util/numbers.ts';
import { rulesOf } from '../factors/index.ts';
import { exampleFacts, GENERATOR_KIND, targetByKind } from '../targets/index.ts';
import { optionName, wordsOfOption } from '../tools/normalise.ts';
import type { FileNeed, Tool } from '../tools/tool.ts';
import { blocksOf, costsFor } from './blocks.ts';
import { meaningProblems } from './check.ts';
import { dataOf, groupByData } from './data-groups.ts';
import {
  type KnownStep,
  loadSeconds,
  metricOfStep,
  type ResolvedCell,
  resolveCells,
  type Step,
  workSteps,
} from './effects.ts';
import { countOf, estimateSeconds, ownPauses } from './estimate.ts';
import { canaryCell, countTrials, orderTrials } from './order.ts';

/**
 * Summary of a document's plan without expensive parts, because a list shows it for all documents at once. Undefined if the document has
 * problems.
 */
export function outlineOf(experiment: Experiment, tool: Tool): ExperimentOutline | undefined {
  if (meaningProblems(experiment, tool, [tool], () => ({})).length > 0) return undefined;
  const { factors, measure } = experiment;
  const cells = resolveCells(experiment, tool);
  const trials = countTrials(cells.length, measure);
  const options = workSteps(cells)[0]?.options;
  const kinds = options ? tool.needs(options) : [];
  const types = kinds.map(targetByKind);
  const kind = kinds[0] ?? GENERATOR_KIND;
  const bytes = bytesOf(cells, tool, kind);
  const pauses = ownPauses(experiment, cells, () => {
    const groups = groupByData(cells, { tool, kindOf: () => kind });
    const blocks = groups.map((group) => blocksOf(experiment, group, costsFor(tool)));
    return orderTrials(blocks, measure, canaryCell(experiment, cells));
  });
  return {
    cells: cells.length,
    trials,
    seconds: estimateSeconds(countOf(experiment, trials, pauses), measure, loadOf(experiment, cells, trials, tool)),
    ...(bytes > 0 && { bytes }),
    targets: types.some(({ withoutTarget }) => withoutTarget !== undefined) ? [] : types.map(({ title }) => title),
    chart: expectedChart({
      factors: factors.map((factor) => ({
        name: factor.name,
        levels: levelsOf(factor),
        load: rulesOf(factor, tool).load,
      })),
      metric: metricOfStep(
        experiment,
        cells.flatMap(({ steps }) => steps[0] ?? []),
        tool,
      ),
      seconds: measure.warmup + measure.duration,
    }),
  };
}

/** Seconds of load: every repeat of every cell, and the canary's trials, which are the rest. */
function loadOf(experiment: Experiment, cells: readonly ResolvedCell[], trials: number, tool: Tool): number {
  const { repeats } = experiment.measure;
  const of = (some: readonly ResolvedCell[]): number =>
    loadSeconds(tool, { cells, trials: some.map(({ index }) => ({ cell: index })) });
  const canary = canaryCell(experiment, cells);
  return repeats * of(cells) + (canary ? (trials - repeats * cells.length) * of([canary]) : 0);
}

/** Maximum size of data and files at one time. Data shared by cells counts once. */
function bytesOf(cells: readonly ResolvedCell[], tool: Tool, kind: TargetKind): number {
  const workload = { tool, kindOf: () => kind };
  const groups = groupByData(cells, workload).map((group) => {
    const parts = new Map<string, number>();
    for (const step of workSteps(group)) {
      const need = dataOf(step, workload);
      if (need) parts.set(need.tables.map(({ name }) => name).join(), need.bytes ?? 0);
    }
    return sum(parts.values());
  });
  const files = new Map<string, number>();
  for (const step of workSteps(cells)) for (const { path, bytes } of filesOf(step, tool)) files.set(path, bytes);
  return Math.max(0, ...groups) + sum(files.values());
}

/** More options than these are only counted. */
const MOST_OPTIONS = 8;
/** Longer texts, such as scripts, are no part of a line. */
const LONGEST_VALUE = 60;
/** A tool with its own file format is described by a form or by such a file; only the file is worth a word. */
const BY_FORM = 'form';

/**
 * The load of a step in a line: tool, pattern or script, other options of the document, data, levels of load. Options of `factors` are left
 * out, unless they are a load. Undefined for options of another version, which the tool no longer accepts.
 */
export function workloadWords(
  { tool, step: started }: KnownStep,
  factors: Experiment['factors'],
  kind: TargetKind,
): string | undefined {
  const accepted = tool.options.safeParse(started.options);
  if (!accepted.success) return undefined;
  const step = { ...started, options: accepted.data };
  const written = new Set(Object.keys(step.workload.options).map((name) => optionName(tool, name)));
  const varied = new Set(factors.map((factor) => optionName(tool, optionOf(factor))));
  const isOfData = (name: string): boolean => {
    const { group = '', folder } = wordsOfOption(tool, name);
    return OF_DATA.includes(group) && folder !== true;
  };
  const need = [...varied].some(isOfData)
    ? undefined
    : (dataOf(step, { tool, kindOf: () => kind })?.title ?? fileNeedOf(step, tool)?.title);
  const options = optionWords(tool, step.options, (name, { group, main, load }) => {
    if (varied.has(name) || (need !== undefined && OF_DATA.includes(group ?? ''))) return false;
    return written.has(name) || (main === true && group === 'Workload') || load === 'concurrency';
  });
  const more = options.length > MOST_OPTIONS ? [`${options.length - MOST_OPTIONS} more options`] : [];
  const loads = factors.flatMap((factor) =>
    rulesOf(factor, tool).load === undefined ? [] : [`${factor.name} ${rangeWords(levelsOf(factor))}`],
  );
  const shown = [...options.slice(0, MOST_OPTIONS), ...more].join(', ');
  return [[tool.id, shown].filter(Boolean).join(': '), ...(need === undefined ? [] : [need]), ...loads].join('; ');
}

/** Groups of options that define the data of a workload. */
const OF_DATA: readonly string[] = ['Data', 'Files'];

const rangeWords = (levels: readonly Scalar[]): string => {
  const numbers = levels.filter((level) => typeof level === 'number');
  if (numbers.length < 3 || numbers.length < levels.length) return levels.map((level) => formatLevel(level)).join(', ');
  return `${formatLevel(Math.min(...numbers))} to ${formatLevel(Math.max(...numbers))}`;
};

/** The options in force that are wanted, each with its title: “block size 4k”, “direct I/O off”. */
function optionWords(
  tool: Tool,
  options: Step['options'],
  isWanted: (name: string, words: Partial<OptionWords>) => boolean,
): string[] {
  return Object.keys(tool.options.shape).flatMap((name) => {
    const words = wordsOfOption(tool, name);
    const { title = name, unit, when, multiline } = words;
    const value = options[name];
    const isShown = when === undefined || when.in.some((each) => each === options[when.option]);
    if (!isShown || multiline || !isWanted(name, words)) return [];
    if (typeof value === 'boolean') return [`${withinSentence(title)} ${value ? 'on' : 'off'}`];
    if (typeof value === 'number') {
      const one = value === 1 ? unit?.replace(/s$/, '') : unit;
      const isInTitle = unit === undefined || unit.toLowerCase() === title.toLowerCase();
      return [[withinSentence(title), formatLevel(value), ...(isInTitle ? [] : [one])].join(' ')];
    }
    const isText = typeof value === 'string' && value !== '' && value !== BY_FORM && value.length <= LONGEST_VALUE;
    return isText ? [`${withinSentence(title)} ${value}`] : [];
  });
}

function fileNeedOf({ options }: Step, tool: Tool): FileNeed | undefined {
  try {
    return tool.files?.(options, exampleFacts(GENERATOR_KIND, undefined).path);
  } catch (error) {
    if (error instanceof KneepointError && error.code === 'experiment-invalid') return undefined;
    throw error;
  }
}

function filesOf(step: Step, tool: Tool): { path: string; bytes: number }[] {
  const need = fileNeedOf(step, tool);
  return need?.files.map(({ name, bytes }) => ({ path: `${need.directory}/${name}`, bytes })) ?? [];
}
