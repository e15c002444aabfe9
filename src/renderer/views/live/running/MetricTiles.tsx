import { type Metric, metricOf } from '../../../../shared/metrics/index.ts';
import type { Run } from '../../../../shared/model/session.ts';
import { columnDigits, formatNumber } from '../../../../shared/util/format.ts';
import type { LiveSamples } from '../stream/live-store.ts';
import { newest } from './newest.ts';

interface TilesProperties {
  names: readonly string[];
  chosen: string;
  run: Run;
  samples: readonly LiveSamples[];
  /** Whether the values are old because nothing arrives. */
  stale: boolean;
  onChoose: (metric: string) => void;
}

/** What is counted is shown whole: 3 threads, 0 errors. */
const isCount = (metric: Metric, values: readonly number[]): boolean =>
  values.every((value) => value === 0 || (metric.digits === 0 && Number.isInteger(value)));

/** Newest values of the main metrics; the chosen one is drawn below. */
export function MetricTiles({ names, chosen, run, samples, stale, onChoose }: TilesProperties) {
  return (
    <div className="kp-tiles" data-stale={stale || undefined} role="radiogroup" aria-label="Metric">
      {names.map((name) => {
        const metric = metricOf(name);
        const values = newest(name, run, samples);
        const digits = isCount(metric, values) ? 0 : columnDigits(metric, values);
        const words = values.map((value) => formatNumber(value, digits));
        return (
          <label key={name} className="kp-tile" data-chosen={name === chosen || undefined}>
            <input type="radio" name="metric" checked={name === chosen} onChange={() => onChoose(name)} />
            <span className="kp-small kp-ellipsis">{metric.label}</span>
            <span className="kp-tile-value kp-figures">
              {words.length > 0 ? [...new Set(words)].join(' … ') : formatNumber(undefined, digits)}
              <span className="kp-small"> {metric.unit}</span>
            </span>
          </label>
        );
      })}
    </div>
  );
}
