import { parsedJson } from '../../../../../shared/util/object.ts';
/** What a line of standard output turned out to be. `text`: no part of a document. */
export type Decoded =
  | { kind: 'part' }
  | { kind: 'document'; value: unknown }
  | { kind: 'broken'; lines: readonly string[] }
  | { kind: 'text' };

const PART: Decoded = { kind: 'part' };
const TEXT: Decoded = { kind: 'text' };

/** What may stand inside a document without being a part of it: a message of another thread. */
const MESSAGE = /^(fio: |note: |Jobs: )/;

/** A document has about a thousand lines for each job; past this something else is going on. */
const MOST_LINES = 2_000_000;

/** What C prints for no number, where JSON has no word for it. */
const NO_NUMBER = /(:\s*)[-+]?(?:nan|inf|infinity)(?=\s*[,}\]])/gi;

/**
 * Finds fio's JSON documents in lines. With `--status-interval` they follow each other without anything between; messages of fio
 * and its jobs stand before, between and inside them, always on lines of their own that begin in the first column.
 */
export class DocumentDecoder {
  #lines: string[] | undefined;
  #damaged = false;
  #unknown = false;

  /** Whether a figure of a document was no number. */
  get unknown(): boolean {
    return this.#unknown;
  }

  /** Lines of a document that has not come to its end. */
  get open(): readonly string[] {
    return this.#lines ?? [];
  }

  line(text: string, cut: boolean): Decoded {
    if (text === '{') return this.#begin();
    // A whole document on one line, as other programs rewrite it.
    if (this.#lines === undefined && text.startsWith('{') && text.endsWith('}') && text.length > 2) {
      const value = cut ? undefined : this.#parsed(text);
      return value === undefined ? { kind: 'broken', lines: [text] } : { kind: 'document', value };
    }
    const lines = this.#lines;
    if (lines === undefined) return TEXT;
    if (text !== '}' && !/^\s/.test(text)) {
      // Anything else can be a line of the document that was damaged, and the rest is then not the whole.
      if (!MESSAGE.test(text)) this.#damaged = true;
      return TEXT;
    }
    lines.push(text);
    if (cut && text !== '}') this.#damaged = true;
    if (lines.length > MOST_LINES) return this.#close(undefined);
    return text === '}' ? this.#close(this.#damaged ? undefined : this.#parsed(lines.join('\n'))) : PART;
  }

  /** A new document begins; one that is open then has lost its end. */
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
