import type { EChartsOption, LineSeriesOption, ScatterSeriesOption } from 'echarts';
import { capital, formatCount, formatMoney, formatValue } from '../util/format.ts';
import { shortLabels } from './labels.ts';
import { type ChartModel, type Measure, titleOf } from './model.ts';
import { base, flatAxis, tip, valueAxis } from './parts.ts';
import type { ChartTheme } from './theme.ts';

/** Something that achieves `rate` and costs `perHour`. */
export interface Priced {
  name: string;
  rate: number;
  perHour: number;
  /** Bottleneck of its figure, in words. */
  boundBy?: string | undefined;
  /** Warning about its figure, in a few words. */
  warning?: string | undefined;
  /** Whether it reaches the goal, which determines its shape; absent: there is no goal. */
  reach?: keyof typeof REACHES | undefined;
}

const REACHES = {
  yes: { name: 'Reaches the goal', symbol: 'circle', colour: 'good' },
  'cannot-tell': { name: 'Inconclusive', symbol: 'diamond', colour: 'neutral' },
  no: { name: 'Does not reach it', symbol: 'triangle', colour: 'bad' },
} as const;

const FRONTIER = 'Efficient frontier';
const MEASURED = 'Configurations';

/** Points that no cheaper or equally expensive one beats, by price. */
export function frontier<P extends Priced>(points: readonly P[]): P[] {
  const sorted = [...points].sort((one, other) => one.perHour - other.perHour || other.rate - one.rate);
  let best = Number.NEGATIVE_INFINITY;
  return sorted.filter((point) => {
    if (point.rate <= best) return false;
    best = point.rate;
    return true;
  });
}

/** Maximum characters of a name next to its point. */
const LONGEST = 28;
/** Up to this number of points, overlapping names move apart; with more, some are hidden. */
const FEW = 8;

/** Points that are drawn alike: those without a warning, or with the same one. */
interface Kind {
  readonly name: string;
  readonly of: readonly Priced[];
  readonly symbol: string;
  readonly colour: string;
}

/** The frontier up to the most expensive point, and the goal as a horizontal line. */
const frontierSeries = (
  unbeaten: readonly Priced[],
  dearest: number,
  goal: number | undefined,
  theme: ChartTheme,
): (LineSeriesOption | ScatterSeriesOption)[] => [
  {
    id: FRONTIER,
    name: FRONTIER,
    type: 'line',
    step: 'end',
    silent: true,
    color: theme.neutral,
    symbol: 'none',
    lineStyle: { width: 1.5, type: 'dashed', color: theme.neutral },
    data: [...unbeaten, ...unbeaten.slice(-1).map(({ rate }) => ({ perHour: dearest, rate }))].map((point) => [
      point.perHour,
      point.rate,
    ]),
    markLine: {
      silent: true,
      symbol: 'none',
      label: { show: false },
      lineStyle: { color: theme.accent, width: 1.5, type: 'solid' },
      // A series that is redrawn without a line keeps its previous one.
      data: goal === undefined ? [] : [{ yAxis: goal }],
    },
  },
  // Also shows a goal that nothing reaches.
  ...(goal === undefined
    ? []
    : [{ id: 'goal', type: 'scatter' as const, symbolSize: 0, silent: true, data: [[dearest, goal]] }]),
];

const kindSeries = (
  { name, of, symbol, colour }: Kind,
  labelOf: ReadonlyMap<Priced, string>,
  dearest: number,
  theme: ChartTheme,
): ScatterSeriesOption => ({
  id: name,
  name,
  type: 'scatter',
  color: colour,
  symbol,
  symbolSize: symbol === 'circle' ? 9 : 12,
  label: {
    show: true,
    position: 'top',
    color: theme.text,
    fontSize: 11,
    formatter: ({ dataIndex }) => {
      const point = of[dataIndex];
      return (point && labelOf.get(point)) ?? '';
    },
  },
  // Names extend towards the middle: at the left they would cover the axis.
  labelLayout: ({ dataIndex = 0 }) => ({
    ...(labelOf.size <= FEW ? { moveOverlap: 'shiftY' as const } : { hideOverlap: true }),
    align: (of[dataIndex]?.perHour ?? 0) > dearest / 2 ? 'right' : 'left',
  }),
  data: of.map((point) => [point.perHour, point.rate]),
});

/** Work against cost, with the frontier along which more costs more. */
export function priceScatter(
  points: readonly Priced[],
  measure: Measure,
  currency: string,
  theme: ChartTheme,
  /** The goal: a horizontal line. */
  goal?: number,
): ChartModel {
  const unbeaten = frontier(points);
  const title = `${titleOf(measure)}${goal === undefined ? '' : ' · line: the goal'}`;
  const price = `Price per hour (${currency})`;
  const warnings = [...new Set(points.flatMap(({ warning }) => warning ?? []))];
  const others = points.filter(({ reach }) => reach === undefined);
  const kinds: Kind[] = [
    ...Object.entries(REACHES).map(([id, { name, symbol, colour }]) => ({
      ...{ name, symbol, colour: theme[colour], of: points.filter(({ reach }) => reach === id) },
    })),
    { name: MEASURED, of: others.filter(({ warning }) => !warning), symbol: 'circle', colour: theme.accent },
    ...warnings.map((words) => ({
      ...{ name: capital(words), of: others.filter(({ warning }) => warning === words) },
      ...{ symbol: 'triangle', colour: theme.bad },
    })),
  ].filter(({ of }) => of.length > 0);
  const names = shortLabels(
    points.map(({ name }) => name),
    LONGEST,
  );
  const labelOf = new Map(points.map((point, index) => [point, names[index] ?? point.name]));
  const dearest = Math.max(0, ...points.map((point) => point.perHour));
  const option: EChartsOption = {
    ...base(theme, []),
    legend: {
      ...base(theme, [...kinds.map(({ name }) => name), FRONTIER]).legend,
      data: [...kinds.map(({ name, symbol }) => ({ name, icon: symbol })), { name: FRONTIER }],
    },
    // Room for names next to the most expensive points.
    grid: { left: 8, right: 96, top: 54, bottom: 22, containLabel: true },
    xAxis: flatAxis(theme, valueAxis(theme, { label: price, unit: '', digits: 2 })),
    // Names of the highest points stay below the name of the axis.
    yAxis: { ...valueAxis(theme, measure), name: title, boundaryGap: [0, '12%'] },
    series: [
      ...frontierSeries(unbeaten, dearest, goal, theme),
      ...kinds.map((kind) => kindSeries(kind, labelOf, dearest, theme)),
    ],
  };
  option.tooltip = {
    ...option.tooltip,
    trigger: 'item',
    formatter: (item: unknown) => {
      if (typeof item !== 'object' || item === null || !('dataIndex' in item && 'seriesName' in item)) return '';
      const point = kinds.find(({ name }) => name === item.seriesName)?.of[Number(item.dataIndex)];
      if (!point) return '';
      return tip(point.name, [
        { name: measure.label, value: formatValue(point.rate, measure) },
        { name: 'Price', value: `${formatMoney(point.perHour, currency)} per hour` },
        ...(point.boundBy === undefined ? [] : [{ name: 'Bottleneck', value: point.boundBy }]),
      ]);
    },
  };
  return {
    description: `${titleOf(measure)} vs. ${price}, ${formatCount(points.length, 'configuration')}`,
    option,
    table: () => ({
      columns: [
        ...['configuration', price, titleOf(measure), FRONTIER, 'bottleneck'],
        ...(goal === undefined ? [] : ['goal']),
      ],
      rows: points.map((point) => [
        ...[point.name, point.perHour, point.rate],
        ...[unbeaten.includes(point) ? 'yes' : '', point.boundBy ?? ''],
        ...(goal === undefined ? [] : [point.reach === undefined ? '' : REACHES[point.reach].name]),
      ]),
    }),
  };
}
