import type { EChartsOption, LineSeriesOption } from 'echarts';
import { formatMoney, formatValue } from '../util/format.ts';
import { type ChartModel, type Measure, titleOf } from './model.ts';
import { COMES_FORWARD, nameAtEnd, namesOfShort, placeOfNames, WIDE } from './names.ts';
import { axisNumber, base, levelAxis, tip, valueAxis } from './parts.ts';
import { type ChartTheme, colourOf } from './theme.ts';

const SIDES = ['one', 'other'] as const;
type Side = (typeof SIDES)[number];

/** Two configurations, and their costs along an axis. */
export interface CostLines {
  axis: Measure;
  currency: string;
  names: Readonly<Record<Side, string>>;
  /** Money per month; absent: it cannot be bought there. */
  points: readonly ({ at: number } & { readonly [side in Side]?: number | undefined })[];
  /** Where both cost the same. */
  crossings: readonly number[];
}

/** The axis ends at this multiple of the last crossing: a longer one would press the crossing to its left end. */
const BEYOND = 2.5;
/** From this share of the axis on, words have more room to the left of their point. */
const NEAR_END = 0.8;

/** Two cost lines over a purchased quantity, and their crossings. */
export function costLines({ axis, currency, names, points, crossings }: CostLines, theme: ChartTheme): ChartModel {
  const last = points.at(-1)?.at ?? 0;
  const end = crossings.length > 0 ? Math.min(last, BEYOND * Math.max(...crossings)) : last;
  const shown = points.filter(({ at }) => at <= end);
  const money = { label: 'Price per month', unit: currency, digits: 2 };
  const lines = SIDES.map((side, slot) => ({
    side,
    slot,
    name: names[side],
    colour: colourOf({ slot }, theme.scheme),
  }));
  const heightAt = (at: number): number => {
    const nearest = shown.reduce((best, point) => (Math.abs(point.at - at) < Math.abs(best.at - at) ? point : best));
    return nearest.one ?? nearest.other ?? 0;
  };
  const crossing: LineSeriesOption = {
    ...{ id: 'crossings', type: 'line', silent: true, z: 5, symbol: 'circle', symbolSize: 9, lineStyle: { width: 0 } },
    tooltip: { show: false },
    itemStyle: { color: theme.ground, borderColor: theme.text, borderWidth: 2 },
    data: crossings.map((at) => ({
      value: [at, heightAt(at)],
      label: {
        ...{ show: true, color: theme.text, fontSize: 12, fontWeight: 600, formatter: () => formatValue(at, axis) },
        // Below both lines, which do not fall.
        ...(at < NEAR_END * end
          ? { position: [14, 14], align: 'left' as const }
          : { position: [-4, 16], align: 'right' as const }),
      },
    })),
  };
  const at = (width: number): EChartsOption => {
    const place = placeOfNames(Object.values(names), width);
    const drawn = lines.map((line) => {
      const bought = shown.filter((point) => point[line.side] !== undefined);
      const [x, y] = [bought.at(-1)?.at, bought.at(-1)?.[line.side]];
      return { ...line, key: line.side, end: x === undefined || y === undefined ? undefined : ([x, y] as const) };
    });
    const short = namesOfShort(drawn, width / (end || 1), place, theme);
    const option: EChartsOption = {
      ...base(theme, Object.values(names), undefined, place),
      xAxis: {
        ...levelAxis(theme, titleOf(axis)),
        ...{ type: 'value', min: 0, max: end || 1 },
        axisLabel: { color: theme.faint, fontSize: 12, hideOverlap: true, showMaxLabel: false, formatter: axisNumber },
      },
      yAxis: valueAxis(theme, money),
      series: [
        ...drawn.map(
          ({ side, name, colour }): LineSeriesOption => ({
            ...{
              id: side,
              name,
              type: 'line',
              color: colour,
              showSymbol: false,
              symbol: 'circle',
              legendHoverLink: false,
            },
            lineStyle: { width: 2 },
            data: shown.map((point) => [point.at, point[side] ?? '-']),
            ...COMES_FORWARD,
            ...nameAtEnd(name, colour, short.keys.has(side) ? { at: 'nowhere' } : place, theme),
          }),
        ),
        ...short.series,
        crossing,
      ],
    };
    option.tooltip = { ...option.tooltip, formatter: (items: unknown) => tipAt(items) };
    return option;
  };
  const tipAt = (items: unknown): string => {
    const [item]: readonly { value?: readonly unknown[] }[] = Array.isArray(items) ? items : [items];
    const point = shown.find((each) => each.at === Number(item?.value?.[0]));
    if (!point) return '';
    return tip(
      formatValue(point.at, axis),
      lines.map(({ side, name, colour }) => ({
        ...{ name, colour },
        value: point[side] === undefined ? 'not offered' : `${formatMoney(point[side], currency)} per month`,
      })),
    );
  };
  return {
    description: `${titleOf(money)} vs. ${axis.label.toLowerCase()}, 2 lines`,
    option: at(WIDE),
    at,
    table: () => ({
      columns: [titleOf(axis), ...lines.map(({ name }) => `${name}, per month (${currency})`), 'note'],
      rows: points.map((point) => [
        point.at,
        ...SIDES.map((side) => point[side] ?? ''),
        crossings.includes(point.at) ? 'both cost the same' : '',
      ]),
    }),
  };
}
