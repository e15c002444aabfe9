import { formatClock } from '../util/format.ts';
import { levelAxis } from './parts.ts';
import type { ChartTheme } from './theme.ts';

/** Lengths of time that ticks may be apart, seconds. */
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400];

/** Seconds between two ticks of an axis of this many, so that there are about `ticks` of them. */
export const timeStep = (seconds: number, ticks = 10): number =>
  STEPS.find((step) => seconds / step <= ticks) ?? 86_400 * Math.ceil(seconds / 86_400 / ticks);

/** From this length on a moment is told as a clock. */
const LONG = 600;

const unitOf = (length: number): string => (length >= 3600 ? 'h:min:s' : length > LONG ? 'min:s' : 's');

/** Round moments of an axis from `from` to `to` seconds, about `most` of them. */
export function timeTicks(from: number, to: number, most = 10): number[] {
  const step = timeStep(to - from, most);
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.max(0, Math.floor(to / step) - first + 1) }, (_, index) => (first + index) * step);
}

/** Name of the axis in the picture: what shows a part of it puts other ticks there. */
export const TIME_AXIS = 'time';

/** Level axis of the time since the start of a run, from 0 to `length` seconds; `ticks` at most. */
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
