import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ExperimentFile } from '../../../shared/contract/experiments.ts';
import type { AppContract } from '../../../shared/contract/index.ts';
import type { Experiment } from '../../../shared/model/experiment.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { Implementation } from '../../../shared/rpc/define.ts';
import { bothInTurns, formatDocument, readDocument } from '../plans/index.ts';
import { checkText, preflight } from '../runs/index.ts';
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
  return {
    tools: () => TOOLS.map(toolInfo),
    bothInTurns({ baselineId, otherId }) {
      const [baseline, other] = [baselineId, otherId].map(
        (id) => store.sessions.snapshot(requireSession(context, id).id).experiment,
      ) as [Experiment, Experiment];
      const found = bothInTurns(baseline, other);
      return 'why' in found ? found : { text: formatDocument(found.experiment) };
    },
    list: () => [...templates(context.outside.assetsDir), ...store.experiments.list().map(savedFile)],
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
    format: ({ experiment, base }) => ({ text: formatDocument(experiment, base) }),
    tryOutput: ({ tool, options, text }) => tryText(knownTool(tool), text, options),
    readFile: ({ tool, options, text }) => fileOf(knownTool(tool)).read(text, options),
    preflight: (request, { signal }) => preflight(context.runs, context.sessions, request, signal),
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
    message: `${title} has no file format that options can be read from.`,
  });
}

/** The YAML files under `workloads/experiments`; their name without ending is their id. */
export function templates(assetsDir: string): ExperimentFile[] {
  const folder = path.join(assetsDir, 'workloads', 'experiments');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .sort((a, b) => Number(b === 'quickstart.yaml') - Number(a === 'quickstart.yaml') || a.localeCompare(b))
    .map((file) => ({
      ...describeText(readFileSync(path.join(folder, file), 'utf8')),
      id: file.slice(0, -'.yaml'.length),
      origin: 'template' as const,
    }));
}

const savedFile = (row: { id: number; name: string; text: string; changedAt: number }): ExperimentFile => ({
  ...describeText(row.text),
  id: String(row.id),
  origin: 'saved',
  name: row.name,
  changedAt: row.changedAt,
});

function describeText(text: string): Omit<ExperimentFile, 'id' | 'origin'> {
  const { experiment } = readDocument(text);
  return {
    name: experiment?.name ?? 'Document with problems',
    tool: experiment?.workload.tool ?? '',
    tags: experiment?.tags ?? [],
    text,
    ...(experiment?.question !== undefined && { question: experiment.question }),
  };
}

/** A text with problems is saved too; its name is then what its `name:` line says. */
const nameOf = (text: string): string =>
  readDocument(text).experiment?.name ?? (/^name:\s*(.+?)\s*$/m.exec(text)?.[1]?.slice(0, 200) || 'Untitled');
