import type { RunWindow } from '../model/monitored.ts';

/** At second `t` of a clock, `offsetMs` had to be added to bring it to ours, true within `errorMs` to either side. */
export interface ClockReading {
  t: number;
  offsetMs: number;
  errorMs: number;
}

/** Of two clocks that run, none gains more on the other: what NTP may change the rate of one by. */
const MOST_DRIFT = 500e-6;
/** A job reads the clock by which it goes when it begins; its first samples may be older by so much, seconds. */
const BEGINS_S = 3;

/** Whether somebody has set the clock between two readings, so that what lies between them goes by one or the other. */
export const wasSet = (before: ClockReading, next: ClockReading): boolean =>
  Math.abs(next.offsetMs - before.offsetMs) >
  before.errorMs + next.errorMs + MOST_DRIFT * Math.abs(next.t - before.t) * 1000;

/**
 * What a clock is off at one of its seconds: straight between two readings, as the nearest outside of them. Where the clock was set between two,
 * the first holds until the second was read. Without a reading it is taken for ours.
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

/** Seconds of a clock as epoch milliseconds of ours. */
export function onOurClock(readings: readonly ClockReading[], t: Float64Array): Float64Array {
  const [only] = readings;
  if (readings.length <= 1) return t.map((second) => second * 1000 + (only?.offsetMs ?? 0));
  return t.map((second) => second * 1000 + clockOffset(readings, second).offsetMs);
}

/** A moment of ours, epoch milliseconds, as a second of that clock. Clocks drift slowly: one step is exact enough. */
export function onItsClock(readings: readonly ClockReading[], ms: number): number {
  const near = (ms - clockOffset(readings, ms / 1000).offsetMs) / 1000;
  return (ms - clockOffset(readings, near).offsetMs) / 1000;
}

type Placed = Pick<RunWindow, 'zero' | 'pace'>;

/** When a second of a run's tool was, epoch milliseconds of our clock. */
export const momentOf = ({ zero, pace = 1 }: Placed, second: number): number => zero + second * 1000 * pace;

/** Which second of a run's tool a moment of our clock was. */
export const secondOf = ({ zero, pace = 1 }: Placed, ms: number): number => (ms - zero) / 1000 / pace;
