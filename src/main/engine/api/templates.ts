import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { parse } from 'yaml';
import { z } from 'zod';
import type { ExperimentFile } from '../../../shared/contract/experiments.ts';
import { outlineOf, readDocument } from '../plans/index.ts';
import { toolById } from '../tools/index.ts';

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
