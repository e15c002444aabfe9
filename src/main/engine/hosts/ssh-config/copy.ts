import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Settings that decide how a host is reached, and those reported as not imported. `ssh -G` runs none of them; it never sees any others.
 * `canonicalizehostname` would make it query name servers.
 */
const KEPT: ReadonlySet<string> = new Set([
  ...['hostname', 'user', 'port', 'identityfile', 'proxyjump', 'tag'],
  ...['certificatefile', 'hostkeyalias', 'identityagent', 'pkcs11provider'],
]);
/** Their argument is the rest of the line. */
const COMMANDS: ReadonlySet<string> = new Set(['proxycommand']);
const NEVER = 'Match originalhost !*';

/** OpenSSH stops at 16, and the copies are one level deeper. */
const DEEPEST = 14;
const MOST_FILES = 500;
const LARGEST_FILE = 4_000_000;

export interface ConfigSource {
  file: string;
  /** The text, if it is not a file on this computer. */
  text?: string;
  /** Base folder for an Include without a full path. */
  folder: string;
  home: string;
}

export interface SafeCopy {
  /** Names of hosts, without patterns, in the order of their first appearance. */
  names: string[];
  /** Files that were read, each once. */
  files: string[];
  /** Settings that were left out, a sentence each. */
  notes: string[];
}

/**
 * Writes a copy of a configuration for which `ssh -G` runs no commands: each included file as a separate file at the same place, so
 * conditions around an Include still apply, and only with known lines. Returns the path of the first copy.
 */
export class SafeCopies {
  readonly #target: string;
  readonly #found: SafeCopy = { names: [], files: [], notes: [] };
  #count = 0;

  constructor(target: string) {
    this.#target = target;
    mkdirSync(target, { recursive: true, mode: 0o700 });
  }

  get found(): SafeCopy {
    return this.#found;
  }

  /** Undefined if the file cannot be read. */
  add(source: ConfigSource, depth = 0): string | undefined {
    const { file } = source;
    if (this.#count >= MOST_FILES || depth > DEEPEST) {
      this.#note(`${file} was not read: too many files include each other.`);
      return undefined;
    }
    const text = source.text ?? this.#read(file);
    if (text === undefined) return undefined;
    const copy = path.join(this.#target, String(this.#count++));
    if (!this.#found.files.includes(file)) this.#found.files.push(file);
    const lines = text.split('\n').flatMap((line, index) => this.#line(line, `${file}:${index + 1}`, source, depth));
    writeFileSync(copy, `${lines.join('\n')}\n`, { mode: 0o600 });
    // Windows accepts both slashes, and a backslash is special in quotes.
    return copy.replaceAll('\\', '/');
  }

  #read(file: string): string | undefined {
    try {
      const { size } = statSync(file);
      if (size <= LARGEST_FILE) return readFileSync(file, 'utf8');
      this.#note(`${file} was not read: it is too large for a configuration file.`);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT'))
        this.#note(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
    }
    return undefined;
  }

  #line(text: string, place: string, source: ConfigSource, depth: number): string[] {
    const line = readLine(text);
    if (!line) return [];
    const { keyword, arguments: words } = line;
    if (keyword === 'host') {
      for (const name of words.filter(isPlainName)) if (!this.#found.names.includes(name)) this.#found.names.push(name);
      return [this.#written('Host', words, place) ?? NEVER];
    }
    if (keyword === 'match') return [this.#match(words, place)];
    if (keyword === 'include') return words.flatMap((pattern) => this.#include(pattern, place, source, depth));
    if (keyword === 'canonicalizehostname' && words[0]?.toLowerCase() !== 'no')
      this.#note(
        `${place}: CanonicalizeHostname is not imported; enter the full host name where a short one does not resolve.`,
      );
    if (COMMANDS.has(keyword)) return [`${keyword} ${line.rest}`];
    if (!KEPT.has(keyword)) return [];
    return [this.#written(keyword, words, place)].flatMap((written) => written ?? []);
  }

  #match(words: readonly string[], place: string): string {
    const kind = matchKind(words);
    if (kind === 'harmless') return this.#written('Match', words, place) ?? NEVER;
    this.#note(
      kind === 'exec'
        ? `${place}: Match exec is not imported because its command is not run. The settings below it are omitted.`
        : `${place}: Match ${words.join(' ')} is not supported. The settings below it are omitted.`,
    );
    return NEVER;
  }

  #written(keyword: string, words: readonly string[], place: string): string | undefined {
    const safe = words.map(quoted);
    if (safe.every((word) => word !== undefined)) return [keyword, ...safe].join(' ');
    this.#note(`${place}: ${keyword} is not imported because its quotes cannot be preserved.`);
    return undefined;
  }

  #include(pattern: string, place: string, source: ConfigSource, depth: number): string[] {
    const full = fullPath(pattern, source);
    if (full === undefined) {
      this.#note(`${place}: Include ${pattern} was not read; its path is not plain.`);
      return [];
    }
    const { folder, home } = source;
    return filesLike(full).flatMap((file) => {
      const copy = this.add({ file, folder, home }, depth + 1);
      return copy === undefined ? [] : [`Include "${copy}"`];
    });
  }

  #note(words: string): void {
    if (!this.#found.notes.includes(words)) this.#found.notes.push(words);
  }
}

/** Undefined if it names another user's home, or an environment variable. */
function fullPath(pattern: string, { folder, home }: ConfigSource): string | undefined {
  if (pattern === '~' || /^~[/\\]/.test(pattern)) return path.join(home, pattern.slice(1));
  if (pattern.startsWith('~') || pattern.includes('${') || /%[^%]/.test(pattern)) return undefined;
  return path.isAbsolute(pattern) ? pattern : path.join(folder, pattern);
}

/** Files that match a shell pattern, sorted by name; hidden ones only if the pattern has the dot. */
function filesLike(pattern: string): string[] {
  const { root } = path.parse(pattern);
  const parts = pattern.slice(root.length).split(path.sep === '\\' ? /[\\/]+/ : /\/+/);
  return parts.reduce<string[]>(
    (folders, part) =>
      part === ''
        ? folders
        : folders.flatMap((folder) =>
            /[*?[]/.test(part)
              ? namesLike(folder, part).map((name) => path.join(folder, name))
              : path.join(folder, part),
          ),
    [root],
  );
}

function namesLike(folder: string, pattern: string): string[] {
  const source = pattern
    .replace(/[.+^$(){}|\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
    .replaceAll('[!', '[^');
  try {
    const like = new RegExp(`^${source}$`);
    return readdirSync(folder)
      .filter((name) => like.test(name) && (pattern.startsWith('.') || !name.startsWith('.')))
      .sort();
  } catch {
    // The folder does not exist, or the pattern is invalid: nothing to include.
    return [];
  }
}

/** A line of an ssh_config as OpenSSH reads it: the lower-case keyword, and its arguments without quotes. */
interface ConfigLine {
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
