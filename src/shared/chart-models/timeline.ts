import type { CustomSeriesOption, EChartsOption, LineSeriesOption } from 'echarts';
import { formatDuration, formatNumber, formatValue, withinSentence } from '../util/format.ts';
import { median } from '../util/numbers.ts';
import type { Mark } from './event-marks.ts';
import { type ChartModel, type ChartTable, type Measure, titleOf } from './model.ts';
import {
  COMES_FORWARD,
  gridFor,
  MOST_IN_LEGEND,
  type NamesPlace,
  nameAtEnd,
  namesOfShort,
  placeOfNames,
  WIDE,
} from './names.ts';
import { axisNumber, base, levelAxis, logAxis, type TipLine, timeAxis, tip, valueAxis } from './parts.ts';
import { type ChartTheme, colourOf, type Paint } from './theme.ts';
import { type Gap, glyphs, hatching, marking, markLines } from './timeline-marks.ts';

/** One run's metric over time. Seconds since its own start, so all lines are aligned at 0. */
export interface TimelineLine extends Paint {
  key: string;
  /** Entry in the legend; lines with the same name are shown and hidden together. */
  name: string;
  /** More specific than the name: for tooltip and table. */
  label?: string;
  t: Float64Array;
  v: Float64Array;
  /** Range around the line, one value for each of `t`. */
  band?: { low: Float64Array; high: Float64Array };
  /** `bold`: the running one; `thin`: earlier ones below it; `part`: the share of one of several generators in a line. */
  weight?: 'bold' | 'normal' | 'thin' | 'part';
}

export interface Timeline {
  measure: Measure;
  lines: readonly TimelineLine[];
  /** Quantity along the axis instead of time; `t` of the lines is in its unit, and there are no warm-up and no marks. */
  along?: Measure | undefined;
  /** A logarithmic scale, because its lines are far apart: values of 0 and below have no place on it. */
  isLog?: boolean;
  /** Seconds at the start that summaries exclude; shaded. */
  warmup?: number;
  /** Right end of the axis, seconds. Default: the end of the longest line. */
  length?: number;
  /** Names expected over time, in the order of the legend, so that later lines move nothing. Default: those of the lines. */
  names?: readonly string[];
  /** Moments to mark: notes, alerts, ends of warm-ups. */
  marks?: readonly Mark[];
  /** Seconds without data so far; hatched. */
  gap?: Gap | undefined;
}

/** `[t0, v0, t1, v1, …]`: the layout that the library draws an order of magnitude faster than pairs. */
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
/** Dashes of the line of one of several generators: it must not look like a separate run. */
const DASHES = [4, 3];

/** From this ratio on, the variation of the lowest line is flat on a linear axis. */
const FAR_APART = 20;

/** Whether lines are clearer on a logarithmic scale: their medians are above zero, and the highest is at least 20 times the lowest. */
export function areMediansFarApart(lines: readonly Pick<TimelineLine, 'v'>[]): boolean {
  const medians = lines.map(({ v }) => median([...v].filter(Number.isFinite))).filter(Number.isFinite);
  return medians.every((value) => value > 0) && Math.max(...medians) / Math.min(...medians) >= FAR_APART;
}

/** Lines for a logarithmic axis: values of 0 are gaps, and ranges end at the lowest value above. */
function aboveZero(lines: readonly TimelineLine[]): TimelineLine[] {
  const least = lines.reduce((low, { v }) => v.reduce((a, b) => (b > 0 ? Math.min(a, b) : a), low), Number.MAX_VALUE);
  const within = (values: Float64Array): Float64Array => values.map((value) => (value > 0 ? value : least));
  return lines.map((line) => ({
    ...line,
    v: line.v.map((value) => (value > 0 ? value : Number.NaN)),
    ...(line.band && { band: { low: within(line.band.low), high: within(line.band.high) } }),
  }));
}

/** A metric over the time of each run, all runs starting at 0. Long lines are thinned on screen, but not in the data. */
export function timeline(chart: Timeline, theme: ChartTheme): ChartModel {
  const parts = partsOnly(chart.lines, theme);
  const own = chart.lines.map((line) => line.name).filter((name) => !parts.has(name));
  const names = [...new Set([...(chart.names ?? own), ...own, ...parts.keys()])];
  const drawn = chart.isLog ? { ...chart, lines: aboveZero(chart.lines) } : chart;
  const at = (width: number): EChartsOption => optionOf(drawn, names, parts, width, theme);
  return {
    description: `${titleOf(chart.measure)} ${chart.along ? `along ${withinSentence(chart.along.label)}` : 'over time'}, ${chart.lines.length} ${chart.lines.length === 1 ? 'run' : 'runs'} aligned at their start`,
    option: at(WIDE),
    at,
    ...(names.length > MOST_IN_LEGEND && { listed: names }),
    table: () => tableOf(chart),
  };
}

/** Length of the axis in seconds. */
export const lengthOf = (lines: readonly Pick<TimelineLine, 't'>[]): number =>
  lines.reduce((end, { t }) => Math.max(end, t[t.length - 1] ?? 0), 0);

function optionOf(
  chart: Timeline,
  names: readonly string[],
  parts: ReadonlyMap<string, string>,
  width: number,
  theme: ChartTheme,
): EChartsOption {
  const place = placeOfNames(names, width);
  const length = chart.length ?? lengthOf(chart.lines);
  const marks = chart.along ? [] : (chart.marks ?? []);
  const isLive = chart.lines.some(({ weight }) => weight === 'bold');
  // Among lines with the same name the running one has the label, otherwise the last.
  const bold = chart.lines.filter(({ weight }) => weight === 'bold');
  const named = new Map([...chart.lines, ...bold].map(({ name, key }) => [name, key]));
  const short = namesOfShort(
    chart.lines
      .filter(({ name, key }) => named.get(name) === key)
      .map((line) => ({ ...line, colour: colourOf(line, theme.scheme), end: endOf(line) })),
    width / (length || 60),
    place,
    theme,
    // While a trial runs, its name is placed where its line will end.
    isLive ? length : undefined,
  );
  const option: EChartsOption = {
    ...base(theme, names, parts, place),
    ...(chart.names && { grid: fixedGrid(chart, place) }),
    xAxis: chart.along
      ? {
          ...levelAxis(theme, titleOf(chart.along)),
          ...{ type: 'value', min: 0, max: length || 60, minInterval: 1 },
          axisLabel: {
            color: theme.faint,
            fontSize: 12,
            hideOverlap: true,
            showMaxLabel: false,
            formatter: axisNumber,
          },
        }
      : // Charts below a running trial show a cursor exactly at the pointer, even between two samples.
        { ...timeAxis(theme, length), axisPointer: { snap: chart.names === undefined } },
    yAxis: chart.isLog ? logAxis(theme, chart.measure) : valueAxis(theme, chart.measure),
    series: [
      ...chart.lines.flatMap((line) => (line.band ? [bandSeries(line, line.band, theme)] : [])),
      ...chart.lines.map((line) => ({
        ...lineSeries(line, theme),
        ...(!isLive && COMES_FORWARD),
        // Only one of the repeats of a cell is labelled, as they look the same.
        ...nameAtEnd(
          line.name,
          colourOf(line, theme.scheme),
          named.get(line.name) === line.key && !short.keys.has(line.key) ? place : { at: 'nowhere' },
          theme,
        ),
      })),
      ...short.series,
      // Over many runs the words of notes would overlap: there, the tooltip shows them.
      marking(isLive ? marks : [], { warmup: chart.along ? 0 : (chart.warmup ?? 0), length: length || 60 }, theme),
      glyphs(
        marks,
        theme,
        chart.isLog ? Math.min(...chart.lines.flatMap(({ v }) => [...v.filter((each) => each > 0)])) : 0,
      ),
      hatching(chart.along ? undefined : chart.gap, theme),
    ],
  };
  const reach = reachOf(chart.lines, length);
  const marksAt = (at: number): TipLine[] => markLines(marks, at, reach, theme).slice(0, TIP_LINES);
  option.tooltip = { ...option.tooltip, formatter: (items: unknown) => timeTip(items, chart, theme, marksAt) };
  return option;
}

/** Last point of a line; undefined if it has no value. */
function endOf({ t, v }: TimelineLine): readonly [number, number] | undefined {
  let last = v.length - 1;
  while (last >= 0 && !Number.isFinite(v[last])) last -= 1;
  return last < 0 ? undefined : [t[last] ?? 0, v[last] ?? 0];
}

/** Pixels of a character of a label; characters of six digits with their comma; pixels next to and below labels. */
const CHARACTER = 7;
const SIX_FIGURES = 7;
const LABEL_MARGIN = 16;
const BELOW = 35;

/** Room for labels of six digits, regardless of the current ones, so that later values move nothing. */
function fixedGrid({ lines }: Timeline, place: NamesPlace) {
  const most = lines.reduce((top, { v }) => v.reduce((a, b) => Math.max(a, b), top), 0);
  const label = CHARACTER * Math.max(SIX_FIGURES, formatNumber(most).length);
  return { ...gridFor(place), left: label + LABEL_MARGIN, bottom: BELOW, containLabel: false };
}

/** Seconds around the pointer in which the tooltip includes a mark: about its own width, so that marks between two samples are included. */
function reachOf(lines: readonly TimelineLine[], length: number): number {
  const spacing = lines.reduce((widest, { t }) => Math.max(widest, (t[t.length - 1] ?? 0) / t.length || 0), 0);
  return Math.max(length / 100, spacing / 2);
}

/** Legend entries for lines of single generators only, with their colour. */
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

/** A shaded range from `low` to `high`, below the lines. */
export function bandSeries(
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
    color: fill,
    silent: true,
    clip: true,
    z: 1,
    tooltip: { show: false },
    // One datum draws the whole range; its values make the axis cover the range.
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

export function lineSeries(line: TimelineLine, theme: ChartTheme): LineSeriesOption {
  const weight = line.weight ?? 'normal';
  return {
    id: line.key,
    name: line.name,
    type: 'line',
    legendHoverLink: false,
    color: colourOf(line, theme.scheme),
    dimensions: ['t', 'v'],
    data: interleave(line.t, line.v) as unknown as NonNullable<LineSeriesOption['data']>,
    // A line needs two points: a run of a single second would otherwise be invisible.
    showSymbol: line.t.length === 1,
    symbol: 'circle',
    symbolSize: weight === 'thin' || weight === 'part' ? 4 : 6,
    ...(line.t.length === 1 && { itemStyle: { opacity: OPACITY[weight] } }),
    sampling: 'lttb',
    silent: weight === 'thin',
    z: weight === 'bold' ? 4 : 2,
    // Set for every line: when options are merged, omitted ones keep their previous values.
    lineStyle: { width: WIDTH[weight], opacity: OPACITY[weight], type: weight === 'part' ? DASHES : 'solid' },
    emphasis: { disabled: true },
  };
}

interface TipItem {
  seriesId?: string;
  value?: readonly number[];
}

/** Maximum number of lines in a tooltip; the highest first. */
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

/** A metric over seconds since the start. */
interface Line {
  readonly t: Float64Array;
  readonly v: Float64Array;
}

/**
 * The same values along the progress of a run (rows, say) instead of seconds: `t` is in its unit. Progress is interpolated linearly between
 * its points, from zero at the start; values after its last point are omitted, as their position is unknown.
 */
export function along(line: Line, progress: Line): { t: Float64Array; v: Float64Array } {
  const [places, values]: [number[], number[]] = [[], []];
  let next = 0;
  for (let index = 0; index < line.t.length; index++) {
    const at = line.t[index] ?? 0;
    while (next < progress.t.length && (progress.t[next] ?? 0) < at) next++;
    if (next === progress.t.length) break;
    const [fromT, fromV] = next === 0 ? [0, 0] : [progress.t[next - 1] ?? 0, progress.v[next - 1] ?? 0];
    const [toT, toV] = [progress.t[next] ?? 0, progress.v[next] ?? 0];
    places.push(toT === fromT ? toV : fromV + ((toV - fromV) * (at - fromT)) / (toT - fromT));
    values.push(line.v[index] ?? Number.NaN);
  }
  return { t: Float64Array.from(places), v: Float64Array.from(values) };
}
