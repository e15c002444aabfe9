import { chosenTitle, titleOf } from '../../../../../../shared/chart-models/index.ts';
import { metricNamed } from '../../../../../../shared/measures/index.ts';
import { KNOWN_METRICS, metricOf } from '../../../../../../shared/metrics/index.ts';
import type { ChartChoice } from '../../../../../../shared/model/chart.ts';
import type { Experiment } from '../../../../../../shared/model/experiment.ts';
import { namedLevels } from '../../../../../../shared/model/factor.ts';
import type { ToolInfo } from '../../../../../../shared/model/tool.ts';
import { KINDS, type MetricGroup } from '../../../../../domain/charts/draft.ts';

/** The document with these charts; omitted if there are none. */
export function withCharts(experiment: Experiment, charts: readonly ChartChoice[]): Experiment {
  const { charts: _before, ...rest } = experiment;
  return charts.length > 0 ? { ...rest, charts: [...charts] } : rest;
}

/** Metrics known before anything has run. The tool decides which of them have seconds. */
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

/** The metric of a chart: its own, or the primary one of the results. Undefined while that is unknown. */
export function metricIn(
  { metric }: Pick<ChartChoice, 'metric'>,
  { derived = [], primary, workload }: Experiment,
  tools: readonly ToolInfo[],
): string | undefined {
  const name = metric ?? primary;
  if (name !== undefined) return metricNamed(name, derived);
  return tools.find(({ id }) => id === workload.tool)?.primaryMetric ?? undefined;
}

/** The title of a chart in the results; its kind if its metric is unknown. */
export function titleIn(choice: ChartChoice, experiment: Experiment, tools: readonly ToolInfo[]): string {
  const metric = metricIn(choice, experiment, tools);
  if (metric !== undefined) return chosenTitle(choice, { metric, factors: namedLevels(experiment.factors) });
  return choice.title ?? KINDS.find(({ value }) => value === choice.kind)?.label ?? choice.kind;
}
