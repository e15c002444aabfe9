import type { RunWindow } from '../model/monitored.ts';

/** At second `t` of a clock, `offsetMs` had to be added to convert it to this computer's, accurate within ± `errorMs`. */
export interface ClockReading {
  t: number;
  offsetMs: number;
  errorMs: number;
}

/** Maximum relative drift between two running clocks: the rate change that NTP may apply to one. */
const MOST_DRIFT = 500e-6;
/** A job reads its clock when it begins; its first samples may be older by this many seconds. */
const BEGINS_S = 3;

/** Whether the clock was set between two readings, so that moments between them follow one or the other. */
export const wasSet = (before: ClockReading, next: ClockReading): boolean =>
  Math.abs(next.offsetMs - before.offsetMs) >
  before.errorMs + next.errorMs + MOST_DRIFT * Math.abs(next.t - before.t) * 1000;

/**
 * Offset of a clock at one of its seconds: linear between two readings, the nearest one outside of them. If the clock was set between two
 * readings, the first applies until the second was taken. Without a reading, the clock is taken for this computer's.
 */
export function clockOffset(readings: readonly ClockReading[], t: number): Omit<ClockReading, 't'> {
  const after = readings.findIndex((reading) => reading.t >= t);
  const next = readings[after < 0 ? readings.length - 1 : after];
  const before = readings[after - 1];
  if (!next) return { offsetMs: 0, errorMs: 0 };
  if (!before || after < 0) return { offsetMs: next.offsetMs, errorMs: next.errorMs };
  if (wasSet(before, next)) {
    const { offsetMs, errorMs } = t < next.t - BEGINS_S ? before : next;
    return { offsetMs, errorMs };
  }
  const share = (t - before.t) / (next.t - before.t);
  return {
    offsetMs: before.offsetMs + share * (next.offsetMs - before.offsetMs),
    errorMs: Math.max(before.errorMs, next.errorMs),
  };
}

/** Seconds of a clock as epoch milliseconds of this computer's. */
export function toLocalTimes(readings: readonly ClockReading[], t: Float64Array): Float64Array {
  const [only] = readings;
  if (readings.length <= 1) return t.map((second) => second * 1000 + (only?.offsetMs ?? 0));
  return t.map((second) => second * 1000 + clockOffset(readings, second).offsetMs);
}

/** A moment of this computer's clock, epoch milliseconds, as a second of that clock. Clocks drift slowly: one step is exact enough. */
export function toHostTime(readings: readonly ClockReading[], ms: number): number {
  const near = (ms - clockOffset(readings, ms / 1000).offsetMs) / 1000;
  return (ms - clockOffset(readings, near).offsetMs) / 1000;
}

type Placed = Pick<RunWindow, 'zero' | 'pace'>;

/** Moment of a second of a run's tool, epoch milliseconds of this computer's clock. */
export const momentOf = ({ zero, pace = 1 }: Placed, second: number): number => zero + second * 1000 * pace;

/** Second of a run's tool at a moment of this computer's clock. */
export const secondOf = ({ zero, pace = 1 }: Placed, ms: number): number => (ms - zero) / 1000 / pace;
