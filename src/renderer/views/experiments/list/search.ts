import type { ExperimentFile } from '../../../../shared/contract/experiments.ts';
import type { ToolInfo } from '../../../../shared/model/tool.ts';
import { useListParameters } from '../../../domain/kept.ts';

/** Whether every word occurs in a document: its name, question, tags, options and comments, its tool, and the targets it can drive. */
export function fits(file: ExperimentFile, tool: ToolInfo | undefined, words: string): boolean {
  const text = [
    file.name,
    file.question,
    ...file.tags,
    file.topic?.title,
    file.row?.id,
    file.row?.missing,
    file.tool,
    tool?.title,
    tool?.summary,
    ...(file.outline?.targets ?? []),
    file.text,
  ]
    .join('\n')
    .toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

export interface Topic {
  readonly id: string;
  readonly title: string;
  readonly files: readonly ExperimentFile[];
}

/** Published experiments have a separate list. */
export const PUBLISHED = 'published';

const OTHER = { id: 'other', title: 'More templates', place: Number.POSITIVE_INFINITY };

/** Templates by topic, in the order of the topics; without published experiments. */
export function topicsOf(files: readonly ExperimentFile[]): readonly Topic[] {
  const topics = new Map<string, { id: string; title: string; place: number; files: ExperimentFile[] }>();
  for (const file of files.filter(({ row }) => row === undefined)) {
    const { id, title, place } = file.topic ?? OTHER;
    const topic = topics.get(id) ?? { id, title, place, files: [] };
    topic.files.push(file);
    topics.set(id, topic);
  }
  return [...topics.values()].sort((one, other) => one.place - other.place);
}

export interface Wanted {
  readonly words: string;
  /** Id of the only topic shown, or `published`; empty: all topics. */
  readonly topic: string;
}

/** The search is in the address, so that Back and links lead to the same list. */
export function useWanted(): readonly [Wanted, (wanted: Wanted) => void] {
  const [parameters, setParameters] = useListParameters();
  const wanted = { words: parameters.get('find') ?? '', topic: parameters.get('topic') ?? '' };
  const set = ({ words, topic }: Wanted): void =>
    setParameters([...(words ? [['find', words]] : []), ...(topic ? [['topic', topic]] : [])]);
  return [wanted, set];
}
