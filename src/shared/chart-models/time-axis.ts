import { formatClock } from '../util/format.ts';
import { levelAxis } from './parts.ts';
import type { ChartTheme } from './theme.ts';

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
