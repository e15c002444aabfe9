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

/** Zooming makes ticks between seconds, of which there is nothing to say. */
const wholeSeconds =
  (words: (seconds: number) => string) =>
  (seconds: number): string =>
    Number.isInteger(seconds) ? words(seconds) : '';

const unitOf = (length: number): string => (length >= 3600 ? 'h:min:s' : length > LONG ? 'min:s' : 's');

/** Level axis of the time since the start of a run, from 0 to `length` seconds; `ticks` at most. */
export const timeAxis = (theme: ChartTheme, length: number, ticks = 10) => ({
  ...levelAxis(theme, `Time since the start of the run (${unitOf(length)})`),
  type: 'value' as const,
  min: 0,
  max: length || 60,
  interval: timeStep(length || 60, ticks),
  minInterval: 1,
  axisLabel: {
    color: theme.faint,
    fontSize: 12,
    hideOverlap: true,
    showMaxLabel: false,
    formatter: length > LONG ? wholeSeconds(formatClock) : wholeSeconds(String),
  },
});
