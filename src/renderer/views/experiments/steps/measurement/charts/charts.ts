import { chosenTitle, titleOf } from '../../../../../../shared/chart-models/index.ts';
import { metricNamed } from '../../../../../../shared/measures/index.ts';
import { KNOWN_METRICS, metricOf } from '../../../../../../shared/metrics/index.ts';
import type { ChartChoice } from '../../../../../../shared/model/chart.ts';
import type { Experiment } from '../../../../../../shared/model/experiment.ts';
import { namedLevels } from '../../../../../../shared/model/factor.ts';
import type { ToolInfo } from '../../../../../../shared/model/tool.ts';
import { KINDS, type MetricGroup } from '../../../../../domain/charts/index.ts';

/** The document with these charts; without any it does not name them. */
export function withCharts(experiment: Experiment, charts: readonly ChartChoice[]): Experiment {
  const { charts: _before, ...rest } = experiment;
  return charts.length > 0 ? { ...rest, charts: [...charts] } : rest;
}

/** Metrics that are known before anything has run. Which of them have seconds is up to the tool. */
export const metricsOf = ({ derived = [] }: Experiment): MetricGroup[] => [
  ...(derived.length > 0
    ? [{ group: 'Measures', items: derived.map(({ name }) => ({ value: name, label: name })), seconds: true }]
    : []),
  {
    group: 'Metrics',
    items: KNOWN_METRICS.map((id) => ({ value: id, label: titleOf(metricOf(id)) })),
    seconds: true,
  },
];

/** The metric that a chart draws: its own, or the one that results show first. Undefined while that is not known. */
export function metricIn(
  { metric }: Pick<ChartChoice, 'metric'>,
  { derived = [], primary, workload }: Experiment,
  tools: readonly ToolInfo[],
): string | undefined {
  const name = metric ?? primary;
  if (name !== undefined) return metricNamed(name, derived);
  return tools.find(({ id }) => id === workload.tool)?.primaryMetric ?? undefined;
}

/** The title that results give a chart; its kind where its metric is not known. */
export function titleIn(choice: ChartChoice, experiment: Experiment, tools: readonly ToolInfo[]): string {
  const metric = metricIn(choice, experiment, tools);
  if (metric !== undefined) return chosenTitle(choice, { metric, factors: namedLevels(experiment.factors) });
  return choice.title ?? KINDS.find(({ value }) => value === choice.kind)?.label ?? choice.kind;
}
