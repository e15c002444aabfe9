import type { CustomSeriesOption, EChartsOption, LineSeriesOption } from 'echarts';
import { formatClock, formatDuration, formatValue } from '../util/format.ts';
import type { Mark } from './event-marks.ts';
import { type ChartModel, type ChartTable, type Measure, titleOf } from './model.ts';
import { axisNumber, base, levelAxis, type TipLine, tip, valueAxis } from './parts.ts';
import { type ChartTheme, colourOf, type Paint } from './theme.ts';
import { type Gap, glyphs, hatching, marking, markLines } from './timeline-marks.ts';

/** One run's metric over time. Seconds since its own start, aligned at 0 by construction. */
export interface TimelineLine extends Paint {
  key: string;
  /** Entry in the legend; lines of the same name are shown and hidden together. */
  name: string;
  /** More exact than the name: for tooltip and table. */
  label?: string;
  t: Float64Array;
  v: Float64Array;
  /** Range around the line, a value for each of `t`. */
  band?: { low: Float64Array; high: Float64Array };
  /** `bold`: the one running now; `thin`: those it is drawn over; `part`: what one of several generators added to a line. */
  weight?: 'bold' | 'normal' | 'thin' | 'part';
}

export interface Timeline {
  measure: Measure;
  lines: readonly TimelineLine[];
  /** What the lines lie along where it is not time; their `t` is in its unit, and there is neither warm-up nor mark. */
  along?: Measure | undefined;
  /** Seconds at the start that summaries leave out; shaded. */
  warmup?: number;
  /** Right end of the axis, seconds; the longest line if absent. */
  length?: number;
  /** Names stand at the ends of the lines, in place of a legend; the line under the pointer comes forward. */
  namedAtEnd?: boolean;
  /** Moments to mark: notes, alerts, ends of warm-ups. */
  marks?: readonly Mark[];
  /** Seconds of which nothing has arrived yet; hatched. */
  gap?: Gap | undefined;
}

/** `[t0, v0, t1, v1, …]`: the layout that is drawn an order of magnitude faster than pairs. */
export function interleave(t: Float64Array, v: Float64Array): Float64Array {
  const length = Math.min(t.length, v.length);
  const both = new Float64Array(2 * length);
  for (let index = 0; index < length; index++) {
    both[2 * index] = t[index] ?? Number.NaN;
    both[2 * index + 1] = v[index] ?? Number.NaN;
  }
  return both;
}

const WIDTH = { bold: 2.5, normal: 1.5, thin: 1, part: 1 } as const;
const OPACITY = { bold: 1, normal: 0.9, thin: 0.6, part: 0.75 } as const;
/** Of the line of one of several generators: it must not be taken for a run of its own. */
const DASHES = [4, 3];

/** A metric over the time of each run, all runs starting at 0. Long lines are thinned on screen, never in the data. */
export function timeline(chart: Timeline, theme: ChartTheme): ChartModel {
  const longest = chart.lines.reduce((end, line) => Math.max(end, line.t[line.t.length - 1] ?? 0), 0);
  const length = chart.length ?? longest;
  const long = length > 600;
  const marks = chart.along ? [] : (chart.marks ?? []);
  const parts = partsOnly(chart.lines, theme);
  const names = [
    ...new Set([...chart.lines.map((line) => line.name).filter((name) => !parts.has(name)), ...parts.keys()]),
  ];
  const endNames = chart.namedAtEnd ? namesAtEnds(chart.lines) : new Map<string, string>();
  const option: EChartsOption = {
    ...base(theme, chart.namedAtEnd ? [] : names, parts),
    ...(chart.namedAtEnd && { grid: { left: 8, right: ROOM_FOR_NAMES, top: 34, bottom: 22, containLabel: true } }),
    xAxis: {
      ...levelAxis(theme, chart.along ? titleOf(chart.along) : timeTitle(long)),
      type: 'value',
      min: 0,
      max: length || 60,
      minInterval: 1,
      axisLabel: {
        color: theme.faint,
        fontSize: 12,
        hideOverlap: true,
        showMaxLabel: false,
        formatter: chart.along ? axisNumber : long ? wholeSeconds(formatClock) : wholeSeconds(String),
      },
    },
    yAxis: valueAxis(theme, chart.measure),
    series: [
      ...chart.lines.flatMap((line) => (line.band ? [bandSeries(line, line.band, theme)] : [])),
      ...chart.lines.map((line) => ({
        ...lineSeries(line, theme),
        ...(chart.namedAtEnd && { ...nameAtEnd(endNames.get(line.key), theme), ...COMES_FORWARD }),
      })),
      // Over many runs the words of notes would lie over one another: there the tooltip tells them.
      marking(
        chart.lines.some(({ weight }) => weight === 'bold') ? marks : [],
        { warmup: chart.along ? 0 : (chart.warmup ?? 0), length: length || 60 },
        theme,
      ),
      glyphs(marks, theme),
      hatching(chart.along ? undefined : chart.gap, theme),
    ],
  };
  const reach = reachOf(chart.lines, length);
  const marksAt = (at: number): TipLine[] => markLines(marks, at, reach, theme).slice(0, TIP_LINES);
  option.tooltip = { ...option.tooltip, formatter: (items: unknown) => timeTip(items, chart, theme, marksAt) };
  return {
    description: `${titleOf(chart.measure)} ${chart.along ? `along ${chart.along.label.toLowerCase()}` : 'over time'}, ${chart.lines.length} ${chart.lines.length === 1 ? 'run' : 'runs'} aligned at their start`,
    option,
    table: () => tableOf(chart),
  };
}

/** Seconds around the pointer in which a mark is told: about its own width, and no mark lies between two samples unseen. */
function reachOf(lines: readonly TimelineLine[], length: number): number {
  const spacing = lines.reduce((widest, { t }) => Math.max(widest, (t[t.length - 1] ?? 0) / t.length || 0), 0);
  return Math.max(length / 100, spacing / 2);
}

const timeTitle = (long: boolean): string => `Time since the start of the run (${long ? 'min:s' : 's'})`;

/** Zooming makes ticks between seconds, of which there is nothing to say. */
const wholeSeconds =
  (words: (seconds: number) => string) =>
  (seconds: number): string =>
    Number.isInteger(seconds) ? words(seconds) : '';

/** Entries of the legend that stand for lines of single generators alone, with their colour. */
function partsOnly(lines: readonly TimelineLine[], theme: ChartTheme): Map<string, string> {
  const whole = new Set(lines.filter(({ weight }) => weight !== 'part').map(({ name }) => name));
  return new Map(
    lines
      .filter(({ name }) => !whole.has(name))
      .map((line) => {
        const colours = new Set(
          lines.filter(({ name }) => name === line.name).map((each) => colourOf(each, theme.scheme)),
        );
        return [line.name, colours.size === 1 ? colourOf(line, theme.scheme) : theme.faint];
      }),
  );
}

/** Pixels right of the plot. */
const ROOM_FOR_NAMES = 190;

/** Ends of lines that are closer than this share of the axis would have their names over one another. */
const NAME_HEIGHT = 0.045;

/** Name at the end of each line, by its key; lines that end close together have theirs in one, the highest first. */
function namesAtEnds(lines: readonly TimelineLine[]): Map<string, string> {
  const most = Math.max(...lines.flatMap(({ v, band }) => [...(band?.high ?? v)].filter(Number.isFinite)));
  const ends = lines.map((line) => ({ line, at: line.v.at(-1) ?? 0 })).sort((one, other) => other.at - one.at);
  const groups: { at: number; lines: TimelineLine[] }[] = [];
  for (const { line, at } of ends) {
    const above = groups.at(-1);
    if (above && above.at - at < NAME_HEIGHT * most) above.lines.push(line);
    else groups.push({ at, lines: [line] });
  }
  return new Map(
    groups.flatMap((group): [string, string][] => [
      [group.lines[0]?.key ?? '', group.lines.map(({ name }) => name).join(', ')],
    ]),
  );
}

const nameAtEnd = (name: string | undefined, theme: ChartTheme): Pick<LineSeriesOption, 'endLabel'> => ({
  endLabel: {
    show: name !== undefined,
    formatter: () => name ?? '',
    color: theme.text,
    fontSize: 11,
    width: ROOM_FOR_NAMES - 14,
    overflow: 'truncate',
  },
});

const COMES_FORWARD: Pick<LineSeriesOption, 'emphasis' | 'triggerEvent'> = {
  triggerEvent: 'line',
  emphasis: { focus: 'series', lineStyle: { width: 3, opacity: 1 } },
};

/** A shaded range from `low` to `high`, below the lines. */
function bandSeries(
  line: TimelineLine,
  band: NonNullable<TimelineLine['band']>,
  theme: ChartTheme,
): CustomSeriesOption {
  const fill = colourOf(line, theme.scheme);
  const last = line.t.length - 1;
  return {
    id: `band ${line.key}`,
    name: line.name,
    type: 'custom',
    silent: true,
    clip: true,
    z: 1,
    tooltip: { show: false },
    // One datum draws the whole range; its values keep the axis as high as the range.
    encode: { x: [0, 1], y: [2, 3] },
    data: last < 0 ? [] : [[line.t[0] ?? 0, line.t[last] ?? 0, Math.min(...band.low), Math.max(...band.high)]],
    renderItem: (_parameters, api) => {
      const edge = (values: Float64Array): number[][] =>
        Array.from(line.t, (t, index) => api.coord([t, values[index] ?? 0]));
      return {
        type: 'polygon',
        shape: { points: [...edge(band.high), ...edge(band.low).reverse()] },
        style: { fill, opacity: 0.14 },
      };
    },
  };
}

function lineSeries(line: TimelineLine, theme: ChartTheme): LineSeriesOption {
  const weight = line.weight ?? 'normal';
  return {
    id: line.key,
    name: line.name,
    type: 'line',
    legendHoverLink: false,
    color: colourOf(line, theme.scheme),
    dimensions: ['t', 'v'],
    data: interleave(line.t, line.v) as unknown as NonNullable<LineSeriesOption['data']>,
    // A line needs two points: a run of a single second would leave no mark.
    showSymbol: line.t.length === 1,
    symbol: 'circle',
    symbolSize: weight === 'thin' || weight === 'part' ? 4 : 6,
    ...(line.t.length === 1 && { itemStyle: { opacity: OPACITY[weight] } }),
    sampling: 'lttb',
    silent: weight === 'thin',
    z: weight === 'bold' ? 4 : 2,
    // Said of every line: what a picture is merged into keeps what is not.
    lineStyle: { width: WIDTH[weight], opacity: OPACITY[weight], type: weight === 'part' ? DASHES : 'solid' },
    emphasis: { disabled: true },
  };
}

interface TipItem {
  seriesId?: string;
  value?: readonly number[];
}

/** Lines of a tooltip, at most; the highest first. */
const TIP_LINES = 12;

function timeTip(
  items: unknown,
  chart: Timeline,
  theme: ChartTheme,
  marksAt: (at: number) => readonly TipLine[],
): string {
  const known = new Map(chart.lines.map((line) => [line.key, line]));
  const list: readonly TipItem[] = Array.isArray(items) ? items : [];
  const rows = list
    .flatMap((item) => {
      const line = known.get(item.seriesId ?? '');
      return line ? [{ line, value: item.value?.[1] ?? Number.NaN }] : [];
    })
    .sort((one, other) => other.value - one.value)
    .map(({ line, value }) => ({
      colour: colourOf(line, theme.scheme),
      name: line.label ?? line.name,
      value: formatValue(value, chart.measure),
    }));
  const more = rows.length - TIP_LINES;
  const shown: TipLine[] = rows.slice(0, TIP_LINES);
  if (more > 0) shown.push({ name: `and ${more} more`, value: '' });
  const at = list[0]?.value?.[0];
  if (at !== undefined) shown.push(...marksAt(at));
  return tip(`at ${chart.along ? formatValue(at, chart.along) : formatDuration(at)}`, shown);
}

function tableOf(chart: Timeline): ChartTable {
  const rows = new Map<number, (string | number)[]>();
  chart.lines.forEach((line, column) => {
    for (let index = 0; index < line.t.length; index++) {
      const at = line.t[index] ?? 0;
      const row = rows.get(at) ?? [at, ...chart.lines.map(() => '')];
      row[column + 1] = line.v[index] ?? '';
      rows.set(at, row);
    }
  });
  const unit = chart.measure.unit ? ` (${chart.measure.unit})` : '';
  return {
    columns: [
      chart.along ? titleOf(chart.along) : 't (s)',
      ...chart.lines.map((line) => `${line.label ?? line.name}${unit}`),
    ],
    rows: [...rows.values()].sort((one, other) => Number(one[0]) - Number(other[0])),
  };
}
