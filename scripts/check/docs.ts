import path from 'node:path';
import type { Module } from './modules.ts';
import type { Complaint } from './project.ts';

/** Names of places that a page may mention and that exist in a clone. */
const MENTIONED = /`((?:src|scripts|bench|e2e|docs|workloads|assets)\/[\w./-]+)`/g;
const LINK = /\]\(([^)\s]+)\)/g;

/** Links of pages and of comments that lead nowhere: files, headings, and paths in backticks. `exists` takes a path from the root. */
export function checkLinks(
  pages: ReadonlyMap<string, string>,
  modules: Iterable<Pick<Module, 'file' | 'text'>>,
  exists: (file: string) => boolean,
): Complaint[] {
  const ofPages = [...pages].flatMap(([file, text]) => {
    const lines = withoutCode(text);
    return lines.flatMap((line, index): Complaint[] => {
      const links = [...line.matchAll(LINK)].map(([, link = '']) => brokenLink(file, link, pages, exists));
      const mentions = [...line.matchAll(MENTIONED)].map(([, name = '']) =>
        exists(name) ? undefined : `mentions ${name}, which does not exist`,
      );
      return [...links, ...mentions].flatMap((broken) => (broken ? [{ file, line: index + 1, text: broken }] : []));
    });
  });
  const ofComments = [...modules].flatMap(({ file, text }) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        [...line.matchAll(/`(docs\/[\w/-]+\.md)`/g)].flatMap(([, page = '']) =>
          exists(page) ? [] : [{ file, line: index + 1, text: `mentions ${page}, which does not exist` }],
        ),
      ),
  );
  return [...ofPages, ...ofComments];
}

function brokenLink(
  file: string,
  link: string,
  pages: ReadonlyMap<string, string>,
  exists: (file: string) => boolean,
): string | undefined {
  if (/^[a-z]+:/.test(link)) return undefined;
  const [name = '', heading] = link.split('#');
  const target = name === '' ? file : path.posix.join(path.posix.dirname(file), name);
  if (!exists(target)) return `links to ${target}, which does not exist`;
  const page = pages.get(target);
  if (heading === undefined || page === undefined || headingsOf(page).includes(heading)) return undefined;
  return `links to a heading #${heading} that ${target} does not have`;
}

/** Lines of a page, those of code blocks empty. */
function withoutCode(page: string): string[] {
  let isCode = false;
  return page.split('\n').map((line) => {
    const isFence = line.trimStart().startsWith('```');
    if (isFence) isCode = !isCode;
    return isFence || isCode ? '' : line;
  });
}

/** Anchors as GitHub makes them from headings. */
const headingsOf = (page: string): string[] =>
  withoutCode(page)
    .filter((line) => /^#+ /.test(line))
    .map((line) =>
      line
        .replace(/^#+ /, '')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    );

/** A word that docs/voice.md replaces. */
export interface Avoided {
  readonly word: string;
  readonly pattern: RegExp;
  readonly instead: string;
  /** How many comment lines or texts have it. May only fall: lower it when a change removes some. */
  readonly stored: number;
}

const AVOIDED: readonly Avoided[] = [
  {
    word: 'tell, told',
    pattern: /(?<!cannot[ -])\b(?:tells?|told|telling)\b/i,
    instead: 'returns, logs, reports',
    stored: 8,
  },
  { word: 'say, said', pattern: /\b(?:says?|said)\b/i, instead: 'returns, names, means, shows', stored: 4 },
  { word: 'beside', pattern: /\bbeside\b/i, instead: 'with, next to, in addition to', stored: 5 },
  { word: 'stand, stood', pattern: /\b(?:stands?|stood)\b/i, instead: 'is in, means, stalls', stored: 9 },
  { word: '“What …” at the beginning', pattern: /^What\b/, instead: 'the noun itself', stored: 9 },
  { word: '“Of …” at the beginning', pattern: /^Of\b/, instead: 'For, In, Among, Only', stored: 1 },
];

/** The worst of these words in names. */
const AVOIDED_IN_NAMES: readonly Avoided[] = [
  {
    word: 'tell, told',
    pattern: /\b(?:tells?|told|telling|untold)\b/,
    instead: 'report, reported, notify',
    stored: 15,
  },
  { word: 'say, said', pattern: /\b(?:says?|said)\b/, instead: 'message, output, report', stored: 4 },
  { word: 'beside', pattern: /\bbesides?\b/, instead: 'next, other, additional', stored: 4 },
  { word: 'stand, stood', pattern: /\b(?:stands?|standing|stood)\b/, instead: 'state, is', stored: 0 },
  {
    word: 'stray, strange',
    pattern: /\b(?:strays?|strange|strangers?)\b/,
    instead: 'orphan, unexpected, mismatch',
    stored: 1,
  },
  { word: 'anew', pattern: /\banew\b/, instead: 'restarted, reset, again', stored: 0 },
];

/** Counts names of modules that have such words: `toldBy` has “told”. A name counts once in each module. */
export function checkIdentifiers(
  modules: Iterable<Pick<Module, 'identifiers'>>,
  avoided: readonly Avoided[] = AVOIDED_IN_NAMES,
): { rises: Complaint[]; falls: string[] } {
  const names = [...modules].flatMap(({ identifiers }) => [...identifiers].map(wordsOfName));
  return countWords(names, avoided, { things: 'names', file: 'scripts/check/docs.ts' });
}

const wordsOfName = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();

/**
 * Words of comments that docs/voice.md replaces: `rises` has those that more lines have than before, `falls` those whose number can be
 * lowered. A comment line is one that begins as such, or what follows `//` behind code.
 */
export function checkWords(
  modules: Iterable<Pick<Module, 'text'>>,
  avoided: readonly Avoided[] = AVOIDED,
): { rises: Complaint[]; falls: string[] } {
  const lines = [...modules].flatMap(({ text }) => commentLines(text));
  return countWords(lines, avoided, { things: 'comment lines', file: 'scripts/check/docs.ts' });
}

/** Counts of avoided words in lines or texts against the stored ones, which are in `file`. */
export function countWords(
  lines: readonly string[],
  avoided: readonly Avoided[],
  { things, file }: { readonly things: string; readonly file: string },
): { rises: Complaint[]; falls: string[] } {
  const rises: Complaint[] = [];
  const falls: string[] = [];
  for (const { word, pattern, instead, stored } of avoided) {
    const count = lines.filter((line) => pattern.test(line)).length;
    const figures = `${word}: ${count} ${things}, ${stored} stored.`;
    if (count > stored)
      rises.push({
        file,
        line: 1,
        text: `${figures} Write ${instead} (docs/voice.md). Yours: git diff -U0 origin/main | grep -iP '${added(pattern)}'`,
      });
    if (count < stored) falls.push(`${figures} Lower the stored number in ${file}.`);
  }
  return { rises, falls };
}

/** The same pattern in lines that a diff adds. */
const added = ({ source }: RegExp): string =>
  `^\\+${source.startsWith('^') ? `\\W*${source.slice(1)}` : `.*${source}`}`;

/** The words of each line of comment, without its marks. */
function commentLines(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const words =
      /^\s*(?:\/\*\*?|\*(?!\/)|\/\/|\{\/\*)\s?(.*?)(?:\s*\*\/\}?)?$/.exec(line) ?? /\s\/\/ (.*)$/.exec(line);
    return words?.[1] ? [words[1].trim()] : [];
  });
}
