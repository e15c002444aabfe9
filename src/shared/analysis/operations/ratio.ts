import type { Points } from '../../stats/index.ts';
import type { Window } from '../evidence.ts';
import { bySecond, together } from '../lines.ts';

/** What is divided by the operations: series that are added up second by second, times `scale`. */
export interface Part {
  readonly lines: readonly Points[];
  readonly scale: number;
  /** What a second of it is, in words. */
  readonly words: string;
  readonly from: { source: string; id: string }[];
  /** Host or server whose it is alone. */
  readonly source?: string;
}

/** Fewer seconds than these, or less than half of the window, do not stand for it. */
const LEAST_SECONDS = 5;
const LEAST_KNOWN = 0.5;

/** Sum ÷ sum over the seconds that both know; undefined where these are too few, or without an operation. */
export function ratioOf(
  { lines, scale }: Part,
  rate: Points,
  { from, to }: Window,
): { value: number; seconds: number } | undefined {
  const operations = bySecond(rate);
  const line = together(lines, (values) => values.reduce((sum, value) => sum + value, 0));
  const step = stepBetween(line.t);
  let [sum, done, seconds] = [0, 0, 0];
  line.t.forEach((second, index) => {
    if (second <= from || second > to) return;
    // A value that stands for several seconds is met by the operations of the same ones.
    const meant = Array.from({ length: step }, (_, back) => operations.get(second - back));
    if (meant.some((each) => each === undefined)) return;
    sum += (line.v[index] ?? 0) * step;
    done += meant.reduce<number>((total, each) => total + (each ?? 0), 0);
    seconds += step;
  });
  if (seconds < Math.max(LEAST_SECONDS, LEAST_KNOWN * (to - from)) || !(done > 0)) return undefined;
  return { value: (sum * scale) / done, seconds };
}

/** Whole seconds between two values, usually. */
function stepBetween(t: Float64Array): number {
  const steps = t
    .subarray(1)
    .map((second, index) => second - (t[index] ?? 0))
    .sort();
  return Math.max(1, steps[steps.length >> 1] ?? 1);
}
