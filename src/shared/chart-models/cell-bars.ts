import type { CustomSeriesOption, EChartsOption } from 'echarts';
import { metricOf } from '../metrics/index.ts';
import type { ChartChoice } from '../model/chart.ts';
import type { Levels, Scalar } from '../model/factor.ts';
import { barOf } from '../model/figure.ts';
import type { CellResult, SessionResult } from '../model/result.ts';
import { pickedMeasure } from '../stats/index.ts';
import {
  capital,
  columnDigits,
  formatInterval,
  formatLevel,
  formatLevels,
  formatNumber,
  formatTimes,
  NO_VALUE,
  plainLevel,
} from '../util/format.ts';
import { areJoined, type CurvePoint } from './curve-lines.ts';
import { shortLabels } from './labels.ts';
import { byLevels, type FactorLevels, inOrder, isOf, lineKeys } from './levels.ts';
import { loadCurve } from './load-curve.ts';
import { type ChartModel, type Measure, titleOf } from './model.ts';
import { pointOf, spreadOfRepeats, whiskerWords } from './of-session.ts';
import { base, levelAxis, tip } from './parts.ts';
import { ratioTiles, type Tile, valueTiles } from './pivot.ts';
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

interface Rows {
  x: FactorLevels;
  /** Factors of the rows, the outermost first. */
  rows: readonly FactorLevels[];
  against: Bars['against'];
}

/** Pixels of a row with a figure, and with its ratio below; around all rows; of a letter of a label; maximum of all labels. */
const ROW = { figure: 30, ratio: 42, around: 64, letter: 6.4, most: 260 };

/** Height of a table with so many rows, pixels. */
export const tableHeight = (count: number, hasRatio: boolean): number =>
  ROW.around + count * (hasRatio ? ROW.ratio : ROW.figure);

/** Combinations of these factors that have cells. */
export const tableRows = ({ cells }: Pick<SessionResult, 'cells'>, rows: readonly FactorLevels[]): Levels[] =>
  lineKeys(rows).filter((key) => cells.some(({ levels }) => isOf(key, levels, rows)));

/**
 * Cells in rows by several factors and columns by one, coloured by their figures. With a baseline, each has its ratio below its figure, and
 * colours are those of the ratios.
 */
export function cellTable(result: SessionResult, { x, rows, against }: Rows, theme: ChartTheme): ChartModel {
  const whole = pickedMeasure(metricOf(result.metric), result.pick);
  const keys = tableRows(result, rows);
  const columns = inOrder(x.levels).filter((level) => result.cells.some(({ levels }) => levels[x.name] === level));
  const places = keys.flatMap((key, row) =>
    columns.flatMap((level, column) => {
      const cell = result.cells.find(({ levels }) => levels[x.name] === level && isOf(key, levels, rows));
      return cell ? [{ row, column, cell, ratio: against && ratioOf(result, cell, against) }] : [];
    }),
  );
  const digits = columnDigits(
    whole,
    places.map(({ cell }) => cell.value),
  );
  const tiles = against
    ? ratioTiles(places.map(({ ratio }) => ratio?.mean))
    : valueTiles(places.map(({ cell }) => cell.value));
  const texts = places.map(({ cell, ratio }) => [
    formatNumber(cell.value, digits),
    ...(ratio?.mean === undefined ? [] : [formatTimes(ratio.mean)]),
  ]);
  const names = keys.map((key) => formatLevels(key) || 'all cells');
  const room = Math.min(ROW.most, ROW.letter * Math.max(x.name.length, ...names.map(({ length }) => length)));
  const labels = shortLabels(names, Math.floor(room / ROW.letter));
  const ratioWords = against && `ratio to ${formatLevels({ [against.factor]: against.level })}`;
  const named = [titleOf(whole), ratioWords].filter(Boolean).join(', ');
  const axis = levelAxis(theme, x.name);
  const option: EChartsOption = {
    ...base(theme, []),
    grid: { left: room + 18, right: 16, top: 48, bottom: 12, containLabel: false },
    xAxis: {
      ...axis,
      type: 'category',
      position: 'top',
      data: columns.map((level) => formatLevel(level)),
      axisLine: { show: false },
      axisTick: { show: false },
    },
    yAxis: {
      type: 'category',
      inverse: true,
      data: names,
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: { color: theme.text, fontSize: 12, formatter: (_: string, row: number) => labels[row] ?? '' },
    },
    series: [placeSeries(places, texts, tiles, theme)],
  };
  option.tooltip = {
    ...option.tooltip,
    trigger: 'item',
    formatter: (parameters: unknown) => {
      const place = places[(parameters as { dataIndex?: number }).dataIndex ?? -1];
      if (!place) return '';
      const { cell, ratio, row } = place;
      const interval =
        ratio?.low === undefined || ratio.high === undefined
          ? ''
          : ` (${formatInterval({ low: ratio.low, high: ratio.high })})`;
      return tip(`${names[row]}, ${formatLevels({ [x.name]: cell.levels[x.name] ?? '' })}`, [
        { name: titleOf(whole), value: formatNumber(cell.value, digits) },
        ...(ratio?.mean === undefined
          ? []
          : [{ name: ratioWords ?? '', value: `${formatTimes(ratio.mean)}${interval}` }]),
      ]);
    },
  };
  return {
    description: `${named} by ${[...rows, x].map(({ name }) => name).join(', ')}`,
    option,
    table: () => ({
      columns: [
        ...rows.map(({ name }) => name),
        ...columns.flatMap((level) => {
          const title = formatLevels({ [x.name]: level });
          return against ? [title, `${title}: ${ratioWords}`] : [title];
        }),
      ],
      rows: keys.map((key, row) => [
        ...rows.map(({ name }) => plainLevel(key[name])),
        ...columns.flatMap((_, column) => {
          const place = places.find((each) => each.row === row && each.column === column);
          return against ? [place?.cell.value ?? '', place?.ratio?.mean ?? ''] : [place?.cell.value ?? ''];
        }),
      ]),
    }),
  };
}

/** A tile for each place, with its texts below each other. */
function placeSeries(
  places: readonly { row: number; column: number; cell: { cell: number } }[],
  texts: readonly (readonly string[])[],
  tiles: readonly (Tile | undefined)[],
  theme: ChartTheme,
): CustomSeriesOption {
  return {
    id: 'cells',
    type: 'custom',
    encode: { x: 0, y: 1 },
    data: places.map(({ column, row, cell }) => ({ value: [column, row], name: String(cell.cell) })),
    renderItem: ({ dataIndex }, api) => {
      const [x = 0, y = 0] = api.coord([api.value(0), api.value(1)]);
      const [width = 0, height = 0] = [api.size?.([1, 1])].flat();
      const lines = texts[dataIndex] ?? [NO_VALUE];
      const { ground, ink } = tiles[dataIndex] ?? { ground: theme.shade, ink: theme.text };
      return {
        type: 'group',
        children: [
          {
            type: 'rect',
            shape: { x: x - width / 2 + 1, y: y - height / 2 + 1, width: width - 2, height: height - 2, r: 3 },
            style: { fill: ground },
          },
          ...lines.map((text, line) => ({
            type: 'text' as const,
            silent: true,
            style: {
              ...{ text, x, y: y + (line - (lines.length - 1) / 2) * 15, fill: ink, fontSize: line === 0 ? 12 : 11 },
              ...{ align: 'center' as const, verticalAlign: 'middle' as const, fontFamily: theme.font },
            },
          })),
        ],
      };
    },
  };
}
