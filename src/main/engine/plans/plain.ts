import { looksLikeRange, readRange } from '../../../shared/model/ranges.ts';
import { isObject } from '../../../shared/util/object.ts';
import { plainDurations } from './durations.ts';

type Path = readonly (string | number)[];
type Plain = Readonly<Record<string, unknown>>;

/** A document as read from YAML, with abbreviations written in full. */
export interface PlainDocument {
  readonly plain: unknown;
  readonly problems: readonly { path: Path; message: string }[];
  /** Maps a path of the plain document to the original one: levels of a range are at the range. */
  written(path: Path): Path;
}

/**
 * Expands ranges of levels to lists, durations and percentages to plain numbers. Accepts any input; anything it cannot read stays as it is.
 */
export function plainDocument(document: unknown): PlainDocument {
  const problems: { path: Path; message: string }[] = [];
  const origins = new Map<number, Origin[]>();
  const factors = isObject(document) && Array.isArray(document.factors) ? document.factors : undefined;
  const expanded = factors?.map((factor: unknown, index) => {
    if (!isObject(factor) || !('levels' in factor)) return factor;
    const path = ['factors', index, 'levels'];
    const levels = plainLevels(factor.levels, (at, message) => problems.push({ path: [...path, ...at], message }));
    if (!levels) return factor;
    origins.set(
      index,
      levels.map(({ origin }) => origin),
    );
    return { ...factor, levels: levels.map(({ level }) => level) };
  });
  return {
    plain: plainDurations(expanded ? { ...(document as Plain), factors: expanded } : document),
    problems,
    written(path) {
      const [first, factor, third, level, ...rest] = path;
      const origin =
        first === 'factors' && third === 'levels' ? origins.get(Number(factor))?.[Number(level)] : undefined;
      return origin === undefined ? path : ['factors', Number(factor), 'levels', ...origin, ...rest];
    },
  };
}

/** Place of a level in the original: an entry of the list, or empty if the whole is one range. */
type Origin = readonly number[];

/** Undefined if there is no list and no range, which validation reports. */
function plainLevels(
  written: unknown,
  complain: (at: Origin, message: string) => void,
): { level: unknown; origin: Origin }[] | undefined {
  const entries = Array.isArray(written)
    ? written.map((entry: unknown, index) => ({ entry, origin: [index] }))
    : typeof written === 'string'
      ? [{ entry: written, origin: [] }]
      : undefined;
  return entries?.flatMap(({ entry, origin }) => {
    const range = typeof entry === 'string' ? readRange(entry) : undefined;
    if (range && 'levels' in range) return range.levels.map((level) => ({ level, origin }));
    if (range) complain(origin, `levels: ${range.problem}`);
    else if (typeof entry === 'string' && (looksLikeRange(entry) || !Array.isArray(written)))
      complain(
        origin,
        `levels: “${entry}” is neither a list nor a range. Ranges are written as “1..64 doubling” or “10..100 by 10”.`,
      );
    return [{ level: entry, origin }];
  });
}
