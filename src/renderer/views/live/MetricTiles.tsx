import { metricOf } from '../../../shared/metrics/index.ts';
import { columnDigits, formatNumber } from '../../../shared/util/format.ts';
import type { LiveSamples } from './live-store.ts';

interface TilesProperties {
  names: readonly string[];
  chosen: string;
  samples: readonly LiveSamples[];
  onChoose: (metric: string) => void;
}

/** Newest values of the main metrics; the chosen one is drawn below. */
export function MetricTiles({ names, chosen, samples, onChoose }: TilesProperties) {
  return (
    <div className="kp-tiles" role="radiogroup" aria-label="Metric">
      {names.map((name) => {
        const metric = metricOf(name);
        const value = newest(name, samples);
        return (
          <label key={name} className="kp-tile" data-chosen={name === chosen || undefined}>
            <input type="radio" name="metric" checked={name === chosen} onChange={() => onChoose(name)} />
            <span className="kp-small kp-ellipsis">{metric.label}</span>
            <span className="kp-tile-value kp-figures">
              {formatNumber(value, columnDigits(metric, [value || undefined]))}
              <span className="kp-small"> {metric.unit}</span>
            </span>
          </label>
        );
      })}
    </div>
  );
}

/** Newest value, over generators as the metric combines; of percentiles, which do not, the highest: some waited that long. */
function newest(name: string, samples: readonly LiveSamples[]): number | undefined {
  const values = samples.flatMap((entry) => entry.columns[name]?.at(-1) ?? []).filter(Number.isFinite);
  const { combine } = metricOf(name);
  if (values.length === 0) return undefined;
  if (combine === 'sum') return values.reduce((sum, value) => sum + value, 0);
  return Math.max(...values);
}
