import { sumBy } from '../util/numbers.ts';
import { holm } from './judge.ts';
import { mean } from './spread.ts';
import { fisherTail, studentTail } from './student.ts';

/** Events of one complete repeat (errors, rollbacks), and the seconds over which they were counted. */
export interface EventCount {
  readonly events: number;
  readonly seconds: number;
}

export interface CountedPair {
  readonly baseline: readonly EventCount[];
  readonly other: readonly EventCount[];
}

/** Chance of any false alarm among all pairs of a comparison. */
const LEVEL = 0.05;
/** With fewer degrees of freedom, repeats do not show their variation. */
const ENOUGH_FREEDOM = 4;
/** Variation that is assumed then: a standard deviation of the logarithm that lets rates of equal systems differ tenfold and more. */
const PRESUMED_DEVIATION = 1.5;
/** Beyond this many events the binomial distribution is normal. */
const MOST_EXACT = 10_000;
/** Degrees of freedom at which Student's distribution is normal. */
const NORMAL_FREEDOM = 100_000;
/** Weight of that assumption, in degrees of freedom. */
const PRESUMED_FREEDOM = 20;

/** Events per second over all repeats; undefined without repeats. */
export function eventRate(counts: readonly EventCount[]): number | undefined {
  const seconds = sumBy(counts, ({ seconds: own }) => own);
  return seconds > 0 ? sumBy(counts, ({ events }) => events) / seconds : undefined;
}

/**
 * Whether the rates of events differ, for all pairs of a comparison together: at 5 % in total (Holm). A single repeat of a side is enough,
 * and zero is allowed. Two tests both have to find it: the exact one on counts, as if only chance moved them (Przyborowski and Wilenski
 * 1940), and one that lets repeats differ by more than chance. `among`: total number of pairs, including those not passed here.
 */
export function countsDiffer(pairs: readonly CountedPair[], among = pairs.length): boolean[] {
  const values = pairs.map((pair) => Math.max(exactValue(pair), spreadValue(pair)));
  return holm(values, Math.max(among, values.length)).map((value) => value <= LEVEL);
}

/** The number of all events on the other side is binomial if the rates are equal: twice the smaller tail. */
function exactValue({ baseline, other }: CountedPair): number {
  const [a, b] = [baseline, other].map((side) => Math.round(sumBy(side, ({ events }) => events))) as [number, number];
  const [left, right] = [baseline, other].map((side) => sumBy(side, ({ seconds }) => seconds)) as [number, number];
  if (a + b === 0 || left <= 0 || right <= 0) return 1;
  const share = right / (left + right);
  if (a + b > MOST_EXACT) {
    const deviation = Math.sqrt((a + b) * share * (1 - share));
    return 2 * studentTail(Math.max(0, Math.abs(b - (a + b) * share) - 0.5) / deviation, NORMAL_FREEDOM);
  }
  return Math.min(1, 2 * Math.min(atLeast(b, a + b, share), atLeast(a, a + b, 1 - share)));
}

/** P(X ≥ `least`) of a binomial variable, by Fisher's distribution. */
const atLeast = (least: number, of: number, chance: number): number =>
  least === 0 ? 1 : fisherTail((least / (of - least + 1)) * ((1 - chance) / chance), 2 * (of - least + 1), 2 * least);

/** Student's t on the logarithms of the rates. Half an event is added to each count, so that zero has a logarithm. */
function spreadValue({ baseline, other }: CountedPair): number {
  if (baseline.length === 0 || other.length === 0) return 1;
  const [left, right] = [baseline, other].map((side) =>
    side.map(({ events, seconds }) => Math.log((events + 0.5) / seconds)),
  ) as [number[], number[]];
  const own = left.length + right.length - 2;
  const presumed = own < ENOUGH_FREEDOM ? PRESUMED_FREEDOM : 0;
  const squares = squaresOf(left) + squaresOf(right) + presumed * PRESUMED_DEVIATION ** 2;
  const freedom = own + presumed;
  const error = Math.sqrt((squares / freedom) * (1 / left.length + 1 / right.length));
  const difference = Math.abs(mean(right) - mean(left));
  // Exactly equal repeats prove nothing here: the exact test bounds the effect of chance.
  return difference === 0 ? 1 : error === 0 ? 0 : 2 * studentTail(difference / error, freedom);
}

function squaresOf(values: readonly number[]): number {
  const center = mean(values);
  return values.reduce((sum, value) => sum + (value - center) ** 2, 0);
}
