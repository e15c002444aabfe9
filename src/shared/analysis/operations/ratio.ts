import type { Points } from '../../stats/index.ts';
import type { Window } from '../evidence.ts';
import { at, type BySecond, bySecond, stepOf, together } from '../lines.ts';

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

/** Operations of each second. A tool that tells a rate every ten seconds means that of each of them. */
export function operationsOf(rate: Points): BySecond {
  const step = Math.max(1, Math.round(stepOf(rate.t)));
  const told = bySecond(rate);
  if (step === 1) return told;
  const from = told.from - step + 1;
  const values = new Float64Array(told.values.length + step - 1).fill(Number.NaN);
  for (const [place, value] of told.values.entries()) if (!Number.isNaN(value)) values.fill(value, place, place + step);
  return { from, values };
}

/** Sum ÷ sum over the seconds that both know; undefined where these are too few, or without an operation. */
export function ratioOf(
  { lines, scale }: Part,
  operations: BySecond,
  { from, to }: Window,
): { value: number; seconds: number } | undefined {
  const line = together(lines, (values) => values.reduce((sum, value) => sum + value, 0));
  const step = Math.max(1, Math.round(stepOf(line.t)));
  let [sum, done, seconds] = [0, 0, 0];
  line.t.forEach((second, index) => {
    if (second <= from || second > to) return;
    // A value that stands for several seconds is met by the operations of the same ones.
    let meant = 0;
    for (let back = 0; back < step; back++) meant += at(operations, second - back);
    if (Number.isNaN(meant)) return;
    sum += (line.v[index] ?? 0) * step;
    done += meant;
    seconds += step;
  });
  if (seconds < Math.max(LEAST_SECONDS, LEAST_KNOWN * (to - from)) || !(done > 0)) return undefined;
  return { value: (sum * scale) / done, seconds };
}
