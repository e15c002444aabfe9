import { looksLikeRange, readRange } from '../../../shared/model/ranges.ts';
import { isObject } from '../../../shared/util/object.ts';
import { plainDurations } from './durations.ts';

type Path = readonly (string | number)[];
type Plain = Readonly<Record<string, unknown>>;

/** A document as it was read from YAML, with what is written short in full. */
export interface PlainDocument {
  readonly plain: unknown;
  readonly problems: readonly { path: Path; message: string }[];
  /** Where something of the plain document stands in the written one: levels of a range are where the range is. */
  written(path: Path): Path;
}

/** Ranges of levels as lists, durations and percentages as plain numbers. Takes whatever was written; what it cannot read stays as it is. */
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

/** Place of a level in what was written: of the list's entry, or of the whole where that is one range. */
type Origin = readonly number[];

/** Undefined where nothing is a list or a range: validation says so. */
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
