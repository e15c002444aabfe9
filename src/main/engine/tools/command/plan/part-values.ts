import { cannotDivide, shareOf, startOf } from '../../divide.ts';
import type { Part } from '../../tool.ts';
import { SHARE_OF } from './values.ts';

const ALONE: Part = { index: 0, count: 1 };

/**
 * What stands in a script for the generator: its number from 1, how many there are, its part of a number and what lies before that part.
 * Throws `experiment-invalid` where the number is none, or too small to give each a part.
 */
export function partValues(
  script: string,
  values: Readonly<Record<string, string | undefined>>,
  part: Part = ALONE,
): Record<string, string> {
  const shares = [...script.matchAll(SHARE_OF)].map(([, what = '', of = '']) => {
    const total = wholeNumber(Object.hasOwn(values, of) ? values[of] : of);
    if (total === undefined)
      throw cannotDivide(
        `{${what} of ${of}} needs a whole number, and ${of} is ${Object.hasOwn(values, of) ? `“${values[of] ?? ''}”` : 'no number'}.`,
        'Write a number there, or size or mode where they are whole numbers. {threads} and {rate} are divided already.',
      );
    const own = what === 'share' ? shareOf(['unit', 'units'], total, part) : startOf(['unit', 'units'], total, part);
    return [`${what} of ${of}`, String(own)] as const;
  });
  return { generator: String(part.index + 1), generators: String(part.count), ...Object.fromEntries(shares) };
}

const wholeNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
