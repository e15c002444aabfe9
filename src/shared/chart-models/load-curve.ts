import type {
  BarSeriesOption,
  CustomSeriesOption,
  EChartsOption,
  LineSeriesOption,
  ScatterSeriesOption,
} from 'echarts';
import { valueOfLevel } from '../model/factor.ts';
import { formatLevel, formatNumber, formatValue, plainLevel } from '../util/format.ts';
import { markerLines, numbersOf } from './chart-markers.ts';
import {
  areJoined,
  type CurveLine,
  type CurvePoint,
  groupRows,
  groupSeries,
  type LoadCurve,
  leftOfAxis,
  levelsAxis,
  linesOf,
  placesOf,
} from './curve-lines.ts';
import { lawSeries } from './law-series.ts';
import { inOrder } from './levels.ts';
import { type ChartModel, type ChartTable, type Measure, titleOf } from './model.ts';
import {
  gridFor,
  MOST_IN_LEGEND,
  moreRows,
  type NamesPlace,
  nameAtEnd,
  namesOfShort,
  placeLabel,
  placeOfNames,
  RIGHT,
  SMALL_LINE,
  WIDE,
} from './names.ts';
import { areFarApart, axisEnd, base, isOnLogAxis, levelAxis, logAxis, type TipLine, tip, valueAxis } from './parts.ts';
import { type ChartTheme, colourOf, markerOf, ringed } from './theme.ts';
import { whiskers } from './whiskers.ts';

/**
 * A metric against the levels of a factor, one line per combination of the others, with whiskers for the spread. If the levels are names:
 * bars from zero, or dots if zero is not on the axis.
 */
export function loadCurve(curve: LoadCurve, theme: ChartTheme): ChartModel {
  const lines = linesOf(curve);
  const names = namesOf(lines);
  const at = (width: number): EChartsOption => optionOf(curve, lines, theme, width);
  return {
    description: `${titleOf(curve.measure)} vs. ${curve.x.name}${names.length > 1 ? `, ${names.length} lines` : ''}`,
    option: at(WIDE),
    at,
    ...(names.length > MOST_IN_LEGEND && { listed: names }),
    table: () => tableOf(curve, lines),
  };
}

/** With more lines, words at their knees would overlap: only the ring and the sentences below show them. */
const MOST_NAMED = 4;

/** Pixels of the labels of the vertical axis. */
const AXIS = 70;

function optionOf(curve: LoadCurve, lines: readonly CurveLine[], theme: ChartTheme, width: number): EChartsOption {
  const names = namesOf(lines);
  const joined = areJoined(curve.x) && !curve.isOfBars;
  const isLog = isLogarithmic(curve, lines, joined);
  const canBeBars = !joined && !isLog && curve.axis !== 'cut' && !curve.repeats;
  const place = withoutEnds(placeOfNames(names, width), canBeBars || curve.inLegend === true);
  const whole = Math.max(1, width - AXIS - (place.at === 'ends' ? place.room : RIGHT));
  const aside = leftOfAxis(curve, whole / curve.x.levels.length);
  const plot = Math.max(1, whole - aside);
  const bar = canBeBars ? shapeOfBars(plot / curve.x.levels.length / names.length) : undefined;
  const places = placesOf(curve.x, names.length, plot, bar && bar.width + bar.gap);
  const within = limitsOf(curve, isLog);
  const isNamed = names.length <= MOST_NAMED;
  const titleEnd = AXIS + LETTER * titleOf(curve.measure).length;
  const top = gridFor(place).top + (place.at === 'legend' ? moreRows(names, width) : 0);
  // Names along a single line are separate things: each has its hue, as in every other chart.
  const apart = !joined && lines.length === 1 && hasHues(curve);
  const short = namesOfShort(
    lines.filter(isFirst).map((line) => {
      const last = line.points.map((point) => point?.mean !== undefined && !point.barred).lastIndexOf(true);
      const mean = line.points[last]?.mean;
      const end = mean === undefined ? undefined : ([places.of(last, names.indexOf(line.name)), mean] as const);
      return { key: line.name, name: line.name, colour: colourOf(line, theme.scheme), end };
    }),
    places.scale,
    place,
    theme,
  );
  const series = lines.flatMap((line) => {
    const order = names.indexOf(line.name);
    const whiskersOf = (slot: number, points: typeof line.points): CustomSeriesOption => ({
      ...whiskers(
        line.name,
        points.map((point, index) => [places.of(index, order), point?.low, point?.high]),
        // On a bar of the same hue it would hardly be visible.
        bar ? theme.text : colourOf({ slot }, theme.scheme),
        { within },
      ),
      ...(apart && { id: `whiskers ${line.name}, ${slot}` }),
    });
    return [
      bar
        ? barSeries(line, (index) => places.of(index, order), theme, {
            width: bar.width,
            ...(apart && { slotAt: (index: number) => slotAt(curve, index) }),
          })
        : {
            ...lineSeries(line, (index) => places.of(index, order), theme, { joined, apart, x: curve.x, isNamed }),
            ...nameAtEnd(
              line.name,
              colourOf(line, theme.scheme),
              isFirst(line) && !short.keys.has(line.name) ? place : { at: 'nowhere' },
              theme,
            ),
            labelLayout: (label: PlacedLabel) => belowTitle(label, titleEnd, top) ?? placeLabel(label),
          },
      ...separatePoints(line, (index) => places.of(index, order), theme),
      ...(apart
        ? line.points.map((point, slot) =>
            whiskersOf(
              slot,
              line.points.map((each) => (each === point ? each : undefined)),
            ),
          )
        : [whiskersOf(line.slot, line.points)]),
      ...(line.law && isFirst(line)
        ? lawSeries(line.name, line.law, places.between, colourOf(line, theme.scheme), theme)
        : []),
    ];
  });
  const dashed = lines.filter((line) => line.dashed);
  const room = plot / curve.x.levels.length;
  const axis = levelsAxis(curve.x, places.levels, room, theme, curve.along);
  const more = groupRows(curve.along);
  const option: EChartsOption = {
    ...base(theme, names, new Map(dashed.map((line) => [line.name, colourOf(line, theme.scheme)])), place),
    ...((aside > 0 || more > 0) && {
      grid: {
        ...gridFor(place),
        left: gridFor(place).left + aside,
        bottom: gridFor(place).bottom + more,
      },
    }),
    xAxis: { ...axis, nameGap: axis.nameGap + more },
    yAxis: isLog ? logAxis(theme, curve.measure) : valueAxis(theme, curve.measure, curve.axis === 'cut'),
    series: [
      ...series,
      ...short.series,
      ...groupSeries(curve.along, room, axis.nameGap - levelAxis(theme, '').nameGap, theme),
      ...markerLines(curve.markers ?? [], theme, { levels: numbersOf(curve.x), places }),
    ],
  };
  option.tooltip = {
    ...option.tooltip,
    formatter: (items: unknown) => curveTip(nearest(items, places.levels), lines, curve, theme),
  };
  return option;
}

/**
 * Share of a level covered by its bars, share of a bar that is free before the next; maximum width of a bar in pixels, and minimum width,
 * below which it becomes a dot.
 */
const BARS_SHARE = 0.8;
const BAR_GAP = 0.1;
const WIDEST_BAR = 56;
const NARROWEST_BAR = 4;

/** Shape of a bar in a level of this many pixels; undefined if it would be too narrow. */
function shapeOfBars(room: number): { width: number; gap: number } | undefined {
  const width = Math.min(WIDEST_BAR, Math.floor((BARS_SHARE / (1 + BAR_GAP)) * room));
  return width < NARROWEST_BAR ? undefined : { width, gap: Math.max(2, BAR_GAP * width) };
}

/** Bars have no end for a name, and panels have no room there. */
const withoutEnds = (place: NamesPlace, hasNoEnds: boolean): NamesPlace =>
  hasNoEnds && place.at === 'ends' ? { at: 'legend' } : place;

/** Repeats of a line share its name. */
const namesOf = (lines: readonly CurveLine[]): string[] => [...new Set(lines.map(({ name }) => name))];
const isFirst = ({ repeat = 0 }: CurveLine): boolean => repeat === 0;

const meansOf = (points: readonly (CurvePoint | undefined)[]): number[] => points.flatMap((point) => point?.mean ?? []);

/** Latencies, lines and names may be decades apart; a single rising line is read best from zero. */
function isLogarithmic(curve: LoadCurve, lines: readonly CurveLine[], joined: boolean): boolean {
  const all = meansOf(curve.points);
  if (curve.axis || !joined || curve.measure.unit === 'ms') return isOnLogAxis(all, curve.axis);
  return areFarApart(lines.map(({ points }) => meansOf(points)));
}

/**
 * Whiskers are drawn up to this multiple of the largest value, and from there to the end of the axis; down to this fraction of the smallest:
 * a very wide interval must not flatten the lines.
 */
const BEYOND = { linear: 1.5, log: 10 };

function limitsOf(curve: LoadCurve, isLog: boolean): readonly [number, number] {
  const all = meansOf(curve.points);
  if (all.length === 0) return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const [least, most] = [Math.min(...all), Math.max(...all)];
  if (isLog) return [least / BEYOND.log, most * BEYOND.log];
  const limit = Math.max(0, most * BEYOND.linear);
  return [Math.min(0, least), curve.axis === 'cut' ? limit : axisEnd(limit)];
}

function tableOf(curve: LoadCurve, lines: readonly CurveLine[]): ChartTable {
  const others = [...(curve.sides ? [curve.sides] : []), ...curve.lines, ...(curve.repeats ? [curve.repeats] : [])];
  return {
    columns: [
      curve.x.name,
      ...others.map((factor) => factor.name),
      titleOf(curve.measure),
      'low',
      'high',
      ...(curve.laws ? ['knee'] : []),
      ...(curve.points.some(isUnusual) ? ['note'] : []),
    ],
    rows: curve.points
      .filter((point) => point.mean !== undefined || isUnusual(point))
      .map((point) => [
        plainLevel(point.levels[curve.x.name]),
        ...others.map((factor) => plainLevel(point.levels[factor.name])),
        point.mean ?? '',
        point.low ?? '',
        point.high ?? '',
        ...(curve.laws ? [isKnee(point, lines, curve.x) ? 'yes' : ''] : []),
        ...(curve.points.some(isUnusual) ? [extraWords(point, curve.measure)] : []),
      ]),
  };
}

const isUnusual = ({ barred, excluded = [] }: CurvePoint): boolean => barred !== undefined || excluded.length > 0;

const isKnee = (point: CurvePoint, lines: readonly CurveLine[], x: LoadCurve['x']): boolean =>
  lines.some(
    ({ points, law }) =>
      points.includes(point) && law?.knee !== undefined && law.knee === valueOfLevel(x, point.levels[x.name]),
  );

function lineSeries(
  line: CurveLine,
  place: (index: number) => number,
  theme: ChartTheme,
  { joined, apart, x, isNamed }: { joined: boolean; apart: boolean; x: LoadCurve['x']; isNamed: boolean },
): LineSeriesOption {
  const colour = colourOf(line, theme.scheme);
  const marker = markerOf(line.slot, theme, line.dashed);
  const last = line.points.map((point) => point?.mean !== undefined).lastIndexOf(true);
  return {
    id: `line ${line.name}${isFirst(line) ? '' : ` ${line.repeat}`}`,
    name: line.name,
    type: 'line',
    legendHoverLink: false,
    color: colour,
    ...marker,
    symbolSize: joined ? 7 : 9,
    showAllSymbol: true,
    lineStyle: { width: joined ? 2 : 0, color: colour, type: line.dashed ? 'dashed' : 'solid' },
    emphasis: { focus: 'series', lineStyle: { width: joined ? 2.5 : 0 } },
    triggerEvent: 'line',
    connectNulls: true,
    data: line.points.map((point, index) => ({
      value: [place(index), (point?.barred ? undefined : point?.mean) ?? '-'],
      cell: point?.cell,
      ...(apart && ofCategory(index, theme)),
      ...(point &&
        isKnee(point, [line], x) && { ...ringed(marker, theme), ...(isNamed && { label: words('knee', theme) }) }),
      ...(isNamed && line.law?.isBeyond && index === last && { label: words('knee not reached', theme) }),
    })),
  };
}

/** Opacity of bars, so that their whiskers are visible on them. */
const BAR_OPACITY = 0.72;

function barSeries(
  line: CurveLine,
  place: (index: number) => number,
  theme: ChartTheme,
  { width, slotAt: ownSlot }: { width: number; slotAt?: (index: number) => number },
): BarSeriesOption {
  const styleOf = (slot: number) => {
    const colour = colourOf({ slot }, theme.scheme);
    return line.dashed
      ? { color: theme.ground, borderColor: colour, borderWidth: 1.5, borderType: 'dashed' as const }
      : { color: colour, opacity: BAR_OPACITY };
  };
  return {
    id: `line ${line.name}`,
    name: line.name,
    type: 'bar',
    legendHoverLink: false,
    color: colourOf(line, theme.scheme),
    itemStyle: styleOf(line.slot),
    barWidth: width,
    // Each already has its place along the axis.
    barGap: '-100%',
    emphasis: { focus: 'series', itemStyle: { opacity: 1 } },
    data: line.points.map((point, index) => ({
      value: [place(index), (point?.barred ? undefined : point?.mean) ?? '-'],
      cell: point?.cell,
      ...(ownSlot && { itemStyle: styleOf(ownSlot(index)) }),
    })),
  };
}

/** Whether each level along the axis can have its own hue. */
const hasHues = ({ along }: LoadCurve): boolean => along === undefined || along.slots !== undefined;
const slotAt = ({ along }: LoadCurve, index: number): number => along?.slots?.[index] ?? index;

/** The marker of one of several names, in its hue. */
function ofCategory(slot: number, theme: ChartTheme) {
  const { symbol, itemStyle } = markerOf(slot, theme);
  return { symbol, itemStyle: { color: colourOf({ slot }, theme.scheme), ...itemStyle } };
}

/** Points outside the lines: unranked figures, hollow, and those of excluded runs, crossed out. */
function separatePoints(line: CurveLine, place: (index: number) => number, theme: ChartTheme): ScatterSeriesOption[] {
  const colour = colourOf(line, theme.scheme);
  const dots = (
    what: string,
    look: Pick<ScatterSeriesOption, 'symbol' | 'symbolSize' | 'itemStyle'>,
    data: { value: number[]; cell: number }[],
  ): ScatterSeriesOption[] =>
    data.length === 0
      ? []
      : [
          {
            ...{
              id: `${what} ${line.name} ${line.repeat ?? 0}`,
              name: line.name,
              type: 'scatter',
              color: colour,
              data,
            },
            ...{ legendHoverLink: false, z: 4, ...look },
          },
        ];
  const of = (figures: (point: CurvePoint) => readonly number[]) =>
    line.points.flatMap((point, index) =>
      point ? figures(point).map((figure) => ({ value: [place(index), figure], cell: point.cell })) : [],
    );
  return [
    ...dots(
      'barred',
      {
        symbol: 'circle',
        symbolSize: 9,
        itemStyle: { color: theme.ground, borderColor: colour, borderWidth: 1.5, borderType: 'dashed' },
      },
      of(({ mean, barred }) => (barred && mean !== undefined ? [mean] : [])),
    ),
    ...dots(
      'excluded',
      { symbol: CROSS, symbolSize: 9, itemStyle: { color: 'transparent', borderColor: colour, borderWidth: 1.5 } },
      of(({ excluded = [] }) => excluded),
    ),
  ];
}
const CROSS = 'path://M0,0L10,10M0,10L10,0';

/** Pixels of a letter of an axis' name, and minimum distance between the top of the plot and the end of words, to clear that name. */
const LETTER = 6.3;
const CLEAR = 6;
/** Distance from words above a point to their place below it. */
const ACROSS = 26;

interface PlacedLabel {
  dataIndex?: number;
  labelRect: { x: number; y: number; width: number; height: number };
}

/** Moves words above a point below it if they would cover the name of the vertical axis, which begins above the plot at the left. */
const belowTitle = ({ dataIndex, labelRect: { x, y, width, height } }: PlacedLabel, titleEnd: number, top: number) =>
  dataIndex !== undefined && y < top - CLEAR && x < titleEnd
    ? {
        x: x + width / 2,
        y: y + height + ACROSS,
        align: 'center' as const,
        verticalAlign: 'top' as const,
        hideOverlap: true,
      }
    : undefined;

/** Words above a point; readable over a whisker. */
const words = (text: string, theme: ChartTheme) => ({
  ...{ show: true, textBorderColor: theme.ground, textBorderWidth: 3 },
  position: 'top' as const,
  distance: 8,
  color: theme.faint,
  fontSize: 11,
  lineHeight: SMALL_LINE,
  formatter: () => text,
});

/** Index of the level that a tooltip is requested for. */
function nearest(items: unknown, levels: readonly number[]): number {
  const [item]: readonly { value?: readonly unknown[] }[] = Array.isArray(items) ? items : [items];
  const at = Number(item?.value?.[0] ?? 0);
  const distances = levels.map((level) => Math.abs(level - at));
  return distances.indexOf(Math.min(...distances));
}

/** Additional facts about a point; empty for an ordinary one. */
const extraWords = ({ barred, excluded = [] }: CurvePoint, { digits }: Measure): string =>
  [
    ...(barred ? [barred] : []),
    ...(excluded.length > 0 ? [`excluded ${excluded.map((figure) => formatNumber(figure, digits)).join(', ')}`] : []),
  ].join(', ');

function curveTip(index: number, lines: readonly CurveLine[], curve: LoadCurve, theme: ChartTheme): string {
  const apart = lines.length === 1 && !areJoined(curve.x) && hasHues(curve);
  const rows = lines.flatMap((line): TipLine[] => {
    const point = line.points[index];
    if (point?.mean === undefined && !point?.excluded?.length) return [];
    const range =
      point.low === undefined || point.high === undefined
        ? ''
        : `  (${formatNumber(point.low, curve.measure.digits)} – ${formatNumber(point.high, curve.measure.digits)})`;
    return [
      {
        colour: colourOf(apart ? { slot: slotAt(curve, index) } : line, theme.scheme),
        name: line.repeat === undefined ? line.name : `${line.name}, repeat ${line.repeat + 1}`,
        value: [`${formatValue(point.mean, curve.measure)}${range}`, extraWords(point, curve.measure)]
          .filter(Boolean)
          .join(', '),
      },
    ];
  });
  const foot = curve.spread && rows.length > 0 ? `In brackets: ${curve.spread}` : undefined;
  const level = formatLevel(inOrder(curve.x.levels)[index]);
  return tip(curve.along ? level : `${curve.x.name} ${level}`, rows, foot);
}
