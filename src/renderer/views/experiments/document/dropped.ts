import type { ReadToolFile } from '../../../../shared/contract/experiments.ts';
import type { Experiment } from '../../../../shared/model/experiment.ts';
import type { ToolInfo } from '../../../../shared/model/tool.ts';
import { formatCount } from '../../../../shared/util/format.ts';
import { ask, type useLink } from '../../../client/index.ts';
import { keepDroppedConfig } from '../../../domain/index.ts';
import { blankExperiment, type Draft, keepDraft, newDocument } from './drafts.ts';

type Link = ReturnType<typeof useLink>;

/** The experiment with the options, times and factors of a tool's file; replaces factors that vary the same. */
export function withToolFile(now: Experiment, { options, measure, factors }: ReadToolFile): Experiment {
  const { duration, warmup = 0 } = measure;
  return {
    ...now,
    workload: { ...now.workload, options },
    measure: { ...now.measure, ...(duration !== undefined && { duration, warmup }) },
    ...(factors && {
      factors: [...now.factors.filter(({ name }) => !factors.some((factor) => factor.name === name)), ...factors],
    }),
  };
}

const DOCUMENT = /^kneepoint:\s*\d/m;
const SECTION = /^\s*\[[^\]\n]+\]\s*$/m;
const SSH = /^\s*(Host|HostName)\s+\S/im;

/** The page for a dropped file, with a sentence if not all of it can be shown; undefined for a file of an unknown kind. */
export async function openFile(link: Link, file: File): Promise<{ to: string; note?: string } | undefined> {
  const text = await file.text();
  const tools = await ask(link, 'experiments.tools', {});
  if (DOCUMENT.test(text)) {
    const named = /^\s*(?:-\s*|workload:\s*\{\s*)?tool:\s*["']?([\w-]+)/m.exec(text)?.[1];
    const tool = tools.find(({ id }) => id === named) ?? tools[0];
    const name = /^name:\s*(.+?)\s*$/m.exec(text)?.[1] ?? file.name;
    return tool && { to: draft(tool, file.name, { name, text }) };
  }
  const owner = SECTION.test(text) ? tools.find((tool) => tool.file !== undefined) : undefined;
  if (owner) return openToolFile(link, owner, file.name, text);
  return SSH.test(text) ? { to: keepDroppedConfig(file.name, text) } : undefined;
}

function draft(tool: ToolInfo, file: string, { name, text }: Pick<Draft, 'name' | 'text'>): string {
  const id = newDocument(tool.id);
  keepDraft({ id, name, text, origin: `file ${file}` });
  return `/experiments/${id}/workload`;
}

async function openToolFile(link: Link, tool: ToolInfo, name: string, text: string) {
  const read = await ask(link, 'experiments.readFile', { tool: tool.id, options: {}, text });
  const experiment = { ...withToolFile(blankExperiment(tool), read), name };
  const document = await ask(link, 'experiments.format', { experiment });
  const others = read.lines.filter(({ is }) => is !== 'note').length;
  return {
    to: draft(tool, name, { name, text: document.text }),
    ...(others > 0 && {
      note: `${formatCount(others, 'line')} of ${name} ${others === 1 ? 'does' : 'do'} not fit the form: “Open a ${tool.file?.title.toLowerCase()}” shows ${others === 1 ? 'it' : 'them'}.`,
    }),
  };
}
