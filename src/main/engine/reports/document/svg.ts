import { BarChart, CustomChart, LineChart, ScatterChart } from 'echarts/charts';
import {
  DatasetComponent,
  GridComponent,
  LegendComponent,
  MarkAreaComponent,
  MarkLineComponent,
} from 'echarts/components';
import { init, use } from 'echarts/core';
import { LabelLayout, LegacyGridContainLabel } from 'echarts/features';
import { SVGRenderer } from 'echarts/renderers';
import { type ChartModel, legendHeight, optionAt } from '../../../../shared/chart-models/index.ts';
import type { Figure } from './parts.ts';

use([
  BarChart,
  CustomChart,
  LineChart,
  ScatterChart,
  DatasetComponent,
  GridComponent,
  LabelLayout,
  LegendComponent,
  MarkAreaComponent,
  MarkLineComponent,
  LegacyGridContainLabel,
  SVGRenderer,
]);

/** Points between the margins of a page. */
export const WIDTH = 515;

/** Charts are laid out for a screen: drawn larger than printed by this factor, so their text gets the size of the report's. */
export const SCALE = 1.3;
/** Smallest share of its height for a chart with a vertical axis. */
const LOWEST = 0.72;

/** A chart in a report. Heights as printed, in points. `isRigid`: it has a row for each bar. */
export function chartPicture(
  chart: ChartModel,
  height: number,
  isRigid = false,
): Pick<Figure, 'height' | 'svg' | 'least'> {
  const more = legendHeight(chart, { width: Math.round(WIDTH * SCALE), isPaper: true }) / SCALE;
  return {
    height: height + more,
    least: (isRigid ? height : LOWEST * height) + more,
    svg: (whole) => chartSvg(chart, WIDTH, whole - more),
  };
}

/** A chart as vector graphics, drawn without a window. Width and height as printed, in points. */
export function chartSvg(chart: ChartModel, width: number, height: number): string {
  const drawn = Math.round(width * SCALE);
  const place = { width: drawn, isPaper: true };
  // Interactive elements are useless on paper.
  const { tooltip: _tooltip, toolbox: _toolbox, dataZoom: _dataZoom, ...option } = optionAt(chart, place);
  const taller = height * SCALE + legendHeight(chart, place);
  const instance = init(null, null, { renderer: 'svg', ssr: true, width: drawn, height: taller });
  try {
    instance.setOption({ ...option, animation: false });
    return instance.renderToSVGString();
  } finally {
    instance.dispose();
  }
}
