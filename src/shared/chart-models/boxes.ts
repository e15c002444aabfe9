import type { EChartsOption } from 'echarts';
import { formatNumber } from '../util/format.ts';
import { inLines, shortLabels } from './labels.ts';
import { type ChartModel, type Measure, titleOf } from './model.ts';
import { gridFor, RIGHT, WIDE } from './names.ts';
import { base, isOnLogAxis, levelAxis, logAxis, tip, valueAxis } from './parts.ts';
import { type ChartTheme, colourOf, type Paint } from './theme.ts';

export interface SpreadBox extends Paint {
  name: string;
  /** Lines below the box: its levels of `factors`. */
  levels: readonly string[];
  min: number;
  p5: number;
  p25: number;
  median: number;
  p75: number;
  p95: number;
  max: number;
}

/** Description of a box. */
const BOX_WORDS = 'box: quartiles, line: median, whiskers: 5th to 95th percentile';

/** Pixels of a line of labels. */
const LINE = 14;

/** Pixels of a letter, minimum pixels of a label, of the labels of the vertical axis, and above its name. */
const LETTER = 6.4;
const LEAST_LABEL = 48;
const AXIS = 70;
const ABOVE = 20;

/** With more boxes their labels would overlap: some are omitted evenly. */
const MOST_LABELLED = 24;

/**
 * Distribution of the per-second values, a box per cell. `asked`: start of the vertical axis, or its scale; by default it is logarithmic if
 * values are decades apart.
 */
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
  const at = (width: number): EChartsOption => {
    // Part of the picture, so that a copy of it includes it.
    const name = inLines(`${upright.name} · ${BOX_WORDS}`, Math.floor((width - RIGHT) / LETTER));
    const every = Math.max(1, Math.ceil(boxes.length / Math.min(MOST_LABELLED, Math.floor(width / LEAST_LABEL))));
    const letters = Math.max(4, Math.floor((every * (width - AXIS)) / boxes.length / LETTER) - 1);
    const short = factors.map((_, column) =>
      shortLabels(
        boxes.map(({ levels }) => levels[column] ?? ''),
        letters,
      ),
    );
    return {
      ...option,
      grid: { ...gridFor({ at: 'nowhere' }), top: ABOVE + LINE * name.split('\n').length },
      xAxis: {
        ...axis,
        nameGap: 12 + LINE * Math.max(1, factors.length),
        type: 'category',
        axisLabel: { ...axis.axisLabel, lineHeight: LINE, interval: every - 1 },
        data: boxes.map((box, index) =>
          factors.length === 0 ? box.levels.join('\n') : short.map((labels) => labels[index]).join('\n'),
        ),
      },
      yAxis: { ...upright, name, nameTextStyle: { ...upright.nameTextStyle, lineHeight: LINE } },
    };
  };
  const option: EChartsOption = {
    ...base(theme, []),
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
    description: `${titleOf(measure)}: distribution of per-second values, ${boxes.length} ${boxes.length === 1 ? 'cell' : 'cells'}`,
    option: at(WIDE),
    at,
    table: () => ({
      columns: ['cell', 'min', 'p5', 'p25', 'median', 'p75', 'p95', 'max'],
      rows: boxes.map((box) => [box.name, box.min, box.p5, box.p25, box.median, box.p75, box.p95, box.max]),
    }),
  };
}
