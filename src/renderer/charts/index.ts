export { Chart } from './Chart.tsx';
export { ExpectedPicture } from './ExpectedPicture.tsx';
export { Sparkline } from './Sparkline.tsx';
export { Swatch } from './Swatch.tsx';
export { TrendDots } from './TrendDots.tsx';
export { useChartTheme } from './useChartTheme.ts';
