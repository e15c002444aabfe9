import { measureId, metricOf } from '../../../shared/metrics/index.ts';
import { COMPARED_COSTS, costOf, type OperationCost } from '../../../shared/model/analysis.ts';
import type { Levels, Scalar } from '../../../shared/model/experiment.ts';
import type { CellResult, SessionResult, StepCost, StepsTable, Verdict } from '../../../shared/model/result.ts';
import { TOOK } from '../../../shared/model/step.ts';
import { loadLimit, loadLimitWords, repeatsInterval } from '../../../shared/stats/index.ts';
import { formatCount, formatLevels, formatTimes } from '../../../shared/util/format.ts';
import { sum } from '../../../shared/util/numbers.ts';
import { ratiosOf } from '../comparing/index.ts';

export interface MeasuredStep {
  /** Place in the trial. */
  readonly step: number;
  readonly name: string;
  /** Name of the earlier step that it repeats. */
  readonly same?: string | undefined;
  /** Name of its group. */
  readonly group?: string | undefined;
  /** It runs at the same time as others, so its seconds are not part of a sum. */
  readonly isParallel?: true;
  readonly result: Pick<SessionResult, 'metric' | 'factors' | 'cells' | 'ratios' | 'answer'>;
}

/** Share of lines covered by a range: one in five is outside. */
const MIDDLE = 0.8;
/** With fewer lines, the range covers all of them. */
const FEWEST_LINES = 5;

/**
 * The results of all measured steps as one table: a line for each step and combination of the other factors, a column for each level. Two
 * or more steps that end by themselves get a sum. `later`: see `LaterPart.from`.
 */
export function stepsTable(steps: readonly MeasuredStep[], later: readonly number[] = []): StepsTable {
  const factors = steps[0]?.result.factors ?? [];
  const answered = steps.find(({ result }) => result.answer?.factor !== undefined)?.result.answer;
  const column =
    factors.find(({ name }) => name === answered?.factor) ?? factors.find(({ levels }) => levels.length > 1);
  const levels: readonly (Scalar | undefined)[] = column?.levels ?? [undefined];
  const own = withEarlierRatios(
    steps,
    steps.flatMap((step) => linesOf(step, column?.name, levels)),
  );
  const sum = sumOf(steps, later);
  const lines = [
    ...own,
    ...(sum ? linesOf(sum, column?.name, levels).map((line) => ({ ...line, sum: true as const })) : []),
  ];
  const isParallel = new Set(steps.flatMap((each) => (each.isParallel ? each.step : [])));
  const groups = groupsOf(own, isParallel);
  const baseline = column && steps.flatMap(({ result }) => ratiosFor(result, column.name) ?? [])[0]?.level;
  return {
    ...(column && { factor: column.name }),
    levels: levels.map((level) => level ?? ''),
    ...(baseline !== undefined && { baseline }),
    lines,
    ...(groups.length > 0 && { groups }),
    sentences: column && baseline !== undefined ? summaries(own, column.name, column.levels) : [],
  };
}

/** The groups of these lines, with their geometric means, and with the sums of their seconds if all steps end by themselves. */
function groupsOf(lines: StepsTable['lines'], isParallel: ReadonlySet<number>): NonNullable<StepsTable['groups']> {
  const names = [...new Set(lines.flatMap(({ group }) => group ?? []))];
  return names.map((name) => {
    const own = lines.filter(({ group }) => group === name);
    const directions = directionsOf(own);
    const isMixed = directions.size > 1;
    const meanOf = (part: 'ratio' | 'again', place: number): number | undefined => {
      const found = own.flatMap(({ metric, cells }) => {
        const ratio = cells[place]?.[part];
        return ratio !== undefined && ratio > 0 ? [{ metric, ratio }] : [];
      });
      return found.length === 0 || (isMixed && directions.has('neither'))
        ? undefined
        : geometricMean(gainsOf(found, isMixed));
    };
    // With other factors a step has several lines, whose seconds are not of one trial.
    const isTimed =
      own.length > 1 &&
      new Set(own.map(({ step }) => step)).size === own.length &&
      own.every(({ metric, step }) => metric === TOOK && !isParallel.has(step));
    const secondsOf = (place: number): number | undefined => {
      const values = own.map(({ cells }) => cells[place]?.value);
      return isTimed && values.every((value) => value !== undefined) ? sum(values) : undefined;
    };
    return {
      name,
      step: own[0]?.step ?? 0,
      cells: (own[0]?.cells ?? []).map((_, place) => {
        const [ratio, again, seconds] = [meanOf('ratio', place), meanOf('again', place), secondsOf(place)];
        return {
          ...(ratio !== undefined && { ratio }),
          ...(again !== undefined && { again }),
          ...(seconds !== undefined && { sum: seconds }),
        };
      }),
      ...(isMixed && !directions.has('neither') && { inverted: invertedWords(own) }),
    };
  });
}

/** The lines, with the figures of steps that repeat an earlier one as ratios to that one. */
function withEarlierRatios(steps: readonly MeasuredStep[], lines: StepsTable['lines']): StepsTable['lines'] {
  return lines.map((line) => {
    const same = steps.find(({ step }) => step === line.step)?.same;
    const key = JSON.stringify(line.levels);
    const first = lines.find(
      ({ name, metric, levels }) => name === same && metric === line.metric && JSON.stringify(levels) === key,
    );
    if (same === undefined || !first) return line;
    return {
      ...line,
      same,
      cells: line.cells.map((cell, place) => {
        const [value, before] = [cell?.value, first.cells[place]?.value];
        return cell && value !== undefined && before ? { ...cell, again: value / before } : cell;
      }),
    };
  });
}

/** Seconds of all steps that end by themselves, added up trial by trial. Undefined if there are fewer than two. */
function sumOf(steps: readonly MeasuredStep[], later: readonly number[]): MeasuredStep | undefined {
  const timed = steps.filter(({ result, isParallel }) => result.metric === TOOK && !isParallel);
  const [first] = timed;
  if (!first || timed.length < 2) return undefined;
  const cells = first.result.cells.map(({ cell, levels }): CellResult => {
    const own = timed.map(({ result }) => result.cells.find((each) => each.cell === cell));
    const trials = (own[0]?.trials ?? []).filter((trial) => own.every((each) => each?.trials?.includes(trial)));
    const means = trials.map((trial) =>
      own.reduce((sum, each) => sum + (each?.means[each.trials?.indexOf(trial) ?? 0] ?? 0), 0),
    );
    const value = means.reduce((sum, mean) => sum + mean, 0) / means.length;
    const interval = repeatsInterval(means);
    const none = { runs: [], errors: 0, partial: false };
    return { cell, levels, means, trials, ...none, ...(means.length > 0 && { value }), ...(interval && { interval }) };
  });
  const baselines = Object.fromEntries((first.result.ratios ?? []).map(({ factor, level }) => [factor, level]));
  const { metric, factors, answer } = first.result;
  const ratios = ratiosOf({ metric, cells }, baselines, later, { steps: steps.length + 1 });
  return {
    step: first.step,
    name: `sum of ${timed.length} timed steps`,
    result: { metric, factors, cells, ratios, answer },
  };
}

const ratiosFor = ({ ratios = [] }: MeasuredStep['result'], factor: string) =>
  ratios.find((each) => each.factor === factor);

function linesOf(
  { step, name, group, result }: MeasuredStep,
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
    ...{ step, name, ...(group !== undefined && { group }), metric: result.metric, levels: place },
    cells: levels.map((level) => {
      const found = result.cells.find(
        (cell) =>
          JSON.stringify(without(cell.levels)) === key &&
          (factor === undefined || String(cell.levels[factor]) === String(level)),
      );
      if (!found) return undefined;
      const value = { cell: found.cell, ...(found.value !== undefined && { value: found.value }) };
      const of = ratios?.cells.find(({ cell }) => cell === found.cell);
      if (!of) return value;
      const { cell: _cell, baseline: index, ...against } = of;
      const baseline = result.cells.find(({ cell }) => cell === index);
      return { ...value, ...against, ...limitOf({ ...against, baseline, other: found }, result.metric) };
    }),
  }));
}

function limitOf(
  pair: Parameters<typeof loadLimit>[0],
  metric: string,
): Pick<NonNullable<StepsTable['lines'][number]['cells'][number]>, 'limit'> {
  const kind = loadLimit(pair, metric);
  return kind === undefined ? {} : { limit: { kind, by: loadLimitWords([pair]) } };
}

/** The word under which a verdict is counted. */
const COUNTED: Readonly<Record<Verdict, string>> = {
  ...{ better: 'better', worse: 'worse', higher: 'higher', lower: 'lower' },
  ...{ 'too-small': 'no difference', 'no-difference': 'no difference', alike: 'alike', differ: 'open' },
  ...{ 'cannot-tell': 'open', 'too-few': 'open', missing: 'open' },
};
const ORDER = ['better', 'worse', 'higher', 'lower', 'no difference', 'alike', 'open'];

function summaries(lines: StepsTable['lines'], factor: string, levels: readonly Scalar[]): string[] {
  return levels.flatMap((level, place) => {
    const found = lines.flatMap(({ metric, cells }) => {
      const { ratio, verdict, limit } = cells[place] ?? {};
      return ratio !== undefined && ratio > 0 && verdict ? [{ metric, ratio, verdict, limit }] : [];
    });
    if (found.length < 2) return [];
    const ofLoad = (kind: 'least' | 'limited') => found.filter(({ limit }) => limit?.kind === kind);
    const [limited, least] = [ofLoad('limited'), ofLoad('least')];
    const counts = ORDER.flatMap((words) => {
      const count = found.filter((each) => !limited.includes(each) && COUNTED[each.verdict] === words).length;
      return count > 0 ? [`${words} in ${count}`] : [];
    });
    const means = meanWords(found, directionsOf(found));
    const name = formatLevels({ [factor]: level });
    const why = (cells: typeof found) =>
      `because ${[...new Set(cells.flatMap(({ limit }) => limit?.by ?? []))].sort().join(' or ')} was the limit`;
    if (limited.length === found.length)
      return [`${name}: undetermined, ${why(limited)}; measured: ${means.join(', ')}.`];
    const parts = [
      [...means, ...counts].join(', '),
      ...(limited.length > 0 ? [`undetermined in ${limited.length}, ${why(limited)}`] : []),
      ...(least.length > 0 ? [`at least that large in ${least.length}, ${why(least)} of the better side`] : []),
    ];
    return [`${name}: ${parts.join('; ')}.`];
  });
}

const directionsOf = (lines: readonly { readonly metric: string }[]): ReadonlySet<string> =>
  new Set(lines.map(({ metric }) => metricOf(metric).better));

/** Ratios; if directions are mixed, those of metrics for which less is better are inverted. */
const gainsOf = (found: readonly { readonly metric: string; readonly ratio: number }[], isMixed: boolean): number[] =>
  found.map(({ metric, ratio }) => (isMixed && metricOf(metric).better === 'lower' ? 1 / ratio : ratio));

const geometricMean = (ratios: readonly number[]): number =>
  Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);

/** The geometric mean, and the range of most ratios. With rates, latencies are inverted. */
function meanWords(
  found: readonly { readonly metric: string; readonly ratio: number }[],
  directions: ReadonlySet<string>,
): string[] {
  if (directions.has('neither') && directions.size > 1) return [`${formatCount(found.length, 'comparison')}`];
  const isMixed = directions.size > 1;
  const gains = gainsOf(found, isMixed).sort((one, other) => one - other);
  const outside = gains.length < FEWEST_LINES ? 0 : Math.floor((gains.length * (1 - MIDDLE)) / 2 + 1e-9);
  const middle = gains.slice(outside, gains.length - outside);
  const [low, high] = [middle[0], middle.at(-1)];
  return [
    `geometric mean ${formatTimes(geometricMean(gains))}${isMixed ? ` (${invertedWords(found)} inverted)` : ''}`,
    `${middle.length} of ${gains.length} between ${formatTimes(low)} and ${formatTimes(high)}`,
  ];
}

/** Names the metrics for which less is better, if there are others for which more is better. */
function invertedWords(found: readonly { readonly metric: string }[]): string {
  const lower = found.filter(({ metric }) => metricOf(metric).better === 'lower');
  const times = lower.filter(({ metric }) => metric === TOOK).length;
  return [times < lower.length ? 'latencies' : [], times > 0 ? 'times' : []].flat().join(' and ');
}

/** The figures per operation from a run's judgement. */
type CostsOf = (runId: number) => readonly OperationCost[];

/** Bytes per operation are shown in KiB. */
const KIB = 1024;

/** The figures per operation that any of these steps has. */
export function costsOfSteps(steps: readonly MeasuredStep[], costsOf: CostsOf): StepCost[] {
  const runs = steps.flatMap(({ result }) => result.cells.flatMap((cell) => cell.runs.map(({ runId }) => runId)));
  const known = new Map(runs.flatMap(costsOf).map((cost) => [cost.id, cost]));
  return COMPARED_COSTS.flatMap((id) => {
    const cost = known.get(id);
    return cost ? [{ id, label: `${cost.label} per operation`, unit: shownUnit(cost) }] : [];
  });
}

/**
 * The same steps with a figure per operation instead of their metric, compared to the same baselines. Steps without the figure are left
 * out. `later`: see `LaterPart.from`.
 */
export function stepsByCost(
  steps: readonly MeasuredStep[],
  id: string,
  costsOf: CostsOf,
  later: readonly number[],
): MeasuredStep[] {
  return steps.flatMap((step) => {
    const found = step.result.cells.flatMap((cell) =>
      soundRuns(cell).flatMap(({ runId }) => costOf(costsOf(runId), id) ?? []),
    );
    const [cost] = found;
    if (!cost) return [];
    const cells = step.result.cells.map((cell) => cellByCost(cell, id, costsOf));
    const metric = measureId({
      ...{ label: `${cost.label} per operation`, unit: shownUnit(cost), better: 'lower', statistic: 'level' },
      digits: cost.unit === 'B' ? 2 : cost.digits,
    });
    const { factors, answer, ratios = [] } = step.result;
    const baselines = Object.fromEntries(ratios.map(({ factor, level }) => [factor, level]));
    const compared = ratiosOf({ metric, cells }, baselines, later, { steps: steps.length });
    return [{ ...step, result: { metric, factors, cells, answer, ...(ratios.length > 0 && { ratios: compared }) } }];
  });
}

const soundRuns = ({ runs }: Pick<CellResult, 'runs'>): CellResult['runs'] =>
  runs.filter(({ partial, state }) => !partial && state === 'done');

const shownUnit = ({ unit }: OperationCost): string => (unit === 'B' ? 'KiB' : unit);

function cellByCost({ cell, levels, runs, trials }: CellResult, id: string, costsOf: CostsOf): CellResult {
  const sound = soundRuns({ runs });
  const found = sound.flatMap(({ runId }, place) =>
    [costOf(costsOf(runId), id) ?? []].flat().map(({ value, unit }) => ({
      value: unit === 'B' ? value / KIB : value,
      trial: trials?.length === sound.length ? trials[place] : undefined,
    })),
  );
  const means = found.map(({ value }) => value);
  const places = found.flatMap(({ trial }) => trial ?? []);
  const interval = repeatsInterval(means);
  return {
    ...{ cell, levels, means, runs: [], errors: 0, partial: false },
    ...(places.length === means.length && { trials: places }),
    ...(means.length > 0 && { value: sum(means) / means.length }),
    ...(interval && { interval }),
  };
}
