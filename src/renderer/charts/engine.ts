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
import { type ChartModel, optionAt, TIME_AXIS, timeTicks } from '../../shared/chart-models/index.ts';
import { registerTiles } from '../../shared/chart-models/tile-shapes.ts';

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

registerTiles();

export type Instance = ReturnType<typeof init>;

/** Without Ctrl the wheel scrolls the page: the library captures every wheel event over a zoomable chart, even those it ignores. */
const passToPage = (event: Event): void => {
  if (event instanceof MouseEvent && !event.ctrlKey && !event.metaKey) event.stopPropagation();
};

export function createInstance(place: HTMLElement): Instance {
  for (const type of ['wheel', 'mousewheel'])
    place.addEventListener(type, passToPage, { capture: true, passive: true });
  return init(place, null, { renderer: 'canvas' });
}

/** Zoom with Ctrl and the wheel, or by dragging over a range; the toolbox is only needed for the latter and is not drawn. */
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

const drawn = new WeakMap<Instance, string>();

/** Ids of the series, in order. */
const idsOf = ({ series }: EChartsOption): string =>
  [series]
    .flat()
    .map((each) => String(each?.id))
    .join('\n');

export function show(chart: Instance, option: EChartsOption, zoomable: boolean): void {
  const ids = idsOf(option);
  // An open tooltip is refreshed by the indices of its series, and the library fails if these are different series now.
  if (drawn.has(chart) && drawn.get(chart) !== ids) chart.dispatchAction({ type: 'hideTip' });
  drawn.set(chart, ids);
  chart.setOption(zoomable ? { ...option, ...ZOOM } : option, {
    replaceMerge: ['series'],
    lazyUpdate: true,
  });
  if (!zoomable) return;
  chart.dispatchAction({ type: 'takeGlobalCursor', key: 'dataZoomSelect', dataZoomSelectActive: true });
}

export const resetZoom = (chart: Instance): void => chart.dispatchAction({ type: 'dataZoom', start: 0, end: 100 });

/** On a time axis the ticks follow the zoom: hours, minutes or seconds. Returns a function that stops it. */
export function followZoom(chart: Instance, option: EChartsOption): () => void {
  const axis = Array.isArray(option.xAxis) ? undefined : option.xAxis;
  if (axis?.id !== TIME_AXIS || !('max' in axis) || typeof axis.max !== 'number') return () => undefined;
  const { max } = axis;
  let shown = `0 ${max}`;
  const follow = (): void => {
    const { dataZoom } = chart.getOption() as { dataZoom?: readonly { start?: number; end?: number }[] };
    const { start = 0, end = 100 } = dataZoom?.[0] ?? {};
    const [from, to] = [(start * max) / 100, (end * max) / 100];
    if (shown === `${from} ${to}`) return;
    shown = `${from} ${to}`;
    const customValues = timeTicks(from, to);
    chart.setOption({ xAxis: { id: TIME_AXIS, axisLabel: { customValues }, axisTick: { customValues } } });
  };
  follow();
  chart.on('datazoom', follow);
  return () => {
    if (!chart.isDisposed()) chart.off('datazoom', follow);
  };
}

/** The picture as vectors, at its size on screen. */
export function toSvg(model: ChartModel, width: number, height: number, ground: string): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  chart.setOption({ ...optionAt(model, { width }), backgroundColor: ground });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg;
}

/** The picture as pixels, at twice its size on screen. */
export const toPng = async (chart: Instance, ground: string): Promise<Blob> => {
  const address = chart.getDataURL({ type: 'png', pixelRatio: 2, backgroundColor: ground });
  const bytes = atob(address.slice(address.indexOf(',') + 1));
  return new Blob([Uint8Array.from(bytes, (sign) => sign.charCodeAt(0))], { type: 'image/png' });
};
