export { Chart } from './Chart.tsx';
export { Sparkline } from './Sparkline.tsx';
export { Swatch } from './Swatch.tsx';
export { useChartTheme } from './useChartTheme.ts';
