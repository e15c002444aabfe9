import type { EChartsOption } from 'echarts';
import { metricOf } from '../metrics/index.ts';
import {
  type CellSeconds,
  type ChartChoice,
  type ChartMarker,
  isOfSeconds,
  MOST_DOTS,
  type SecondsQuery,
} from '../model/chart.ts';
import type { Levels, Scalar } from '../model/factor.ts';
import type { CellResult, Comparison, SessionResult } from '../model/result.ts';
import { pickedMeasure } from '../stats/index.ts';
import { capital, formatLevels, formatNumber, withinSentence } from '../util/format.ts';
import { baselineOf, cellBars, cellTable, tableHeight, tableRows } from './cell-bars.ts';
import { markerLines } from './chart-markers.ts';
import { countsChart, countsTitle, type FinalRun } from './counts.ts';
import { facets, facetsHeight } from './facets.ts';
import { byLevels, type FactorLevels, inOrder } from './levels.ts';
import { type ChartModel, type Measure, titleOf } from './model.ts';
import { comparisonCurve, ladderFactor, painterOf, sessionCurve } from './of-session.ts';
import { AXIS_NOTES } from './parts.ts';
import { secondsDensity, secondsHistogram } from './seconds-bins.ts';
import { clippedWords, secondsDots } from './seconds-dots.ts';
import { stairs } from './stairs.ts';
import type { ChartTheme, Paint } from './theme.ts';
import { timeline } from './timeline.ts';

const ONLY: FactorLevels = { name: 'cell', levels: ['the only cell'] };

/**
 * Metric whose figures or seconds a chart draws. `named`: the metric of the chart, undefined if it follows the selected one; a figure of
 * whole runs has no seconds, so those of the underlying metric are drawn.
 */
export const metricDrawn = (
  choice: Pick<ChartChoice, 'kind' | 'counts'>,
  named: string | undefined,
  { metric, overTime }: Pick<SessionResult, 'metric' | 'overTime'>,
): string => named ?? (isOfSeconds(choice) ? (overTime ?? metric) : metric);

/** Title of a chosen chart: its own, otherwise a description. */
export function chosenTitle(
  { title, kind, x, panels, groups = [], against, counts, over }: ChartChoice,
  { factors, metric }: Pick<SessionResult, 'factors' | 'metric'>,
): string {
  const ratio = against ? ` relative to ${formatLevels(against)}` : '';
  const overWords = over === undefined ? '' : `, over session ${over}`;
  const label = `${capital(metricOf(metric).label)}${ratio}`;
  const along = x ?? ladderFactor(factors.filter(({ name }) => name !== panels && !groups.includes(name)))?.name;
  if (title !== undefined) return title;
  if (counts !== undefined) return countsTitle(counts);
  if (kind === 'stairs') return along === undefined ? label : `${label} by ${along}`;
  if (kind === 'timeline')
    return `${label} ${x === undefined ? 'over time' : `along ${withinSentence(metricOf(x).label)}`}`;
  if (kind === 'curve' || kind === 'bars' || kind === 'table')
    return `${along === undefined ? label : `${label} by ${along}`}${overWords}`;
  return { dots: `${label} by second`, density: `${label}: density`, histogram: `${label}: histogram` }[kind];
}

/** The result with only the cells that a chart draws. */
export function cellsDrawn({ only }: Pick<ChartChoice, 'only'>, result: SessionResult): SessionResult {
  if (only === undefined) return result;
  const cells = result.cells.filter((cell) => isOneOf(only, cell));
  const levelsOf = (name: string, levels: readonly Scalar[]): Scalar[] =>
    levels.filter((level) => cells.some((cell) => cell.levels[name] === level));
  return {
    ...result,
    cells,
    factors: result.factors.map((factor) => ({ ...factor, levels: levelsOf(factor.name, factor.levels) })),
    scaling: result.scaling?.filter(({ levels }) => cells.some((cell) => isWithin(levels, cell.levels))),
  };
}

/** Whether a cell has one of the named levels of each factor. */
const isOneOf = (only: NonNullable<ChartChoice['only']>, { levels }: Pick<CellResult, 'levels'>): boolean =>
  Object.entries(only).every(([name, some]) => some.some((level) => String(level) === String(levels[name])));

const isWithin = (some: Levels, all: Levels): boolean =>
  Object.entries(some).every(([name, level]) => all[name] === level);

/** Runs of a cell whose seconds are drawn: complete ones, or partial ones if there are no others. */
const runsDrawn = ({ runs, partial }: Pick<CellResult, 'runs' | 'partial'>): number[] =>
  runs.filter((run) => run.spread !== undefined && run.partial === partial).map(({ runId }) => runId);

/** The query for the seconds of the cells of a result. Undefined if the chart draws none. */
export const secondsAsked = (choice: ChartChoice, { cells, metric, warmup }: SessionResult) =>
  isOfSeconds(choice)
    ? {
        groups: cells.map(runsDrawn),
        ...((choice.kind === 'stairs' || choice.kind === 'timeline') && { inTime: true as const }),
        ...{ metric, warmup, points: Math.max(20, Math.floor(MOST_DOTS / Math.max(1, cells.length))) },
        ...(choice.clip !== undefined && { clip: choice.clip }),
      }
    : undefined;

/** The query for the metric along the axis of a timeline. Undefined if the axis is time. */
export const progressAsked = <Query extends SecondsQuery>(
  { kind, x }: ChartChoice,
  query: Query | undefined,
): Query | undefined =>
  kind === 'timeline' && x !== undefined && query ? { ...query, metric: x, clip: undefined } : undefined;

/** The seconds of cells with the progress of their run instead of time. A cell whose run does not report it has no seconds in time. */
export const alongProgress = (seconds: readonly CellSeconds[], progress: readonly CellSeconds[]): CellSeconds[] =>
  seconds.map(({ inTime, ...cell }, index) => {
    const way = progress[index]?.inTime;
    if (!inTime || !way || way.t.length === 0) return cell;
    return { ...cell, inTime: { t: inTime.t.map((moment) => valueAt(way, moment)), v: inTime.v } };
  });

/** Value of a line at a moment, interpolated between its points and held at its ends. */
function valueAt({ t, v }: { t: Float64Array; v: Float64Array }, moment: number): number {
  const after = t.findIndex((each) => each >= moment);
  if (after <= 0) return (after === 0 ? v[0] : v.at(-1)) ?? Number.NaN;
  const [from, to] = [t[after - 1] ?? 0, t[after] ?? 0];
  const [low, high] = [v[after - 1] ?? 0, v[after] ?? 0];
  return low + ((high - low) * (moment - from)) / (to - from);
}

/** A curve together with that of another session, which is the baseline of the comparison. */
export function curveOver(choice: ChartChoice, comparison: Comparison, theme: ChartTheme): ChartModel {
  const { only = {}, x, log, markers, whiskers: spread } = choice;
  const cells = comparison.cells.filter((cell) => isOneOf(only, cell));
  const { id, name } = comparison.baseline;
  const words = [`session ${id}`, 'this session'] as const;
  const look = { x, markers, spread, words, ...(log && { axis: 'log' as const }) };
  const model = withAxisTitles(comparisonCurve({ ...comparison, cells }, theme, look), choice);
  return { ...model, description: `${model.description}; dashed: session ${id}, “${name}”` };
}

/**
 * A chart requested by a document or a user. `seconds`: of the cells of the result, in order; empty for a curve. `runs`: those of the
 * session whose final figures are counts.
 */
export function chosenChart(
  choice: ChartChoice,
  result: SessionResult,
  seconds: readonly CellSeconds[],
  theme: ChartTheme,
  runs: readonly FinalRun[] = [],
): ChartModel {
  const factor = panelFactor(choice, result);
  const drawn = { seconds, runs };
  const model = withAxisTitles(
    factor ? inPanels(choice, result, drawn, theme, factor) : onePanel(choice, result, drawn, theme),
    choice,
  );
  const clipped = clippedWords(seconds, choice.clip, metricOf(result.metric));
  return clipped ? { ...model, description: `${model.description}; ${clipped}` } : model;
}

/** The chart with its own titles on the axes that have one, also in each panel. */
function withAxisTitles(model: ChartModel, { axes }: Pick<ChartChoice, 'axes'>): ChartModel {
  if (!axes) return model;
  const titled = ({ xAxis, yAxis, ...option }: EChartsOption): EChartsOption => ({
    ...option,
    ...(xAxis && { xAxis: axes.x === undefined ? xAxis : [xAxis].flat().map(named(axes.x)) }),
    ...(yAxis && { yAxis: axes.y === undefined ? yAxis : [yAxis].flat().map(named(axes.y)) }),
  });
  const { at } = model;
  return { ...model, option: titled(model.option), ...(at && { at: (width: number) => titled(at(width)) }) };
}

const named =
  (title: string) =>
  <Axis extends { name?: string | undefined }>(axis: Axis): Axis =>
    axis.name ? { ...axis, name: `${title}${AXIS_NOTES.exec(axis.name)?.[0] ?? ''}` } : axis;

/** Height of a table, or of a chart with several panels, pixels. Undefined for a single panel, which fills the given height. */
export function chosenHeight(choice: ChartChoice, result: SessionResult): number | undefined {
  if (choice.kind === 'table')
    return tableHeight(tableRows(result, tableAxes(choice, result).rows).length, choice.against !== undefined);
  const factor = panelFactor(choice, result);
  return factor && facetsHeight(measuredLevels(result, factor).length);
}

const panelFactor = ({ panels }: ChartChoice, { factors }: SessionResult) =>
  factors.find(({ name }) => name === panels);

/** Measured levels of a factor, in order. */
const measuredLevels = ({ cells }: SessionResult, { name, levels }: FactorLevels): Scalar[] =>
  inOrder(levels).filter((level) => cells.some((cell) => cell.levels[name] === level));

function inPanels(
  { panels: _, ...choice }: ChartChoice,
  result: SessionResult,
  { seconds, runs }: Drawn,
  theme: ChartTheme,
  factor: FactorLevels,
): ChartModel {
  // All panels have the scale that one chart of all cells would have.
  const [axis] = [onePanel(choice, result, { seconds, runs }, theme).option.yAxis].flat();
  const look = { inLegend: true, axis: axis?.type === 'log' ? ('log' as const) : ('zero' as const), all: seconds };
  const parts = measuredLevels(result, factor).map((level) => {
    const part = partOf(result, seconds, factor.name, level);
    return {
      name: formatLevels({ [factor.name]: level }),
      model: onePanel(choice, part.result, { seconds: part.seconds, runs }, theme, look),
    };
  });
  const description = parts[0]?.model.description ?? '';
  return facets(parts, { factor: factor.name, description }, theme);
}

/** The cells that have a level of a factor, with their seconds, as if there were no such factor. */
function partOf(result: SessionResult, seconds: readonly CellSeconds[], factor: string, level: Scalar) {
  const places = result.cells.flatMap(({ levels }, place) => (levels[factor] === level ? [place] : []));
  const without = <T extends { levels: Levels }>({ levels: { [factor]: _, ...levels }, ...rest }: T) => ({
    ...rest,
    levels,
  });
  const part: SessionResult = {
    ...result,
    factors: result.factors.filter(({ name }) => name !== factor),
    cells: result.cells.filter((_, place) => places.includes(place)).map(without),
    scaling: result.scaling?.filter((line) => line.levels[factor] === level).map(without),
  };
  return { result: part, seconds: seconds.filter((_, place) => places.includes(place)) };
}

/** Data of the cells of a result beyond their figures. */
interface Drawn {
  seconds: readonly CellSeconds[];
  runs: readonly FinalRun[];
}

interface ChartStyle {
  inLegend: boolean;
  axis: 'log' | 'zero';
  /** The seconds of all panels. */
  all: readonly CellSeconds[];
}

/** Factors along an axis with groups: the named one, otherwise the ladder's among those that are not groups. */
function groupedAxis({ x: named, groups = [] }: ChartChoice, factors: readonly FactorLevels[]) {
  const grouping = groups.flatMap((name) => factors.find((factor) => factor.name === name && name !== named) ?? []);
  const free = factors.filter((factor) => !grouping.includes(factor));
  return { groups: grouping, x: free.find(({ name }) => name === named) ?? ladderFactor(free) ?? ONLY };
}

/** Columns and rows of a table: rows are the named factors, then all others with several levels. */
function tableAxes(choice: ChartChoice, result: SessionResult) {
  const factors: readonly FactorLevels[] = result.factors.length > 0 ? result.factors : [ONLY];
  const { groups, x } = groupedAxis(choice, factors);
  const others = factors.filter((factor) => factor !== x && !groups.includes(factor) && factor.levels.length > 1);
  return { x, rows: [...groups, ...others], against: baselineOf(choice) };
}

function barsOf(choice: ChartChoice, result: SessionResult, theme: ChartTheme, look?: ChartStyle) {
  const factors: readonly FactorLevels[] = result.factors.length > 0 ? result.factors : [ONLY];
  const { markers, whiskers: spread } = choice;
  const bars = {
    ...groupedAxis(choice, factors),
    against: baselineOf(choice),
    markers,
    spread,
    inLegend: look?.inLegend,
  };
  return cellBars(result, bars, theme);
}

function onePanel(
  choice: ChartChoice,
  result: SessionResult,
  { seconds, runs }: Drawn,
  theme: ChartTheme,
  look?: ChartStyle,
): ChartModel {
  const { kind, x: named, log: isLog = false, clip, markers, counts } = choice;
  if (counts !== undefined)
    return countsChart(
      result,
      runs,
      { pattern: counts, isLog, paint: painterOf(result.factors), ...choice.axes },
      theme,
    );
  if (kind === 'bars') return barsOf(choice, result, theme, look);
  if (kind === 'table') return cellTable(result, tableAxes(choice, result), theme);
  if (kind === 'curve')
    return sessionCurve(result, theme, {
      inLegend: look?.inLegend,
      axis: look?.axis,
      x: named,
      markers,
      spread: choice.whiskers,
      ...(isLog && { axis: 'log' as const }),
    });
  const factors: readonly FactorLevels[] = result.factors.length > 0 ? result.factors : [ONLY];
  const measure = pickedMeasure(metricOf(result.metric), undefined);
  const compare = byLevels(result.factors);
  const paint = painterOf(result.factors);
  const cells = result.cells
    .flatMap((cell, index) => {
      const own = seconds[index];
      return own && own.count > 0 ? [{ ...own, cell: cell.cell, levels: cell.levels }] : [];
    })
    .sort((one, other) => compare(one.levels, other.levels));
  if (kind === 'dots') {
    const x = factors.find(({ name }) => name === named) ?? ladderFactor(factors) ?? ONLY;
    const placed =
      result.factors.length > 0 ? cells : cells.map((cell) => ({ ...cell, levels: { cell: ONLY.levels[0] ?? '' } }));
    return secondsDots(
      { ...{ measure, x, isLog, clip, markers }, cells: placed, lines: factors.filter((factor) => factor !== x) },
      theme,
    );
  }
  if (kind === 'stairs') {
    const { groups, x } = groupedAxis(choice, factors);
    const lines = result.factors.filter((factor) => factor !== x && !groups.includes(factor));
    const placed =
      result.factors.length > 0 ? cells : cells.map((cell) => ({ ...cell, levels: { cell: ONLY.levels[0] ?? '' } }));
    return stairs({ ...{ measure, cells: placed, x, groups, lines, isLog, clip }, markers }, theme);
  }
  if (kind === 'timeline') {
    const along = named === undefined ? undefined : metricOf(named);
    const lines = cells.map((cell) => ({
      ...cell,
      name: formatLevels(cell.levels) || measure.label,
      ...paint(cell.levels),
    }));
    return secondsOverTime({ ...{ measure, along, isLog, clip, markers }, cells: lines }, theme);
  }
  const draw = kind === 'density' ? secondsDensity : secondsHistogram;
  return draw(
    cells.map((cell) => ({ ...cell, name: formatLevels(cell.levels) || 'the only cell', ...paint(cell.levels) })),
    measure,
    theme,
    { isLog, clip, markers, all: look?.all.filter(({ ascending }) => ascending.length > 0) },
  );
}

type Value = string | number | boolean | undefined | readonly Value[] | { readonly [name: string]: Value };

/** Words that YAML reads as the same text without quotes. */
const PLAIN = /^[a-z](?:[\w ]*\w)?$/i;
const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

function flow(value: Value): string {
  if (typeof value === 'string') return PLAIN.test(value) && !RESERVED.test(value) ? value : JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value !== 'object') return String(value);
  const parts = Object.entries(value).filter(([, part]) => part !== undefined);
  return `{${parts.map(([name, part]) => `${flow(name)}: ${flow(part)}`).join(', ')}}`;
}

/** A chart in the form of a document: an entry of its `charts`, in YAML. */
export const chartText = (choice: ChartChoice): string => `  - ${flow(choice)}\n`;

interface SecondsOverTime {
  measure: Measure;
  /** Seconds of one run of each cell, `t` from the warm-up cut on or in the unit of `along`. */
  cells: readonly (CellSeconds & Paint & { cell: number; name: string })[];
  /** Quantity along the axis instead of time. */
  along?: Measure | undefined;
  isLog?: boolean | undefined;
  clip?: number | undefined;
  markers?: readonly ChartMarker[] | undefined;
}

const NO_LEVELS = { levels: [], places: { levels: [0], between: () => 0 } };

/** A line for each cell: the seconds of one run over its time, or along its progress. */
function secondsOverTime(chart: SecondsOverTime, theme: ChartTheme): ChartModel {
  const { measure, cells, along, isLog = false, clip, markers = [] } = chart;
  const lines = cells.flatMap(({ inTime, cell, name, slot, shade }) =>
    inTime && inTime.t.length > 0
      ? [{ key: String(cell), name, slot, shade, ...inTime, weight: 'normal' as const }]
      : [],
  );
  const model = timeline({ measure, lines, along, isLog }, theme);
  const limited = ({ yAxis, ...option }: EChartsOption): EChartsOption => ({
    ...option,
    ...(yAxis && { yAxis: clip === undefined ? yAxis : endingAt(yAxis, clip, measure) }),
    series: [...[option.series ?? []].flat(), ...markerLines(markers, theme, NO_LEVELS)],
  });
  const { at } = model;
  return {
    ...model,
    description: `${titleOf(measure)} ${along ? `along ${withinSentence(along.label)}` : 'over time'}, one run of each cell`,
    option: limited(model.option),
    ...(at && { at: (width: number) => limited(at(width)) }),
  };
}

type Upright = NonNullable<EChartsOption['yAxis']>;

const endingAt = (axis: Upright, clip: number, { digits }: Measure): Upright =>
  [axis].flat().map((each) => ({
    ...each,
    max: clip,
    name: `${each.name ?? ''}, axis ends at ${formatNumber(clip, digits)}`,
  }));
