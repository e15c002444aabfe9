import { type Metric, metricOf } from '../../../../shared/metrics/index.ts';
import type { Run } from '../../../../shared/model/session.ts';
import { TOOK } from '../../../../shared/model/step.ts';
import { columnDigits, formatNumber } from '../../../../shared/util/format.ts';
import { useNow } from '../../../ui/index.ts';
import type { LiveSamples } from '../stream/live-store.ts';
import { totalOfGenerators } from './running-lines.ts';

interface TilesProperties {
  names: readonly string[];
  chosen: string;
  run: Run;
  samples: readonly LiveSamples[];
  /** Whether the values are old because no data arrives. */
  stale: boolean;
  onChoose: (metric: string) => void;
}

/** Counts are shown as whole numbers: 3 threads, 0 errors. */
const isCount = (metric: Metric, values: readonly number[]): boolean =>
  values.every((value) => value === 0 || (metric.digits === 0 && Number.isInteger(value)));

/** Whole seconds since the start of a step that reports no samples, and its exact time once it has ended. */
function elapsedOf({ startedAt, endedAt }: Run, now: number): readonly number[] {
  if (startedAt === undefined) return [];
  const seconds = Math.max(0, ((endedAt ?? now) - startedAt) / 1000);
  return [endedAt === undefined ? Math.floor(seconds) : seconds];
}

/** `Latency, 95th percentile` → `Latency, p95`: a tile is narrow. */
const tileWords = ({ label }: Metric): string =>
  label.replace(/([\d.]+)(?:st|nd|rd|th) percentile/, 'p$1').replace(/, maximum$/, ', max');

/** Newest values of the main metrics; the selected one is drawn below. */
export function MetricTiles({ names, chosen, run, samples, stale, onChoose }: TilesProperties) {
  const isTimed = names.includes(TOOK) && samples.length === 0;
  const now = useNow(isTimed && run.endedAt === undefined ? 1000 : undefined);
  return (
    <div className="kp-tiles" data-stale={stale || undefined} role="radiogroup" aria-label="Metric">
      {names.map((name) => {
        const metric = metricOf(name);
        const values = name === TOOK && isTimed ? elapsedOf(run, now) : newest(name, run, samples);
        const digits =
          isCount(metric, values) || (isTimed && run.endedAt === undefined) ? 0 : columnDigits(metric, values);
        const words = values.map((value) => formatNumber(value, digits));
        return (
          <label key={name} className="kp-tile" data-chosen={name === chosen || undefined}>
            <input type="radio" name="metric" checked={name === chosen} onChange={() => onChoose(name)} />
            <span className="kp-small kp-ellipsis" title={metric.label}>
              {tileWords(metric)}
            </span>
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

/** Maximum number of points that one generator may lag behind the others for a common newest second. */
const NEW_POINTS = 60;

/**
 * The newest figure of a running trial, if any: with several generators, the newest second that all have reported. Two figures, the lowest
 * and the highest of their newest, if these cannot be combined.
 */
export function newest(metric: string, run: Run, samples: readonly LiveSamples[]): readonly number[] {
  const several = samples.length > 1 || (run.generators?.length ?? 0) > 1;
  if (several && metricOf(metric).combine !== 'none')
    return [...(totalOfGenerators(run, samples.map(tailOf(metric)), metric)?.v.slice(-1) ?? [])];
  const values = samples.flatMap((entry) => entry.columns[metric]?.at(-1) ?? []).filter(Number.isFinite);
  return several && values.length > 1 ? [Math.min(...values), Math.max(...values)] : values;
}

const tailOf =
  (metric: string) =>
  ({ columns, t, ...entry }: LiveSamples): LiveSamples => ({
    ...entry,
    t: t.subarray(-NEW_POINTS),
    columns: columns[metric] ? { [metric]: columns[metric].subarray(-NEW_POINTS) } : {},
  });
