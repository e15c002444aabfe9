import type { EChartsOption } from 'echarts';
import { BarChart, BoxplotChart, CustomChart, LineChart, ScatterChart } from 'echarts/charts';
import {
  DataZoomComponent,
  GridComponent,
  LegendComponent,
  MarkAreaComponent,
  MarkLineComponent,
  ToolboxComponent,
  TooltipComponent,
  VisualMapContinuousComponent,
} from 'echarts/components';
import { init, use } from 'echarts/core';
import { LabelLayout, LegacyGridContainLabel } from 'echarts/features';
import { CanvasRenderer, SVGRenderer } from 'echarts/renderers';
import { type ChartModel, optionAt, timeStep } from '../../shared/chart-models/index.ts';

use([
  BarChart,
  BoxplotChart,
  CanvasRenderer,
  CustomChart,
  DataZoomComponent,
  GridComponent,
  LabelLayout,
  LegacyGridContainLabel,
  LegendComponent,
  LineChart,
  MarkAreaComponent,
  MarkLineComponent,
  SVGRenderer,
  ScatterChart,
  ToolboxComponent,
  TooltipComponent,
  VisualMapContinuousComponent,
]);

export type Instance = ReturnType<typeof init>;

/** Without Ctrl the wheel belongs to the page: the library takes every turn of it over a chart that can be zoomed, whatever it then does. */
const leaveToPage = (event: Event): void => {
  if (event instanceof MouseEvent && !event.ctrlKey && !event.metaKey) event.stopPropagation();
};

export function createInstance(place: HTMLElement): Instance {
  for (const type of ['wheel', 'mousewheel'])
    place.addEventListener(type, leaveToPage, { capture: true, passive: true });
  return init(place, null, { renderer: 'canvas' });
}

/** Zoom with Ctrl and the wheel, or by dragging over a range; the toolbox stands there only for the latter and is not drawn. */
const ZOOM = {
  dataZoom: [
    {
      type: 'inside' as const,
      xAxisIndex: 0,
      zoomOnMouseWheel: 'ctrl' as const,
      moveOnMouseMove: false,
      filterMode: 'none' as const,
    },
  ],
  toolbox: {
    show: true,
    itemSize: 0,
    feature: { dataZoom: { yAxisIndex: 'none' as const, filterMode: 'none' as const } },
  },
};

export function show(chart: Instance, option: EChartsOption, zoomable: boolean): void {
  chart.setOption(zoomable ? { ...option, ...ZOOM } : option, {
    replaceMerge: ['series'],
    lazyUpdate: true,
  });
  if (!zoomable) return;
  chart.dispatchAction({ type: 'takeGlobalCursor', key: 'dataZoomSelect', dataZoomSelectActive: true });
}

export const resetZoom = (chart: Instance): void => chart.dispatchAction({ type: 'dataZoom', start: 0, end: 100 });

/** On an axis of time the ticks follow what is looked at: days, hours or seconds. Gives what ends it. */
export function followZoom(chart: Instance, option: EChartsOption): () => void {
  const axis = Array.isArray(option.xAxis) ? option.xAxis[0] : option.xAxis;
  const interval = axis && 'interval' in axis ? axis.interval : undefined;
  if (typeof interval !== 'number') return () => undefined;
  const follow = (): void => {
    const { dataZoom } = chart.getOption() as { dataZoom?: readonly { startValue?: number; endValue?: number }[] };
    const { startValue = 0, endValue = 0 } = dataZoom?.[0] ?? {};
    const step = endValue > startValue ? timeStep(endValue - startValue) : interval;
    if (step === shown) return;
    shown = step;
    chart.setOption({ xAxis: { interval: step } }, { lazyUpdate: true });
  };
  let shown = interval;
  follow();
  chart.on('datazoom', follow);
  return () => {
    if (!chart.isDisposed()) chart.off('datazoom', follow);
  };
}

/** The picture as vectors, at the size it has on screen. */
export function toSvg(model: ChartModel, width: number, height: number, ground: string): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  chart.setOption({ ...optionAt(model, { width }), backgroundColor: ground });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg;
}

/** The picture as pixels, at twice the size on screen. */
export const toPng = async (chart: Instance, ground: string): Promise<Blob> => {
  const address = chart.getDataURL({ type: 'png', pixelRatio: 2, backgroundColor: ground });
  const bytes = atob(address.slice(address.indexOf(',') + 1));
  return new Blob([Uint8Array.from(bytes, (sign) => sign.charCodeAt(0))], { type: 'image/png' });
};
