import { metricOf, partMetric, placeIn, placePart } from '../../../../shared/metrics/index.ts';
import type { Run } from '../../../../shared/model/session.ts';
import { columnDigits, formatNumber } from '../../../../shared/util/format.ts';
import type { LiveSamples } from '../stream/live-store.ts';
import { newest } from './MetricTiles.tsx';

/** The newest value of each place that a load measures at the same time: “IOPS: /mnt/a 200 · /mnt/b 100”. Empty for one place. */
export function placeWords(run: Run, samples: readonly LiveSamples[], metric: string): string {
  const columns = samples.flatMap((entry) => Object.keys(entry.columns));
  const places = [...new Set(columns.flatMap((id) => placeIn(id)?.place ?? []))];
  if (places.length === 0) return '';
  const shown = placeIn(metric)?.metric ?? metric;
  const values = places.map((place) => newest(partMetric(placePart(place), shown), run, samples)[0]);
  if (values.every((value) => value === undefined)) return '';
  const described = metricOf(shown);
  const digits = columnDigits(described, values);
  const words = places.map((place, index) => `${place} ${formatNumber(values[index], digits)}`);
  return `${described.unit || described.label}: ${words.join(' · ')}`;
}
