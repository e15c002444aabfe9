import type { EChartsOption } from 'echarts';
import { shortLabels } from './labels.ts';
import type { ChartModel, ChartTable } from './model.ts';
import { MOST_IN_LEGEND, RIGHT, rowsOfNames, WIDE } from './names.ts';
import { base } from './parts.ts';
import type { ChartTheme } from './theme.ts';

/** A chart of one level of a factor. */
export interface Facet {
  name: string;
  model: ChartModel;
}

interface Words {
  /** The factor with a panel for each of its levels. */
  factor: string;
  description: string;
}

/** Pixels of a panel with its name and its axis, of its name above, of the name of its axis below, and of the first row of a legend. */
const PANEL = 216;
const ABOVE = 34;
const BELOW = 26;
const LEGEND = 30;
const LEGEND_ROW = 28;
/** Pixels of a letter of a name, which is bold. */
const LETTER = 7;

/** Panels in a row. */
const columnsOf = (count: number): number => (count < 2 ? 1 : count === 2 || count === 4 ? 2 : 3);

/** Height of this many panels, pixels, without a multi-row legend. */
export const facetsHeight = (count: number): number => Math.ceil(count / columnsOf(count)) * PANEL + LEGEND;

type Axis = Readonly<Record<string, unknown>>;
type Series = Readonly<Record<string, unknown>>;
type Ends = { min: number; max: number };

const objectsIn = (part: unknown): Series[] =>
  [part].flat().filter((each): each is Series => typeof each === 'object' && each !== null);

/** Range of the values of all series on an axis: 0 horizontal, 1 vertical. */
function endsOf(options: readonly EChartsOption[], dimension: 0 | 1): Ends {
  const ends = { min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY };
  for (const { type, data } of options.flatMap(({ series }) => objectsIn(series)))
    for (const item of Array.isArray(data) ? data : []) {
      const value: unknown = Array.isArray(item) ? item : Object(item).value;
      // Whiskers have both of their ends on the vertical axis.
      for (const at of dimension === 1 && type === 'custom' ? [1, 2] : [dimension]) {
        const number: unknown = Array.isArray(value) ? value[at] : undefined;
        if (typeof number !== 'number' || !Number.isFinite(number)) continue;
        ends.min = Math.min(ends.min, number);
        ends.max = Math.max(ends.max, number);
      }
    }
  return ends.min <= ends.max ? ends : { min: 0, max: 1 };
}

const STEPS = [1, 2, 2.5, 5, 10];

/** From one round number to another. */
function roundEnds({ min: low, max: high }: Ends): { min: number; max: number; interval: number } {
  if (high <= low) return { min: low, max: low + 1, interval: 1 };
  const size = 10 ** Math.floor(Math.log10((high - low) / 4));
  const interval = size * (STEPS.find((step) => size * step * 4 >= high - low) ?? 10);
  return { min: Math.floor(low / interval) * interval, max: Math.ceil(high / interval) * interval, interval };
}

/** An axis with the same ends in every panel. */
function sharedAxis(axis: Axis, ends: Ends): Axis {
  if (axis.type === 'log') {
    const end = (given: unknown, otherwise: number): number =>
      typeof given === 'function' ? given(ends) : typeof given === 'number' ? given : otherwise;
    return { ...axis, min: end(axis.min, ends.min), max: end(axis.max, ends.max) };
  }
  const round = roundEnds(axis.scale === true ? ends : { min: Math.min(0, ends.min), max: Math.max(0, ends.max) });
  return typeof axis.max === 'number' ? { ...axis, min: round.min } : { ...axis, ...round };
}

const firstAxis = (axis: unknown): Axis => objectsIn(axis)[0] ?? {};

const namesIn = ({ legend }: EChartsOption): string[] =>
  objectsIn(legend).flatMap(({ data }) =>
    (Array.isArray(data) ? data : []).map((entry: unknown) => String(Object(entry).name ?? entry)),
  );

/** Small multiples: the same chart for each level of a factor, all with the same axes and one legend. */
export function facets(parts: readonly Facet[], { factor, description }: Words, theme: ChartTheme): ChartModel {
  const columns = columnsOf(parts.length);
  const at = (width: number): EChartsOption => {
    const share = Math.floor(width / columns);
    const options = parts.map(({ model }) => model.at?.(share) ?? model.option);
    const names = [...new Set(options.flatMap(namesIn))];
    const isLegend = names.length > 1 && names.length <= MOST_IN_LEGEND;
    const head = isLegend ? LEGEND + LEGEND_ROW * (rowsOfNames(names, width) - 1) : 0;
    // Without a legend, the panels use its space.
    const tall = PANEL + (isLegend ? 0 : Math.floor(LEGEND / Math.ceil(parts.length / columns)));
    const short = shortLabels(
      parts.map(({ name }) => name),
      Math.max(4, Math.floor((share - 20) / LETTER)),
    );
    const upright = endsOf(options, 1);
    const along = endsOf(options, 0);
    const option = {
      ...base(theme, names, new Map(), { at: isLegend ? 'legend' : 'nowhere' }),
      grid: parts.map((_, index) => {
        const [column, row] = [index % columns, Math.floor(index / columns)];
        return {
          left: column * share + 8,
          right: width - (column + 1) * share + RIGHT,
          top: head + row * tall + ABOVE,
          height: tall - ABOVE - BELOW - 8,
          containLabel: true,
        };
      }),
      xAxis: options.map(({ xAxis }, gridIndex) => {
        const axis = firstAxis(xAxis);
        // Axes of levels already have their ends.
        return { ...(axis.scale === true || axis.type === 'log' ? sharedAxis(axis, along) : axis), gridIndex };
      }),
      yAxis: options.map(({ yAxis }, gridIndex) => {
        const axis = sharedAxis(firstAxis(yAxis), upright);
        return {
          ...axis,
          gridIndex,
          name: `${short[gridIndex]}${axis.type === 'log' ? ', log scale' : ''}`,
          nameGap: 12,
          nameTextStyle: { color: theme.text, fontSize: 12, fontWeight: 600, align: 'left' },
        };
      }),
      series: options.flatMap(({ series }, index) =>
        objectsIn(series).map((each) => ({
          ...each,
          id: `${index} ${each.id}`,
          xAxisIndex: index,
          yAxisIndex: index,
        })),
      ),
      tooltip: {
        ...objectsIn(options[0]?.tooltip)[0],
        formatter: (items: unknown) => tipOf(items, options),
      },
    };
    return option as unknown as EChartsOption;
  };
  // The name of a panel replaces that of its vertical axis.
  const upright = firstAxis(parts[0]?.model.option.yAxis).name;
  const isMentioned = typeof upright !== 'string' || description.includes(upright);
  return {
    description: `${description}, a panel for each ${factor}${isMentioned ? '' : `; vertical axis: ${upright}`}`,
    option: at(WIDE),
    at,
    table: () => tableOf(parts, factor),
  };
}

/** The tooltip of the panel under the pointer. */
function tipOf(items: unknown, options: readonly EChartsOption[]): string {
  const [first] = objectsIn(items);
  const panel = Number.parseInt(String(first?.seriesId ?? ''), 10);
  const formatter = objectsIn(options[panel]?.tooltip)[0]?.formatter;
  return typeof formatter === 'function' ? String(formatter(items)) : '';
}

/** The rows of all panels, each with its level; columns are matched by name, as panels may differ. */
function tableOf(parts: readonly Facet[], factor: string): ChartTable {
  const tables = parts.map(({ name, model }) => ({ name, ...model.table() }));
  const columns = [...new Set(tables.flatMap((table) => table.columns))];
  return {
    columns: [factor, ...columns],
    rows: tables.flatMap(({ name, columns: own, rows }) =>
      rows.map((row) => [name, ...columns.map((column) => row[own.indexOf(column)] ?? '')]),
    ),
  };
}
