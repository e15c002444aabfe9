import { RE2JS } from 're2js';

/** Maximum characters of one pattern. */
const LONGEST_PATTERN = 1000;
/** Maximum instructions that one pattern may compile to, and all patterns of an option together. */
const LARGEST_PROGRAM = 1000;
const LARGEST_TOGETHER = 2000;
/** Maximum characters of a line that is checked; a longer line, if cut, could seem to match at its end. */
const LONGEST_LINE = 4000;
/** Characters of a line times instructions: the worst case of matching, about a fifth of a second. */
const MOST_STEPS = 500_000;
/** Cached because options are checked for each cell of a matrix, and compiling takes much longer than matching. */
const MOST_KEPT = 100;

/** Each of these is a property of every object, so a figure of that name would be lost. */
const isTaken = (name: string): boolean => name in {};

/**
 * A user's pattern, in RE2's language: matching takes time in proportion to the text, whatever the pattern, so none can block the engine.
 * Look-ahead and back-references are not supported.
 */
export class LinePattern {
  static readonly #kept = new Map<string, LinePattern>();
  readonly #compiled: RE2JS;
  /** Instructions: the maximum cost of one character of output. */
  readonly size: number;
  /** Names of its groups. */
  readonly groups: readonly string[];

  private constructor(compiled: RE2JS) {
    this.#compiled = compiled;
    this.size = compiled.programSize();
    this.groups = Object.keys(compiled.namedGroups());
  }

  /** Throws RangeError with a sentence for the author of the pattern. */
  static of(source: string): LinePattern {
    const known = LinePattern.#kept.get(source);
    if (known) return known;
    const pattern = LinePattern.#compile(source);
    if (LinePattern.#kept.size >= MOST_KEPT) LinePattern.#kept.clear();
    LinePattern.#kept.set(source, pattern);
    return pattern;
  }

  static #compile(source: string): LinePattern {
    if (source.length > LONGEST_PATTERN)
      throw new RangeError(
        `“${source.slice(0, 40)}…” is too long: it has ${source.length} characters, and the limit is ${LONGEST_PATTERN}.`,
      );
    let compiled: RE2JS;
    try {
      compiled = RE2JS.compile(source);
    } catch (error) {
      const why = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error);
      throw new RangeError(`“${source}” is not a valid pattern: ${why}.`);
    }
    const pattern = new LinePattern(compiled);
    if (pattern.size > LARGEST_PROGRAM) throw new RangeError(`“${source}” is too large: its repetitions multiply.`);
    const taken = pattern.groups.find(isTaken);
    if (taken !== undefined)
      throw new RangeError(`“${source}”: no group can have the name ${taken}; choose another name.`);
    return pattern;
  }

  /** Whether the line is short enough to be checked: large patterns only accept short lines. */
  takes(line: string): boolean {
    return line.length <= LONGEST_LINE && line.length * this.size <= MOST_STEPS;
  }

  /** Whether it matches anywhere in the line; false if the line is too long. */
  fits(line: string): boolean {
    return this.takes(line) && this.#compiled.test(line);
  }

  /** Matches of the named groups, anywhere in the line; undefined if the line does not match. Groups without a match are absent. */
  match(line: string): ReadonlyMap<string, string> | undefined {
    // In a flood, hardly any line matches, and a matcher is many times as large as a line.
    if (!this.fits(line)) return undefined;
    const matcher = this.#compiled.matcher(line);
    if (!matcher.find()) return undefined;
    const found = this.groups.map((name) => [name, matcher.group(name)] as const);
    return new Map(found.filter((entry): entry is [string, string] => entry[1] !== null));
  }
}

/** One pattern per line; empty lines and those that begin with `# ` are ignored. Throws RangeError with a sentence. */
export function readPatterns(text: string): LinePattern[] {
  const patterns = text
    .split('\n')
    .map((line) => line.replace(/\r$/, ''))
    .filter((line) => line.trim() !== '' && !line.startsWith('# '))
    .map((line) => LinePattern.of(line));
  if (patterns.reduce((sum, { size }) => sum + size, 0) > LARGEST_TOGETHER)
    throw new RangeError(
      'The patterns are too large in total: each line of output would be matched against all of them.',
    );
  return patterns;
}

/** A printed number: `1,234.5`, `.5`, `-3`, `1e6`; undefined for anything else. */
export function readNumber(text: string): number | undefined {
  const plain = /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(text.trim()) ? text.replaceAll(',', '') : text;
  return /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(plain) ? Number(plain) : undefined;
}
