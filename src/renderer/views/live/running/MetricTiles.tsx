import { metricOf } from '../../../../shared/metrics/index.ts';
import type { Run } from '../../../../shared/model/session.ts';
import { columnDigits, formatNumber } from '../../../../shared/util/format.ts';
import type { LiveSamples } from '../stream/live-store.ts';
import { newest } from './newest.ts';

interface TilesProperties {
  names: readonly string[];
  chosen: string;
  run: Run;
  samples: readonly LiveSamples[];
  onChoose: (metric: string) => void;
}

/** Newest values of the main metrics; the chosen one is drawn below. */
export function MetricTiles({ names, chosen, run, samples, onChoose }: TilesProperties) {
  return (
    <div className="kp-tiles" role="radiogroup" aria-label="Metric">
      {names.map((name) => {
        const metric = metricOf(name);
        const values = newest(name, run, samples);
        const digits = columnDigits(
          metric,
          values.map((value) => value || undefined),
        );
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
