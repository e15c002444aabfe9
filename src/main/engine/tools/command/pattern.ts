import { RE2JS } from 're2js';

/** Instructions that a pattern may be compiled to: what one letter of output can cost at most. */
const LARGEST_PROGRAM = 5000;
/** Letters of a line that is looked at; a longer one, cut, could seem to end where it does not. Time is this times the program at worst. */
const LONGEST_LINE = 4000;

/**
 * A pattern that a person wrote, in RE2's language: matching takes time in proportion to the text, whatever the pattern,
 * so none of them can stop the engine. There is no look-ahead and no reference back to a group.
 */
export class LinePattern {
  readonly #compiled: RE2JS;
  /** Names of its groups. */
  readonly groups: readonly string[];

  private constructor(compiled: RE2JS) {
    this.#compiled = compiled;
    this.groups = Object.keys(compiled.namedGroups());
  }

  /** Throws RangeError, whose message is a sentence for the person who wrote it. */
  static of(source: string): LinePattern {
    let compiled: RE2JS;
    try {
      compiled = RE2JS.compile(source);
    } catch (error) {
      const why = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error);
      throw new RangeError(`“${source}” cannot be read as a pattern: ${why}.`);
    }
    if (compiled.programSize() > LARGEST_PROGRAM)
      throw new RangeError(`“${source}” is too large a pattern: its repetitions multiply.`);
    return new LinePattern(compiled);
  }

  /** What the named groups matched, anywhere in the line; undefined when the line does not fit or is very long. A group without a match is absent. */
  match(line: string): Record<string, string> | undefined {
    if (line.length > LONGEST_LINE) return undefined;
    const matcher = this.#compiled.matcher(line);
    if (!matcher.find()) return undefined;
    const found = this.groups.map((name) => [name, matcher.group(name)] as const);
    return Object.fromEntries(found.filter((entry): entry is [string, string] => entry[1] !== null));
  }
}

/** One pattern per line; empty lines and those that begin with `# ` are none. Throws RangeError with a sentence. */
export const readPatterns = (text: string): LinePattern[] =>
  text
    .split('\n')
    .map((line) => line.replace(/\r$/, ''))
    .filter((line) => line.trim() !== '' && !line.startsWith('# '))
    .map((line) => LinePattern.of(line));
