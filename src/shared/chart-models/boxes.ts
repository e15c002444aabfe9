import type { EChartsOption } from 'echarts';
import { formatNumber } from '../util/format.ts';
import { type ChartModel, type Measure, titleOf } from './model.ts';
import { base, isOnLogAxis, levelAxis, logAxis, tip, valueAxis } from './parts.ts';
import { type ChartTheme, colourOf, type Paint } from './theme.ts';

export interface SpreadBox extends Paint {
  name: string;
  /** Below the box, a line each: what `factors` are. */
  levels: readonly string[];
  min: number;
  p5: number;
  p25: number;
  median: number;
  p75: number;
  p95: number;
  max: number;
}

/** What a box shows, in words. */
const BOX_WORDS = 'box: quartiles, line: median, whiskers: 5th to 95th percentile';

/** Pixels of a line of labels. */
const LINE = 14;

/** Beyond this many boxes their labels would lie over one another: some are left out, evenly. */
const MOST_LABELLED = 24;

/** Distribution of the per-second values, a box per cell. `asked`: where the upright axis starts, or its scale; where values are decades apart it is of factors. */
export function spreadBoxes(
  boxes: readonly SpreadBox[],
  factors: readonly string[],
  measure: Measure,
  theme: ChartTheme,
  asked?: 'zero' | 'log',
): ChartModel {
  const isLog = isOnLogAxis(
    boxes.flatMap(({ p5, p95 }) => [p5, p95]),
    asked,
  );
  const upright = isLog ? logAxis(theme, measure) : valueAxis(theme, measure);
  const axis = levelAxis(theme, factors.join(' / '));
  const option: EChartsOption = {
    ...base(theme, []),
    xAxis: {
      ...axis,
      nameGap: 12 + LINE * Math.max(1, factors.length),
      type: 'category',
      axisLabel: { ...axis.axisLabel, lineHeight: LINE, interval: Math.ceil(boxes.length / MOST_LABELLED) - 1 },
      data: boxes.map((box) => box.levels.join('\n')),
    },
    // Said on the picture, so that it is not lost where that goes on its own.
    yAxis: { ...upright, name: `${upright.name} · ${BOX_WORDS}` },
    series: [
      {
        id: 'boxes',
        type: 'boxplot',
        boxWidth: [3, 28],
        data: boxes.map((box) => ({
          value: [box.p5, box.p25, box.median, box.p75, box.p95],
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
        line('upper quartile', box.p75),
        line('median', box.median),
        line('lower quartile', box.p25),
        line('5th percentile', box.p5),
        line('smallest', box.min),
      ]);
    },
  };
  return {
    description: `${titleOf(measure)}: distribution of the seconds, ${boxes.length} ${boxes.length === 1 ? 'cell' : 'cells'}`,
    option,
    table: () => ({
      columns: ['cell', 'min', 'p5', 'p25', 'median', 'p75', 'p95', 'max'],
      rows: boxes.map((box) => [box.name, box.min, box.p5, box.p25, box.median, box.p75, box.p95, box.max]),
    }),
  };
}
