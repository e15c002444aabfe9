import { RE2JS } from 're2js';

/** Letters of one pattern. */
const LONGEST_PATTERN = 1000;
/** Instructions that one pattern may be compiled to, and all patterns of an option together. */
const LARGEST_PROGRAM = 1000;
const LARGEST_TOGETHER = 2000;
/** Letters of a line that is checked; a longer one, cut, could seem to end where it does not. */
const LONGEST_LINE = 4000;
/** Letters of a line times instructions: what matching costs at worst, about a fifth of a second. */
const MOST_STEPS = 500_000;
/** Options are checked for each cell of a matrix, and compiling takes much longer than matching. */
const MOST_KEPT = 100;

/** Each of these is a property of every object, so a figure of that name would be lost on its way. */
const isTaken = (name: string): boolean => name in {};

/**
 * A pattern that a person wrote, in RE2's language: matching takes time in proportion to the text, whatever the pattern,
 * so none of them can stop the engine. There is no look-ahead and no reference back to a group.
 */
export class LinePattern {
  static readonly #kept = new Map<string, LinePattern>();
  readonly #compiled: RE2JS;
  /** Instructions: what one letter of output can cost at most. */
  readonly size: number;
  /** Names of its groups. */
  readonly groups: readonly string[];

  private constructor(compiled: RE2JS) {
    this.#compiled = compiled;
    this.size = compiled.programSize();
    this.groups = Object.keys(compiled.namedGroups());
  }

  /** Throws RangeError, whose message is a sentence for the person who wrote it. */
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
        `“${source.slice(0, 40)}…” is too long a pattern: it has ${source.length} letters, and ${LONGEST_PATTERN} are the most.`,
      );
    let compiled: RE2JS;
    try {
      compiled = RE2JS.compile(source);
    } catch (error) {
      const why = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error);
      throw new RangeError(`“${source}” cannot be read as a pattern: ${why}.`);
    }
    const pattern = new LinePattern(compiled);
    if (pattern.size > LARGEST_PROGRAM)
      throw new RangeError(`“${source}” is too large a pattern: its repetitions multiply.`);
    const taken = pattern.groups.find(isTaken);
    if (taken !== undefined)
      throw new RangeError(`“${source}”: no group can have the name ${taken}; choose another name.`);
    return pattern;
  }

  /** Whether the line is short enough to be checked: large patterns take short lines only. */
  takes(line: string): boolean {
    return line.length <= LONGEST_LINE && line.length * this.size <= MOST_STEPS;
  }

  /** Whether it matches anywhere in the line; false when the line is too long. */
  fits(line: string): boolean {
    return this.takes(line) && this.#compiled.test(line);
  }

  /** What the named groups matched, anywhere in the line; undefined when the line does not fit. A group without a match is absent. */
  match(line: string): ReadonlyMap<string, string> | undefined {
    // Of a flood hardly a line fits, and a matcher is many times as large as a line.
    if (!this.fits(line)) return undefined;
    const matcher = this.#compiled.matcher(line);
    if (!matcher.find()) return undefined;
    const found = this.groups.map((name) => [name, matcher.group(name)] as const);
    return new Map(found.filter((entry): entry is [string, string] => entry[1] !== null));
  }
}

/** One pattern per line; empty lines and those that begin with `# ` are none. Throws RangeError with a sentence. */
export function readPatterns(text: string): LinePattern[] {
  const patterns = text
    .split('\n')
    .map((line) => line.replace(/\r$/, ''))
    .filter((line) => line.trim() !== '' && !line.startsWith('# '))
    .map((line) => LinePattern.of(line));
  if (patterns.reduce((sum, { size }) => sum + size, 0) > LARGEST_TOGETHER)
    throw new RangeError('The patterns together are too large: each line of output would be held against all of them.');
  return patterns;
}

/** A printed number: `1,234.5`, `.5`, `-3`, `1e6`; undefined for anything else. */
export function readNumber(text: string): number | undefined {
  const plain = /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(text.trim()) ? text.replaceAll(',', '') : text;
  return /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(plain) ? Number(plain) : undefined;
}
