import type { CustomSeriesOption, EChartsOption, LineSeriesOption } from 'echarts';
import { metricOf } from '../metrics/index.ts';
import { barOf } from '../model/figure.ts';
import type { CellResult, SessionResult, Spread } from '../model/result.ts';
import { lineOfCell, loadFactorOf, loadsOf, powerPointOf } from '../stats/index.ts';
import { formatLevel, formatLevels, formatValue, plainLevel } from '../util/format.ts';
import type { LineLaw } from './law-series.ts';
import { byLevels, isVaried } from './levels.ts';
import { loadCurve } from './load-curve.ts';
import { type ChartModel, titleOf } from './model.ts';
import { MOST_IN_LEGEND, SMALL_LINE } from './names.ts';
import { lineWords, painterOf, partsOf } from './of-session.ts';
import { areFarApart, base, flatAxis, isOnLogAxis, logAxis, tip, valueAxis } from './parts.ts';
import { type ChartTheme, colourOf, markerOf, ringed } from './theme.ts';

/** A place along the axis, and the spread of the seconds there. */
interface PlacedSpread {
  at: number;
  spread: Pick<Spread, 'p5' | 'p25' | 'p75' | 'p95'>;
}

/** Description of such a box. */
const BOX_WORDS = 'box: quartiles, whiskers: 5th to 95th percentile of per-second values';

/** Pixels. */
const WIDTH = 9;

/** Narrow boxes behind the points of a line, under its name, so that the legend toggles both. */
const pointBoxes = (name: string, points: readonly PlacedSpread[], colour: string): CustomSeriesOption => ({
  id: `boxes ${name}`,
  name,
  type: 'custom',
  silent: true,
  color: colour,
  clip: true,
  z: 1,
  encode: { x: 0, y: [1, 4] },
  data: points.map(({ at, spread }) => [at, spread.p5, spread.p25, spread.p75, spread.p95]),
  renderItem: (_parameters, api) => {
    const [x = 0, low = 0] = api.coord([api.value(0), api.value(1)]);
    const [, lower = 0] = api.coord([api.value(0), api.value(2)]);
    const [, upper = 0] = api.coord([api.value(0), api.value(3)]);
    const [, high = 0] = api.coord([api.value(0), api.value(4)]);
    const style = { stroke: colour, lineWidth: 1, opacity: 0.55 };
    return {
      type: 'group',
      children: [
        { type: 'line', shape: { x1: x, y1: low, x2: x, y2: lower }, style },
        { type: 'line', shape: { x1: x, y1: upper, x2: x, y2: high }, style },
        {
          type: 'rect',
          shape: { x: x - WIDTH / 2, y: upper, width: WIDTH, height: Math.max(1, lower - upper) },
          style: { ...style, fill: colour, fillOpacity: 0.3 },
        },
      ],
    };
  },
});

type Shown = (cell: CellResult) => boolean;

/** The factor that raises the load, if it has at least two levels. */
export const loadFactor = (result: Pick<SessionResult, 'factors'>): string | undefined =>
  loadFactorOf(result.factors)?.name;

/** Cells with a place on a scale of loads: a rate of 0 is not a load, but means no limit. */
const loaded = (result: SessionResult, name: string, shown: Shown): CellResult[] =>
  result.cells.filter((cell) => Number(cell.levels[name]) > 0 && shown(cell));

/** A rate per unit of load, the smallest load = 100 %: shows the loss with rising load. */
export function scalingCurve(result: SessionResult, theme: ChartTheme, shown: Shown): ChartModel {
  const name = loadFactor(result) ?? '';
  const factor = result.factors.find((other) => other.name === name);
  const x = { name, levels: loadsOf(factor?.levels ?? []) };
  const cells = loaded(result, name, () => true);
  const perUnit = (cell: CellResult): number | undefined =>
    cell.value === undefined ? undefined : cell.value / Number(cell.levels[name]);
  const smallest = (cell: CellResult): number | undefined => {
    const words = lineWords(result.factors, cell.levels, name);
    const line = cells.filter(
      (other) => other.value !== undefined && !barOf(other) && lineWords(result.factors, other.levels, name) === words,
    );
    const first = line.sort((one, other) => Number(one.levels[name]) - Number(other.levels[name]))[0];
    return first && perUnit(first);
  };
  const points = loaded(result, name, shown).map((cell) => {
    const [own, first] = [perUnit(cell), smallest(cell)];
    const mean = own !== undefined && first ? (100 * own) / first : undefined;
    return { cell: cell.cell, levels: cell.levels, mean };
  });
  const label = `${metricOf(result.metric).label} / ${name}, relative to the smallest load`;
  const measure = { label, unit: '%', digits: 0 };
  const laws = (result.scaling ?? []).map(({ levels, knee, usl }): LineLaw => {
    const lowest = cells.filter((cell) => cell.value !== undefined && lineOfCell([{ factor: name, levels }], cell));
    const first = lowest[0] && smallest(lowest[0]);
    const per = (rate: number, load: number): number => (first ? (100 * rate) / load / first : Number.NaN);
    return {
      levels,
      knee: knee.load,
      isBeyond: knee.verdict === 'none',
      curve: usl?.curve.map(({ load, value, low, high }) => ({
        load,
        value: per(value, load),
        low: per(low, load),
        high: per(high, load),
      })),
    };
  });
  const lines = result.factors.filter((other) => other !== factor && isVaried(other));
  return loadCurve({ measure, points, x, lines, ...(laws.length > 0 && { laws }) }, theme);
}

interface TradeOff {
  cell: CellResult;
  rate: number;
  latency: number;
  spread: CellResult['spread'];
  /** Host of the latency, if those of several generators cannot be combined. */
  host?: string;
}

/** Unranked cells are not part of a line. */
const complete = (line: readonly TradeOff[]): TradeOff[] => line.filter(({ cell }) => !barOf(cell));

interface LatencyChoice {
  /** Start of the vertical axis, or its scale; by default it is logarithmic if latencies are decades apart. */
  axis?: 'zero' | 'log' | undefined;
  /** Whether a box of the seconds is drawn behind each point. */
  boxes?: boolean;
}

/** Points of each line along the load, by the words for the line; a line for each generator if latencies cannot be combined. */
function tradeOffLines(
  rates: SessionResult,
  latencies: SessionResult,
  name: string,
  shown: Shown,
): ReadonlyMap<string, readonly TradeOff[]> {
  const lines = new Map<string, TradeOff[]>();
  const compare = byLevels(rates.factors);
  for (const cell of loaded(rates, name, shown).sort((one, other) => compare(one.levels, other.levels))) {
    const other = latencies.cells.find((entry) => entry.cell === cell.cell);
    const { value: rate } = cell;
    if (rate === undefined || !other) continue;
    const line = lineWords(rates.factors, cell.levels, name);
    const add = (words: string, point: Pick<TradeOff, 'latency' | 'spread' | 'host'>): void => {
      lines.set(words, [...(lines.get(words) ?? []), { cell, rate, ...point }]);
    };
    if (other.value !== undefined)
      add(line || metricOf(rates.metric).label, { latency: other.value, spread: other.spread });
    for (const { host, value, spread } of partsOf(other))
      add([line, host].filter(Boolean).join(' · '), { latency: value, spread, host });
  }
  for (const line of lines.values())
    line.sort((one, other) => Number(one.cell.levels[name]) - Number(other.cell.levels[name]));
  return lines;
}

/** Style of a line: its colour slot, and its marked points. */
interface TradeOffStyle {
  readonly name: string;
  readonly slot: number;
  readonly isLog: boolean;
  readonly boxes: boolean;
  isKnee(point: TradeOff): boolean;
}

function tradeOffSeries(
  words: string,
  line: readonly TradeOff[],
  { name, slot, isLog, boxes, isKnee }: TradeOffStyle,
  theme: ChartTheme,
): (LineSeriesOption | CustomSeriesOption)[] {
  const power = powerPointOf(complete(line));
  const marker = markerOf(slot, theme);
  const colour = colourOf({ slot }, theme.scheme);
  const spreads = line.flatMap(({ rate: at, spread }) => (spread && (!isLog || spread.p5 > 0) ? [{ at, spread }] : []));
  const drawn: LineSeriesOption = {
    id: words,
    name: words,
    type: 'line',
    color: colour,
    ...marker,
    lineStyle: { width: 2, color: colour },
    emphasis: { focus: 'series', lineStyle: { width: 2 } },
    label: {
      show: true,
      position: 'top',
      color: theme.faint,
      fontSize: 11,
      lineHeight: SMALL_LINE,
      // Next to each other, the levels of two lines read as one number.
      minMargin: 6,
      formatter: (item) => {
        const level = formatLevel(line[item.dataIndex]?.cell.levels[name]);
        return item.dataIndex === 0 ? `${name} ${level}`.trim() : level;
      },
    },
    labelLayout: { hideOverlap: true },
    triggerEvent: 'line' as const,
    data: line.map((point) => ({
      value: [point.rate, point.latency],
      cell: point.cell.cell,
      symbolSize: 7,
      ...(point === power && { symbol: 'diamond', symbolSize: 14 }),
      ...(isKnee(point) && ringed(marker, theme)),
    })),
  };
  return boxes ? [pointBoxes(words, spreads, colour), drawn] : [drawn];
}

/**
 * Latency against a rate, one line along the load: the knee is ringed, Kleinrock's power point, with the most rate per latency, is a
 * diamond. If latencies of several generators cannot be combined, each generator has a line, against the rate of all of them.
 */
export function latencyCurve(
  rates: SessionResult,
  latencies: SessionResult,
  theme: ChartTheme,
  shown: Shown,
  { axis, boxes = false }: LatencyChoice = {},
): ChartModel {
  const [rate, latency] = [metricOf(rates.metric), metricOf(latencies.metric)];
  const name = loadFactor(rates) ?? '';
  const paint = painterOf(rates.factors, name);
  const lines = tradeOffLines(rates, latencies, name, shown);
  const all = [...lines.values()].flat();
  const hosts = [...new Set(all.flatMap(({ host }) => host ?? []))];
  const slotOf = ({ cell, host }: TradeOff): number =>
    paint(cell.levels).slot * Math.max(1, hosts.length) + (host === undefined ? 0 : hosts.indexOf(host));
  const isKnee = ({ cell }: TradeOff): boolean => {
    const load = lineOfCell(rates.scaling ?? [], cell)?.knee.load;
    return load !== undefined && load === cell.levels[name];
  };
  const names = [...lines.keys()];
  const isLog = isOnLogAxis(
    all.map((point) => point.latency),
    axis,
  );
  const upright = isLog ? logAxis(theme, latency) : valueAxis(theme, latency);
  const isFarApart = areFarApart([...lines.values()].map((line) => line.map((point) => point.rate)));
  const option: EChartsOption = {
    ...base(theme, names),
    xAxis: flatAxis(theme, isFarApart ? logAxis(theme, rate) : valueAxis(theme, rate)),
    yAxis: boxes ? { ...upright, name: `${upright.name} · ${BOX_WORDS}` } : upright,
    series: [...lines].flatMap(([words, line]) =>
      tradeOffSeries(words, line, { name, slot: line[0] ? slotOf(line[0]) : 0, isLog, boxes, isKnee }, theme),
    ),
  };
  option.tooltip = {
    ...option.tooltip,
    trigger: 'item',
    formatter: (item: unknown) => {
      const of = (lines.get(lineOf(item)) ?? all).find((point) => point.cell.cell === cellOf(item));
      if (!of) return '';
      return tip([formatLevels(of.cell.levels), of.host].filter(Boolean).join(' · '), [
        { name: rate.label, value: formatValue(of.rate, rate) },
        { name: latency.label, value: formatValue(of.latency, latency) },
      ]);
    },
  };
  return {
    description: `${titleOf(latency)} vs. ${titleOf(rate)}, by ${name}`,
    option,
    ...(names.length > MOST_IN_LEGEND && { listed: names }),
    table: () => ({
      columns: [
        ...rates.factors.map((factor) => factor.name),
        ...(hosts.length > 0 ? ['generator'] : []),
        ...[titleOf(rate), titleOf(latency), 'knee', 'power point'],
      ],
      rows: [...lines.values()].flatMap((line) =>
        line.map((point) => [
          ...rates.factors.map((factor) => plainLevel(point.cell.levels[factor.name])),
          ...(hosts.length > 0 ? [point.host ?? ''] : []),
          point.rate,
          point.latency,
          isKnee(point) ? 'yes' : '',
          point === powerPointOf(complete(line)) ? 'yes' : '',
        ]),
      ),
    }),
  };
}

const lineOf = (item: unknown): string =>
  typeof item === 'object' && item !== null && 'seriesName' in item ? String(item.seriesName) : '';

const cellOf = (item: unknown): number | undefined => {
  const data = typeof item === 'object' && item !== null && 'data' in item ? item.data : undefined;
  return typeof data === 'object' && data !== null && 'cell' in data && typeof data.cell === 'number'
    ? data.cell
    : undefined;
};
