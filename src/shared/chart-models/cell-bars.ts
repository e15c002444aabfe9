import { metricOf } from '../metrics/index.ts';
import type { ChartChoice } from '../model/chart.ts';
import type { Levels, Scalar } from '../model/factor.ts';
import { barOf } from '../model/figure.ts';
import type { CellResult, SessionResult } from '../model/result.ts';
import { pickedMeasure } from '../stats/index.ts';
import { capital, formatLevel, formatLevels, plainLevel } from '../util/format.ts';
import { areJoined, type CurvePoint } from './curve-lines.ts';
import { byLevels, type FactorLevels, inOrder, lineKeys } from './levels.ts';
import { loadCurve } from './load-curve.ts';
import { type ChartModel, type Measure, titleOf } from './model.ts';
import { pointOf, spreadOfRepeats, whiskerWords } from './of-session.ts';
import type { ChartTheme } from './theme.ts';

/** Factor and level that the ratios refer to. */
export const baselineOf = ({
  against,
}: Pick<ChartChoice, 'against'>): { factor: string; level: Scalar } | undefined => {
  const [entry] = Object.entries(against ?? {});
  return entry && { factor: entry[0], level: entry[1] };
};

interface Bars {
  x: FactorLevels;
  /** Factors of the groups along the axis, the outermost first. */
  groups: readonly FactorLevels[];
  against: ReturnType<typeof baselineOf>;
  markers?: ChartChoice['markers'];
  /** Spread of the whiskers of figures. Default: of the repeats, if there are several. */
  spread?: ChartChoice['whiskers'];
  /** Names are in a legend of several panels. */
  inLegend?: boolean | undefined;
}

/** Bars from zero along a factor, grouped by others; each combination of the rest is a bar of its own hue at each place. */
export function cellBars(
  result: SessionResult,
  { x, groups, against, markers, inLegend, spread = spreadOfRepeats(result.cells) }: Bars,
  theme: ChartTheme,
): ChartModel {
  const { factors, metric, pick } = result;
  const along = [...groups, x];
  const levelsOf = (cell: CellResult): Levels => (factors.length > 0 ? cell.levels : { [x.name]: x.levels[0] ?? '' });
  const measured = result.cells.map((cell) => ({ cell, levels: levelsOf(cell) }));
  const placeOf = (levels: Levels): string => formatLevels(within(levels, along));
  const compare = byLevels([...along, ...factors.filter((factor) => !along.includes(factor))]);
  const points = measured
    .sort((one, other) => compare(one.levels, other.levels))
    .flatMap(({ cell, levels }): CurvePoint[] => {
      const own = against ? ratioOf(result, cell, against) : pointOf(result, cell, spread);
      return own ? [{ cell: cell.cell, ...own, levels: { ...levels, [PLACE]: placeOf(levels) } }] : [];
    });
  // Places without a bar would look like figures of zero.
  const places = lineKeys(along).filter((key) =>
    points.some(({ levels }) => along.every(({ name }) => levels[name] === key[name])),
  );
  const whole = pickedMeasure(metricOf(metric), pick);
  const ratio = against && `ratio to ${formatLevels({ [against.factor]: against.level })}`;
  const measure: Measure = ratio === undefined ? whole : { label: capital(ratio), unit: '', digits: 3 };
  const lines = factors.filter((factor) => !along.includes(factor));
  const words = against ? '95 % interval of the ratio' : whiskerWords(metric, spread, pick);
  const hasWhiskers = points.some(({ low, high }) => low !== undefined && high !== undefined);
  const model = loadCurve(
    {
      ...{ measure, points, axis: 'zero', isOfBars: true, inLegend, lines },
      x: { name: PLACE, levels: places.map(placeOf) },
      along: {
        name: x.name,
        ...(!areJoined(x) && { slots: places.map((key) => inOrder(x.levels).indexOf(key[x.name] ?? '')) }),
        labels: places.map((key) => formatLevel(key[x.name])),
        ...(groups.length > 0 && {
          groups: places.map((key) => groups.map((group) => formatLevels(within(key, [group]))).reverse()),
        }),
      },
      spread: words,
      markers: [...(against ? [{ name: '×1', value: 1 }] : []), ...(markers ?? [])],
    },
    theme,
  );
  const named = [titleOf(whole), ratio].filter(Boolean).join(', ');
  return {
    ...model,
    description: `${named} by ${along.map(({ name }) => name).join(', ')}${hasWhiskers ? `; whiskers: ${words}` : ''}`,
    table: () => {
      const columns = [...along, ...lines].map(({ name }) => name);
      return {
        columns: [...columns, named, 'low', 'high'],
        rows: points.map(({ levels, mean, low, high }) => [
          ...columns.map((name) => plainLevel(levels[name])),
          ...[mean ?? '', low ?? '', high ?? ''],
        ]),
      };
    },
  };
}

/** Name of all factors along the axis together. */
const PLACE = 'place along the axis';

const within = (levels: Levels, factors: readonly FactorLevels[]): Levels =>
  Object.fromEntries(factors.flatMap(({ name }) => (levels[name] === undefined ? [] : [[name, levels[name]]])));

/**
 * The ratio of a cell to the one that has the level and otherwise the same levels, with its interval if the results have it. Undefined for
 * a cell without a counterpart, and for the baseline itself.
 */
function ratioOf(
  { cells, ratios }: SessionResult,
  cell: CellResult,
  { factor, level }: NonNullable<Bars['against']>,
): Pick<CurvePoint, 'mean' | 'low' | 'high' | 'barred'> | undefined {
  const others = (levels: Levels): string => JSON.stringify(Object.entries({ ...levels, [factor]: null }).sort());
  const base = cells.find(
    ({ levels }) => String(levels[factor]) === String(level) && others(levels) === others(cell.levels),
  );
  if (!base || base === cell || cell.value === undefined || !base.value) return undefined;
  const known = ratios
    ?.find((each) => each.factor === factor && String(each.level) === String(level))
    ?.cells.find((each) => each.cell === cell.cell);
  return {
    mean: known?.ratio ?? cell.value / base.value,
    ...(known?.interval && { low: known.interval.low, high: known.interval.high }),
    barred: barOf(cell)?.mark ?? barOf(base)?.mark,
  };
}
