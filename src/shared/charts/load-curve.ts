import type { EChartsOption, LineSeriesOption } from 'echarts';
import { formatLevel, formatNumber, formatValue } from '../util/format.ts';
import { type ChartModel, type Measure, titleOf } from './model.ts';
import { base, levelAxis, type TipLine, tip, valueAxis } from './parts.ts';
import { type ChartTheme, colourOf, symbolOf } from './theme.ts';
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
  /** Its levels need no name in front of them. */
  bare?: boolean;
}

export interface LoadCurve {
  measure: Measure;
  points: readonly CurvePoint[];
  /** Factor along the x axis and its levels in order. */
  x: { name: string; levels: readonly Level[] };
  /** Factors that make the lines; every combination of theirs is one. */
  lines: readonly LineFactor[];
  /** What the whiskers show, in words: `5th to 95th percentile of the seconds`. */
  spread?: string;
  /** Axis need not start at zero. */
  cut?: boolean;
}

interface Line {
  name: string;
  slot: number;
  /** Point per x level. */
  points: readonly (CurvePoint | undefined)[];
}

/** Levels that grow by steps, not by factors, are drawn to scale; ladders such as 1, 2, 4… stand evenly, one step each. */
export function drawnToScale(levels: readonly Level[]): boolean {
  const numbers = levels.filter((level): level is number => typeof level === 'number');
  if (numbers.length !== levels.length || numbers.length < 3) return false;
  const steps = numbers.slice(1).map((level, index) => level - (numbers[index] ?? 0));
  return steps.every((step) => step > 0) && Math.max(...steps) < 2 * Math.min(...steps);
}

/** Combinations of the line factors in the order of their levels: index = colour slot. */
export function lineKeys(factors: LoadCurve['lines']): Readonly<Record<string, Level>>[] {
  let keys: Readonly<Record<string, Level>>[] = [{}];
  for (const factor of factors) {
    keys = keys.flatMap((key) => factor.levels.map((level) => ({ ...key, [factor.name]: level })));
  }
  return keys;
}

const nameOf = (key: Readonly<Record<string, Level>>, curve: LoadCurve): string =>
  curve.lines
    .map(({ name, bare }) => (bare ? formatLevel(key[name]) : `${name} ${formatLevel(key[name])}`))
    .join(' · ') || curve.measure.label;

function linesOf(curve: LoadCurve): Line[] {
  return lineKeys(curve.lines)
    .map((key, slot) => ({
      name: nameOf(key, curve),
      slot,
      points: curve.x.levels.map((level) =>
        curve.points.find(
          (point) =>
            point.levels[curve.x.name] === level &&
            Object.entries(key).every(([name, value]) => point.levels[name] === value),
        ),
      ),
    }))
    .filter((line) => line.points.some((point) => point !== undefined));
}

/** A metric against the levels of a factor, one line per combination of the others, with whiskers for the spread. */
export function loadCurve(curve: LoadCurve, theme: ChartTheme): ChartModel {
  const lines = linesOf(curve);
  const toScale = drawnToScale(curve.x.levels);
  const place = (index: number): number => (toScale ? Number(curve.x.levels[index]) : index);
  const series = lines.flatMap((line) => [
    lineSeries(line, place, theme),
    whiskers(
      line.name,
      line.points.map((point, index) => [place(index), point?.low, point?.high]),
      colourOf(line, theme.scheme),
    ),
  ]);
  const xAxis = toScale
    ? { type: 'value' as const, scale: true, ...levelAxis(theme, curve.x.name) }
    : { type: 'category' as const, data: curve.x.levels.map(formatLevel), ...levelAxis(theme, curve.x.name) };
  const option: EChartsOption = {
    ...base(
      theme,
      lines.map((line) => line.name),
    ),
    xAxis,
    yAxis: valueAxis(theme, curve.measure, curve.cut),
    series,
  };
  option.tooltip = { ...option.tooltip, formatter: (items: unknown) => curveTip(items, lines, curve, theme) };
  return {
    description: `${titleOf(curve.measure)} against ${curve.x.name}${lines.length > 1 ? `, ${lines.length} lines` : ''}`,
    option,
    table: () => ({
      columns: [curve.x.name, ...curve.lines.map((factor) => factor.name), titleOf(curve.measure), 'low', 'high'],
      rows: curve.points
        .filter((point) => point.mean !== undefined)
        .map((point) => [
          formatLevel(point.levels[curve.x.name]),
          ...curve.lines.map((factor) => formatLevel(point.levels[factor.name])),
          point.mean ?? '',
          point.low ?? '',
          point.high ?? '',
        ]),
    }),
  };
}

function lineSeries(line: Line, place: (index: number) => number, theme: ChartTheme): LineSeriesOption {
  const colour = colourOf(line, theme.scheme);
  return {
    id: `line ${line.name}`,
    name: line.name,
    type: 'line',
    legendHoverLink: false,
    color: colour,
    symbol: symbolOf(line.slot),
    symbolSize: 7,
    showAllSymbol: true,
    lineStyle: { width: 2 },
    emphasis: { focus: 'series', lineStyle: { width: 2 } },
    connectNulls: true,
    data: line.points.map((point, index) => ({ value: [place(index), point?.mean ?? '-'], cell: point?.cell })),
  };
}

function curveTip(items: unknown, lines: readonly Line[], curve: LoadCurve, theme: ChartTheme): string {
  const first = (Array.isArray(items) ? items : [items]).find(
    (item): item is { dataIndex: number } => typeof item?.dataIndex === 'number',
  );
  const index = first?.dataIndex ?? 0;
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
  if (curve.spread && rows.length > 0) rows.push({ name: `In brackets: ${curve.spread}`, value: '' });
  return tip(`${curve.x.name} ${formatLevel(curve.x.levels[index])}`, rows);
}
