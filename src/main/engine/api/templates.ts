import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { parse } from 'yaml';
import { z } from 'zod';
import { type ExperimentFile, PublishedRow } from '../../../shared/contract/experiments.ts';
import { Variant } from '../../../shared/model/experiment.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { formatDocument, outlineOf, readDocument, withVariant } from '../plans/index.ts';
import { toolById } from '../tools/index.ts';

const Questions = z.array(z.object({ id: z.string(), title: z.string(), templates: z.array(z.string()) }));

/** A published experiment: its template, with levels and times of its own. */
const Row = PublishedRow.extend({
  title: z.string(),
  question: z.string(),
  as: Variant.optional(),
  small: Variant.optional(),
});
type Row = z.infer<typeof Row>;

const fileIn = (assetsDir: string, ...names: string[]): string => path.join(assetsDir, 'workloads', ...names);
const textIn = (assetsDir: string, ...names: string[]): string => readFileSync(fileIn(assetsDir, ...names), 'utf8');
const readRows = (assetsDir: string): Row[] => z.array(Row).parse(parse(textIn(assetsDir, 'rows.yaml')));

/**
 * The YAML files under `workloads/experiments`, the quick benchmark first, then the published experiments of `workloads/rows.yaml`. The id of a
 * template is its file name without ending. The questions that templates answer are in `workloads/questions.yaml`. Reading all of them takes long:
 * requests of pages are answered between two of them.
 */
export async function templates(assetsDir: string): Promise<ExperimentFile[]> {
  const questions = Questions.parse(parse(textIn(assetsDir, 'questions.yaml')));
  const topics = new Map(
    questions.flatMap((question, place) =>
      question.templates.map((id) => [id, { id: question.id, title: question.title, place }] as const),
    ),
  );
  const order = [...topics.keys()];
  const placeOf = (id: string): number => (id === 'quickstart' ? -1 : order.indexOf(id));
  const found: ExperimentFile[] = [];
  for (const file of readdirSync(fileIn(assetsDir, 'experiments')).filter((name) => name.endsWith('.yaml'))) {
    await setImmediate();
    const id = file.slice(0, -'.yaml'.length);
    const topic = topics.get(id);
    const text = textIn(assetsDir, 'experiments', file);
    found.push({ ...describeText(text), id, origin: 'template', ...(topic && { topic }) });
  }
  found.sort((one, other) => placeOf(one.id) - placeOf(other.id));
  const texts = new Map(found.map(({ id, text }) => [id, text]));
  for (const row of readRows(assetsDir)) {
    await setImmediate();
    const { title: _title, question: _question, as: _as, small: _small, ...known } = row;
    const text = rowText(row, texts.get(row.template) ?? '');
    found.push({ ...describeText(text), id: row.id, origin: 'template', row: known });
  }
  return found;
}

/** @throws KneepointError `not-found`: no template and no published experiment has this id. */
export function templateText(assetsDir: string, id: string): string {
  const text = (name: string): string => textIn(assetsDir, 'experiments', `${name}.yaml`);
  if (/^[\w-]+$/.test(id) && existsSync(fileIn(assetsDir, 'experiments', `${id}.yaml`))) return text(id);
  const row = readRows(assetsDir).find((each) => each.id.toLowerCase() === id.toLowerCase());
  if (row) return rowText(row, text(row.template));
  throw new KneepointError({
    code: 'not-found',
    message: `There is no template named “${id}”.`,
    next: 'kneepoint templates lists them, kneepoint templates --rows the published experiments.',
  });
}

/** The document of a published experiment, with the comments of its template. */
function rowText({ id, title, question, as = {}, small }: Row, template: string): string {
  const { experiment } = readDocument(template);
  if (!experiment) return template;
  const form = { ...withVariant(experiment, as), name: title, question, ...(small && { small }) };
  const text = formatDocument(form, template);
  return text.replace(/^#.*\n/, `# ${id}: ${title}.\n`);
}

/** Fields of a document that a list shows. */
export function describeText(text: string): Omit<ExperimentFile, 'id' | 'origin'> {
  const { experiment } = readDocument(text);
  const tool = experiment && toolById(experiment.workload.tool);
  const outline = experiment && tool && outlineOf(experiment, tool);
  return {
    name: experiment?.name ?? 'Document with problems',
    tool: experiment?.workload.tool ?? '',
    tags: experiment?.tags ?? [],
    text,
    ...(experiment?.question !== undefined && { question: experiment.question }),
    ...(outline && { outline }),
  };
}
