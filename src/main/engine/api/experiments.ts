import { readdirSync, readFileSync, statSync } from 'node:fs';
import path, { dirname, relative, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { parse } from 'yaml';
import { z } from 'zod';
import type { ExperimentFile } from '../../../shared/contract/experiments.ts';
import type { AppContract } from '../../../shared/contract/index.ts';
import type { Experiment } from '../../../shared/model/experiment.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { Implementation } from '../../../shared/rpc/define.ts';
import { factorKindInfo, KINDS } from '../factors/index.ts';
import { bothInTurns, formatDocument, outlineOf, readDocument, requireSmallForm } from '../plans/index.ts';
import { checkText, preflight } from '../preflight/index.ts';
import { TOOLS, toolById, toolInfo, tryText } from '../tools/index.ts';
import type { Tool } from '../tools/tool.ts';
import type { ApiContext } from './context.ts';
import { requireSession } from './require-session.ts';

export function experimentsApi(context: ApiContext): Implementation<AppContract['experiments']> {
  const { store, events } = context;
  const rowId = (id: string): number => {
    const number = Number(id);
    if (!Number.isInteger(number) || !store.experiments.get(number)) {
      throw new KneepointError({
        code: 'not-found',
        message: `There is no saved experiment ${id}; templates cannot be changed.`,
      });
    }
    return number;
  };
  // They come with the app and do not change while it runs.
  let shipped: Promise<ExperimentFile[]> | undefined;
  const shippedFiles = (): Promise<ExperimentFile[]> => {
    shipped ??= templates(context.outside.assetsDir);
    return shipped;
  };
  return {
    tools: () => TOOLS.map(toolInfo),
    factorKinds: () => KINDS.map(factorKindInfo),
    bothInTurns({ baselineId, otherId, repeats }) {
      const [baseline, other] = [baselineId, otherId].map(
        (id) => store.sessions.snapshot(requireSession(context, id).id).experiment,
      ) as [Experiment, Experiment];
      const found = bothInTurns(baseline, other, repeats);
      return 'why' in found ? found : { text: formatDocument(found.experiment) };
    },
    list: async () => [...(await shippedFiles()), ...store.experiments.list().map(savedFile)],
    save({ id, text }) {
      const name = nameOf(text);
      const row =
        id === undefined
          ? store.experiments.insert(name, text, context.now())
          : store.experiments.update(rowId(id), name, text, context.now());
      events.changed('experiments');
      return savedFile(row);
    },
    remove({ id }) {
      store.experiments.remove(rowId(id));
      events.changed('experiments');
      return {};
    },
    check: ({ text }) => checkText(context.runs, text),
    small: ({ experiment }) => ({ experiment: requireSmallForm(experiment) }),
    format: ({ experiment, base }) => ({ text: formatDocument(experiment, base) }),
    tryOutput: ({ tool, options, text }) => tryText(knownTool(tool), text, options),
    readFile: ({ tool, options, text, path }) =>
      fileOf(knownTool(tool)).read(text, options, path === undefined ? undefined : besideOf(path)),
    preflight: (request, { signal }) => preflight(context.runs, context.sessions, request, signal),
  };
}

/** Longest file that another one may read. */
const LONGEST_INCLUDED = 100_000;

/** Files in the folder of the one at `path`, and below it. */
function besideOf(path: string): (name: string) => string | undefined {
  const folder = dirname(resolve(path));
  return (name) => {
    const file = resolve(folder, name);
    const inside = !relative(folder, file).startsWith('..');
    const there = inside ? statSync(file, { throwIfNoEntry: false }) : undefined;
    return there?.isFile() && there.size <= LONGEST_INCLUDED ? readFileSync(file, 'utf8') : undefined;
  };
}

function knownTool(id: string): Tool {
  const tool = toolById(id);
  if (tool) return tool;
  throw new KneepointError({ code: 'not-found', message: `There is no tool named “${id}”.` });
}

function fileOf({ file, title }: Tool): NonNullable<Tool['file']> {
  if (file) return file;
  throw new KneepointError({
    code: 'unsupported',
    message: `${title} has no file format to import options from.`,
  });
}

const savedFile = (row: { id: number; name: string; text: string; changedAt: number }): ExperimentFile => ({
  ...describeText(row.text),
  id: String(row.id),
  origin: 'saved',
  name: row.name,
  changedAt: row.changedAt,
});

/** A text with problems is saved too; its name is then what its `name:` line says. */
const nameOf = (text: string): string =>
  readDocument(text).experiment?.name ?? (/^name:\s*(.+?)\s*$/m.exec(text)?.[1]?.slice(0, 200) || 'Untitled');

const Questions = z.array(z.object({ id: z.string(), title: z.string(), templates: z.array(z.string()) }));

/**
 * The YAML files under `workloads/experiments`, the quick benchmark first; their name without ending is their id. What they are asked for is
 * in `workloads/questions.yaml`. All of them together take long to read: what a page asks for meanwhile is answered between two of them.
 */
export async function templates(assetsDir: string): Promise<ExperimentFile[]> {
  const folder = path.join(assetsDir, 'workloads');
  const read = (...names: string[]): string => readFileSync(path.join(folder, ...names), 'utf8');
  const questions = Questions.parse(parse(read('questions.yaml')));
  const topics = new Map(
    questions.flatMap((question, place) =>
      question.templates.map((id) => [id, { id: question.id, title: question.title, place }] as const),
    ),
  );
  const order = [...topics.keys()];
  const placeOf = (id: string): number => (id === 'quickstart' ? -1 : order.indexOf(id));
  const found: ExperimentFile[] = [];
  for (const file of readdirSync(path.join(folder, 'experiments')).filter((name) => name.endsWith('.yaml'))) {
    await setImmediate();
    const id = file.slice(0, -'.yaml'.length);
    const topic = topics.get(id);
    found.push({ ...describeText(read('experiments', file)), id, origin: 'template', ...(topic && { topic }) });
  }
  return found.sort((one, other) => placeOf(one.id) - placeOf(other.id));
}

/** What a list tells of a document. */
function describeText(text: string): Omit<ExperimentFile, 'id' | 'origin'> {
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
