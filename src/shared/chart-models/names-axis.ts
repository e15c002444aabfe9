import { shortLabels } from './labels.ts';
import type { ChartTheme } from './theme.ts';

/**
 * Letters of a name that fit next to the bars, and maximum share of a picture that the names may take from the bars; pixels of a letter.
 */
const LONGEST = 44;
const MOST_SHARE = 0.4;
const LETTER = 6.5;

/** Vertical axis of horizontal bars: their names, the first on top. Long ones are cut in the middle. `width`: of the picture. */
export const namesAxis = (theme: ChartTheme, names: readonly string[], width = Number.POSITIVE_INFINITY) => ({
  type: 'category' as const,
  inverse: true,
  data: [...names],
  axisLabel: { color: theme.text, fontSize: 12, width: 270, overflow: 'truncate' as const, ...shortened(names, width) },
  axisLine: { lineStyle: { color: theme.axis } },
  axisTick: { show: false },
});

function shortened(names: readonly string[], width: number) {
  const short = shortLabels(names, Math.min(LONGEST, Math.max(8, Math.floor((MOST_SHARE * width) / LETTER))));
  return { formatter: (name: string, index: number) => short[index] ?? name };
}

/** Index of the row that a tooltip is requested for; -1 if there is none. */
export function rowOf(items: unknown): number {
  const first: unknown = Array.isArray(items) ? items[0] : items;
  return typeof first === 'object' && first !== null && 'dataIndex' in first && typeof first.dataIndex === 'number'
    ? first.dataIndex
    : -1;
}
