export { Chart, ChartSubject } from './Chart.tsx';
export { LaneRow } from './lanes/LaneRow.tsx';
export { LaneStack, type LaneStackProperties } from './lanes/LaneStack.tsx';
export { LaneWindow, useLaneWindow, useSettledView } from './lanes/lane-window.ts';
export type { ShownGroup } from './lanes/layout.ts';
export { ExpectedPicture, Sparkline, Swatch, TrendDots } from './pictures.tsx';
export type { Below, PlotEdges } from './useBelow.ts';
export { useChartTheme } from './useChartTheme.ts';
