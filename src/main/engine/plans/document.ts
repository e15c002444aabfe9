import { type Document, isScalar, LineCounter, parseDocument, visit, type YAMLError } from 'yaml';
import { z } from 'zod';
import { type DocumentProblem, Experiment } from '../../../shared/model/experiment.ts';
import { issueWords } from '../../../shared/util/issue-words.ts';
import { meantWords } from '../../../shared/util/nearest.ts';
import { plainDocument } from './plain.ts';

const MAX_CHARACTERS = 1_000_000;
const MAX_DEPTH = 64;
/** Maximum width of one level of block nesting, characters. */
const WIDEST_STEP = 8;
/** Parsing blocks the event loop for a time that grows with the entries. */
const MAX_ENTRIES = 10_000;
/** More problems would not be read, and finding the place of each takes time. */
export const MAX_PROBLEMS = 50;

export interface ReadDocument {
  problems: DocumentProblem[];
  experiment?: Experiment;
  /** Place of a path in the text, for problems found later. `offset`: characters into a text that is on one line there. */
  locate(path: readonly (string | number)[], offset?: number): Pick<DocumentProblem, 'line' | 'column'>;
}

/** Parses YAML to an experiment, or to problems with their lines. Never throws on invalid text. */
export function readDocument(text: string): ReadDocument {
  const lines = new LineCounter();
  const nowhere = (): Pick<DocumentProblem, 'line' | 'column'> => ({});
  if (text.length > MAX_CHARACTERS) {
    return {
      problems: [{ path: '', message: 'The document is larger than 1 MB, the limit.' }],
      locate: nowhere,
    };
  }
  if (entries(text) > MAX_ENTRIES) {
    return {
      problems: [{ path: '', message: `The document has more than ${MAX_ENTRIES} entries, the limit.` }],
      locate: nowhere,
    };
  }
  if (nesting(text) > MAX_DEPTH) {
    return {
      problems: [{ path: '', message: `The document is nested deeper than ${MAX_DEPTH} levels.` }],
      locate: nowhere,
    };
  }
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: true });
  const places = locator(document, lines);
  if (document.errors.length > 0) {
    const problems = document.errors.slice(0, MAX_PROBLEMS).map((error) => {
      const place = error.linePos?.[0];
      return {
        path: '',
        message: yamlWords(error),
        ...(place && { line: place.line, column: place.col }),
      };
    });
    return { problems, locate: places };
  }
  const forbidden = forbiddenKeys(document, lines);
  if (forbidden.length > 0) return { problems: forbidden, locate: places };
  const value = plainValue(document);
  if ('problem' in value) return { problems: [{ path: '', message: value.problem }], locate: places };
  if (value.plain === null || value.plain === undefined) {
    return { problems: [{ path: '', message: 'The document is empty.', line: 1, column: 1 }], locate: places };
  }
  const read = plainDocument(value.plain);
  const locate: ReadDocument['locate'] = (path, offset) => places(read.written(path), offset);
  if (read.problems.length > 0) {
    const problems = read.problems.slice(0, MAX_PROBLEMS);
    return {
      problems: problems.map(({ path, message }) => ({ path: path.join('.'), message, ...places(path) })),
      locate,
    };
  }
  const parsed = Experiment.safeParse(read.plain);
  if (parsed.success) return { problems: [], experiment: parsed.data, locate };
  return {
    problems: parsed.error.issues.slice(0, MAX_PROBLEMS).flatMap((issue) => problemsOf(issue, read.plain, locate)),
    locate,
  };
}

/** Aliases are off: a few lines of them can expand to gigabytes, and no experiment needs one. */
function plainValue(document: Document.Parsed): { plain: unknown } | { problem: string } {
  try {
    return { plain: document.toJS({ maxAliasCount: 0 }) };
  } catch (error) {
    return { problem: `The document uses YAML aliases, which are not supported (${(error as Error).message}).` };
  }
}

function problemsOf(issue: z.core.$ZodIssue, plain: unknown, locate: ReadDocument['locate']): DocumentProblem[] {
  const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part));
  if (issue.code === 'unrecognized_keys') {
    const free = namesAt(path).filter((name) => !(name in plainAt(plain, path)));
    return issue.keys.slice(0, MAX_PROBLEMS).map((key) => unknownKey(path, key, meantWords(key, free), locate));
  }
  const missing = path.at(-1);
  if (issue.code === 'invalid_type' && typeof missing === 'string') {
    const owner = path.slice(0, -1);
    const others = plainAt(plain, owner);
    // A missing field may be present under a misspelled name, where unknown names are allowed.
    const misspelt = Object.keys(others).find(
      (key) => !(missing in others) && !namesAt(owner).includes(key) && meantWords(key, [missing]) !== '',
    );
    if (misspelt !== undefined) return [unknownKey(owner, misspelt, meantWords(misspelt, [missing]), locate)];
  }
  const name = path.join('.') || 'The document';
  return [{ path: path.join('.'), message: `${name}: ${issueWords(issue)}`, ...locate(path) }];
}

const unknownKey = (
  path: readonly (string | number)[],
  key: string,
  meant: string,
  locate: ReadDocument['locate'],
): DocumentProblem => ({
  path: [...path, key].join('.'),
  message: `There is no setting named “${key}”${path.length > 0 ? ` under ${path.join('.')}` : ''}.${meant}`,
  ...locate([...path, key]),
});

/** Fields written at a place of the document. */
function plainAt(plain: unknown, path: readonly (string | number)[]): object {
  const value = path.reduce<unknown>((at, part) => Object(at)[part], plain);
  return typeof value === 'object' && value !== null ? value : {};
}

/** Names of the fields that a document can have at a place. Empty if unknown. */
function namesAt(path: readonly (string | number)[]): string[] {
  let schema: unknown = Experiment;
  for (const part of path) {
    const bare = bareSchema(schema);
    schema = bare instanceof z.ZodArray ? bare.element : bare instanceof z.ZodObject ? bare.shape[part] : undefined;
  }
  const bare = bareSchema(schema);
  return bare instanceof z.ZodObject ? Object.keys(bare.shape) : [];
}

const bareSchema = (schema: unknown): unknown =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? bareSchema(schema.unwrap()) : schema;

function locator(document: Document, lines: LineCounter): ReadDocument['locate'] {
  return (path, offset = 0) => {
    for (let length = path.length; length >= 0; length--) {
      const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
      const start = (node as { range?: [number, number, number] | null } | null | undefined)?.range?.[0];
      if (start === undefined) continue;
      const place = lines.linePos(start + (length === path.length ? placeIn(node, offset) : 0));
      return { line: place.line, column: place.col };
    }
    return { line: 1, column: 1 };
  };
}

/** Position of a character within the source of a scalar: 0 if that is folded or has escapes. */
function placeIn(node: unknown, offset: number): number {
  if (offset === 0 || !isScalar(node) || typeof node.value !== 'string') return 0;
  const written = node.range ? node.range[1] - node.range[0] : 0;
  const quotes = written - node.value.length;
  return quotes === 0 ? offset : quotes === 2 ? offset + 1 : 0;
}

function yamlWords({ code, message }: YAMLError): string {
  if (code === 'MULTIPLE_DOCS') return 'The file holds several documents (separated by ---); only one is allowed.';
  if (/^(Nested mappings|Block collections) are not allowed/.test(message)) {
    return 'A colon followed by a space starts another entry, which is not allowed here. If it belongs to the value, quote the value (single quotes keep backslashes as they are).';
  }
  return message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '.') ?? message;
}

/** A key with a special meaning in JavaScript would be lost silently. */
function forbiddenKeys(document: Document.Parsed, lines: LineCounter): DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  visit(document, {
    Pair(_key, { key }) {
      if (!isScalar(key) || String(key.value) !== '__proto__') return;
      const place = lines.linePos(key.range?.[0] ?? 0);
      problems.push({
        path: '',
        message: 'The name “__proto__” is reserved.',
        ...(place.line > 0 && { line: place.line, column: place.col }),
      });
    },
  });
  return problems;
}

/** Upper limit of the number of entries, without parsing: each one ends a line or is between separators. */
const entries = (text: string): number => text.match(/[\n,]|- /g)?.length ?? 0;

/** Deepest flow or block nesting, without parsing, because the parser recurses to that depth. */
function nesting(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [lead] of text.matchAll(/^[ \t?-]{64,}/gm)) {
    const marks = lead.match(/[?-]/g)?.length ?? 0;
    deepest = Math.max(deepest, marks, Math.floor(lead.length / WIDEST_STEP));
  }
  for (const character of text) {
    if (character === '[' || character === '{') deepest = Math.max(deepest, ++depth);
    else if (character === ']' || character === '}') depth--;
  }
  return deepest;
}
