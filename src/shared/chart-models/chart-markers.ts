import type { LineSeriesOption } from 'echarts';
import type { ChartMarker } from '../model/chart.ts';
import { valueOfLevel } from '../model/factor.ts';
import type { Places } from './curve-lines.ts';
import type { FactorLevels } from './levels.ts';
import type { ChartTheme } from './theme.ts';

interface Axis {
  /** Numbers along the axis of levels, and their positions; markers between the first and the last of them have a position. */
  levels: readonly number[];
  places: Pick<Places, 'levels' | 'between'>;
}

/** Numbers of the levels along an axis. */
export const numbersOf = (x: FactorLevels): number[] =>
  x.levels.flatMap((level) => valueOfLevel(x, level) ?? []).sort((one, other) => one - other);

/** Lines across a chart with their names. Without `along`, the metric is on the horizontal axis. */
export function markerLines(markers: readonly ChartMarker[], theme: ChartTheme, along?: Axis): LineSeriesOption[] {
  const place = (level: number): number | undefined => {
    const [first, last] = [along?.levels[0], along?.levels.at(-1)];
    return first === undefined || last === undefined || level < first || level > last
      ? undefined
      : along?.places.between(level);
  };
  if (markers.length === 0) return [];
  const label = (name: string) => ({
    formatter: () => name,
    color: theme.text,
    fontSize: 11,
  });
  type Line = NonNullable<NonNullable<LineSeriesOption['markLine']>['data']>[number];
  const data = markers.flatMap(({ name, level, value }): Line[] => {
    if (value !== undefined && along)
      return [{ yAxis: value, label: { ...label(name), position: 'insideStartTop' as const } }];
    const at = value ?? (level === undefined ? undefined : place(level));
    return at === undefined ? [] : [{ xAxis: at, label: { ...label(name), position: 'insideEndTop' as const } }];
  });
  return [
    {
      id: 'markers',
      type: 'line',
      // Makes the axis of the metric include the markers.
      data: markers.flatMap(({ value }) =>
        value === undefined ? [] : [along ? [along.places.levels[0] ?? 0, value] : [value, 0]],
      ),
      symbol: 'none',
      lineStyle: { width: 0 },
      silent: true,
      tooltip: { show: false },
      markLine: {
        silent: true,
        symbol: 'none',
        lineStyle: { color: theme.text, width: 1, type: 'dashed', opacity: 0.7 },
        data,
      },
    },
  ];
}
