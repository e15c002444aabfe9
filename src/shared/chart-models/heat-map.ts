import type { EChartsOption, ScatterSeriesOption } from 'echarts';
import { percentile, type TimeBuckets } from '../stats/index.ts';
import { formatChange, formatDuration, formatValue } from '../util/format.ts';
import type { Mark } from './event-marks.ts';
import { cutInside, shortLabels } from './labels.ts';
import { type ChartModel, type Measure, titleOf } from './model.ts';
import { base, levelAxis, spansDecades, timeAxis, tip } from './parts.ts';
import { type ChartTheme, changeColours, heatColours } from './theme.ts';
import { pointedSeries, type TileScene, tileSeries } from './tile-series.ts';
import { glyphAt, marking, markLines } from './timeline-marks.ts';

/** A figure of a segment of time. */
type Figure = 'median' | 'low' | 'high';

/** Value that a colour shows for a segment. change: its median against that of the row, so that rows of different levels are comparable. */
export type HeatFigure = Figure | 'change';

/** A run, or all runs of a cell. */
export interface HeatRow {
  /** Unique among all rows: `threads 8, repeat 2`. */
  name: string;
  /** Rows of the same group are adjacent and share one label on the axis. */
  group: string;
  buckets: TimeBuckets;
  marks?: readonly Mark[];
}

export interface HeatMap {
  measure: Measure;
  rows: readonly HeatRow[];
  /** Name of the factors of the groups: `threads`. */
  of: string;
  figure: HeatFigure;
  /** Length of a segment, seconds. */
  seconds: number;
  /** Seconds at the start that summaries exclude: they do not affect the colour scale. */
  warmup: number;
}

const FIGURE_WORDS: Readonly<Record<HeatFigure, string>> = {
  median: 'median',
  low: 'smallest per-second value',
  high: 'largest per-second value',
  change: 'median relative to the whole row',
};

/** With fewer values all are included: a hundredth of them is less than one. */
const FEW = 200;

/** Smaller changes have the colour of no change. */
const LEAST_CHANGE = 0.05;

/** Percentiles of the values at the ends of the colour scale: a single outlier must not take all of it. */
const SPANNED = [1, 99] as const;

/** Runs below each other, time to the right, a metric as colour: many runs over hours in one view. */
export function heatMap(chart: HeatMap, theme: ChartTheme): ChartModel {
  const { measure, rows, figure, seconds } = chart;
  const length = rows.reduce((end, { buckets }) => Math.max(end, (buckets.t.at(-1) ?? -seconds) + seconds), 0);
  const values = rows.map((row) => valuesOf(row, chart));
  const scale = scaleOf(chart, values);
  const repeated = new Set(rows.map(({ group }) => group)).size < rows.length;
  const scene: TileScene = {
    rows: rows.map(({ buckets: { t }, group }, row) => ({
      t,
      values: (values[row] ?? new Float64Array()).map(scale.of),
      isLast: repeated && group !== rows[row + 1]?.group,
    })),
    ...{ seconds, low: scale.low, high: scale.high },
  };
  let pointed: Pointed | undefined;
  const option: EChartsOption = {
    ...base(theme, []),
    // The highlight is drawn over the rest, which is not redrawn.
    hoverLayerThreshold: 0,
    grid: { left: labelRoom(chart), right: 26, top: 34, bottom: 40, containLabel: false },
    xAxis: timeAxis(theme, length),
    yAxis: rowsAxis(chart, theme),
    visualMap: {
      type: 'continuous',
      seriesIndex: 0,
      dimension: 2,
      ...{ min: scale.low, max: scale.high, calculable: false, orient: 'horizontal', top: -2, right: 18 },
      ...{ itemWidth: 10, itemHeight: 140, hoverLink: false, padding: 4 },
      text: [
        scale.words[1],
        `${figure === 'change' ? measure.label : titleOf(measure)}, ${FIGURE_WORDS[figure]}: ${scale.words[0]}`,
      ],
      textStyle: { color: theme.faint, fontSize: 11 },
      inRange: { color: [...scale.colours] },
    },
    series: [
      tileSeries(scene),
      pointedSeries(scene, (row, index) => {
        pointed = { row, index };
      }),
      markSeries(rows, theme),
      // The chart's handle draws the line of the cut.
      marking([], { warmup: 0, length }, theme),
    ],
  };
  option.tooltip = {
    ...option.tooltip,
    trigger: 'item',
    formatter: () => (pointed ? tileTip(pointed, chart, theme) : ''),
  };
  return {
    description: `${titleOf(measure)} over time as colour, ${FIGURE_WORDS[figure]} of ${formatDuration(seconds)}, ${rows.length} ${rows.length === 1 ? 'row' : 'rows'} aligned at their start`,
    option,
    table: () => ({
      columns: [
        'run',
        't (s)',
        ...(['median', 'low', 'high'] as const).map((of) => `${FIGURE_WORDS[of]} (${measure.unit})`),
      ],
      rows: rows.flatMap(({ name, buckets: { t, median, low, high } }) =>
        Array.from(t, (at, index) => [name, at, median[index] ?? '', low[index] ?? '', high[index] ?? '']),
      ),
    }),
  };
}

interface Scale {
  of: (value: number) => number;
  low: number;
  high: number;
  /** Words for both ends. */
  words: readonly [string, string];
  colours: readonly string[];
}

/** Value of each segment of a row. */
function valuesOf({ buckets }: HeatRow, { figure, warmup, seconds }: HeatMap): Float64Array {
  if (figure !== 'change') return buckets[figure];
  const settled = buckets.median.filter((_, index) => (buckets.t[index] ?? 0) + seconds > warmup).sort();
  const whole = percentile(settled, 50);
  return buckets.median.map((value) => (whole ? value / whole - 1 : Number.NaN));
}

/** Colour scale of the values after the cut; logarithmic if they are decades apart, and symmetric for changes. */
function scaleOf(chart: HeatMap, values: readonly Float64Array[]): Scale {
  const { rows, figure, measure, warmup, seconds } = chart;
  const measured = rows.flatMap(({ buckets }, row) => [
    ...(values[row] ?? []).filter((_, index) => (buckets.t[index] ?? 0) + seconds > warmup),
  ]);
  const ascending = Float64Array.from(measured.filter(Number.isFinite)).sort();
  const spanned = ascending.length < FEW ? [0, 100] : SPANNED;
  const [low = 0, high = 1] = spanned.map((share) => (ascending.length > 0 ? percentile(ascending, share) : undefined));
  const [least = low, most = high] = [ascending[0], ascending.at(-1)];
  if (figure === 'change') {
    const side = Math.max(-low, high, LEAST_CHANGE);
    const words = [
      `${least < -side ? '≤ ' : ''}${formatChange(-side)}`,
      `${most > side ? '≥ ' : ''}${formatChange(side)}`,
    ] as const;
    return { of: (value) => value, low: -side, high: side, words, colours: changeColours };
  }
  const isLog = low > 0 && spansDecades([low, high]);
  const of = (value: number): number => (isLog ? Math.log10(Math.max(value, low)) : value);
  return {
    of,
    low: of(low),
    high: of(high) > of(low) ? of(high) : of(low) + 1,
    words: [
      `${least < low ? '≤ ' : ''}${formatValue(low, measure)}`,
      `${most > high ? '≥ ' : ''}${formatValue(high, measure)}${isLog ? ', log scale' : ''}`,
    ],
    colours: heatColours,
  };
}

/** Maximum number of labels of groups: with more, some are omitted evenly. */
const MOST_LABELS = 26;
/** Pixels of a letter of a label, of the space around it, and maximum of all of it. */
const LABEL = { letter: 6.4, margin: 22, most: 200 };
/** Maximum letters of the name of the axis that room is made for: names of settings are longer than their levels. */
const MOST_OF = 22;

/** Includes the name of the axis above its labels: the handle of the cut is to the right of the axis. */
const labelRoom = ({ rows, of }: HeatMap): number =>
  Math.min(
    LABEL.most,
    LABEL.margin + LABEL.letter * Math.max(Math.min(MOST_OF, of.length), ...rows.map(({ group }) => group.length)),
  );

/** Names of factors within this many letters, the longest cut first: `innodb_fl…_commit / threads`. */
function namesWithin(of: string, letters: number): string {
  const names = of.split(BETWEEN);
  const lengths = names.map(({ length }) => length);
  const sum = (): number => lengths.reduce((all, length) => all + length, BETWEEN.length * (lengths.length - 1));
  while (sum() > letters && Math.max(...lengths) > SHORTEST) {
    const longest = lengths.indexOf(Math.max(...lengths));
    lengths[longest] = (lengths[longest] ?? 0) - 1;
  }
  return names.map((name, index) => cutInside(name, lengths[index] ?? name.length)).join(BETWEEN);
}
const BETWEEN = ' / ';
const SHORTEST = 6;

/** Labels of groups in the middle of their rows; the first row is on top. */
function rowsAxis(chart: HeatMap, theme: ChartTheme) {
  const { rows, of } = chart;
  const groups = new Map<number, string>();
  rows.forEach(({ group }, row) => {
    if (row > 0 && rows[row - 1]?.group === group) return;
    const count = rows.slice(row).findIndex((other) => other.group !== group);
    groups.set(rows.length - row - (count < 0 ? rows.length - row : count) / 2, group);
  });
  const step = Math.ceil(groups.size / MOST_LABELS);
  const names = [...new Set(groups.values())];
  const room = labelRoom(chart) - 12;
  const axis = levelAxis(theme, namesWithin(of, Math.floor(room / LABEL.letter)));
  const short = shortLabels(names, Math.floor(room / LABEL.letter));
  const labels = new Map(names.map((name, index) => [name, short[index] ?? name]));
  return {
    ...axis,
    type: 'value' as const,
    ...{ min: 0, max: rows.length, nameLocation: 'end' as const, nameGap: 10 },
    nameTextStyle: { ...axis.nameTextStyle, align: 'right' as const, padding: [0, 8, 0, 0] },
    nameTruncate: { maxWidth: room },
    axisLabel: {
      ...axis.axisLabel,
      color: theme.text,
      customValues: [...groups.keys()].filter((_, index) => index % step === 0),
      formatter: (place: number) => labels.get(groups.get(place) ?? '') ?? '',
      width: room,
      overflow: 'truncate' as const,
    },
    axisTick: { show: false },
    axisLine: { show: false, onZero: false },
  };
}

/** Notes and alerts of each run in its own row. */
const markSeries = (rows: readonly HeatRow[], theme: ChartTheme): ScatterSeriesOption => ({
  id: 'marks',
  type: 'scatter',
  silent: true,
  z: 5,
  data: rows.flatMap(({ marks = [] }, row) =>
    marks
      .filter(({ kind }) => kind === 'note' || kind === 'alert')
      .map((mark) => glyphAt(mark, rows.length - row - 0.5, theme)),
  ),
});

/** The tile under the pointer. */
interface Pointed {
  row: number;
  index: number;
}

function tileTip({ row, index }: Pointed, chart: HeatMap, theme: ChartTheme): string {
  const of = chart.rows[row];
  const from = of?.buckets.t[index];
  if (!of || from === undefined) return '';
  const { measure, seconds } = chart;
  const value = (name: string, figure: Figure) => ({
    name,
    value: formatValue(of.buckets[figure][index], measure),
  });
  const words = seconds === 1 ? formatDuration(from) : `${formatDuration(from)} to ${formatDuration(from + seconds)}`;
  return tip(`${of.name}, ${words}`, [
    value('largest per-second value', 'high'),
    value('median', 'median'),
    value('smallest per-second value', 'low'),
    ...markLines(of.marks ?? [], from + seconds / 2, Math.max(seconds, lengthShare(chart)), theme),
  ]);
}

/** Approximate width of a mark, seconds. */
const lengthShare = ({ rows }: HeatMap): number =>
  rows.reduce((end, { buckets }) => Math.max(end, buckets.t.at(-1) ?? 0), 0) / 150;
