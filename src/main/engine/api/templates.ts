import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { parse } from 'yaml';
import { z } from 'zod';
import { type ExperimentFile, PublishedRow } from '../../../shared/contract/experiments.ts';
import { type Experiment, Variant } from '../../../shared/model/experiment.ts';
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
 * requests of pages are answered between two of them. `onRead` is called after each.
 */
export async function templates(
  assetsDir: string,
  onRead: (done: number, of: number) => void = () => undefined,
): Promise<ExperimentFile[]> {
  const questions = Questions.parse(parse(textIn(assetsDir, 'questions.yaml')));
  const topics = new Map(
    questions.flatMap((question, place) =>
      question.templates.map((id) => [id, { id: question.id, title: question.title, place }] as const),
    ),
  );
  const order = [...topics.keys()];
  const placeOf = (id: string): number => (id === 'quickstart' ? -1 : order.indexOf(id));
  const found: ExperimentFile[] = [];
  const files = readdirSync(fileIn(assetsDir, 'experiments')).filter((name) => name.endsWith('.yaml'));
  const rows = readRows(assetsDir);
  const read = async (): Promise<void> => {
    onRead(found.length, files.length + rows.length);
    await setImmediate();
  };
  const documents = new Map<string, { text: string; experiment: Experiment | undefined }>();
  for (const file of files) {
    const id = file.slice(0, -'.yaml'.length);
    const topic = topics.get(id);
    const text = textIn(assetsDir, 'experiments', file);
    const { experiment } = readDocument(text);
    documents.set(id, { text, experiment });
    found.push({ ...described(text, experiment), id, origin: 'template', ...(topic && { topic }) });
    await read();
  }
  found.sort((one, other) => placeOf(one.id) - placeOf(other.id));
  for (const row of rows) {
    const { title: _title, question: _question, as: _as, small: _small, ...known } = row;
    const { text = '', experiment } = documents.get(row.template) ?? {};
    // Its text is not read again: that would double the time of all of them.
    const form = experiment && formOf(row, experiment);
    const own = form ? textOf(row, form, text) : text;
    found.push({ ...described(own, form), id: row.id, origin: 'template', row: known });
    await read();
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
    next: 'List templates with: kneepoint templates. List published experiments with: kneepoint templates --rows',
  });
}

function rowText(row: Row, template: string): string {
  const { experiment } = readDocument(template);
  return experiment ? textOf(row, formOf(row, experiment), template) : template;
}

/** A published experiment. */
const formOf = ({ title, question, as = {}, small }: Row, template: Experiment): Experiment => ({
  ...withVariant(template, as),
  ...{ name: title, question },
  ...(small && { small }),
});

/** The document of a published experiment, with the comments of its template. */
const textOf = ({ id, title }: Row, form: Experiment, template: string): string =>
  formatDocument(form, template).replace(/^#.*\n/, `# ${id}: ${title}.\n`);

/** Fields of a document that a list shows. */
export const describeText = (text: string): Omit<ExperimentFile, 'id' | 'origin'> =>
  described(text, readDocument(text).experiment);

function described(text: string, experiment: Experiment | undefined): Omit<ExperimentFile, 'id' | 'origin'> {
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
