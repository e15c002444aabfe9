import { formatDateTime } from '../util/format.ts';
import type { Session } from './session.ts';

/** Letters of a name in a label; names that begin alike often differ at their end, so both ends stay. */
const LONGEST = 26;

function shortened(name: string): string {
  const letters = [...name];
  if (letters.length <= LONGEST) return name;
  const end = Math.floor((LONGEST - 1) / 2);
  return `${letters
    .slice(0, LONGEST - 1 - end)
    .join('')
    .trimEnd()}…${letters.slice(-end).join('').trimStart()}`;
}

type Named = Pick<Session, 'id' | 'name'>;

/** `12 · Thread ladder`: short enough for a closed field, and never the same for two sessions. */
export const sessionLabel = ({ id, name }: Named): string => `${id} · ${shortened(name)}`;

/** The names of its targets; undefined: it has none. */
export const targetWords = ({ target, targets }: Pick<Session, 'target' | 'targets'>): string | undefined =>
  targets?.join(', ') ?? target;

/** The names of its tools, each once, in the order of the steps of its trials. */
export const toolWords = ({ steps, tool }: Pick<Session, 'steps' | 'tool'>): string =>
  steps ? [...new Set(steps.map((step) => step.tool))].join(', ') : tool;

/** The tool of a step of its trials, by place. */
export const toolOfStep = ({ steps, tool }: Pick<Session, 'steps' | 'tool'>, place = 0): string =>
  steps?.[place]?.tool ?? tool;

/** What else tells it from others: when, with what, against what, how much of it. */
export function sessionFacts(
  session: Pick<Session, 'createdAt' | 'steps' | 'tool' | 'target' | 'targets' | 'cells' | 'repeats' | 'tags'>,
): string {
  const { createdAt, cells, repeats, tags } = session;
  return [formatDateTime(createdAt), systemWords(session), `${cells} × ${repeats}`, ...tags].join(' · ');
}

/** `sysbench → mysql-8.0`: with what, against what. */
export function systemWords(session: Pick<Session, 'steps' | 'tool' | 'target' | 'targets'>): string {
  const target = targetWords(session);
  const tools = toolWords(session);
  return target ? `${tools} → ${target}` : tools;
}
