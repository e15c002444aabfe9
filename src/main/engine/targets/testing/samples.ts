import type { SeriesRule } from '../../../../shared/model/monitored.ts';
import { derive, seriesOf } from '../../../../shared/monitoring/index.ts';
import type { ServerSample } from '../target.ts';

/**
 * The last value of a series calculated from samples one second apart, as in the app: a counter's value is its growth between the last two. Undefined
 * if the samples do not have the series.
 */
export function lastOf(
  rules: readonly SeriesRule[],
  samples: readonly Pick<ServerSample, 'metrics'>[],
  id: string,
): number | undefined {
  const names = [...new Set(samples.flatMap(({ metrics }) => Object.keys(metrics)))];
  const found = seriesOf(rules, names, (name) => samples.at(-1)?.metrics[name]).find(({ series }) => series.id === id);
  if (!found) return undefined;
  const columns = new Map(
    names.map((name) => [name, Float64Array.from(samples, ({ metrics }) => metrics[name] ?? Number.NaN)]),
  );
  const seconds = Float64Array.from(samples, (_sample, index) => index);
  return derive(found.reading, seconds, columns).at(-1);
}

/** The id of the series with this meaning. */
export function meaning(rules: readonly SeriesRule[], metrics: ServerSample['metrics'], means: string): string {
  const found = seriesOf(rules, Object.keys(metrics), (name) => metrics[name]).find(
    ({ series }) => series.means === means,
  );
  if (!found) throw new Error(`Nothing tells of ${means}.`);
  return found.series.id;
}
