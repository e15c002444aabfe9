import type { CustomSeriesOption, LineSeriesOption, ScatterSeriesOption } from 'echarts';
import { formatDuration } from '../util/format.ts';
import type { Mark, MarkKind } from './event-marks.ts';
import { markColour } from './lanes/lane.ts';
import type { TipLine } from './parts.ts';
import type { ChartTheme } from './theme.ts';

/** With more notes their words would overlap: then they are in the tooltip only. */
const MOST_LABELLED = 6;
/** Maximum characters of a mark in a tooltip. */
const TIP_WIDTH = 80;

/** Pixels. */
const GLYPH = 10;
const SMALL_GLYPH = 6;
const MOST_STACKED = 5;

const SYMBOLS: Readonly<Record<MarkKind, string>> = {
  note: 'circle',
  alert: 'triangle',
  'warm-up-end': 'diamond',
  checkpoint: 'rect',
  scenario: 'pin',
  mark: 'arrow',
};

/** Pixels from the top of the picture to the words of a note: below those of the warm-up. */
const NOTE_TOP = 26;

/** The words of a note are next to its line, on the side with more room: `share` is its position along the axis. */
const noteSide = (share: number): { align: 'left' | 'right'; offset: [number, number] } =>
  share > 2 / 3 ? { align: 'right', offset: [-5, NOTE_TOP] } : { align: 'left', offset: [5, NOTE_TOP] };

/** Share of the axis below which a warm-up has no room for its name. */
const LEAST_SHARE = 0.08;

/** Warm-up and the lines of notes belong to a separate empty line, so that hiding a run does not hide them. */
export function marking(
  marks: readonly Mark[],
  { warmup, length }: { warmup: number; length: number },
  theme: ChartTheme,
  words = 'warm-up',
): LineSeriesOption {
  const notes = marks.filter(({ kind }) => kind === 'note');
  return {
    id: 'marking',
    type: 'line',
    data: [],
    silent: true,
    tooltip: { show: false },
    markArea: {
      silent: true,
      itemStyle: { color: theme.shade },
      label: { color: theme.faint, fontSize: 11, position: 'insideTopLeft' },
      data: warmup > 0 ? [[{ name: warmup / length < LEAST_SHARE ? '' : words, xAxis: 0 }, { xAxis: warmup }]] : [],
    },
    markLine: {
      silent: true,
      symbol: 'none',
      lineStyle: { color: theme.faint, type: 'dashed' },
      label: {
        color: theme.text,
        fontSize: 11,
        rotate: 0,
        width: 160,
        overflow: 'truncate',
        formatter: (item) => item.name,
        position: 'end',
      },
      data:
        notes.length > MOST_LABELLED
          ? []
          : notes.map((mark) => ({ name: mark.label, xAxis: mark.at, label: noteSide(mark.at / length) })),
    },
  };
}

/** Number of earlier marks in the same second, which are stacked. */
const earlierAt = (marks: readonly Mark[], index: number): number =>
  Math.min(MOST_STACKED, marks.slice(0, index).filter(({ at }) => at === marks[index]?.at).length);

/** A glyph on the axis for each mark, with its lower end at `foot`; the tooltip describes it. */
export const glyphs = (marks: readonly Mark[], theme: ChartTheme, foot = 0): ScatterSeriesOption => ({
  id: 'marks',
  type: 'scatter',
  silent: true,
  tooltip: { show: false },
  z: 5,
  data: marks.map(({ at, kind }, index) => ({
    value: [at, foot],
    symbolOffset: [0, -GLYPH * (0.6 + earlierAt(marks, index))],
    symbol: SYMBOLS[kind],
    symbolSize: GLYPH,
    itemStyle: { color: markColour(kind, theme), borderColor: theme.ground, borderWidth: 1, opacity: 1 },
  })),
});

/** A small glyph at a position of the vertical axis. */
export const glyphAt = ({ at, kind }: Mark, y: number, theme: ChartTheme) => ({
  value: [at, y],
  symbol: SYMBOLS[kind],
  symbolSize: SMALL_GLYPH,
  itemStyle: { color: markColour(kind, theme), borderColor: theme.ground, borderWidth: 1, opacity: 1 },
});

/** Tooltip lines for the marks near a moment. */
export const markLines = (marks: readonly Mark[], at: number, reach: number, theme: ChartTheme): TipLine[] =>
  marks
    .filter((mark) => Math.abs(mark.at - at) <= reach)
    .map(({ at: second, kind, label }) => ({
      colour: markColour(kind, theme),
      name: label.length > TIP_WIDTH ? `${label.slice(0, TIP_WIDTH - 1)}…` : label,
      value: `at ${formatDuration(second)}`,
    }));

/** A span of the time axis, seconds since the start of the run. */
export interface Gap {
  from: number;
  to: number;
}

/** Pixels between the lines of the hatching. */
const HATCH = 8;

/** Diagonals over a span, as high as the picture: missing data is not zero. */
export const hatching = (gap: Gap | undefined, theme: ChartTheme): CustomSeriesOption => ({
  id: 'gap',
  type: 'custom',
  silent: true,
  tooltip: { show: false },
  z: 1,
  clip: true,
  data: gap && gap.to > gap.from ? [[gap.from, gap.to]] : [],
  encode: { x: [0, 1], y: -1 },
  renderItem: (params, api) => {
    const { y = 0, height = 0 } = params.coordSys as { y?: number; height?: number };
    const left = api.coord([api.value(0), 0])[0] ?? 0;
    const right = api.coord([api.value(1), 0])[0] ?? 0;
    const lines: string[] = [];
    for (let x = left - height; x < right; x += HATCH) lines.push(`M${x} ${y + height}L${x + height} ${y}`);
    const box = { x: left, y, width: right - left, height };
    return {
      type: 'group',
      children: [
        { type: 'rect', shape: box, style: { fill: theme.shade } },
        {
          type: 'path',
          shape: { d: lines.join('') },
          style: { fill: 'none', stroke: theme.faint, lineWidth: 1, opacity: 0.5 },
        },
      ],
      clipPath: { type: 'rect', shape: box },
    };
  },
});
