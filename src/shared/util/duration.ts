/** Unit of a plain number in a duration. */
export type DurationUnit = 's' | 'ms';

interface Part {
  readonly seconds: number;
  readonly words: RegExp;
  readonly name: string;
  /** Number of the next smaller units in this one: a number that follows without a unit must be less. */
  readonly holds?: number;
}

/** Largest first. */
const PARTS: readonly Part[] = [
  { seconds: 86_400, words: /^(d|days?)$/, name: 'd', holds: 24 },
  { seconds: 3600, words: /^(h|hrs?|hours?)$/, name: 'h', holds: 60 },
  { seconds: 60, words: /^(m|mins?|minutes?)$/, name: 'min', holds: 60 },
  { seconds: 1, words: /^(s|secs?|seconds?)$/, name: 's' },
  { seconds: 0.001, words: /^(ms|msecs?|milliseconds?)$/, name: 'ms' },
];
const IN_SECONDS: Readonly<Record<DurationUnit, number>> = { s: 1, ms: 0.001 };

export const isDurationUnit = (unit: unknown): unit is DurationUnit => unit === 's' || unit === 'ms';

const TOKEN = /(\d+(?:\.\d*)?|\.\d+)\s*([a-z]*)\s*/iy;

function tokens(text: string): { figure: string; word: string }[] | undefined {
  const found: { figure: string; word: string }[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const match = TOKEN.exec(text);
    if (!match) return undefined;
    found.push({ figure: match[1] ?? '', word: (match[2] ?? '').toLowerCase() });
  }
  return found;
}

/**
 * Parses a duration in `unit`: `90` (of that unit), `90s`, `2m`, `1h30`, `1h 30min`, `1.5 h`, `500ms`. A number after a unit that has none
 * itself is of the next smaller one. Undefined if it is no duration.
 */
export function readDuration(text: string, unit: DurationUnit): number | undefined {
  const parts = tokens(text.trim());
  if (!parts || parts.length === 0) return undefined;
  const [only] = parts;
  if (parts.length === 1 && only?.word === '') return Number(only.figure);
  let seconds = 0;
  let before = -1;
  for (const [index, { figure, word }] of parts.entries()) {
    const isBare = word === '' && index > 0 && index === parts.length - 1;
    const place = isBare ? before + 1 : PARTS.findIndex(({ words }) => words.test(word));
    const part = PARTS[place];
    if (!part || place <= before) return undefined;
    const most = isBare ? PARTS[before]?.holds : undefined;
    if (isBare && (most === undefined || !/^\d+$/.test(figure) || Number(figure) >= most)) return undefined;
    seconds += Number(figure) * part.seconds;
    before = place;
  }
  return Number((seconds / IN_SECONDS[unit]).toPrecision(12));
}

/** Whether it has a unit, so that it is a duration in any context. */
export const hasDurationUnit = (text: string): boolean => /^[\d.][\d.\s]*[a-z]/i.test(text.trim());

/** Exact words in all required units: `1 h 1 min 1 s`, `90 ms`. */
export function durationWords(value: number, unit: DurationUnit): string {
  let rest = Math.round(value * IN_SECONDS[unit] * 1000);
  if (!(rest > 0)) return `0 ${unit}`;
  const words: string[] = [];
  for (const { seconds, name } of PARTS) {
    const size = Math.round(seconds * 1000);
    const count = Math.floor(rest / size);
    if (count > 0) words.push(`${count} ${name}`);
    rest -= count * size;
  }
  return words.join(' ');
}

/** The same in larger units if that is clearer than the plain number with its unit: 300 s → `5 min`. */
export function largerUnits(value: number, unit: DurationUnit): string | undefined {
  const from = unit === 's' ? 60 : 1000;
  return Number.isFinite(value) && value >= from ? durationWords(value, unit) : undefined;
}
