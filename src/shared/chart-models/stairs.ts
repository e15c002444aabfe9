import type { EChartsOption, LineSeriesOption } from 'echarts';
import type { CellSeconds, ChartMarker } from '../model/chart.ts';
import type { Levels } from '../model/factor.ts';
import { formatLevel, formatLevels, formatNumber, formatValue, plainLevel } from '../util/format.ts';
import { markerLines } from './chart-markers.ts';
import { groupRows, groupSeries, levelsAxis } from './curve-lines.ts';
import { type FactorLevels, isOf, lineKeys } from './levels.ts';
import { type ChartModel, type Measure, titleOf } from './model.ts';
import { COMES_FORWARD, gridFor, MOST_IN_LEGEND, placeOfNames, RIGHT, WIDE } from './names.ts';
import { base, levelAxis, logAxis, type TipLine, tip, valueAxis } from './parts.ts';
import { type ChartTheme, colourOf } from './theme.ts';

/** The seconds of a cell in order of time. */
export interface SteppedCell extends CellSeconds {
  cell: number;
  levels: Levels;
}

interface Stairs {
  measure: Measure;
  cells: readonly SteppedCell[];
  x: FactorLevels;
  /** Factors of the blocks, the outermost first: within each block the levels follow one another. */
  groups: readonly FactorLevels[];
  /** Factors of the lines. */
  lines: readonly FactorLevels[];
  isLog?: boolean | undefined;
  clip?: number | undefined;
  markers?: readonly ChartMarker[] | undefined;
}

/** Pixels of the labels of the vertical axis. */
const AXIS = 70;

/** The seconds of one run of each level, one level after another, as one long run; each level has the same share of the axis. */
export function stairs(chart: Stairs, theme: ChartTheme): ChartModel {
  const { measure, cells, x, groups, isLog = false, clip, markers = [] } = chart;
  const along = [...groups, x];
  const hasSeconds = ({ inTime }: SteppedCell): boolean => (inTime?.v.length ?? 0) > 0;
  const places = lineKeys(along).filter((key) =>
    cells.some((cell) => hasSeconds(cell) && isOf(key, cell.levels, along)),
  );
  const lines = lineKeys(chart.lines)
    .map((key, slot) => ({
      ...{ slot, name: formatLevels(key) || measure.label },
      steps: places.map((place) =>
        cells.find(
          (cell) => hasSeconds(cell) && isOf(key, cell.levels, chart.lines) && isOf(place, cell.levels, along),
        ),
      ),
    }))
    .filter(({ steps }) => steps.some((step) => step !== undefined));
  const names = lines.map(({ name }) => name);
  const labels = places.map((key) => formatLevel(key[x.name]));
  const rows = groups.map((group) => group.name);
  const words = {
    name: x.name,
    labels,
    ...(rows.length > 0 && {
      groups: places.map((key) => groups.map(({ name }) => formatLevels({ [name]: key[name] ?? '' })).reverse()),
    }),
  };
  const axisOf = { name: x.name, levels: places.map((key) => formatLevels(key)) };
  const at = (width: number): EChartsOption => {
    const place = placeOfNames(names, 0);
    const room = Math.max(1, width - AXIS - RIGHT) / Math.max(1, places.length);
    const below = levelsAxis(
      axisOf,
      places.map((_, index) => index),
      room,
      theme,
      words,
    );
    const upright = isLog ? logAxis(theme, measure) : valueAxis(theme, measure);
    const option: EChartsOption = {
      ...base(theme, names, new Map(), place),
      grid: { ...gridFor(place), bottom: gridFor(place).bottom + groupRows(words) },
      xAxis: { ...below, nameGap: below.nameGap + groupRows(words) },
      yAxis: {
        ...upright,
        ...(clip !== undefined && {
          max: clip,
          name: `${upright.name}, axis ends at ${formatNumber(clip, measure.digits)}`,
        }),
      },
      series: [
        ...lines.map(
          ({ name, slot, steps }): LineSeriesOption => ({
            ...{ id: name, name, type: 'line', color: colourOf({ slot }, theme.scheme), showSymbol: false },
            ...{ lineStyle: { width: 1.25 }, connectNulls: false, clip: true },
            ...COMES_FORWARD,
            data: dataOf(steps, isLog),
          }),
        ),
        ...groupSeries(words, room, below.nameGap - levelAxis(theme, '').nameGap, theme),
        ...markerLines(markers, theme, { levels: [], places: { levels: [0], between: () => 0 } }),
      ],
    };
    option.tooltip = {
      ...option.tooltip,
      formatter: (items: unknown) => tipOf(items, { lines, places, measure, theme }),
    };
    return option;
  };
  return {
    description: `${titleOf(measure)} by the levels of ${along.map(({ name }) => name).join(', ')}, one run of each`,
    option: at(WIDE),
    at,
    ...(names.length > MOST_IN_LEGEND && { listed: names }),
    table: () => ({
      columns: [...along, ...chart.lines].map(({ name }) => name).concat('second', titleOf(measure)),
      rows: lines.flatMap(({ steps }) =>
        steps.flatMap((step) =>
          [...(step?.inTime?.v ?? [])].map((value, index) => [
            ...[...along, ...chart.lines].map(({ name }) => plainLevel(step?.levels[name])),
            ...[step?.inTime?.t[index] ?? '', value],
          ]),
        ),
      ),
    }),
  };
}

/** A line with the steps of its places; undefined where it has no seconds. */
interface Line {
  readonly slot: number;
  readonly name: string;
  readonly steps: readonly (SteppedCell | undefined)[];
}

/** The points of a line: each step from the left end of its place to the right one. */
const dataOf = (steps: Line['steps'], isLog: boolean) =>
  steps.flatMap((step, place) => {
    const { t, v } = step?.inTime ?? { t: new Float64Array(0), v: new Float64Array(0) };
    const length = Math.max(1, t.at(-1) ?? 1);
    const own = [...v].map((value, index) => ({
      value: [place - 0.5 + (t[index] ?? 0) / length, isLog && value <= 0 ? '-' : value],
      cell: step?.cell,
    }));
    // A level ends where the next begins: no line connects them.
    return [...own, { value: [place + 0.5, '-'], cell: step?.cell }];
  });

interface Shown extends Pick<Stairs, 'measure'> {
  readonly lines: readonly Line[];
  readonly places: readonly Levels[];
  readonly theme: ChartTheme;
}

/** The levels below the pointer, and the mean of each line there. */
function tipOf(items: unknown, { lines, places, measure, theme }: Shown): string {
  const [item]: readonly { value?: readonly unknown[] }[] = Array.isArray(items) ? items : [items];
  const index = Math.min(places.length - 1, Math.max(0, Math.round(Number(item?.value?.[0] ?? 0))));
  const shown = lines.flatMap(({ name, slot, steps }): TipLine[] => {
    const v = steps[index]?.inTime?.v;
    if (!v || v.length === 0) return [];
    const mean = v.reduce((sum, value) => sum + value, 0) / v.length;
    return [{ colour: colourOf({ slot }, theme.scheme), name, value: `about ${formatValue(mean, measure)}` }];
  });
  return tip(formatLevels(places[index] ?? {}), shown);
}
