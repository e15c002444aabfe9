/** A text that was changed and not saved. */
export interface Draft {
  /** The id of the document that it changes, or that of a new one. */
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly at: number;
}

/** Kept while the window lives: going elsewhere or reloading loses nothing. */
const BEFORE = 'kneepoint-draft-';

function read(key: string): Draft | undefined {
  const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null');
  if (typeof kept !== 'object' || kept === null) return undefined;
  const { name, text, at }: Partial<Record<string, unknown>> = { ...kept };
  if (typeof name !== 'string' || typeof text !== 'string' || typeof at !== 'number') return undefined;
  return { id: key.slice(BEFORE.length), name, text, at };
}

export const draftOf = (id: string): string | undefined => read(BEFORE + id)?.text;

/** Unchanged: its date stays. */
export function keepDraft({ id, name, text }: Omit<Draft, 'at'>): void {
  if (draftOf(id) !== text) sessionStorage.setItem(BEFORE + id, JSON.stringify({ name, text, at: Date.now() }));
}

export const dropDraft = (id: string): void => sessionStorage.removeItem(BEFORE + id);

/** The last one first. */
export const drafts = (): Draft[] =>
  Object.keys(sessionStorage)
    .filter((key) => key.startsWith(BEFORE))
    .flatMap((key) => read(key) ?? [])
    .sort((a, b) => b.at - a.at);

/** Where a new document for a tool begins, in the place of no draft. */
export function newDocument(tool: string): string {
  let number = 1;
  while (draftOf(newId(tool, number)) !== undefined) number += 1;
  return newId(tool, number);
}

const newId = (tool: string, number: number): string => `new/${tool}${number === 1 ? '' : `:${number}`}`;

/** Begins a new document with the text of another one, under a name of its own; returns its id. */
export function copyAsDraft({ tool, name, text }: { tool: string; name: string; text: string }): string {
  const id = newDocument(tool);
  const copy = `${name} (copy)`.slice(0, MOST_OF_NAME);
  const named = JSON.stringify(copy);
  // YAML as it is usually written, else as JSON.
  const plain = text.replace(/^name:.*$/m, () => `name: ${named}`);
  keepDraft({
    id,
    name: copy,
    text: plain === text ? text.replace(`"name": ${JSON.stringify(name)}`, () => `"name": ${named}`) : plain,
  });
  return id;
}

/** As long as the name of an experiment may be. */
const MOST_OF_NAME = 200;

/** The tool of a new document, by the last part of its id. */
export const toolOfNew = (part: string): string => part.replace(/:\d+$/, '');
