import type { Scalar } from '../../../../../shared/model/experiment.ts';
import { looksLikeRange, MOST_LEVELS, readRange } from '../../../../../shared/model/ranges.ts';
import { type Field, readText, shapeProblem } from '../../../../forms/index.ts';
import { readScalar } from '../../document/document.ts';

export interface TypedLevels {
  levels: Scalar[];
  /** Why a part of the text is no level; the others are taken all the same. */
  problem?: string;
  /** The part that was not taken. */
  rest: string;
}

/** What is typed into a field, or of a level that no field is known of, as a value. */
export const readLevel = (field: Field | undefined, text: string): Scalar =>
  field ? readText(field.shape, text) : readScalar(text);

/**
 * Typed or pasted text as levels: numbers may be divided by commas, semicolons or blanks, texts by line ends, or be a range such as
 * `1..64 doubling`.
 */
export function readLevels(field: Field | undefined, text: string, present: readonly Scalar[]): TypedLevels {
  const range = looksLikeRange(text) ? readRange(text) : undefined;
  if (range && 'problem' in range) return { levels: [], rest: text, problem: range.problem };
  const divider = field?.shape.kind === 'number' ? /[\s,;]+/ : /\n/;
  const parts = range ? range.levels.map(String) : text.split(divider).map((piece) => piece.trim());
  const levels: Scalar[] = [];
  const rest: string[] = [];
  let problem: string | undefined;
  for (const part of parts) {
    if (part === '') continue;
    const level = readLevel(field, part);
    const why = field && shapeProblem(field.shape, level);
    const twice = [...present, ...levels].some((other) => String(other) === String(level));
    if (twice && range) continue;
    if (why || twice) {
      problem ??= why ? `${part}: ${why}` : `${part} is a level already.`;
      rest.push(part);
    } else levels.push(level);
  }
  const room = MOST_LEVELS - present.length;
  if (levels.length > room) problem = `A factor has at most ${MOST_LEVELS} levels.`;
  return {
    levels: levels.slice(0, Math.max(0, room)),
    rest: rest.join(' '),
    ...(problem !== undefined && { problem }),
  };
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
