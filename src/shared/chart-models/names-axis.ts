import type { ChartTheme } from './theme.ts';

/** Upright axis of bars that lie: their names, the first on top. */
export const namesAxis = (theme: ChartTheme, names: readonly string[]) => ({
  type: 'category' as const,
  inverse: true,
  data: [...names],
  axisLabel: { color: theme.text, fontSize: 12, width: 260, overflow: 'truncate' as const },
  axisLine: { lineStyle: { color: theme.axis } },
  axisTick: { show: false },
});

/** Place of the row that a tooltip is asked for; -1 when it is none. */
export function rowOf(items: unknown): number {
  const first: unknown = Array.isArray(items) ? items[0] : items;
  return typeof first === 'object' && first !== null && 'dataIndex' in first && typeof first.dataIndex === 'number'
    ? first.dataIndex
    : -1;
}
