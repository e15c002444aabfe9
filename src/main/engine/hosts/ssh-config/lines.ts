/** A line of an ssh_config as OpenSSH reads it: the keyword in small letters, and its arguments without quotes. */
export interface ConfigLine {
  readonly keyword: string;
  readonly arguments: readonly string[];
  /** Everything behind the keyword as it stands, for commands. */
  readonly rest: string;
}

/** The first word, which may be in quotes and have one `=` with blanks around it behind it. */
const KEYWORD = /^[\s=]*(?:"([^"]*)"|([^\s="]+))[ \t\r]*=?[ \t\r]*/;

/** undefined: empty or a comment. */
export function readLine(text: string): ConfigLine | undefined {
  const line = text.replace(/[\s\f]+$/, '');
  if (/^\s*(#|$)/.test(line)) return undefined;
  const match = KEYWORD.exec(line);
  const keyword = match?.[1] ?? match?.[2];
  if (!match || keyword === undefined) return { keyword: '', arguments: [], rest: line };
  const rest = line.slice(match[0].length);
  return { keyword: keyword.toLowerCase(), arguments: wordsOf(rest), rest };
}

/** Words with blanks between; quotes hold blanks, a backslash takes the meaning from a quote, a backslash or a blank. `#` begins a comment. */
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

/** Criteria of `Match` that look and do nothing; `true`: with an argument. */
const CRITERIA: Readonly<Record<string, boolean>> = {
  ...{ all: false, canonical: false, final: false },
  ...{ host: true, originalhost: true, user: true, localuser: true, localnetwork: true, tagged: true },
};

/**
 * What a `Match` line asks. harmless: only what can be looked at. exec: it runs a command. unknown: something else, which may run one in
 * a version of OpenSSH to come.
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

/** A word as an argument of a line that OpenSSH reads as this word; undefined where no spelling does for every version. */
export function quoted(word: string): string | undefined {
  if (/["'\n\r\0]/.test(word)) return undefined;
  if (/\\(["'\\]|$)/.test(word)) return undefined;
  return /^[^\s#=]+$/.test(word) ? word : `"${word}"`;
}

/** A name of `Host` that stands for one host. */
export const isPlainName = (pattern: string): boolean => !/[*?!]/.test(pattern) && pattern !== '';
