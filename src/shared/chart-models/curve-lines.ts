import type { ScatterSeriesOption } from 'echarts';
import type { ChartMarker } from '../model/chart.ts';
import type { Scalar } from '../model/experiment.ts';
import { valueOfLevel } from '../model/factor.ts';
import { formatLevel, formatLevels } from '../util/format.ts';
import { inLines, shortLabels } from './labels.ts';
import type { LineLaw } from './law-series.ts';
import { type FactorLevels, inOrder, isOf, lineKeys } from './levels.ts';
import type { Measure } from './model.ts';
import { SMALL_LINE } from './names.ts';
import { levelAxis } from './parts.ts';
import type { ChartTheme } from './theme.ts';

/** A measured combination: `mean` is absent until it has a result; `low`–`high` is the spread drawn around it. */
export interface CurvePoint {
  cell: number;
  levels: Readonly<Record<string, Scalar>>;
  mean?: number | undefined;
  low?: number | undefined;
  high?: number | undefined;
  /** Why its mean is not ranked, in a word; absent if it is. */
  barred?: string | undefined;
  /** Figures of runs that a user excluded from the mean. */
  excluded?: readonly number[] | undefined;
}

/** cut: from the lowest value. log: logarithmic, if all values are above zero. */
export type CurveAxis = 'zero' | 'cut' | 'log';

export interface LoadCurve {
  measure: Measure;
  points: readonly CurvePoint[];
  /** Factor along the x axis and its levels in order. */
  x: FactorLevels;
  /** Factors of the lines, one for each combination. */
  lines: readonly FactorLevels[];
  /** For two measurements drawn together: the factor that distinguishes them, the baseline (dashed) first, and their words. */
  sides?: FactorLevels & { words: readonly string[] };
  /** For repeats drawn separately: the factor that distinguishes them. All have the line's name and colour. */
  repeats?: FactorLevels | undefined;
  /** Description of the whiskers: `5th to 95th percentile of per-second values`. */
  spread?: string;
  /** Start of the vertical axis, or its scale. Default: logarithmic if lines are decades apart, otherwise from zero. */
  axis?: CurveAxis | undefined;
  /** For lines along a load: the knee, and the fitted law. */
  laws?: readonly LineLaw[];
  /** Lines across the chart. */
  markers?: readonly ChartMarker[] | undefined;
  /** Names are in a legend, and none at the ends of lines. */
  inLegend?: boolean | undefined;
  /** Draws bars even if levels are numbers. */
  isOfBars?: true | undefined;
  /** Words along the axis instead of the levels. */
  along?: AxisWords | undefined;
}

/** Words along an axis of levels. */
interface AxisWords {
  name: string;
  /** In the order of the levels. */
  labels: readonly string[];
  /** The groups of each level, from the innermost to the outermost; each is printed once below all consecutive levels. */
  groups?: readonly (readonly string[])[] | undefined;
  /** Slot of the hue of each level if there is one line. Absent: all have the hue of the line. */
  slots?: readonly number[] | undefined;
}

type Levels = Readonly<Record<string, Scalar>>;

/** A line of a load curve. */
export interface CurveLine {
  name: string;
  slot: number;
  dashed: boolean;
  /** Counted from 0, if each repeat is a line. */
  repeat?: number;
  /** Point per x level. */
  points: readonly (CurvePoint | undefined)[];
  law?: LineLaw | undefined;
}

/** One line per combination of the line factors, and per side or repeat; omits lines without a point. */
export function linesOf(curve: LoadCurve): CurveLine[] {
  const { sides, repeats } = curve;
  const apart = sides ?? repeats;
  return lineKeys(curve.lines)
    .flatMap((key, slot) =>
      (sides?.levels ?? repeats?.levels ?? [undefined]).map((side, place) => ({
        ...(repeats && { repeat: place }),
        name: [sides?.words[place], formatLevels(key)].filter(Boolean).join(' · ') || curve.measure.label,
        slot,
        dashed: sides !== undefined && place === 0,
        points: pointsOf(curve, key, apart && side !== undefined ? { [apart.name]: side } : {}),
        law: curve.laws?.find(({ levels }) => isOf(key, levels, curve.lines)),
      })),
    )
    .filter((line) => line.points.some((point) => point !== undefined));
}

const pointsOf = (curve: LoadCurve, key: Levels, side: Levels): CurveLine['points'] =>
  inOrder(curve.x.levels).map((level) =>
    curve.points.find(
      (point) =>
        point.levels[curve.x.name] === level &&
        isOf(key, point.levels, curve.lines) &&
        Object.entries(side).every(([name, value]) => point.levels[name] === value),
    ),
  );

/** Levels that grow by steps, not by factors, are drawn to scale; ladders such as 1, 2, 4… are evenly spaced. */
export function drawnToScale(levels: readonly Scalar[]): boolean {
  const numbers = inOrder(levels).filter((level): level is number => typeof level === 'number');
  if (numbers.length !== levels.length || numbers.length < 3) return false;
  const steps = numbers.slice(1).map((level, index) => level - (numbers[index] ?? 0));
  return steps.every((step) => step > 0) && Math.max(...steps) < 2 * Math.min(...steps);
}

/** A number, alone or followed by a unit: 4, “0.99”, “16k”, “10 MiB”. */
const QUANTITY = /^[+-]?\d+(\.\d+)?\s?([a-z]{1,5}|%)?$/i;

/** There are no values between levels that are names (variants, mixes), so no line may connect them. */
export function areNames(levels: readonly Scalar[]): boolean {
  return levels.some((level) => typeof level !== 'number' && !QUANTITY.test(String(level)));
}

/** Whether lines may connect levels: numbers, quantities, and names that have values. */
export const areJoined = ({ levels, values }: FactorLevels): boolean => values !== undefined || !areNames(levels);

/** With a range of this factor or more, values are placed by their logarithm. */
const WIDE_RANGE = 10;

/** Whether the values of names are placed by their logarithm. */
function isLogOfValues({ levels, values }: FactorLevels): boolean {
  if (!values) return false;
  const all = levels.map((level) => values[String(level)] ?? 0);
  return Math.min(...all) > 0 && Math.max(...all) / Math.min(...all) >= WIDE_RANGE;
}

/** Positions of levels and lines along the axis: lines are offset, so that their whiskers are distinguishable. */
export interface Places {
  levels: readonly number[];
  /** Pixels of a unit of the axis. */
  scale: number;
  /** Position of the level at `index` on the line at `line`. */
  of: (index: number, line: number) => number;
  /** Position of any load between two levels. */
  between: (load: number) => number;
}

/** Pixels between the points of two lines at one level, and maximum of all of them together. */
const POINT_GAP = 4;
const MOST_GAPS = 20;

/** `width`: pixels of the plot. `step`: pixels from one line to the next at one level. */
export function placesOf(
  x: LoadCurve['x'],
  lines: number,
  width: number,
  step = Math.min(POINT_GAP, MOST_GAPS / Math.max(1, lines - 1)),
): Places {
  if (x.values) return placesOfValues(x, lines, width, step);
  const sorted = inOrder(x.levels);
  const toScale = drawnToScale(sorted);
  const levels = sorted.map((level, index) => (toScale ? Number(level) : index));
  const range = toScale
    ? (((levels.at(-1) ?? 0) - (levels[0] ?? 0)) * levels.length) / (levels.length - 1)
    : levels.length;
  const apart = (step * range) / width;
  const between = (load: number): number => {
    if (toScale) return load;
    const numbers = sorted.map(Number);
    const next = numbers.findIndex((level) => level >= load);
    if (next <= 0) return next;
    const [below, above] = [numbers[next - 1] ?? 1, numbers[next] ?? 1];
    // Ladders grow by factors, so the middle between two of their steps is the geometric mean.
    return next - 1 + (below > 0 ? Math.log(load / below) / Math.log(above / below) : 1);
  };
  return {
    levels,
    scale: width / range,
    of: (index, line) => (levels[index] ?? 0) + (line - (lines - 1) / 2) * apart,
    between,
  };
}

/** Names that have values, positioned by these. */
function placesOfValues(x: LoadCurve['x'], lines: number, width: number, step: number): Places {
  const place = (value: number): number => (isLogOfValues(x) ? Math.log10(value) : value);
  const levels = inOrder(x.levels).map((level) => place(valueOfLevel(x, level) ?? 0));
  const [first = 0, last = 0] = [levels[0], levels.at(-1)];
  const range = levels.length > 1 ? ((last - first) * levels.length) / (levels.length - 1) : 1;
  const apart = (step * range) / width;
  return {
    levels,
    scale: width / range,
    of: (index, line) => (levels[index] ?? 0) + (line - (lines - 1) / 2) * apart,
    between: place,
  };
}

/** Maximum number of labelled levels: with more, some are omitted evenly. */
const MOST_LABELLED = 24;

/** Names of levels that do not fit in one line are broken between words into at most so many. */
const MOST_LABEL_LINES = 3;
/** Those that do not fit in these lines either are tilted, and cut to this many letters. */
const LEANING = { degrees: 55, letters: 16 };
/** Pixels of one of their letters, of a line, and between two names. */
const LABEL_LETTER = 6;
const LABEL_LINE = 14;
const LABEL_GAP = 8;

const pixelsOf = (words: readonly string[]): number => LABEL_LETTER * Math.max(...words.map(({ length }) => length));

/** Labels of levels in lines, or cut if tilted. `room`: pixels of a level. */
function labelsOf(
  { levels }: LoadCurve['x'],
  room: number,
  along?: AxisWords,
): { short: readonly string[]; leans: boolean; lines: number } {
  const labels = along?.labels ?? inOrder(levels).map((level) => formatLevel(level));
  const fits = (along === undefined && !areNames(levels)) || pixelsOf(labels) <= room;
  if (fits) return { short: labels, leans: false, lines: 1 };
  const letters = Math.floor((room - LABEL_GAP) / LABEL_LETTER);
  const broken = labels.map((label) => inLines(label, Math.max(1, letters)));
  const lines = Math.max(...broken.map((label) => label.split('\n').length));
  const isLegible = labels.every((label) => label.split(' ').every(({ length }) => length <= letters));
  return isLegible && lines <= MOST_LABEL_LINES
    ? { short: broken, leans: false, lines }
    : { short: shortLabels(labels, LEANING.letters), leans: true, lines: 1 };
}

/** Pixels to the left of the plot that the labels of the vertical axis have at least. */
const LEAST_AXIS = 30;

/** Pixels by which the first tilted label extends to the left of the axis. */
export function leftOfAxis({ x, along }: LoadCurve, room: number): number {
  const { short, leans } = labelsOf(x, room, along);
  if (!leans) return 0;
  return Math.max(
    0,
    Math.cos((LEANING.degrees * Math.PI) / 180) * pixelsOf(short.slice(0, 1)) + 8 - LEAST_AXIS - room / 2,
  );
}

/** Pixels from the axis to the names of groups, and height of these names. */
const ABOVE_GROUPS = 24;
const GROUPS = 18;
/** Minimum letters of a group's name. */
const LEAST_LETTERS = 4;

/** Consecutive groups of levels in a row of names, from 0 for the innermost: first and last place of their levels. */
function spansOf(groups: NonNullable<AxisWords['groups']>, row: number): { name: string; from: number; to: number }[] {
  const spans: { name: string; whole: string; from: number; to: number }[] = [];
  for (const [place, names] of groups.entries()) {
    const [last, whole] = [spans.at(-1), names.slice(row).join('\n')];
    if (last?.whole === whole) last.to = place;
    else spans.push({ name: names[row] ?? '', whole, from: place, to: place });
  }
  return spans;
}

/** Height of the names of groups below the levels, pixels. */
export const groupRows = (along: AxisWords | undefined): number => (along?.groups?.[0]?.length ?? 0) * GROUPS;

/**
 * Names of groups below their levels, and a line between two groups. `room`: pixels of a level. `below`: pixels of its label beyond a line
 * of letters.
 */
export function groupSeries(
  along: AxisWords | undefined,
  room: number,
  below: number,
  theme: ChartTheme,
): ScatterSeriesOption[] {
  const { groups = [] } = along ?? {};
  return (groups[0] ?? []).map((_, row): ScatterSeriesOption => {
    const spans = spansOf(groups, row);
    const narrowest = Math.min(...spans.map(({ from, to }) => to - from + 1)) * room;
    const short = shortLabels(
      spans.map(({ name }) => name),
      Math.max(LEAST_LETTERS, Math.floor((narrowest - 8) / LABEL_LETTER)),
    );
    return {
      ...{ id: `groups ${row}`, type: 'scatter', silent: true, clip: false, symbolSize: 0, tooltip: { show: false } },
      // At the bottom of the plot: bars begin at zero.
      data: spans.map(({ from, to }) => [(from + to) / 2, 0]),
      label: {
        ...{ show: true, position: 'bottom', color: theme.text, fontSize: 12 },
        distance: ABOVE_GROUPS + below + row * GROUPS,
        formatter: ({ dataIndex }) => short[dataIndex] ?? '',
      },
      markLine: {
        ...{ silent: true, symbol: 'none', label: { show: false } },
        // Boundaries of outer groups are more visible.
        lineStyle: { color: theme.axis, width: 1 + row, type: 'solid' },
        data: spans.slice(1).map(({ from }) => ({ xAxis: from - 0.5 })),
      },
    };
  });
}

/** Evenly spaced levels along the axis, even if they are words. `room`: pixels of a level. */
export function levelsAxis(
  x: LoadCurve['x'],
  places: Places['levels'],
  room: number,
  theme: ChartTheme,
  along?: AxisWords,
) {
  const axis = levelAxis(theme, along?.name ?? (isLogOfValues(x) ? `${x.name}, log scale` : x.name));
  const levels = inOrder(x.levels);
  const { short, leans, lines } = labelsOf(x, room, along);
  // One horizontal line already fits the usual gap.
  const below = leans
    ? Math.sin((LEANING.degrees * Math.PI) / 180) * pixelsOf(short) - SMALL_LINE / 2
    : (lines - 1) * LABEL_LINE;
  const [first = 0, last = 0] = [places[0], places.at(-1)];
  const margin =
    0.5 * ((x.values ? levels.length > 1 : drawnToScale(levels)) ? (last - first) / (levels.length - 1) : 1);
  const every = Math.ceil(levels.length / MOST_LABELLED);
  const customValues = places.filter((_, index) => index % every === 0);
  return {
    ...axis,
    type: 'value' as const,
    nameGap: axis.nameGap + below,
    min: first - margin,
    max: last + margin,
    axisLabel: {
      ...axis.axisLabel,
      customValues,
      lineHeight: LABEL_LINE,
      // Also where it does not lean: a redrawn chart keeps what is not given again.
      rotate: leans ? LEANING.degrees : 0,
      formatter: (place: number) => short[places.indexOf(place)] ?? '',
    },
    axisTick: { ...axis.axisTick, customValues },
  };
}
