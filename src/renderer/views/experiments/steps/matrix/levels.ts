import type { Scalar } from '../../../../../shared/model/experiment.ts';
import { type Field, readText, shapeProblem } from '../../../../forms/index.ts';

/** Most levels a factor may have (`Factor` in the model). */
export const MOST_LEVELS = 200;

export interface TypedLevels {
  levels: Scalar[];
  /** Why a part of the text is no level; the others are taken all the same. */
  problem?: string;
  /** The part that was not taken. */
  rest: string;
}

/** Typed or pasted text as levels: numbers may be divided by commas, semicolons or blanks, texts by line ends. */
export function readLevels(field: Field | undefined, text: string, present: readonly Scalar[]): TypedLevels {
  const divider = field === undefined || field.shape.kind === 'number' ? /[\s,;]+/ : /\n/;
  const levels: Scalar[] = [];
  const rest: string[] = [];
  let problem: string | undefined;
  for (const part of text.split(divider).map((piece) => piece.trim())) {
    if (part === '') continue;
    const level = field ? readText(field.shape, part) : part;
    const why = field && shapeProblem(field.shape, level);
    const twice = [...present, ...levels].some((other) => String(other) === String(level));
    if (why || twice) {
      problem ??= why ? `${part}: ${why}` : `${part} is a level already.`;
      rest.push(part);
    } else levels.push(level);
  }
  return { levels, rest: rest.join(' '), ...(problem !== undefined && { problem }) };
}

/** 1, 2, 4 … up to and including `last`, also when it is no power of the first. */
export function doubling(first: number, last: number): number[] {
  const levels: number[] = [];
  if (first <= 0 || last < first) return levels;
  for (let level = first; level < last && levels.length < MOST_LEVELS - 1; level *= 2) levels.push(level);
  return [...levels, last];
}

/** first, first + step … not past `last`. Free of the dust of floating point. */
export function stepping(first: number, last: number, step: number): number[] {
  if (step <= 0 || last < first) return [];
  const count = Math.min(MOST_LEVELS, Math.floor((last - first) / step + 1e-9) + 1);
  return Array.from({ length: count }, (_, index) => Number((first + index * step).toPrecision(12)));
}

/** What a new factor starts with: both positions of a switch, a few choices, else the value in force. */
export function firstLevels(field: Field, inForce: Scalar | undefined): Scalar[] {
  if (field.shape.kind === 'switch') return [false, true];
  if (field.shape.kind === 'choice' && field.shape.choices.length <= 4) return [...field.shape.choices];
  if (inForce !== undefined && shapeProblem(field.shape, inForce) === undefined) return [inForce];
  if (field.shape.kind === 'number') return [field.shape.minimum ?? 1];
  if (field.shape.kind === 'choice') return field.shape.choices.slice(0, 1);
  return [''];
}
