import { sum } from '../util/numbers.ts';
import { evenSeconds } from './weights.ts';
import type { Points } from './whole.ts';

/** Stalls of a run. */
export interface Stalls {
  /** Number of periods without progress. */
  readonly count: number;
  /** Seconds of the longest one. */
  readonly longest: number;
  /** Seconds of all of them. */
  readonly stalled: number;
  /** Seconds examined. */
  readonly seconds: number;
}

/** A period counts as a stall if the mean rate would have produced this many events: by chance alone, none occur once in 20,000 times. */
const LEAST_EVENTS = 10;
/** An interval longer than usual by this factor is a gap, in which the server may have stalled. */
const GAP = 2;

/**
 * Periods in which no event ended: intervals with a rate of zero, and the idle part of intervals that are several times as long as usual
 * but have no more events than an ordinary one. `t`: ends of the intervals; `from`: start of the window, seconds. `ascending`: the values
 * in order, if known.
 */
export function stallsOf(points: Points, from: number, ascending?: Float64Array): Stalls {
  const even = evenSeconds(points.t, from);
  // In nearly all cases: each second was on time, and had events.
  if (even !== undefined && ascending && (ascending[0] as number) > 0)
    return { count: 0, longest: 0, stalled: 0, seconds: even };
  const lengths = lengthsOf(points.t, from);
  const durations = spansOf(points, lengths, ascending).map(({ length }) => length);
  return {
    count: durations.length,
    longest: Math.max(0, ...durations),
    stalled: durations.reduce((sum, length) => sum + length, 0),
    seconds: sum(lengths),
  };
}

/** A period in which no event ended: its start in seconds since the start of the run, and its length. */
export interface StallSpan {
  readonly at: number;
  readonly length: number;
}

/**
 * A rate in `from` < t ≤ `end`, seconds. An interval several times as long as usual that continues past the end is cut there: its events
 * came at its end, as the tool stalled first and then continued, so its idle part counts before the end.
 */
export function rateUntil({ t, v }: Points, from: number, end: number): Points {
  const first = t.findIndex((second) => second > from);
  if (first < 0) return { t: t.subarray(0, 0), v: v.subarray(0, 0) };
  const past = t.findIndex((second) => Math.floor(second) > end);
  const last = past < 0 ? t.length : past;
  const inside: Points = { t: t.subarray(first, last), v: v.subarray(first, last) };
  const begins = inside.t.at(-1);
  if (past < 0 || begins === undefined || !(begins < end)) return inside;
  const length = (t[past] as number) - begins;
  const usual = median(lengthsOf(inside.t, from).sort());
  if (!(usual > 0 && length >= GAP * usual)) return inside;
  const ordinary = median(inside.v.slice().sort());
  const busy = ordinary > 0 ? Math.min(length, ((v[past] as number) * length) / ordinary) : length;
  // It was busy for more than half of it: reported late, and not a stall.
  const idle = busy <= length / 2 ? length - busy : 0;
  const counted = end - begins;
  const share = Math.max(0, counted - idle) / (length - idle);
  const rate = ((v[past] as number) * length * share) / counted;
  return { t: Float64Array.of(...inside.t, end), v: Float64Array.of(...inside.v, rate) };
}

function lengthsOf(t: Float64Array, from: number): Float64Array {
  const lengths = new Float64Array(t.length);
  for (let i = 0; i < t.length; i++)
    lengths[i] = Math.max(0, (t[i] as number) - Math.max(from, i === 0 ? from : (t[i - 1] as number)));
  return lengths;
}

/** The stalls themselves, in order. */
export const stallSpans = (points: Points, from: number, ascending?: Float64Array): StallSpan[] =>
  spansOf(points, lengthsOf(points.t, from), ascending);

function spansOf({ t, v }: Points, lengths: Float64Array, ascending: Float64Array = v.slice().sort()): StallSpan[] {
  let [seconds, events] = [0, 0];
  for (let i = 0; i < t.length; i++) {
    seconds += lengths[i] as number;
    events += (lengths[i] as number) * (v[i] as number);
  }
  const rate = seconds > 0 ? events / seconds : 0;
  const usual = median(inOrder(lengths));
  const usualRate = median(ascending);
  const spans: StallSpan[] = [];
  let [open, began] = [0, 0];
  const wait = (i: number, length: number): void => {
    if (open === 0) began = (t[i] as number) - (lengths[i] as number);
    open += length;
  };
  const close = (): void => {
    if (open * rate >= LEAST_EVENTS) spans.push({ at: began, length: open });
    open = 0;
  };
  for (let i = 0; i < lengths.length; i++) {
    const length = lengths[i] as number;
    const value = v[i] as number;
    if (value === 0) {
      wait(i, length);
      continue;
    }
    if (length >= GAP * usual) {
      const busy = (value * length) / usualRate;
      // Before the end of the interval: it stalled first, then continued.
      if (busy <= length / 2) wait(i, length - busy);
    }
    if (open > 0) close();
  }
  close();
  return spans;
}

/** Median of the values above zero. */
function median(ascending: Float64Array): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] as number) > 0) high = middle;
    else low = middle + 1;
  }
  return ascending[low + ((ascending.length - low) >> 1)] ?? 0;
}

/** Intervals nearly always have equal lengths: then nothing has to be sorted. */
function inOrder(lengths: Float64Array): Float64Array {
  for (let i = 1; i < lengths.length; i++) if (lengths[i] !== lengths[0]) return lengths.slice().sort();
  return lengths;
}
