import { readFileSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { ExperimentFile } from '../../../shared/contract/experiments.ts';
import type { AppContract } from '../../../shared/contract/index.ts';
import type { Experiment } from '../../../shared/model/experiment.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { CallContext, Implementation } from '../../../shared/rpc/define.ts';
import { factorKindInfo, KINDS } from '../factors/index.ts';
import { formatDocument, interleave, readDocument, requireSmallForm } from '../plans/index.ts';
import { checkingText, preflight, scriptOf } from '../preflight/index.ts';
import { TOOLS, toolById, toolInfo, tryText } from '../tools/index.ts';
import type { Tool } from '../tools/tool.ts';
import { type ApiContext, requireSession } from './context.ts';
import { describeText, templates, templateText } from './templates.ts';

/** Interval between progress reports. */
const REPORT_MS = 200;

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
  // They ship with the app and do not change while it runs.
  let shipped: Promise<ExperimentFile[]> | undefined;
  let reached = { done: 0, of: 1 };
  const shippedFiles = async (progress: CallContext['progress']): Promise<ExperimentFile[]> => {
    shipped ??= templates(context.outside.assetsDir, (done, of) => {
      reached = { done, of };
    });
    // Every caller waits for the same work.
    while (reached.done < reached.of) {
      await Promise.race([shipped, setTimeout(REPORT_MS, undefined, { ref: false })]);
      await progress({ what: 'Reading templates', unit: 'template', ...reached });
    }
    return shipped;
  };
  return {
    tools: () => TOOLS.map(toolInfo),
    factorKinds: () => KINDS.map(factorKindInfo),
    bothInTurns({ baselineId, otherId, repeats }) {
      const [baseline, other] = [baselineId, otherId].map(
        (id) => store.sessions.snapshot(requireSession(context, id).id).experiment,
      ) as [Experiment, Experiment];
      const found = interleave(baseline, other, repeats);
      return 'why' in found ? found : { text: formatDocument(found.experiment) };
    },
    list: async (_, { progress }) => [...(await shippedFiles(progress)), ...store.experiments.list().map(savedFile)],
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
    async check({ text }, { progress }) {
      const work = checkingText(context.runs, text);
      for (;;) {
        const step = work.next();
        if (step.done) return step.value;
        await progress(step.value);
      }
    },
    script: ({ text }) => ({ text: scriptOf(context.runs, text) }),
    template: ({ id }) => describeText(templateText(context.outside.assetsDir, id)),
    small: ({ experiment }) => ({ experiment: requireSmallForm(experiment) }),
    format: ({ experiment, base }) => ({ text: formatDocument(experiment, base) }),
    tryOutput: ({ tool, options, text }) => tryText(knownTool(tool), text, options),
    readFile: ({ tool, options, text, path }) =>
      fileOf(knownTool(tool)).read(text, options, path === undefined ? undefined : siblingReader(path)),
    preflight: (request, { signal }) => preflight(context.runs, context.sessions, request, signal),
  };
}

/** Longest file that another one may include. */
const LONGEST_INCLUDED = 100_000;

/** Reads files in the folder of the one at `path`, and below it. */
function siblingReader(path: string): (name: string) => string | undefined {
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

/** A text with problems is saved too; its name is then taken from its `name:` line. */
const nameOf = (text: string): string =>
  readDocument(text).experiment?.name ?? (/^name:\s*(.+?)\s*$/m.exec(text)?.[1]?.slice(0, 200) || 'Untitled');
