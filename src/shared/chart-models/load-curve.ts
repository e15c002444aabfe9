import type { EChartsOption, LineSeriesOption } from 'echarts';
import { formatLevel, formatLevels, formatNumber, formatValue } from '../util/format.ts';
import { lawSeries } from './law-series.ts';
import { type ChartModel, type Measure, titleOf } from './model.ts';
import { base, levelAxis, logAxis, spansDecades, type TipLine, tip, valueAxis } from './parts.ts';
import { type ChartTheme, colourOf, markerOf, ringed } from './theme.ts';
import { whiskers } from './whiskers.ts';

type Level = string | number | boolean;

/** A measured combination: `mean` absent as long as it has no result; `low`–`high` is the spread drawn around it. */
export interface CurvePoint {
  cell: number;
  levels: Readonly<Record<string, Level>>;
  mean?: number | undefined;
  low?: number | undefined;
  high?: number | undefined;
}

export interface LineFactor {
  name: string;
  levels: readonly Level[];
}

export interface LoadCurve {
  measure: Measure;
  points: readonly CurvePoint[];
  /** Factor along the x axis and its levels in order. */
  x: { name: string; levels: readonly Level[] };
  /** Factors that make the lines; every combination of theirs is one. */
  lines: readonly LineFactor[];
  /** Where two measurements are drawn together: the factor that tells them apart, the baseline (dashed) first, and their words. */
  sides?: LineFactor & { words: readonly string[] };
  /** What the whiskers show, in words: `5th to 95th percentile of the seconds`. */
  spread?: string;
  /** Axis need not start at zero. */
  cut?: boolean;
  /** On lines along a load: the knee, and the law that was fitted. */
  laws?: readonly LineLaw[];
}

/** What is drawn on a line beside its points. */
export interface LineLaw {
  /** The line that it belongs to, by its levels. */
  levels: Readonly<Record<string, Level>>;
  /** Level of the knee, ringed. */
  knee?: number | undefined;
  /** The fitted curve with its interval, along the range measured. */
  curve?: readonly { load: number; value: number; low: number; high: number }[] | undefined;
  /** Its highest point, where that was measured. */
  peak?: { load: number; rate: number; low: number; high: number } | undefined;
}

interface Line {
  name: string;
  slot: number;
  dashed: boolean;
  /** Point per x level. */
  points: readonly (CurvePoint | undefined)[];
  law?: LineLaw | undefined;
}

/** Levels that grow by steps, not by factors, are drawn to scale; ladders such as 1, 2, 4… stand evenly, one step each. */
export function drawnToScale(levels: readonly Level[]): boolean {
  const numbers = levels.filter((level): level is number => typeof level === 'number');
  if (numbers.length !== levels.length || numbers.length < 3) return false;
  const steps = numbers.slice(1).map((level, index) => level - (numbers[index] ?? 0));
  return steps.every((step) => step > 0) && Math.max(...steps) < 2 * Math.min(...steps);
}

/** A number, alone or with a unit behind it: 4, “0.99”, “16k”, “10 MiB”. */
const QUANTITY = /^[+-]?\d+(\.\d+)?\s?([a-z]{1,5}|%)?$/i;

/** Between levels that are names (variants, mixes) there is nothing, so no line may lead from one to the next. */
export function areNames(levels: readonly Level[]): boolean {
  return levels.some((level) => typeof level !== 'number' && !QUANTITY.test(String(level)));
}

/** Combinations of the line factors in the order of their levels: index = colour slot. */
export function lineKeys(factors: LoadCurve['lines']): Readonly<Record<string, Level>>[] {
  let keys: Readonly<Record<string, Level>>[] = [{}];
  for (const factor of factors) {
    keys = keys.flatMap((key) => factor.levels.map((level) => ({ ...key, [factor.name]: level })));
  }
  return keys;
}

function linesOf(curve: LoadCurve): Line[] {
  const { sides } = curve;
  return lineKeys(curve.lines)
    .flatMap((key, slot) =>
      (sides?.levels ?? [undefined]).map((side, place) => ({
        name: [sides?.words[place], formatLevels(key)].filter(Boolean).join(' · ') || curve.measure.label,
        slot,
        dashed: sides !== undefined && place === 0,
        points: pointsOf(curve, sides && side !== undefined ? { ...key, [sides.name]: side } : key),
        law: curve.laws?.find(({ levels }) => Object.entries(levels).every(([name, level]) => key[name] === level)),
      })),
    )
    .filter((line) => line.points.some((point) => point !== undefined));
}

const pointsOf = (curve: LoadCurve, key: Readonly<Record<string, Level>>): Line['points'] =>
  curve.x.levels.map((level) =>
    curve.points.find(
      (point) =>
        point.levels[curve.x.name] === level &&
        Object.entries(key).every(([name, value]) => point.levels[name] === value),
    ),
  );

/** Where levels and lines stand along the axis: lines beside one another, so that their whiskers can be told apart. */
interface Places {
  levels: readonly number[];
  /** Of the level at `index` on the line at `line`. */
  of: (index: number, line: number) => number;
  /** Of any load between two levels. */
  between: (load: number) => number;
}

/** Share of the room between two levels that the lines of one level take, at most; and between two of them. */
const SPREAD_OUT = 0.24;
const BESIDE = 0.05;

function placesOf(curve: LoadCurve, lines: number): Places {
  const toScale = drawnToScale(curve.x.levels);
  const levels = curve.x.levels.map((level, index) => (toScale ? Number(level) : index));
  const gaps = levels.slice(1).map((level, index) => level - (levels[index] ?? 0));
  const apart = Math.min(BESIDE, SPREAD_OUT / lines) * Math.min(...(toScale ? gaps : [1]));
  const between = (load: number): number => {
    if (toScale) return load;
    const numbers = curve.x.levels.map(Number);
    const next = numbers.findIndex((level) => level >= load);
    if (next <= 0) return next;
    const [below, above] = [numbers[next - 1] ?? 1, numbers[next] ?? 1];
    // Ladders grow by factors, so that half way between two of their steps is the geometric mean.
    return next - 1 + (below > 0 ? Math.log(load / below) / Math.log(above / below) : 1);
  };
  return { levels, of: (index, line) => (levels[index] ?? 0) + (line - (lines - 1) / 2) * apart, between };
}

/** Levels along the axis, even where they are words. */
function levelsAxis(curve: LoadCurve, levels: readonly number[], theme: ChartTheme) {
  const axis = levelAxis(theme, curve.x.name);
  if (drawnToScale(curve.x.levels)) return { type: 'value' as const, scale: true, ...axis };
  return {
    ...axis,
    type: 'value' as const,
    min: -0.5,
    max: levels.length - 0.5,
    axisLabel: {
      ...axis.axisLabel,
      customValues: [...levels],
      formatter: (place: number) => formatLevel(curve.x.levels[place]),
    },
    axisTick: { ...axis.axisTick, customValues: [...levels] },
  };
}

/** A metric against the levels of a factor, one line per combination of the others (points alone where the levels are names), with whiskers for the spread. */
export function loadCurve(curve: LoadCurve, theme: ChartTheme): ChartModel {
  const lines = linesOf(curve);
  const others = [...(curve.sides ? [curve.sides] : []), ...curve.lines];
  const places = placesOf(curve, lines.length);
  const joined = !areNames(curve.x.levels);
  const series = lines.flatMap((line, order) => [
    lineSeries(line, (index) => places.of(index, order), theme, joined, curve.x.name),
    whiskers(
      line.name,
      line.points.map((point, index) => [places.of(index, order), point?.low, point?.high]),
      colourOf(line, theme.scheme),
    ),
    ...(line.law ? lawSeries(line.name, line.law, places.between, colourOf(line, theme.scheme), theme) : []),
  ]);
  const values = curve.points.flatMap(({ mean, low, high }) =>
    [mean, low, high].filter((value) => value !== undefined),
  );
  const isLog = curve.measure.unit === 'ms' && spansDecades(values);
  const option: EChartsOption = {
    ...base(
      theme,
      lines.map((line) => line.name),
      new Map(lines.filter((line) => line.dashed).map((line) => [line.name, colourOf(line, theme.scheme)])),
    ),
    xAxis: levelsAxis(curve, places.levels, theme),
    yAxis: isLog ? logAxis(theme, curve.measure) : valueAxis(theme, curve.measure, curve.cut),
    series,
  };
  option.tooltip = {
    ...option.tooltip,
    formatter: (items: unknown) => curveTip(nearest(items, places.levels), lines, curve, theme),
  };
  return {
    description: `${titleOf(curve.measure)} against ${curve.x.name}${lines.length > 1 ? `, ${lines.length} lines` : ''}`,
    option,
    table: () => ({
      columns: [
        curve.x.name,
        ...others.map((factor) => factor.name),
        titleOf(curve.measure),
        'low',
        'high',
        ...(curve.laws ? ['knee'] : []),
      ],
      rows: curve.points
        .filter((point) => point.mean !== undefined)
        .map((point) => [
          formatLevel(point.levels[curve.x.name]),
          ...others.map((factor) => formatLevel(point.levels[factor.name])),
          point.mean ?? '',
          point.low ?? '',
          point.high ?? '',
          ...(curve.laws ? [isKnee(point, lines, curve.x.name) ? 'yes' : ''] : []),
        ]),
    }),
  };
}

const isKnee = (point: CurvePoint, lines: readonly Line[], x: string): boolean =>
  lines.some(({ points, law }) => points.includes(point) && law?.knee !== undefined && law.knee === point.levels[x]);

function lineSeries(
  line: Line,
  place: (index: number) => number,
  theme: ChartTheme,
  joined: boolean,
  x: string,
): LineSeriesOption {
  const colour = colourOf(line, theme.scheme);
  const marker = markerOf(line.slot, theme, line.dashed);
  return {
    id: `line ${line.name}`,
    name: line.name,
    type: 'line',
    legendHoverLink: false,
    color: colour,
    ...marker,
    symbolSize: joined ? 7 : 9,
    showAllSymbol: true,
    lineStyle: { width: joined ? 2 : 0, color: colour, type: line.dashed ? 'dashed' : 'solid' },
    emphasis: { focus: 'series', lineStyle: { width: joined ? 2 : 0 } },
    connectNulls: true,
    data: line.points.map((point, index) => ({
      value: [place(index), point?.mean ?? '-'],
      cell: point?.cell,
      ...(point && isKnee(point, [line], x) && ringed(marker, theme)),
    })),
  };
}

/** Place in the axis of the level that a tooltip is asked for. */
function nearest(items: unknown, levels: readonly number[]): number {
  const [item]: readonly { value?: readonly unknown[] }[] = Array.isArray(items) ? items : [items];
  const at = Number(item?.value?.[0] ?? 0);
  const distances = levels.map((level) => Math.abs(level - at));
  return distances.indexOf(Math.min(...distances));
}

function curveTip(index: number, lines: readonly Line[], curve: LoadCurve, theme: ChartTheme): string {
  const rows = lines.flatMap((line): TipLine[] => {
    const point = line.points[index];
    if (point?.mean === undefined) return [];
    const range =
      point.low === undefined || point.high === undefined
        ? ''
        : `  (${formatNumber(point.low, curve.measure.digits)} – ${formatNumber(point.high, curve.measure.digits)})`;
    return [
      {
        colour: colourOf(line, theme.scheme),
        name: line.name,
        value: `${formatValue(point.mean, curve.measure)}${range}`,
      },
    ];
  });
  const foot = curve.spread && rows.length > 0 ? `In brackets: ${curve.spread}` : undefined;
  return tip(`${curve.x.name} ${formatLevel(curve.x.levels[index])}`, rows, foot);
}
