import type { EChartsOption } from 'echarts';
import { formatDuration, formatValue } from '../util/format.ts';
import type { Mark } from './event-marks.ts';
import { shortLabels } from './labels.ts';
import { type ChartModel, type Measure, titleOf } from './model.ts';
import { axisNumber, base, logAxis, spansDecades, type TipLine, timeAxis, tip, valueAxis } from './parts.ts';
import { type ChartTheme, colourOf } from './theme.ts';
import { bandSeries, lengthOf, lineSeries, type TimelineLine } from './timeline.ts';
import { glyphs, marking, markLines } from './timeline-marks.ts';

export interface Panel {
  name: string;
  line: TimelineLine;
  marks: readonly Mark[];
}

export interface Panels {
  measure: Measure;
  panels: readonly Panel[];
  /** Seconds at the start that summaries exclude; shaded. */
  warmup: number;
  /** Number of panels in a row. */
  columns: number;
  /** Pixels of the space that the panels fill, if they fit into it. */
  height?: number | undefined;
}

/** Pixels of a panel, of its name above, of the labels of its axis below, and between two of them in a row. */
const PLOT = 92;
const ABOVE = 42;
const BELOW = 26;
const LEFT = 62;
/** Pixels of a letter of a name, which is bold, and minimum letters of one. */
const LETTER = 7;
const LEAST_LETTERS = 4;
const PANEL = ABOVE + PLOT + BELOW;
/** Pixels below the last one. */
const FOOT = 8;

/** Height of a panel, pixels: fills the space, and is at least readable. */
const panelHeight = (count: number, columns: number, height = 0): number =>
  Math.max(PANEL, Math.floor((height - FOOT) / Math.ceil(count / columns)));

/** Total height of the panels in a space of this height, pixels. */
export const panelsHeight = (count: number, columns: number, height?: number): number =>
  Math.ceil(count / columns) * panelHeight(count, columns, height) + FOOT;

/** Small multiples: a picture for each cell, all with the same axes. */
export function panels(chart: Panels, theme: ChartTheme): ChartModel {
  const { measure, columns, warmup } = chart;
  const lines = chart.panels.map(({ line }) => line);
  const length = lengthOf(lines) || 60;
  const tall = panelHeight(lines.length, columns, chart.height);
  const at = (width: number): EChartsOption => {
    const share = width / columns;
    const names = shortLabels(
      chart.panels.map(({ name }) => name),
      Math.max(LEAST_LETTERS, Math.floor((share - 20) / LETTER)),
    );
    const grid = chart.panels.map((_, index) => ({
      left: Math.round((index % columns) * share + LEFT),
      top: Math.floor(index / columns) * tall + ABOVE,
      width: Math.max(20, Math.round(share - LEFT - 14)),
      height: tall - ABOVE - BELOW,
      containLabel: false,
    }));
    const upright = uprightAxis(lines, measure, theme);
    const foot = 'min' in upright && typeof upright.min === 'number' ? upright.min : 0;
    const { name: _name, id: _id, ...time } = timeAxis(theme, length, Math.max(2, Math.floor(share / 90)));
    const option: EChartsOption = {
      ...base(theme, []),
      grid,
      xAxis: grid.map((_, gridIndex) => ({ ...time, gridIndex, axisLabel: { ...time.axisLabel, fontSize: 11 } })),
      yAxis: grid.map((_, gridIndex) => ({
        ...upright,
        gridIndex,
        nameGap: 18,
        name: names[gridIndex] ?? '',
        nameTextStyle: {
          color: theme.text,
          fontSize: 12,
          fontWeight: 600,
          align: 'left' as const,
          padding: [0, 0, 0, -LEFT + 14],
          width: share - 20,
          overflow: 'truncate' as const,
        },
      })),
      series: chart.panels.flatMap(({ line, marks }, index) => {
        const axes = { xAxisIndex: index, yAxisIndex: index };
        return [
          ...(line.band ? [{ ...bandSeries(line, line.band, theme), ...axes }] : []),
          { ...lineSeries(line, theme), ...axes },
          { ...marking([], { warmup, length }, theme, ''), ...axes, id: `marking ${index}` },
          { ...glyphs(marks, theme, foot), ...axes, id: `marks ${index}` },
        ];
      }),
    };
    option.tooltip = { ...option.tooltip, formatter: (items: unknown) => panelTip(items, chart, length, theme) };
    return option;
  };
  return {
    description: `${titleOf(measure)} over time, ${chart.panels.length} panels with the same axes`,
    option: at(1000),
    at,
    table: () => ({
      columns: [
        'cell',
        't (s)',
        ...['median', 'low', 'high'].map((name) => `${name}${measure.unit ? ` (${measure.unit})` : ''}`),
      ],
      rows: lines.flatMap(({ name, t, v, band }) =>
        Array.from(t, (second, index) => [
          name,
          second,
          v[index] ?? '',
          band?.low[index] ?? '',
          band?.high[index] ?? '',
        ]),
      ),
    }),
  };
}

const STEPS = [1, 2, 2.5, 5, 10];

/** The same axis in each panel: from zero to a round number, or logarithmic if the panels are decades apart. */
function uprightAxis(lines: readonly TimelineLine[], measure: Measure, theme: ChartTheme) {
  const most = lines.reduce((top, { v, band }) => (band?.high ?? v).reduce((a, b) => Math.max(a, b), top), 0) || 1;
  const peaks = lines.map(({ v }) => v.reduce((a, b) => Math.max(a, b), 0));
  const label = { color: theme.faint, fontSize: 11, formatter: axisNumber };
  if (spansDecades(peaks)) {
    const least = lines.reduce((low, { v }) => v.reduce((a, b) => (b > 0 ? Math.min(a, b) : a), low), most);
    const log = logAxis(theme, measure);
    const ends = { min: least, max: most };
    return { ...log, min: log.min(ends), max: log.max(ends), axisLabel: { ...log.axisLabel, fontSize: 11 } };
  }
  const size = 10 ** Math.floor(Math.log10(most / 2));
  const step = size * (STEPS.find((each) => each * size * 2 >= most) ?? 10);
  const negative = lines.some(({ v, band }) => (band?.low ?? v).some((value) => value < 0));
  return {
    ...valueAxis(theme, measure),
    ...(!negative && { min: 0, max: 2 * step, interval: step }),
    axisLabel: label,
  };
}

interface TipItem {
  seriesId?: string;
  value?: readonly number[];
}

function panelTip(items: unknown, chart: Panels, length: number, theme: ChartTheme): string {
  const list: readonly TipItem[] = Array.isArray(items) ? items : [];
  const panel = chart.panels.find(({ line }) => list.some(({ seriesId }) => seriesId === line.key));
  const at = list.find(({ seriesId }) => seriesId === panel?.line.key)?.value?.[0];
  if (!panel || at === undefined) return '';
  const index = panel.line.t.indexOf(at);
  const value = (name: string, of: Float64Array | undefined): TipLine => ({
    name,
    value: formatValue(of?.[index], chart.measure),
  });
  return tip(`${panel.name}, at ${formatDuration(at)}`, [
    value('largest per-second value', panel.line.band?.high),
    { ...value('median', panel.line.v), colour: colourOf(panel.line, theme.scheme) },
    value('smallest per-second value', panel.line.band?.low),
    ...markLines(panel.marks, at, length / 60, theme),
  ]);
}
