import { metricOf } from '../../../shared/metrics/index.ts';
import type { Levels, Scalar } from '../../../shared/model/experiment.ts';
import type { SessionResult, StepsTable, Verdict } from '../../../shared/model/result.ts';
import { formatCount, formatLevels, formatTimes } from '../../../shared/util/format.ts';

interface MeasuredStep {
  /** Place in the trial. */
  readonly step: number;
  readonly name: string;
  readonly result: Pick<SessionResult, 'metric' | 'factors' | 'cells' | 'ratios' | 'answer'>;
}

/** The share of lines that a range is given for: one in five lies outside. */
const MIDDLE = 0.8;
/** Below this a range of the middle lines is the range of all of them. */
const FEWEST_LINES = 5;

/** The results of all measured steps as one table: a line for each step and combination of the other factors, a column for each level. */
export function stepsTable(steps: readonly MeasuredStep[]): StepsTable {
  const factors = steps[0]?.result.factors ?? [];
  const answered = steps.find(({ result }) => result.answer?.factor !== undefined)?.result.answer;
  const column =
    factors.find(({ name }) => name === answered?.factor) ?? factors.find(({ levels }) => levels.length > 1);
  const levels: readonly (Scalar | undefined)[] = column?.levels ?? [undefined];
  const lines = steps.flatMap((step) => linesOf(step, column?.name, levels));
  const baseline = column && steps.flatMap(({ result }) => ratiosFor(result, column.name) ?? [])[0]?.level;
  return {
    ...(column && { factor: column.name }),
    levels: levels.map((level) => level ?? ''),
    ...(baseline !== undefined && { baseline }),
    lines,
    sentences: column && baseline !== undefined ? summaries(lines, column.name, column.levels) : [],
  };
}

const ratiosFor = ({ ratios = [] }: MeasuredStep['result'], factor: string) =>
  ratios.find((each) => each.factor === factor);

function linesOf(
  { step, name, result }: MeasuredStep,
  factor: string | undefined,
  levels: readonly (Scalar | undefined)[],
): StepsTable['lines'] {
  const without = ({ ...levels }: Levels): Levels => {
    if (factor !== undefined) delete levels[factor];
    return levels;
  };
  const places = new Map(result.cells.map((cell) => [JSON.stringify(without(cell.levels)), without(cell.levels)]));
  const ratios = factor === undefined ? undefined : ratiosFor(result, factor);
  return [...places].map(([key, place]) => ({
    ...{ step, name, metric: result.metric, levels: place },
    cells: levels.map((level) => {
      const found = result.cells.find(
        (cell) =>
          JSON.stringify(without(cell.levels)) === key &&
          (factor === undefined || String(cell.levels[factor]) === String(level)),
      );
      if (!found) return undefined;
      const {
        cell: _cell,
        baseline: _baseline,
        ...against
      } = ratios?.cells.find(({ cell }) => cell === found.cell) ?? {};
      return { cell: found.cell, ...(found.value !== undefined && { value: found.value }), ...against };
    }),
  }));
}

/** The word by which a verdict is counted. */
const COUNTED: Readonly<Record<Verdict, string>> = {
  ...{ better: 'better', worse: 'worse', higher: 'higher', lower: 'lower' },
  ...{ 'too-small': 'no difference', 'no-difference': 'no difference', alike: 'alike', differ: 'open' },
  ...{ 'cannot-tell': 'open', 'too-few': 'open', missing: 'open' },
};
const ORDER = ['better', 'worse', 'higher', 'lower', 'no difference', 'alike', 'open'];

function summaries(lines: StepsTable['lines'], factor: string, levels: readonly Scalar[]): string[] {
  return levels.flatMap((level, place) => {
    const found = lines.flatMap(({ metric, cells }) => {
      const { ratio, verdict } = cells[place] ?? {};
      return ratio !== undefined && ratio > 0 && verdict ? [{ metric, ratio, verdict }] : [];
    });
    if (found.length < 2) return [];
    const counts = ORDER.flatMap((words) => {
      const count = found.filter(({ verdict }) => COUNTED[verdict] === words).length;
      return count > 0 ? [`${words} in ${count}`] : [];
    });
    const directions = new Set(found.map(({ metric }) => metricOf(metric).better));
    return [`${formatLevels({ [factor]: level })}: ${[...meanWords(found, directions), ...counts].join(', ')}.`];
  });
}

/** The geometric mean, and between what most ratios lie. A latency counts the other way round beside a rate. */
function meanWords(
  found: readonly { readonly metric: string; readonly ratio: number }[],
  directions: ReadonlySet<string>,
): string[] {
  if (directions.has('neither') && directions.size > 1) return [`${formatCount(found.length, 'comparison')}`];
  const isMixed = directions.size > 1;
  const gains = found
    .map(({ metric, ratio }) => (isMixed && metricOf(metric).better === 'lower' ? 1 / ratio : ratio))
    .sort((one, other) => one - other);
  const mean = Math.exp(gains.reduce((sum, ratio) => sum + Math.log(ratio), 0) / gains.length);
  const outside = gains.length < FEWEST_LINES ? 0 : Math.floor((gains.length * (1 - MIDDLE)) / 2 + 1e-9);
  const middle = gains.slice(outside, gains.length - outside);
  const [low, high] = [middle[0], middle.at(-1)];
  return [
    `geometric mean ${formatTimes(mean)}${isMixed ? ' (latencies inverted)' : ''}`,
    `${middle.length} of ${gains.length} between ${formatTimes(low)} and ${formatTimes(high)}`,
  ];
}
