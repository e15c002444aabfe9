import { Select } from '@mantine/core';
import { titleOf } from '../../shared/chart-models/index.ts';
import { metricOf } from '../../shared/metrics/index.ts';

interface MetricProperties {
  metrics: readonly string[];
  /** Figures that only whole runs have. */
  runFigures?: readonly string[] | undefined;
  metric: string;
  /** Label above the field, if neighbouring fields have one. */
  label?: string;
  onChange: (metric: string) => void;
}

const item = (id: string) => ({ value: id, label: titleOf(metricOf(id)) });

/** The metric of everything on this page. */
export const MetricSelect = ({ metrics, runFigures = [], metric, label, onChange }: MetricProperties) => (
  <Select
    {...(label === undefined ? { 'aria-label': 'Metric' } : { label })}
    w={250}
    allowDeselect={false}
    searchable={runFigures.length > 0}
    data={
      runFigures.length > 0
        ? [
            { group: 'Per second', items: metrics.map(item) },
            { group: 'Whole runs', items: runFigures.map(item) },
          ]
        : metrics.map(item)
    }
    value={metric}
    onChange={(value) => value && onChange(value)}
  />
);
