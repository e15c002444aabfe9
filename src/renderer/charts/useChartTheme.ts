import { useComputedColorScheme } from '@mantine/core';
import { type ChartTheme, chartTheme } from '../../shared/chart-models/index.ts';

/** Chart colours of the current theme. */
export const useChartTheme = (): ChartTheme => chartTheme(useComputedColorScheme('light'));
