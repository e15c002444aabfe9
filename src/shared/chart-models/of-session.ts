import { isAveraged, metricOf } from '../metrics/index.ts';
import type { ChartMarker, CurveSpread } from '../model/chart.ts';
import type { Scalar } from '../model/experiment.ts';
import { valueOfLevel } from '../model/factor.ts';
import { barOf } from '../model/figure.ts';
import type { ChosenPick } from '../model/measure.ts';
import type { CellResult, Comparison, FactorRatios, SessionResult } from '../model/result.ts';
import { loadsOf, pickedMeasure } from '../stats/index.ts';
import { capital, formatLevels, plainLevel } from '../util/format.ts';
import { spreadBoxes } from './boxes.ts';
import { areJoined, type CurveAxis, type CurvePoint } from './curve-lines.ts';
import type { LineLaw } from './law-series.ts';
import {
  byLevels,
  distinctLevels,
  type FactorLevels,
  inOrder,
  isOf,
  isVaried,
  lineKeys,
  nameOfCell,
} from './levels.ts';
import { loadCurve } from './load-curve.ts';
import { type ChartModel, titleOf } from './model.ts';
import { type RatioBar, ratioBars } from './ratio-bars.ts';
import type { ChartTheme, Paint } from './theme.ts';

/**
 * The factor along the axis, among those with several levels: the last load, otherwise the last one that only has numbers or values,
 * otherwise the one with the most levels, so that fewer dots overlap. Factors of which all cells have a level are preferred; undefined
 * without factors.
 */
export function ladderFactor<F extends FactorLevels>(factors: readonly F[]): F | undefined {
  const varied = factors.filter(({ levels }) => levels.length > 1);
  const numeric = varied.filter(
    ({ levels, values }) => values !== undefined || levels.every((level) => typeof level === 'number'),
  );
  // Cells without a level of the factor would have no place along it.
  const whole = (all: readonly F[]): F[] => all.filter(({ sparse }) => !sparse);
  const longest = (all: readonly F[]): F | undefined => {
    const most = Math.max(...all.map(({ levels }) => levels.length));
    return all.filter(({ levels }) => levels.length === most).at(-1);
  };
  return (
    whole(numeric)
      .filter(({ load }) => load !== undefined)
      .at(-1) ??
    whole(numeric).at(-1) ??
    numeric.at(-1) ??
    longest(whole(varied)) ??
    longest(varied) ??
    whole(factors).at(-1) ??
    factors.at(-1)
  );
}

const ONLY: FactorLevels = { name: 'cell', levels: ['the only cell'] };

/** Default of the whiskers for these cells: repeats, if there are several. */
export const spreadOfRepeats = (cells: readonly CellResult[]): CurveSpread =>
  cells.some(({ interval, range }) => interval ?? range) ? 'repeats' : 'seconds';

/** Words for the whiskers. Seconds would be misleading next to a percentile of all events, so its repeats are drawn. */
export const whiskerWords = (metric: string, spread: CurveSpread, pick?: ChosenPick): string =>
  isOfRepeats(metric, pick) ? 'smallest to largest repeat' : WHISKER_WORDS[spread];

export const WHISKER_WORDS: Readonly<Record<CurveSpread, string>> = {
  repeats: '95 % interval of the mean of the repeats',
  seconds: '5th to 95th percentile of per-second values',
  extremes: 'smallest to largest per-second value, or execution of a query',
};

/** Whether the figure of a cell has no interval: for percentiles and extremes, and for one repeat that represents all. */
const isOfRepeats = (metric: string, pick?: ChosenPick): boolean => pick !== undefined || !isAveraged(metric);

/** The point of a cell: its figure with its whiskers. */
export function pointOf(
  { metric, pick }: Pick<SessionResult, 'metric' | 'pick'>,
  cell: CellResult | undefined,
  spread: CurveSpread,
): Pick<CurvePoint, 'mean' | 'low' | 'high' | 'barred' | 'excluded'> {
  const ends = isOfRepeats(metric, pick)
    ? cell?.range
    : spread === 'repeats'
      ? cell?.interval
      : cell?.spread &&
        (spread === 'extremes'
          ? { low: cell.spread.min, high: cell.spread.max }
          : { low: cell.spread.p5, high: cell.spread.p95 });
  return {
    ...{ mean: cell?.value, low: ends?.low, high: ends?.high },
    ...(cell && { barred: barOf(cell)?.mark }),
    ...(cell?.excluded && { excluded: cell.excluded.flatMap(({ value }) => value ?? []) }),
  };
}

/** Whether any cell has whiskers. Times of whole steps, and figures that only a final report has, have none without repeats. */
export const hasWhiskers = (result: Pick<SessionResult, 'metric' | 'pick' | 'cells'>, spread: CurveSpread): boolean =>
  result.cells.some((cell) =>
    [cell, ...partsOf(cell).map(({ value, spread: own }) => ({ ...cell, value, spread: own }))].some((each) => {
      const { low, high } = pointOf(result, each, spread);
      return low !== undefined && high !== undefined;
    }),
  );

interface CurveChoice {
  /** Factor along the x axis. Default: that of the ladder. */
  x?: string | undefined;
  axis?: CurveAxis | undefined;
  /** Spread of the whiskers. Default: repeats, if there are several. */
  spread?: CurveSpread | undefined;
  /** Only cells that have one of these levels, per factor. */
  only?: Readonly<Record<string, readonly Scalar[]>>;
  /** Lines across the chart. */
  markers?: readonly ChartMarker[] | undefined;
  /** Names are in a legend, and none at the ends of lines. */
  inLegend?: boolean | undefined;
}

/** Load curve of a session: cell means with the spread of their seconds, one line per combination of the other factors. */
export function sessionCurve(result: SessionResult, theme: ChartTheme, choice: CurveChoice = {}): ChartModel {
  const factors: readonly FactorLevels[] = result.factors.length > 0 ? result.factors : [ONLY];
  const x = factors.find((factor) => factor.name === choice.x) ?? ladderFactor(factors) ?? ONLY;
  const shown = result.cells.filter((cell) =>
    Object.entries(choice.only ?? {}).every(([name, levels]) => levels.some((level) => level === cell.levels[name])),
  );
  const spread = choice.spread ?? spreadOfRepeats(result.cells);
  const levelsOf = (cell: CellResult) => (result.factors.length > 0 ? cell.levels : { cell: 'the only cell' });
  const each = result.pick === 'all' ? repeatFactor(shown) : undefined;
  const apart = each ? undefined : generatorFactor(shown);
  const points = shown.flatMap((cell): CurvePoint[] => {
    const levels = levelsOf(cell);
    if (each)
      return cell.means.map((mean, index) => ({
        cell: cell.cell,
        mean,
        levels: { ...levels, [each.name]: index + 1 },
      }));
    const parts = partsOf(cell).map(({ host, value, spread: own }) => ({
      ...{ cell: cell.cell, levels: { ...levels, [GENERATOR]: host } },
      ...pointOf(result, { ...cell, value, spread: own }, spread),
    }));
    return parts.length > 0 ? parts : [{ cell: cell.cell, levels, ...pointOf(result, cell, spread) }];
  });
  return loadCurve(
    {
      measure: pickedMeasure(metricOf(result.metric), result.pick),
      points,
      x,
      lines: [...factors.filter((factor) => factor !== x && isVaried(factor)), ...(apart ? [apart] : [])],
      ...(each ? { repeats: each } : { spread: whiskerWords(result.metric, spread, result.pick) }),
      axis: choice.axis,
      markers: choice.markers,
      inLegend: choice.inLegend,
      ...lawsOf(result, x.name),
    },
    theme,
  );
}

const GENERATOR = 'on generator';

/** Values of each of several generators, if they cannot be combined: a percentile without histograms, a mean latency. */
export const partsOf = ({ value, means, generators = [], ...cell }: CellResult) =>
  value === undefined && means.length === 0 && !barOf(cell)
    ? generators.map((each) => ({ ...each, value: each.value ?? each.spread.mean }))
    : [];

/** Generators that each have their own lines. */
function generatorFactor(cells: readonly CellResult[]): FactorLevels | undefined {
  const parts = cells.map(partsOf);
  const hosts = [...new Set(parts.flat().map(({ host }) => host))];
  if (hosts.length === 0) return undefined;
  return { name: GENERATOR, levels: hosts, ...(parts.some(({ length }) => length === 0) && { sparse: true }) };
}

/** If repeats are not combined, each is drawn separately. */
const repeatFactor = (cells: readonly CellResult[]): FactorLevels => ({
  name: 'repeat',
  levels: Array.from({ length: Math.max(1, ...cells.map(({ means }) => means.length)) }, (_, index) => index + 1),
});

/** Knees and fits of the lines along this factor; empty if it is not the load. */
function lawsOf(result: SessionResult, x: string): { laws?: LineLaw[] } {
  const lines = result.scaling?.filter(({ factor }) => factor === x) ?? [];
  if (lines.length === 0) return {};
  const along = result.factors.find(({ name }) => name === x);
  const loads = along ? loadsOf(along.levels.flatMap((level) => valueOfLevel(along, level) ?? [])) : [];
  const [least, most] = [Math.min(...loads), Math.max(...loads)];
  return {
    laws: lines.map(({ levels, knee, usl }): LineLaw => {
      const { value, rate, low, high } = usl?.peak ?? {};
      const isMeasured = value !== undefined && rate !== undefined && high !== undefined && high <= most;
      return {
        levels,
        knee: knee.load,
        isBeyond: knee.verdict === 'none',
        curve: usl?.curve,
        ...(isMeasured && { peak: { load: value, rate, low: Math.max(least, low ?? least), high } }),
      };
    }),
  };
}

/** Sentences about knees and fits, in the order of the lines; each begins with its line if there are several. */
export function scalingSentences(result: SessionResult, only: CurveChoice['only'] = {}): string[] {
  const lines = (result.scaling ?? []).filter(({ levels }) =>
    Object.entries(only).every(
      ([name, allowed]) => levels[name] === undefined || allowed.some((level) => level === levels[name]),
    ),
  );
  const byText = new Map<string, string[]>();
  for (const { levels, sentences } of lines) {
    const text = sentences.join(' ');
    byText.set(text, [...(byText.get(text) ?? []), formatLevels(distinctLevels(result.factors, levels))]);
  }
  // A sentence that applies to several lines appears once; without their names if it applies to all.
  return [...byText].map(([text, names]) => {
    const of = names.length === lines.length ? (names.length === 1 ? names[0] : '') : names.join('; ');
    return `${of ? `${of}: ` : ''}${text}`;
  });
}

/** Explains how the load curve along this factor shows knee and fit; empty if it shows none. */
export function lawWords(result: SessionResult, along: string | undefined): string {
  const lines = result.scaling?.filter(({ factor }) => factor === along) ?? [];
  return [
    ...(lines.some(({ knee }) => knee.load !== undefined) ? ['ringed: the knee'] : []),
    ...(lines.some(({ usl }) => usl)
      ? ['dashed: Universal Scalability Law, with its 95 % interval; diamond: its peak']
      : []),
  ].join('; ');
}

/**
 * Paint for the runs of a cell: the hue of its load curve's line, with a shade by its position along the line. With a single line of names,
 * each has its own hue.
 */
export type Painter = (levels: Readonly<Record<string, Scalar>>) => Paint;

/** Paints cells of these factors; `x` is the factor along the load curve, by default that of the ladder. */
export function painterOf(factors: readonly FactorLevels[], x?: string): Painter {
  const along = factors.find((factor) => factor.name === x) ?? ladderFactor(factors);
  const others = factors.filter((factor) => factor !== along);
  const keys = lineKeys(others);
  const order = inOrder(along?.levels ?? []);
  const most = order.length - 1;
  const areApart = keys.length === 1 && (along === undefined || !areJoined(along));
  return (levels) => {
    const slot = keys.findIndex((key) => isOf(key, levels, others));
    const level = along && levels[along.name];
    const place = level === undefined ? -1 : order.indexOf(level);
    if (areApart) return { slot: Math.max(0, place) };
    return { slot: Math.max(0, slot), ...(most > 0 && place >= 0 && { shade: place / most }) };
  };
}

/** Words for the load curve's line of a cell; empty if there is only one line. */
export function lineWords(
  factors: readonly FactorLevels[],
  levels: Readonly<Record<string, Scalar>>,
  x?: string,
): string {
  const along = factors.find((factor) => factor.name === x) ?? ladderFactor(factors);
  const { [along?.name ?? '']: _, ...others } = distinctLevels(factors, levels);
  return formatLevels(others);
}

/** Colour slot of the load curve's line of each cell; all 0 if there is only one line. */
export function lineSlots(result: Pick<SessionResult, 'factors' | 'cells'>, x?: string): ReadonlyMap<number, number> {
  const along = result.factors.find((factor) => factor.name === x) ?? ladderFactor(result.factors);
  const others = result.factors.filter((factor) => factor !== along);
  const keys = lineKeys(others);
  return new Map(
    result.cells.map(({ cell, levels }) => [
      cell,
      Math.max(
        0,
        keys.findIndex((key) => isOf(key, levels, others)),
      ),
    ]),
  );
}

/** Title of the chart of the cells: only a load along the axis makes it a load curve, names or sizes do not. */
export function curveTitle({ factors, metric }: Pick<SessionResult, 'factors' | 'metric'>, x?: string): string {
  const along = factors.find((factor) => factor.name === x) ?? ladderFactor(factors);
  return !along || along.load !== undefined ? 'Load curve' : `${capital(metricOf(metric).label)} by ${along.name}`;
}

/**
 * Distribution of the seconds of every cell with a result, in the colours of their runs. If seconds of several generators cannot be
 * combined, each generator has a box.
 */
export function sessionBoxes(result: SessionResult, theme: ChartTheme, asked?: 'zero' | 'log'): ChartModel {
  const paint = painterOf(result.factors);
  const compare = byLevels(result.factors);
  const cells = [...result.cells].sort((one, other) => compare(one.levels, other.levels));
  const apart = generatorFactor(cells);
  const varied = result.factors.filter(isVaried);
  const named = varied.length > 0 ? varied : result.factors;
  return spreadBoxes(
    cells.flatMap((cell) => {
      const spreads = cell.spread ? [{ host: undefined, spread: cell.spread }] : partsOf(cell);
      return spreads.map(({ host, spread }) => ({
        name:
          [formatLevels(cell.levels) && nameOfCell(result.factors, cell.levels), host].filter(Boolean).join(' · ') ||
          'the only cell',
        levels: [...named.map(({ name }) => plainLevel(cell.levels[name])), ...(apart ? [host ?? ''] : [])],
        ...paint(cell.levels),
        ...spread,
      }));
    }),
    [...named.map((factor) => factor.name), ...(apart ? [apart.name] : [])],
    metricOf(result.metric),
    theme,
    asked,
  );
}

/** Factors of a comparison, from its cells: names and levels in order of appearance. */
function factorsOf(comparison: Comparison): FactorLevels[] {
  const factors = new Map<string, Set<Scalar>>();
  for (const { levels } of comparison.cells) {
    for (const [name, level] of Object.entries(levels)) factors.set(name, (factors.get(name) ?? new Set()).add(level));
  }
  return [...factors].map(([name, levels]) => ({
    ...{ name, levels: [...levels] },
    ...(comparison.cells.some((cell) => cell.levels[name] === undefined) && { sparse: true as const }),
  }));
}

/** Maximum letters of a session's name in a legend with two sessions. */
const LONGEST_NAME = 28;

/** Load curves of both sides of a comparison in one picture, each in its own hues; the baseline is dashed. */
export function comparisonCurve(
  comparison: Comparison,
  theme: ChartTheme,
  choice: Pick<CurveChoice, 'x' | 'axis' | 'markers' | 'spread'> & {
    words?: readonly [baseline: string, other: string];
  } = {},
): ChartModel {
  const factors = factorsOf(comparison);
  const x = factors.find(({ name }) => name === choice.x) ?? ladderFactor(factors) ?? ONLY;
  const lines = factors.filter((factor) => factor !== x);
  const same = comparison.baseline.name === comparison.other.name;
  const sides = [
    { key: 'baseline' as const, name: same ? `${comparison.baseline.name} (baseline)` : comparison.baseline.name },
    { key: 'other' as const, name: comparison.other.name },
  ];
  // Long names, and names with levels of other factors, would be cut in a legend, possibly to the same words.
  const isLong = sides.some(({ name }) => name.length > LONGEST_NAME);
  const short = choice.words ?? ['baseline', 'compared'];
  const words = lines.length > 0 || isLong || choice.words ? short : sides.map((side) => side.name);
  const measured = comparison.cells.flatMap(({ baseline, other }) =>
    [baseline, other].filter((cell) => cell !== undefined),
  );
  const spread = choice.spread ?? spreadOfRepeats(measured);
  const points = comparison.cells.flatMap((cell) =>
    sides.map(
      ({ key, name }): CurvePoint => ({
        cell: cell[key]?.cell ?? -1,
        levels: { ...(factors.length > 0 ? cell.levels : { cell: 'the only cell' }), session: name },
        ...pointOf({ metric: comparison.metric, pick: cell[key]?.basis?.pick }, cell[key], spread),
      }),
    ),
  );
  const session = { name: 'session', levels: sides.map((side) => side.name), words };
  return loadCurve(
    {
      measure: metricOf(comparison.metric),
      points,
      x,
      lines,
      sides: session,
      spread: whiskerWords(comparison.metric, spread),
      axis: choice.axis,
      markers: choice.markers,
    },
    theme,
  );
}

/** Title of the chart of both sides. */
export function comparisonTitle(comparison: Comparison): string {
  const along = ladderFactor(factorsOf(comparison));
  return along ? `Both by ${along.name}` : 'Both sides';
}

/** Ratios of the cells of a session to the baseline of a factor, a bar per cell. */
export function baselineBars(
  { metric, cells, factors }: Pick<SessionResult, 'metric' | 'cells' | 'factors'>,
  ratios: FactorRatios,
  theme: ChartTheme,
): ChartModel {
  const levelsOf = new Map(cells.map(({ cell, levels }) => [cell, levels]));
  const against = formatLevels({ [ratios.factor]: ratios.level });
  const isPlain = factors.some(({ name, levels }) => name === ratios.factor && areNamesOfTheirOwn(levels));
  return ratioBars(
    ratios.cells.flatMap(({ cell, ratio, interval, verdict }): RatioBar[] => {
      const levels = levelsOf.get(cell);
      if (!levels || ratio === undefined) return [];
      const bar = { name: nameOfCell(factors, levels), ratio, low: interval?.low, high: interval?.high, verdict };
      return [isPlain ? { ...bar, label: withoutFactor(bar.name, ratios.factor) } : bar];
    }),
    `${titleOf(metricOf(metric))} relative to ${against}`,
    theme,
  );
}

const withoutFactor = (cell: string, factor: string): string =>
  cell
    .split(' · ')
    .map((part) => (part.startsWith(`${factor} `) ? part.slice(factor.length + 1) : part))
    .join(' · ');

/** `NORMAL` or `xfs` needs no factor before it where a title names the factor; `2`, or `on` and `off`, do. */
const areNamesOfTheirOwn = (levels: readonly Scalar[]): boolean =>
  levels.every((level) => typeof level === 'string' && /^[a-z]/i.test(level)) &&
  levels.some((level) => !/^(?:on|off)$/i.test(String(level)));

/** Ratios of a comparison, a bar per cell that both sides measured. */
export const comparisonBars = (comparison: Comparison, theme: ChartTheme): ChartModel =>
  ratioBars(
    comparison.cells.flatMap((cell): RatioBar[] =>
      cell.ratio === undefined
        ? []
        : [
            {
              name: formatLevels(cell.levels) || 'the only cell',
              ratio: cell.ratio,
              low: cell.interval?.low,
              high: cell.interval?.high,
              verdict: cell.verdict,
            },
          ],
    ),
    titleOf(metricOf(comparison.metric)),
    theme,
  );
