import { parsedJson } from '../../../../../shared/util/object.ts';
/** The type of a line of standard output. `text`: not part of a document. */
export type Decoded =
  | { kind: 'part' }
  | { kind: 'document'; value: unknown }
  | { kind: 'broken'; lines: readonly string[] }
  | { kind: 'text' };

const PART: Decoded = { kind: 'part' };
const TEXT: Decoded = { kind: 'text' };

/** A message of another thread, which may occur inside a document without being part of it. */
const MESSAGE = /^(fio: |note: |Jobs: )/;

/** A document has about a thousand lines per job; a larger one is something else. */
const MOST_LINES = 2_000_000;

/** C's output for values that are not numbers, which JSON does not have. */
const NO_NUMBER = /(:\s*)[-+]?(?:nan|inf|infinity)(?=\s*[,}\]])/gi;

/**
 * Finds fio's JSON documents in lines. With `--status-interval` they follow each other without separators. Messages of fio and its jobs appear
 * before, between and inside them, always on separate lines that begin in the first column.
 */
export class DocumentDecoder {
  #lines: string[] | undefined;
  #damaged = false;
  #unknown = false;

  /** Whether a figure of a document was not a number. */
  get unknown(): boolean {
    return this.#unknown;
  }

  /** Lines of a document without an end so far. */
  get open(): readonly string[] {
    return this.#lines ?? [];
  }

  line(text: string, cut: boolean): Decoded {
    if (text === '{') return this.#begin();
    // A whole document on one line, as rewritten by other programs.
    if (this.#lines === undefined && text.startsWith('{') && text.endsWith('}') && text.length > 2) {
      const value = cut ? undefined : this.#parsed(text);
      return value === undefined ? { kind: 'broken', lines: [text] } : { kind: 'document', value };
    }
    const lines = this.#lines;
    if (lines === undefined) return TEXT;
    if (text !== '}' && !/^\s/.test(text)) {
      // Anything else may be a damaged line of the document, which makes the document incomplete.
      if (!MESSAGE.test(text)) this.#damaged = true;
      return TEXT;
    }
    lines.push(text);
    if (cut && text !== '}') this.#damaged = true;
    if (lines.length > MOST_LINES) return this.#close(undefined);
    return text === '}' ? this.#close(this.#damaged ? undefined : this.#parsed(lines.join('\n'))) : PART;
  }

  /** Starts a document. If another one is open, its end is missing. */
  #begin(): Decoded {
    const lost = this.#lines;
    this.#lines = ['{'];
    this.#damaged = false;
    return lost ? { kind: 'broken', lines: lost } : PART;
  }

  #parsed(text: string): unknown {
    const value = parsedJson(text);
    const known = value === undefined ? text.replace(NO_NUMBER, '$1null') : text;
    if (known === text) return value;
    this.#unknown = true;
    return parsedJson(known);
  }

  #close(value: unknown): Decoded {
    const lines = this.#lines ?? [];
    this.#lines = undefined;
    this.#damaged = false;
    return value === undefined ? { kind: 'broken', lines } : { kind: 'document', value };
  }
}
