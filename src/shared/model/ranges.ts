/** Maximum number of levels of a factor. */
export const MOST_LEVELS = 200;

/** Result of reading a text that is meant as a range of levels. */
export type Range = { readonly levels: readonly (number | string)[] } | { readonly problem: string };

const NUMBER = String.raw`-?\d+(?:\.\d+)?`;
const UNIT = '[a-zA-Z%]*';
const RANGE = new RegExp(
  String.raw`^\s*(${NUMBER})(${UNIT})\s*\.\.\s*(${NUMBER})(${UNIT})\s+(?:doubling|by\s+(${NUMBER})(${UNIT}))\s*$`,
);
const RANGE_LIKE = new RegExp(String.raw`^\s*${NUMBER}${UNIT}\s*\.\.`);

/**
 * A range of levels as written in a document: `1..64 doubling`, `10..100 by 10`, `128M..1024M doubling`. Doubling ends with the last value
 * even if it is no double; steps never exceed it. Returns undefined if the text is no range.
 */
export function readRange(text: string): Range | undefined {
  const match = RANGE.exec(text);
  if (!match) return undefined;
  const [, first = '', unit = '', last = '', lastUnit = '', step, stepUnit = unit] = match;
  if (unit !== lastUnit || (step !== undefined && stepUnit !== unit && stepUnit !== ''))
    return { problem: `“${text.trim()}” mixes units: use one unit, as in 128M..1024M doubling.` };
  const numbers =
    step === undefined
      ? doubled(Number(first), Number(last))
      : stepped(Number(first), Number(last), Number(step), decimalsOf(first, last, step));
  if (typeof numbers === 'string') return { problem: `“${text.trim()}” ${numbers}` };
  return { levels: unit === '' ? numbers : numbers.map((number) => `${number}${unit}`) };
}

/** Whether a text begins like a range: if it is not a valid one, a range was still intended. */
export const looksLikeRange = (text: string): boolean => RANGE_LIKE.test(text);

function doubled(first: number, last: number): number[] | string {
  if (first <= 0) return 'never ends: doubling must start above 0.';
  if (last < first) return 'ends before it starts.';
  const levels: number[] = [];
  for (let level = first; level < last; level *= 2) {
    if (levels.length >= MOST_LEVELS) return TOO_MANY;
    levels.push(level);
  }
  return [...levels, last];
}

function stepped(first: number, last: number, step: number, decimals: number): number[] | string {
  if (step <= 0) return 'never ends: the step must be above 0.';
  if (last < first) return 'ends before it starts.';
  const count = Math.floor((last - first) / step + 1e-9) + 1;
  if (count > MOST_LEVELS) return TOO_MANY;
  return Array.from({ length: count }, (_, index) => Number((first + index * step).toFixed(decimals)));
}

const TOO_MANY = `has more than ${MOST_LEVELS} levels, the limit.`;

const decimalsOf = (...numbers: readonly string[]): number =>
  Math.max(...numbers.map((number) => number.split('.')[1]?.length ?? 0));

/** Levels of a load around a number of CPUs: where throughput rises, where it flattens, and beyond. */
export function levelsAround(count: number): number[] {
  const whole = Math.max(1, Math.round(count));
  const levels = [1 / 4, 1 / 2, 3 / 4, 1, 3 / 2, 2, 4].map((factor) => Math.max(1, Math.round(whole * factor)));
  return [...new Set(levels)];
}
