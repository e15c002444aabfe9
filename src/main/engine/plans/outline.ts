import { expectedChart } from '../../../shared/chart-models/expected-chart.ts';
import type { Experiment } from '../../../shared/model/experiment.ts';
import { levelsOf } from '../../../shared/model/factor.ts';
import type { ExperimentOutline } from '../../../shared/model/plan.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { TargetKind } from '../../../shared/model/target.ts';
import { sum } from '../../../shared/util/numbers.ts';
import { rulesOf } from '../factors/index.ts';
import { exampleFacts, GENERATOR_KIND, targetByKind } from '../targets/index.ts';
import type { Tool } from '../tools/tool.ts';
import { blocksOf, costsFor } from './blocks.ts';
import { meaningProblems } from './check.ts';
import { dataOf, groupByData } from './data-groups.ts';
import { loadSeconds, metricOfStep, type ResolvedCell, resolveCells, type Step, workSteps } from './effects.ts';
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

function filesOf({ options }: Step, tool: Tool): { path: string; bytes: number }[] {
  try {
    const need = tool.files?.(options, exampleFacts(GENERATOR_KIND, undefined).path);
    return need?.files.map(({ name, bytes }) => ({ path: `${need.directory}/${name}`, bytes })) ?? [];
  } catch (error) {
    if (error instanceof KneepointError && error.code === 'experiment-invalid') return [];
    throw error;
  }
}
