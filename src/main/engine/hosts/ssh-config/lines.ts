/** A line of an ssh_config as OpenSSH reads it: the lower-case keyword, and its arguments without quotes. */
export interface ConfigLine {
  readonly keyword: string;
  readonly arguments: readonly string[];
  /** Everything after the keyword, unchanged, for commands. */
  readonly rest: string;
}

/** The first word, which may be in quotes, and one `=` with blanks around it. */
const KEYWORD = /^[\s=]*(?:"([^"]*)"|([^\s="]+))[ \t\r]*=?[ \t\r]*/;

/** Undefined for an empty line or a comment. */
export function readLine(text: string): ConfigLine | undefined {
  const line = text.replace(/[\s\f]+$/, '');
  if (/^\s*(#|$)/.test(line)) return undefined;
  const match = KEYWORD.exec(line);
  const keyword = match?.[1] ?? match?.[2];
  if (!match || keyword === undefined) return { keyword: '', arguments: [], rest: line };
  const rest = line.slice(match[0].length);
  return { keyword: keyword.toLowerCase(), arguments: wordsOf(rest), rest };
}

/** Words separated by blanks. Quotes may contain blanks, and a backslash escapes a quote, a backslash or a blank. `#` begins a comment. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] as string;
    const next = text[at + 1];
    if (letter === '\\' && next !== undefined && (/["'\\]/.test(next) || (quote === '' && next === ' '))) {
      word = (word ?? '') + next;
      at++;
    } else if (quote !== '') {
      if (letter === quote) quote = '';
      else word = (word ?? '') + letter;
    } else if (letter === '"' || letter === "'") {
      quote = letter;
      word ??= '';
    } else if (/[ \t]/.test(letter)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (letter === '#' && word === undefined) break;
    else word = (word ?? '') + letter;
  }
  if (word !== undefined) words.push(word);
  return words;
}

/** Criteria of `Match` that only compare; `true` if they have an argument. */
const CRITERIA: Readonly<Record<string, boolean>> = {
  ...{ all: false, canonical: false, final: false },
  ...{ host: true, originalhost: true, user: true, localuser: true, localnetwork: true, tagged: true },
};

/**
 * Kind of a `Match` line. harmless: it only compares. exec: it runs a command. unknown: anything else, which may run a command in a future
 * version of OpenSSH.
 */
export function matchKind(words: readonly string[]): 'harmless' | 'exec' | 'unknown' {
  let isUnknown = words.length === 0;
  for (let at = 0; at < words.length; at++) {
    const [name = '', value] = (words[at] as string).replace(/^!/, '').toLowerCase().split(/=(.*)/s);
    if (name === 'exec') return 'exec';
    const takes = Object.hasOwn(CRITERIA, name) ? CRITERIA[name] : undefined;
    if (takes === undefined) isUnknown = true;
    if (takes && value === undefined) {
      at++;
      if (at >= words.length) isUnknown = true;
    }
  }
  return isUnknown ? 'unknown' : 'harmless';
}

/** Formats a word as an argument that OpenSSH reads as this word. Undefined if no spelling works in every version. */
export function quoted(word: string): string | undefined {
  if (/["'\n\r\0]/.test(word)) return undefined;
  if (/\\(["'\\]|$)/.test(word)) return undefined;
  return /^[^\s#=]+$/.test(word) ? word : `"${word}"`;
}

/** Whether a name of `Host` is a single host. */
export const isPlainName = (pattern: string): boolean => !/[*?!]/.test(pattern) && pattern !== '';
