import { measureId } from '../../../shared/metrics/index.ts';
import { COMPARED_COSTS, costOf, type OperationCost } from '../../../shared/model/analysis.ts';
import type { CellResult, StepCost } from '../../../shared/model/result.ts';
import { repeatsInterval } from '../../../shared/stats/index.ts';
import { sum } from '../../../shared/util/numbers.ts';
import { ratiosOf } from '../comparing/index.ts';
import type { MeasuredStep } from './steps-table.ts';

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
