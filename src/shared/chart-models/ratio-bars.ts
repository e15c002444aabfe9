import type { BarSeriesOption, EChartsOption } from 'echarts';
import type { Verdict } from '../model/result.ts';
import { VERDICT_WORDS } from '../model/result-words.ts';
import { formatChange, formatInterval, formatTimes } from '../util/format.ts';
import { namesAxis, rowOf } from './labels.ts';
import type { ChartModel } from './model.ts';
import { WIDE } from './names.ts';
import { base, levelAxis, tip } from './parts.ts';
import type { ChartTheme } from './theme.ts';
import { whiskers } from './whiskers.ts';

export interface RatioBar {
  name: string;
  /** Next to the bar, if the title has a part of the name. */
  label?: string;
  ratio: number;
  low?: number | undefined;
  high?: number | undefined;
  /** Interpretation of the difference: its significance and direction. */
  verdict: Verdict;
}

/** Uncertain differences are fainter. */
const OPACITY: Readonly<Record<Verdict, number>> = {
  better: 0.85,
  worse: 0.85,
  higher: 0.85,
  lower: 0.85,
  differ: 0.55,
  'too-small': 0.75,
  'no-difference': 0.75,
  alike: 0.55,
  'cannot-tell': 0.4,
  'too-few': 0.25,
  missing: 0.25,
};

/**
 * Intervals are drawn up to this ratio or its inverse, and farther on one side if the other needs less: a much wider one would flatten every
 * bar, and ends at the edge as an arrow.
 */
const FARTHEST = 2.5;
/** Bars beyond this end at the edge: the exact ratio to nearly 0 is irrelevant. */
const FARTHEST_BAR = 1000;
/** With more bars the axis is on top, where it is visible without scrolling. */
const LONG = 24;
const LEAST_REACH = 1.05;
/** Maximum pixels of a letter of the axis' name. */
const LETTER = 6.3;
/** Pixels for the end of an interval behind an arrow. */
const END_ROOM = 46;
/** Pixels between names and axis. */
const NAME_GAP = 8;

/** Possible ticks of the axis, below ×1 and above it. */
const TICKS: readonly (readonly [number, number])[] = [
  ...([
    [0.99, 1.01],
    [0.98, 1.02],
    [0.95, 1.05],
    [0.9, 1.1],
    [0.8, 1.25],
  ] as const),
  ...([
    [0.5, 2],
    [0.2, 5],
    [0.1, 10],
    [0.01, 100],
  ] as const),
];
/** Ticks closer to ×1 than this share of the axis would overlap. */
const NEAREST_TICK = 1 / 12;

const place = (ratio: number): number => Math.log(ratio);
const tickWords = (at: number): string => `×${Number(Math.exp(at).toPrecision(4))}`;

/** Reach of the axis from ×1 to each side, as logarithms. */
interface Reach {
  below: number;
  above: number;
}

/** Empty part of the axis beyond the farthest bar or interval. */
const SPARE = 1.1;

function reachOf(bars: readonly RatioBar[]): Reach {
  /** Farthest bar and farthest end of an interval on a side. */
  const side = (sign: -1 | 1): { bar: number; interval: number } => ({
    bar: Math.max(place(LEAST_REACH), ...bars.map(({ ratio }) => Math.min(sign * place(ratio), place(FARTHEST_BAR)))),
    interval: Math.max(0, ...bars.map(({ low = 1, high = 1 }) => sign * place(sign < 0 ? low : high))),
  });
  const [below, above] = [side(-1), side(1)];
  const needed = (own: typeof below): number => Math.max(own.bar, own.interval);
  const limited = (own: typeof below, other: typeof below): number => {
    const room = Math.max(place(FARTHEST), 2 * place(FARTHEST) - needed(other));
    return SPARE * Math.max(own.bar, Math.min(own.interval, room));
  };
  return { below: limited(below, above), above: limited(above, below) };
}

/** Ticks on both sides that fit: none beyond the axis, and none too near to ×1. */
function ticksOf({ below, above }: Reach): number[] {
  const nearest = (below + above) * NEAREST_TICK;
  const fits = (tick: number, reach: number): boolean => Math.abs(tick) <= reach && Math.abs(tick) >= nearest;
  return [
    0,
    ...TICKS.flatMap(([down, up]) => [
      ...(fits(place(down), below) ? [place(down)] : []),
      ...(fits(place(up), above) ? [place(up)] : []),
    ]),
  ].sort((one, other) => one - other);
}

/**
 * Ratios to a baseline as aligned bars around ×1 on a logarithmic scale, on which ×2 and ×0.5 are equally far, with their intervals; one
 * series per verdict.
 */
export function ratioBars(bars: readonly RatioBar[], of: string, theme: ChartTheme): ChartModel {
  const verdicts = Object.keys(VERDICT_WORDS).filter((verdict): verdict is Verdict =>
    bars.some((bar) => bar.verdict === verdict),
  );
  const reach = reachOf(bars);
  const ticks = ticksOf(reach);
  const legend = verdicts.map((verdict) => VERDICT_WORDS[verdict]);
  const isLong = bars.length > LONG;
  // The end of an interval that leaves the axis is printed behind its arrow: on the left between name and axis.
  const [isBelow, isAbove] = [
    bars.some(({ low = 1 }) => -place(low) > reach.below),
    bars.some(({ high = 1 }) => place(high) > reach.above),
  ];
  const whole = `${of}, ratio to the baseline, log scale`;
  const at = (width: number): EChartsOption => ({
    ...option,
    xAxis: {
      ...option.xAxis,
      name: LETTER * whole.length < width - 2 * 24 ? whole : 'ratio to the baseline, log scale',
    },
    yAxis: withRoom(
      namesAxis(
        theme,
        bars.map(({ name, label }) => label ?? name),
        width,
      ),
      isBelow ? END_ROOM : 0,
    ),
  });
  const option: EChartsOption = {
    ...base(theme, legend),
    grid: {
      ...{ left: 8, right: isAbove ? 8 + END_ROOM : 24, containLabel: true },
      top: (legend.length > 1 ? 32 : 8) + (isLong ? 28 : 0),
      bottom: isLong ? 8 : 28,
    },
    xAxis: {
      ...levelAxis(theme, whole),
      ...nameAtRight(theme, isLong),
      type: 'value',
      position: isLong ? 'top' : 'bottom',
      ...{ min: -reach.below, max: reach.above },
      axisTick: { show: true, customValues: ticks, lineStyle: { color: theme.axis } },
      splitLine: { show: true, customValues: ticks, lineStyle: { color: theme.grid } } as object,
      axisLabel: {
        ...{ color: theme.faint, fontSize: 12, hideOverlap: true, customValues: ticks, margin: 8 },
        formatter: tickWords,
      },
    },
    series: verdicts.flatMap((verdict) => [
      verdictSeries(verdict, bars, reach, theme),
      whiskers(
        VERDICT_WORDS[verdict],
        bars.map(({ low, high, ...bar }, index) =>
          bar.verdict === verdict && low !== undefined && high !== undefined
            ? [index, place(low), place(high)]
            : [index, undefined, undefined],
        ),
        theme.text,
        { lying: true, within: [-reach.below, reach.above], beyond: (at) => formatTimes(Math.exp(at)) },
      ),
    ]),
  };
  option.tooltip = {
    ...option.tooltip,
    axisPointer: { type: 'shadow', shadowStyle: { color: theme.shade } },
    formatter: (items: unknown) => {
      const bar = bars[rowOf(items)];
      return bar ? ratioTip(bar) : '';
    },
  };
  return {
    description: `${of}: ratio to the baseline, ${bars.length} ${bars.length === 1 ? 'cell' : 'cells'}`,
    option: at(WIDE),
    at,
    table: () => ({
      columns: ['cell', 'ratio', 'low', 'high', 'verdict'],
      rows: bars.map((bar) => [bar.name, bar.ratio, bar.low ?? '', bar.high ?? '', VERDICT_WORDS[bar.verdict]]),
    }),
  };
}

const withRoom = (axis: ReturnType<typeof namesAxis>, room: number) => ({
  ...axis,
  axisLabel: { ...axis.axisLabel, margin: NAME_GAP + room },
});

/** The name ends where the plot does: with long names of bars, the plot is narrower than the words. */
const nameAtRight = (theme: ChartTheme, isOnTop: boolean) => ({
  nameLocation: 'end' as const,
  nameGap: 0,
  nameTextStyle: {
    color: theme.faint,
    fontSize: 12,
    align: 'right' as const,
    verticalAlign: isOnTop ? ('bottom' as const) : ('top' as const),
    padding: isOnTop ? [0, 0, 24, 0] : [24, 0, 0, 0],
  },
});

function verdictSeries(verdict: Verdict, bars: readonly RatioBar[], reach: Reach, theme: ChartTheme): BarSeriesOption {
  const colours: Partial<Record<Verdict, string>> = { better: theme.good, worse: theme.bad };
  return {
    id: verdict,
    name: VERDICT_WORDS[verdict],
    type: 'bar',
    barMaxWidth: 14,
    barGap: '-100%',
    itemStyle: { color: colours[verdict] ?? theme.neutral, opacity: OPACITY[verdict] },
    data: bars.map((bar) =>
      bar.verdict === verdict ? Math.max(-reach.below, Math.min(reach.above, place(bar.ratio))) : '-',
    ),
  };
}

function ratioTip(bar: RatioBar): string {
  const { low, high } = bar;
  return tip(bar.name, [
    { name: 'ratio', value: `${formatTimes(bar.ratio)} (${formatChange(bar.ratio - 1)})` },
    {
      name: '95 % interval',
      value: low === undefined || high === undefined ? 'none' : formatInterval({ low, high }),
    },
    { name: 'verdict', value: VERDICT_WORDS[bar.verdict] },
  ]);
}
