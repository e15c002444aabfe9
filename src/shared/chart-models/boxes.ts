import type { EChartsOption } from 'echarts';
import { formatNumber } from '../util/format.ts';
import { type ChartModel, type Measure, titleOf } from './model.ts';
import { base, levelAxis, tip, valueAxis } from './parts.ts';
import { type ChartTheme, colourOf, type Paint } from './theme.ts';

export interface SpreadBox extends Paint {
  name: string;
  /** Below the box, a line each: what `factors` are. */
  levels: readonly string[];
  min: number;
  p5: number;
  median: number;
  p95: number;
  max: number;
}

/** Distribution of the per-second values, a box per cell: box from the 5th to the 95th percentile, whiskers to the extremes. */
export function spreadBoxes(
  boxes: readonly SpreadBox[],
  factors: readonly string[],
  measure: Measure,
  theme: ChartTheme,
): ChartModel {
  const axis = levelAxis(theme, factors.join(' / '));
  const option: EChartsOption = {
    ...base(theme, []),
    xAxis: {
      ...axis,
      nameGap: 12 + 14 * Math.max(1, factors.length),
      type: 'category',
      axisLabel: { ...axis.axisLabel, interval: 0 },
      data: boxes.map((box) => box.levels.join('\n')),
    },
    yAxis: valueAxis(theme, measure),
    series: [
      {
        id: 'boxes',
        type: 'boxplot',
        boxWidth: [8, 28],
        data: boxes.map((box) => ({
          value: [box.min, box.p5, box.median, box.p95, box.max],
          itemStyle: {
            color: theme.shade,
            borderColor: colourOf(box, theme.scheme),
            borderWidth: 1.5,
          },
        })),
      },
    ],
  };
  option.tooltip = {
    ...option.tooltip,
    trigger: 'item',
    formatter: (item: unknown) => {
      const index = typeof item === 'object' && item !== null && 'dataIndex' in item ? Number(item.dataIndex) : -1;
      const box = boxes[index];
      if (!box) return '';
      const line = (name: string, value: number) => ({ name, value: formatNumber(value, measure.digits) });
      return tip(`${box.name} (${measure.unit})`, [
        line('largest', box.max),
        line('95th percentile', box.p95),
        line('median', box.median),
        line('5th percentile', box.p5),
        line('smallest', box.min),
      ]);
    },
  };
  return {
    description: `${titleOf(measure)}: distribution of the seconds, ${boxes.length} ${boxes.length === 1 ? 'cell' : 'cells'}`,
    option,
    table: () => ({
      columns: ['cell', 'min', 'p5', 'median', 'p95', 'max'],
      rows: boxes.map((box) => [box.name, box.min, box.p5, box.median, box.p95, box.max]),
    }),
  };
}
