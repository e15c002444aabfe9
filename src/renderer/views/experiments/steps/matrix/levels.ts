import type { Factor, Scalar } from '../../../../../shared/model/experiment.ts';
import { levelsOf } from '../../../../../shared/model/factor.ts';
import { looksLikeRange, MOST_LEVELS, readRange } from '../../../../../shared/model/ranges.ts';
import { type Field, readText, shapeProblem } from '../../../../forms/index.ts';
import { readScalar } from '../../document/document.ts';

export interface TypedLevels {
  levels: Scalar[];
  /** Why a part of the text is no level; the others are still used. */
  problem?: string;
  /** The part that was not used. */
  rest: string;
}

/** Typed text as a value, with the field of the level if it has one. */
export const readLevel = (field: Field | undefined, text: string): Scalar =>
  field ? readText(field.shape, text) : readScalar(text);

const FIGURES = /^\s*-?\d[\d.]*[a-z]{0,3}(\s*[,;]\s*-?\d[\d.]*[a-z]{0,3})+\s*$/i;

/** A text may contain commas and blanks; figures and choices do not. */
function dividerOf(field: Field | undefined, text: string): RegExp {
  if (field?.shape.kind === 'number') return /[\s,;]+/;
  return field?.shape.kind === 'choice' || (field === undefined && FIGURES.test(text)) ? /[,;\n]/ : /\n/;
}

/**
 * Typed or pasted text as levels: numbers may be separated by commas, semicolons or blanks, texts by line ends, or the text is a range such
 * as `1..64 doubling`.
 */
export function readLevels(field: Field | undefined, text: string, present: readonly Scalar[]): TypedLevels {
  const range = looksLikeRange(text) ? readRange(text) : undefined;
  if (range && 'problem' in range) return { levels: [], rest: text, problem: range.problem };
  const divider = dividerOf(field, text);
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

/** Levels with more of them: numbers that are listed by size stay so, others are appended. */
export function withMore(levels: Factor['levels'], more: readonly Scalar[]): Factor['levels'] {
  const all = [...levels, ...more];
  const isAscending = levels.every((level, place) => place === 0 || Number(levels[place - 1]) < Number(level));
  return isAscending && all.every((level) => typeof level === 'number')
    ? all.sort((one, other) => Number(one) - Number(other))
    : all;
}

/** Whether levels of a factor can have values: if one of them is a name. Numbers are their own values. */
export const takesValues = (factor: Factor): boolean =>
  factor.values !== undefined || levelsOf(factor).some((level) => typeof level !== 'number');

/** Undefined: levels have no values. */
export function withValues({ values: _, ...factor }: Factor, values: Factor['values']): Factor {
  return { ...factor, ...(values && { values }) };
}

/** A number followed by words. */
const QUANTITY = /^(-?\d+(?:\.\d+)?)(\D*)$/;

/** The numbers in names such as `1 TB` and `2 TB`, if all have the same words after them; otherwise none, as 512 GB is less than 1 TB. */
export function valuesInNames(levels: readonly Scalar[]): NonNullable<Factor['values']> {
  const read = levels.map((level) => QUANTITY.exec(String(level)));
  const [first] = read;
  const isAlike = first && read.every((each) => each?.[2] === first[2]);
  return isAlike ? Object.fromEntries(read.map((each) => [each?.[0] ?? '', Number(each?.[1])])) : {};
}
