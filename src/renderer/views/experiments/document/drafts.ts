import type { Experiment } from '../../../../shared/model/experiment.ts';
import { LOCAL_HOST_NAME } from '../../../../shared/model/host.ts';
import type { ToolInfo } from '../../../../shared/model/tool.ts';

/** A changed text that was not saved. */
export interface Draft {
  /** The id of the changed document, or of a new one. */
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly at: number;
  /** The start of a new document, if it was not blank: “copy of Thread ladder”. */
  readonly origin?: string;
}

/** Kept for the lifetime of the window: navigation and reloads lose nothing. */
const BEFORE = 'kneepoint-draft-';

function read(key: string): Draft | undefined {
  const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null');
  if (typeof kept !== 'object' || kept === null) return undefined;
  const { name, text, at, origin }: Partial<Record<string, unknown>> = { ...kept };
  if (typeof name !== 'string' || typeof text !== 'string' || typeof at !== 'number') return undefined;
  return { id: key.slice(BEFORE.length), name, text, at, ...(typeof origin === 'string' && { origin }) };
}

export const draftOf = (id: string): string | undefined => read(BEFORE + id)?.text;

/** An unchanged text keeps its date, and a changed one its origin. */
export function keepDraft({ id, name, text, origin = read(BEFORE + id)?.origin }: Omit<Draft, 'at'>): void {
  if (draftOf(id) !== text) sessionStorage.setItem(BEFORE + id, JSON.stringify({ name, text, at: Date.now(), origin }));
}

export const dropDraft = (id: string): void => sessionStorage.removeItem(BEFORE + id);

/** Newest first. */
export const drafts = (): Draft[] =>
  Object.keys(sessionStorage)
    .filter((key) => key.startsWith(BEFORE))
    .flatMap((key) => read(key) ?? [])
    .sort((a, b) => b.at - a.at);

/** An unused draft id for a new document of a tool. */
export function newDocument(tool: string): string {
  let number = 1;
  while (draftOf(newId(tool, number)) !== undefined) number += 1;
  return newId(tool, number);
}

const newId = (tool: string, number: number): string => `new/${tool}${number === 1 ? '' : `:${number}`}`;

/** Starts a new document with the text of another one, under its own name; returns its id. */
export function copyAsDraft({ tool, name, text }: { tool: string; name: string; text: string }): string {
  const id = newDocument(tool);
  const copy = `${name} (copy)`.slice(0, MOST_OF_NAME);
  keepDraft({ id, name: copy, text: withName(text, name, copy), origin: `copy of ${name}` });
  return id;
}

/** The text of a document under another name; everything else stays as it was written. */
export function withName(text: string, before: string, name: string): string {
  const named = JSON.stringify(name);
  // YAML in its usual form, otherwise as JSON.
  const plain = text.replace(/^name:.*$/m, () => `name: ${named}`);
  return plain === text ? text.replace(`"name": ${JSON.stringify(before)}`, () => `"name": ${named}`) : plain;
}

/** Maximum length of an experiment's name. */
const MOST_OF_NAME = 200;

/** The tool of a new document, from the last part of its id. */
export const toolOfNew = (part: string): string => part.replace(/:\d+$/, '');

/** An experiment with only a tool: one cell, one short trial on this computer. */
export const blankExperiment = (tool: ToolInfo): Experiment => ({
  kneepoint: 1,
  name: `New ${tool.title} experiment`,
  workload: { tool: tool.id, options: {}, data: 'create' },
  where: { generators: [LOCAL_HOST_NAME] },
  factors: [],
  measure: { warmup: 10, duration: 60, repeats: 3, order: 'rounds', seed: 1, pause: 0 },
});

/** The same document for another tool: without options, steps, factors, measures and charts, which do not apply to it. */
export function withTool(experiment: Experiment, tool: string): Experiment {
  const { exclude: _, steps: _steps, derived: _derived, primary: _primary, charts: _charts, ...rest } = experiment;
  return { ...rest, kneepoint: 1, workload: { ...experiment.workload, tool, options: {} }, factors: [] };
}
