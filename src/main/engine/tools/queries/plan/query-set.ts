import { KneepointError } from '../../../../../shared/model/problem.ts';

/** One way to get a result: its set-up, the timed statement, and its tear-down. */
export interface Variant {
  name: string;
  setUp: string[];
  statement: string;
  tearDown: string[];
}

export interface QuerySet {
  /** Creates and removes the data of the whole session. */
  prepare: string[];
  cleanUp: string[];
  /** For every variant, around its own. */
  setUp: string[];
  tearDown: string[];
  /** In text order, at least one. */
  variants: Variant[];
  /** Questions about sizes, parts, settings …, asked after the measurement. Their results are stored as tables. */
  facts: { name: string; statement: string }[];
}

export const refused = (message: string, next: string): KneepointError =>
  new KneepointError({
    code: 'experiment-invalid',
    message,
    safe: 'Nothing was started and no statement was sent.',
    next,
  });

const MARK = /^\s*--\s*@([a-z-]+)(?:\s+(.*?))?\s*$/;
const NAME = /^[\w .:+-]{1,80}$/;
const NAMED = new Set(['variant', 'facts']);
const UNNAMED = new Set(['prepare', 'clean-up', 'set-up', 'statement', 'tear-down']);

interface Section {
  kind: string;
  name: string;
  line: number;
  text: string;
}

/** Splits the text at its marks. Text before the first mark is the statement of an unnamed variant. */
function sectionsOf(text: string): Section[] {
  const sections: Section[] = [{ kind: 'variant', name: 'statement', line: 1, text: '' }];
  text.split(/\r?\n/).forEach((line, index) => {
    const [, kind, name = ''] = MARK.exec(line) ?? [];
    if (kind === undefined) {
      const section = sections.at(-1) as Section;
      section.text += `${line}\n`;
      return;
    }
    checkMark(kind, name, index + 1);
    sections.push({ kind, name, line: index + 1, text: '' });
  });
  const [first, ...marked] = sections as [Section, ...Section[]];
  return isEmpty(first.text) ? marked : sections;
}

function checkMark(kind: string, name: string, line: number): void {
  if (!NAMED.has(kind) && !UNNAMED.has(kind))
    throw refused(
      `Line ${line} of the queries: there is no section “@${kind}”.`,
      `Valid names: ${[...UNNAMED, ...NAMED].map((known) => `@${known}`).join(', ')}.`,
    );
  if (NAMED.has(kind) && !NAME.test(name))
    throw refused(
      `Line ${line} of the queries: @${kind} needs a name of letters, digits, spaces and . : + - _.`,
      `Write a line like -- @${kind} one.`,
    );
  if (UNNAMED.has(kind) && name !== '')
    throw refused(
      `Line ${line} of the queries: @${kind} takes no name, but is followed by “${name}”.`,
      'Remove the name.',
    );
}

/** Whether a text contains only blanks and comments. */
const isEmpty = (text: string): boolean => text.replace(/^\s*--.*$/gm, '').trim() === '';
/** The statement as sent: some servers cannot explain a single statement that ends with a semicolon. */
const trimmed = (text: string): string => text.trim().replace(/;\s*$/, '');

/** Parses a set of queries. Throws `experiment-invalid` with the line and its error. */
export function readQuerySet(text: string): QuerySet {
  const set: QuerySet = { prepare: [], cleanUp: [], setUp: [], tearDown: [], variants: [], facts: [] };
  const sections = sectionsOf(text);
  for (const section of sections) place(set, section);
  const [first] = set.variants;
  if (!first)
    throw refused('The queries contain no statement.', 'Write one into the option “queries”, below -- @variant NAME.');
  for (const { name, statement } of [...set.variants, ...set.facts])
    if (isEmpty(statement)) throw refused(`“${name}” has no statement.`, 'Write one below its line, or remove it.');
  for (const named of [set.variants, set.facts]) {
    const twice = named.find(({ name }, index) => named.findIndex((other) => other.name === name) !== index);
    if (twice) throw refused(`The name “${twice.name}” is used twice.`, 'Give each its own name.');
  }
  return set;
}

function place(set: QuerySet, { kind, name, line, text }: Section): void {
  const variant = set.variants.at(-1);
  const add = (list: string[]): void => {
    if (!isEmpty(text)) list.push(trimmed(text));
  };
  switch (kind) {
    case 'variant':
      set.variants.push({ name, setUp: [], statement: isEmpty(text) ? '' : trimmed(text), tearDown: [] });
      break;
    case 'facts':
      set.facts.push({ name, statement: isEmpty(text) ? '' : trimmed(text) });
      break;
    case 'statement':
      if (variant?.statement !== '')
        throw refused(
          `Line ${line} of the queries: @statement belongs below a @variant that has no statement yet.`,
          'Begin another variant for another statement.',
        );
      variant.statement = isEmpty(text) ? '' : trimmed(text);
      break;
    case 'prepare':
      add(set.prepare);
      break;
    case 'clean-up':
      add(set.cleanUp);
      break;
    default:
      add(kind === 'set-up' ? (variant ?? set).setUp : (variant ?? set).tearDown);
  }
}

/** Parses `column=a; engine=InnoDB`, or one per line. Later values override earlier ones. Throws `experiment-invalid`. */
export function readValues(...texts: readonly string[]): Map<string, string> {
  const values = new Map<string, string>();
  for (const part of texts.flatMap((text) => text.split(/[;\n]/))) {
    if (part.trim() === '') continue;
    const [, name, value] = /^\s*(\w+)\s*=\s*(.*?)\s*$/.exec(part) ?? [];
    if (name === undefined || value === undefined)
      throw refused(
        `“${part.trim()}” is not a value for the queries.`,
        'Write name=value; several are separated by semicolons.',
      );
    values.set(name, value);
  }
  return values;
}

const PLACE = /\{\{\s*(\w+)\s*\}\}/g;

/** Replaces `{{name}}` everywhere with its literal value. Throws `experiment-invalid` for a name without a value, and for an unused value. */
export function fillIn(set: QuerySet, values: ReadonlyMap<string, string>): QuerySet {
  const used = new Set<string>();
  const fill = (text: string): string =>
    text.replace(PLACE, (_, name: string) => {
      const value = values.get(name);
      if (value === undefined)
        throw refused(`The queries use {{${name}}}, but it has no value.`, `Add ${name}=… to the option “values”.`);
      used.add(name);
      return value;
    });
  const all = (texts: readonly string[]): string[] => texts.map(fill);
  const filled: QuerySet = {
    prepare: all(set.prepare),
    cleanUp: all(set.cleanUp),
    setUp: all(set.setUp),
    tearDown: all(set.tearDown),
    variants: set.variants.map(({ name, setUp, statement, tearDown }) => ({
      name,
      setUp: all(setUp),
      statement: fill(statement),
      tearDown: all(tearDown),
    })),
    facts: set.facts.map(({ name, statement }) => ({ name, statement: fill(statement) })),
  };
  const idle = [...values.keys()].find((name) => !used.has(name));
  if (idle !== undefined)
    throw refused(`“${idle}” has a value, but no query uses it.`, `Write {{${idle}}} where it belongs, or remove it.`);
  return filled;
}

/** The variant with this name, or the first. Throws `experiment-invalid`. */
export function variantOf({ variants }: QuerySet, name: string | undefined): Variant {
  const found = name === undefined ? variants[0] : variants.find((variant) => variant.name === name);
  if (found) return found;
  throw refused(
    `There is no variant “${name}” among the queries.`,
    `Valid names: ${variants.map((variant) => variant.name).join(', ')}.`,
  );
}
