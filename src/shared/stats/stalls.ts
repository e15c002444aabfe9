import type { Points } from './whole.ts';

/** How long a run stalled. */
export interface Stalls {
  /** Stretches without progress. */
  readonly count: number;
  /** Seconds of the longest. */
  readonly longest: number;
  /** Seconds of all of them. */
  readonly stalled: number;
  /** Seconds looked at. */
  readonly seconds: number;
}

/** A stretch counts as a stall where the mean rate would have brought so many events: by chance alone none of them comes once in 20,000 times. */
const LEAST_EVENTS = 10;
/** An interval so much longer than the usual one is a gap, in which the server may have stalled. */
const GAP = 2;

/**
 * Stretches in which no event ended: intervals with a rate of zero, and the idle part of intervals that are several times as long as
 * usual and brought no more than an ordinary one. `t`: ends of the intervals; `from`: where the window begins, seconds.
 */
export function stallsOf({ t, v }: Points, from: number): Stalls {
  const lengths = Float64Array.from(t, (at, i) =>
    Math.max(0, at - Math.max(from, i === 0 ? from : (t[i - 1] as number))),
  );
  const seconds = lengths.reduce((sum, length) => sum + length, 0);
  const events = lengths.reduce((sum, length, i) => sum + length * (v[i] as number), 0);
  const rate = seconds > 0 ? events / seconds : 0;
  const usual = median(lengths.filter((length) => length > 0));
  const usualRate = median(v.filter((value) => value > 0));
  const stretches: number[] = [];
  let open = 0;
  const close = (): void => {
    if (open * rate >= LEAST_EVENTS) stretches.push(open);
    open = 0;
  };
  lengths.forEach((length, i) => {
    const value = v[i] as number;
    if (value === 0) {
      open += length;
      return;
    }
    const busy = (value * length) / usualRate;
    if (length >= GAP * usual && busy <= length / 2) {
      // What came before the line ended: it stalled first, then continued.
      open += length - busy;
    }
    close();
  });
  close();
  return {
    count: stretches.length,
    longest: Math.max(0, ...stretches),
    stalled: stretches.reduce((sum, length) => sum + length, 0),
    seconds,
  };
}

function median(values: Float64Array): number {
  const ascending = Float64Array.from(values).sort();
  return ascending[Math.floor(ascending.length / 2)] ?? 0;
}
