import { Select } from '@mantine/core';
import { titleOf } from '../../shared/chart-models/index.ts';
import { metricOf } from '../../shared/metrics/index.ts';

interface MetricProperties {
  metrics: readonly string[];
  metric: string;
  onChange: (metric: string) => void;
}

/** Which metric everything on this page is about. */
export const MetricSelect = ({ metrics, metric, onChange }: MetricProperties) => (
  <Select
    aria-label="Metric"
    w={250}
    allowDeselect={false}
    data={metrics.map((id) => ({ value: id, label: titleOf(metricOf(id)) }))}
    value={metric}
    onChange={(value) => value && onChange(value)}
  />
);
