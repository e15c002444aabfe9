import type { EChartsOption } from 'echarts';
import { BarChart, CustomChart, LineChart, ScatterChart } from 'echarts/charts';
import {
  DatasetComponent,
  GridComponent,
  LegendComponent,
  MarkAreaComponent,
  MarkLineComponent,
} from 'echarts/components';
import { init, use } from 'echarts/core';
import { LegacyGridContainLabel } from 'echarts/features';
import { SVGRenderer } from 'echarts/renderers';
import type { ChartModel } from '../../../../shared/chart-models/index.ts';

use([
  BarChart,
  CustomChart,
  LineChart,
  ScatterChart,
  DatasetComponent,
  GridComponent,
  LegendComponent,
  MarkAreaComponent,
  MarkLineComponent,
  LegacyGridContainLabel,
  SVGRenderer,
]);

/** Charts are laid out for a screen: drawn this much larger than they are printed, their text gets the size of the report's. */
const SCALE = 1.3;
/** Pixels of a legend's row, and of an entry without and per character of its name. */
const LEGEND = { row: 26, entry: 32, character: 6.6 };

/** A chart as vector graphics, drawn without a window. Width and height as printed, in points. */
export function chartSvg(chart: ChartModel, width: number, height: number): string {
  // What reacts to a pointer has no place on paper.
  const { tooltip: _tooltip, toolbox: _toolbox, dataZoom: _dataZoom, ...option } = chart.option;
  const drawn = Math.round(width * SCALE);
  const more = (legendRows(option.legend, drawn) - 1) * LEGEND.row;
  const instance = init(null, null, { renderer: 'svg', ssr: true, width: drawn, height: height * SCALE + more });
  try {
    instance.setOption({ ...option, ...unfolded(option, more), animation: false });
    return instance.renderToSVGString();
  } finally {
    instance.dispose();
  }
}

/** A legend that one would have to page through is written out in rows instead, and the chart moves down by them. */
function unfolded({ legend, grid }: EChartsOption, more: number): EChartsOption {
  if (!legend || !grid || Array.isArray(legend) || Array.isArray(grid)) return {};
  const top = typeof grid.top === 'number' ? grid.top : 0;
  return { legend: { ...legend, type: 'plain' }, grid: { ...grid, top: top + more } };
}

function legendRows(legend: EChartsOption['legend'], width: number): number {
  const names = legend && !Array.isArray(legend) && legend.show !== false ? (legend.data ?? []) : [];
  let rows = 1;
  let used = 0;
  for (const name of names) {
    const wide = LEGEND.entry + LEGEND.character * String(typeof name === 'object' ? name.name : name).length;
    if (used > 0 && used + wide > width) {
      rows += 1;
      used = 0;
    }
    used += wide;
  }
  return rows;
}
