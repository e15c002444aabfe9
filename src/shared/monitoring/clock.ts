/** At second `t` of a clock, `offsetMs` had to be added to bring it to ours, true within `errorMs` to either side. */
export interface ClockReading {
  t: number;
  offsetMs: number;
  errorMs: number;
}

/** What a clock is off at one of its seconds: straight between two readings, as the nearest outside of them. Without a reading it is taken for ours. */
export function clockOffset(readings: readonly ClockReading[], t: number): Omit<ClockReading, 't'> {
  const after = readings.findIndex((reading) => reading.t >= t);
  const next = readings[after < 0 ? readings.length - 1 : after];
  const before = readings[after - 1];
  if (!next) return { offsetMs: 0, errorMs: 0 };
  if (!before || after < 0) return { offsetMs: next.offsetMs, errorMs: next.errorMs };
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
