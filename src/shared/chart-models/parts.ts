import type { EChartsOption } from 'echarts';
import { formatClock, formatNumber } from '../util/format.ts';
import { type Measure, titleOf } from './model.ts';
import { gridFor, type NamesPlace, placeOfNames } from './names.ts';
import type { ChartTheme } from './theme.ts';

const SIZE = 12;

/** Escapes text for the markup of a tooltip. */
export const escapeMarkup = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

export interface TipLine {
  colour?: string;
  name: string;
  value: string;
}

/** A tooltip: markup with classes only, so that a strict content policy allows it. `foot` explains how to read it. */
export function tip(head: string, lines: readonly TipLine[], foot?: string): string {
  const rows = lines.map(({ colour, name, value }) => {
    const mark = colour
      ? `<svg width="10" height="10" aria-hidden="true"><circle cx="5" cy="5" r="4" fill="${escapeMarkup(colour)}"/></svg>`
      : '';
    return `<tr><td>${mark}</td><td>${escapeMarkup(name)}</td><td>${escapeMarkup(value)}</td></tr>`;
  });
  const below = foot ? `<small>${escapeMarkup(foot)}</small>` : '';
  return `<div class="kp-tip"><b>${escapeMarkup(head)}</b><table>${rows.join('')}</table>${below}</div>`;
}

/**
 * Common parts of every chart: no animation, fonts, tooltip, a legend that toggles; its `hollow` entries are not filled. `place`: position
 * of the names.
 */
export function base(
  theme: ChartTheme,
  legend: readonly string[],
  hollow: ReadonlyMap<string, string> = new Map(),
  place: NamesPlace = placeOfNames(legend, 0),
): EChartsOption {
  return {
    animation: false,
    backgroundColor: 'transparent',
    textStyle: { fontFamily: theme.font, fontSize: SIZE, color: theme.text },
    grid: gridFor(place),
    legend: {
      show: place.at === 'legend',
      type: 'plain',
      top: 0,
      left: 0,
      right: 8,
      itemWidth: 12,
      itemHeight: 12,
      itemGap: 14,
      icon: 'roundRect',
      data: legend.map((name) => {
        const colour = hollow.get(name);
        return colour ? { name, itemStyle: { color: theme.ground, borderColor: colour, borderWidth: 2 } } : name;
      }),
      // Explicit, as the rows of a legend are counted before it is drawn.
      textStyle: { color: theme.text, fontSize: SIZE, lineHeight: SIZE },
      inactiveColor: theme.axis,
    },
    // Only emphasises the line under the pointer, not all lines of the tooltip.
    axisPointer: { triggerEmphasis: false },
    tooltip: {
      trigger: 'axis',
      confine: true,
      transitionDuration: 0,
      backgroundColor: theme.ground,
      borderColor: theme.axis,
      borderWidth: 1,
      padding: [6, 10],
      textStyle: { color: theme.text, fontSize: SIZE },
      axisPointer: { type: 'line', lineStyle: { color: theme.axis } },
    },
  };
}

/** Notes on the scale, at the end of an axis title. */
export const AXIS_NOTES = /(?:, (?:log scale|axis cut|axis ends at .+))+$/;

const nameStyle = (theme: ChartTheme) => ({ color: theme.faint, fontSize: SIZE });
const labelStyle = (theme: ChartTheme) => ({ color: theme.faint, fontSize: SIZE, hideOverlap: true });

/** Wanted distances between the ticks of a vertical axis. */
const SPLITS = 5;

/** Vertical axis of a metric: name and unit on top, from zero unless `cut`, which is then added to the name. */
export function valueAxis(theme: ChartTheme, measure: Measure, cut = false) {
  return {
    type: 'value' as const,
    name: cut ? `${titleOf(measure)}, axis cut` : titleOf(measure),
    nameLocation: 'end' as const,
    nameGap: 10,
    nameTextStyle: { ...nameStyle(theme), align: 'left' as const },
    scale: cut,
    ...(cut ? {} : { min: (extent: { min: number }) => Math.min(0, extent.min) }),
    axisLabel: { ...labelStyle(theme), formatter: axisNumber },
    axisLine: { show: false, onZero: false },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: theme.grid } },
    splitNumber: SPLITS,
  };
}

/** Ticks of an axis, as the library rounds their distance: each applies up to this multiple of a power of ten. */
const ROUNDED: readonly (readonly [below: number, step: number])[] = [
  [1.5, 1],
  [2.5, 2],
  [4, 3],
  [7, 5],
];

/** End of a linear axis from zero whose largest value is `most`: the tick above it. */
export function axisEnd(most: number): number {
  if (!(most > 0)) return most;
  const distance = most / SPLITS;
  const power = 10 ** Math.floor(Math.log10(distance));
  const step = power * (ROUNDED.find(([below]) => distance / power < below)?.[1] ?? 10);
  const end = step * Math.ceil(most / step - 1e-9);
  // Values up to that tick may have other ticks, and then another end.
  return end > most * (1 + 1e-9) ? axisEnd(end) : end;
}

/** From this ratio on, the smallest values of a linear axis are not distinguishable from zero. */
const DECADES = 30;

/** Whether these values are clearer on a logarithmic scale: all above zero, and this far apart. */
export const spansDecades = (values: readonly number[]): boolean =>
  values.length > 1 && values.every((value) => value > 0) && Math.max(...values) / Math.min(...values) >= DECADES;

/** Whether these values use a logarithmic scale: as requested if they are all above zero, by default if they are decades apart. */
export const isOnLogAxis = (values: readonly number[], asked?: 'zero' | 'cut' | 'log'): boolean =>
  asked ? asked === 'log' && values.length > 0 && values.every((value) => value > 0) : spansDecades(values);

/** Whether lines are decades apart; a single line that rises through decades is read best from zero. */
export const areFarApart = (lines: readonly (readonly number[])[]): boolean =>
  lines.every((values) => values.every((value) => value > 0)) &&
  spansDecades(lines.flatMap((values) => (values.length > 0 ? [Math.max(...values)] : [])));

/** Logarithmic vertical axis of a metric, with the scale in its name. */
export const logAxis = (theme: ChartTheme, measure: Measure) => {
  const { min: _min, scale: _scale, splitNumber: _split, ...axis } = valueAxis(theme, measure);
  return {
    ...axis,
    type: 'log' as const,
    name: `${titleOf(measure)}, log scale`,
    // Ends between powers of ten leave more room for the data; within a decade, only the powers are labelled.
    min: ({ min, max }: Extent) => (max / min < DECADES ? 10 ** Math.floor(Math.log10(min)) : min / BEYOND),
    max: ({ min, max }: Extent) => (max / min < DECADES ? 10 ** Math.ceil(Math.log10(max)) : max * BEYOND),
    axisLabel: { ...axis.axisLabel, formatter: powerOfTen },
  };
};

interface Extent {
  min: number;
  max: number;
}

/** Factor by which a logarithmic axis extends beyond its values. */
const BEYOND = 1.3;

/** Labels only powers of ten: the ends of the axis are not relevant. */
const powerOfTen = (value: number): string =>
  Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-9 ? axisNumber(value) : '';

/** A horizontal axis of values, with its name below. */
export const flatAxis = <Axis extends object>(theme: ChartTheme, axis: Axis) => ({
  ...axis,
  nameLocation: 'middle' as const,
  nameGap: 26,
  nameTextStyle: nameStyle(theme),
  axisLine: { show: true, lineStyle: { color: theme.axis } },
  splitLine: { show: false },
});

/** Horizontal axis with its name centred below. */
export function levelAxis(theme: ChartTheme, name: string) {
  return {
    name,
    nameLocation: 'middle' as const,
    nameGap: 26,
    nameTextStyle: nameStyle(theme),
    axisLabel: labelStyle(theme),
    axisLine: { lineStyle: { color: theme.axis } },
    axisTick: { lineStyle: { color: theme.axis }, alignWithLabel: true },
    splitLine: { show: false },
  };
}

/** Ticks without needless decimals: `1,500`, `0.25`. */
export const axisNumber = (value: number): string =>
  formatNumber(
    value,
    Number.isInteger(value) ? 0 : Math.min(8, Math.max(1, 2 - Math.floor(Math.log10(Math.abs(value))))),
  )
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '');

/** Possible distances between ticks, seconds. */
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400];

/** Seconds between two ticks of an axis of this length, for about `ticks` of them. */
export const timeStep = (seconds: number, ticks = 10): number =>
  STEPS.find((step) => seconds / step <= ticks) ?? 86_400 * Math.ceil(seconds / 86_400 / ticks);

/** From this length on, a moment is formatted as a clock. */
const LONG = 600;

const unitOf = (length: number): string => (length >= 3600 ? 'h:min:s' : length > LONG ? 'min:s' : 's');

/** Round moments of an axis from `from` to `to` seconds, about `most` of them. */
export function timeTicks(from: number, to: number, most = 10): number[] {
  const step = timeStep(to - from, most);
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.max(0, Math.floor(to / step) - first + 1) }, (_, index) => (first + index) * step);
}

/** Name of the axis in the picture: views of a part of it replace its ticks. */
export const TIME_AXIS = 'time';

/** Horizontal axis of the time since the start of a run, from 0 to `length` seconds; at most `ticks` ticks. */
export function timeAxis(theme: ChartTheme, length: number, ticks = 10) {
  const axis = levelAxis(theme, `Time since the start of the run (${unitOf(length)})`);
  const customValues = timeTicks(0, length || 60, ticks);
  return {
    ...axis,
    id: TIME_AXIS,
    type: 'value' as const,
    min: 0,
    max: length || 60,
    axisLabel: { ...axis.axisLabel, customValues, formatter: length > LONG ? formatClock : String },
    axisTick: { ...axis.axisTick, customValues },
  };
}
