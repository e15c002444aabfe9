import type { Experiment, Scalar } from '../../../../../../shared/model/experiment.ts';
import { isSettingEvent, ScenarioEvent } from '../../../../../../shared/model/scenario.ts';
import { readDuration } from '../../../../../../shared/util/duration.ts';
import { capital } from '../../../../../../shared/util/format.ts';
import { issueWords } from '../../../../../../shared/util/issue-words.ts';
import { readScalar } from '../../../document/document.ts';

/** An event being typed: texts are kept until they can be parsed. */
export interface EventDraft {
  readonly do: ScenarioEvent['do'];
  readonly at: string;
  readonly statement?: string | undefined;
  readonly command?: string | undefined;
  readonly host?: string | undefined;
  readonly 'only-reads'?: string | undefined;
  readonly setting?: string | undefined;
  readonly of?: string | undefined;
  readonly value?: string | undefined;
  readonly on?: string | undefined;
}

export const draftOf = (event: ScenarioEvent): EventDraft =>
  isSettingEvent(event)
    ? { ...event, at: String(event.at), value: String(event.value) }
    : { ...event, at: String(event.at) };

const parts = (...names: (keyof EventDraft)[]): readonly (keyof EventDraft)[] => names;

/** Fields of each kind of event other than its second, and the message for a missing required one. */
const PARTS: Readonly<Record<ScenarioEvent['do'], readonly (keyof EventDraft)[]>> = {
  restart: parts(),
  stop: parts(),
  kill: parts(),
  start: parts(),
  statement: parts('statement'),
  run: parts('command', 'host', 'only-reads'),
  'server-setting': parts('setting', 'value', 'on'),
  'host-setting': parts('setting', 'of', 'value', 'on'),
};
const NEEDED: Readonly<Partial<Record<keyof EventDraft, string>>> = {
  at: 'A number of seconds, or a time such as 5m.',
  statement: 'Enter a statement.',
  command: 'Enter a command.',
  setting: 'Choose a setting.',
  value: 'Enter a value.',
};

const isText = (text: string | undefined): text is string => text !== undefined && text.trim() !== '';

/** The event of a draft, or its missing or invalid parts. */
export function eventOf(draft: EventDraft): { event: ScenarioEvent } | { wrong: Readonly<Record<string, string>> } {
  const at = readDuration(draft.at, 's');
  const parts = PARTS[draft.do].filter((part) => isText(draft[part]));
  const given = Object.fromEntries(
    parts.map((part): [string, Scalar] => [
      part,
      part === 'value' ? readScalar(draft.value ?? '') : (draft[part] ?? ''),
    ]),
  );
  const read = ScenarioEvent.safeParse({ at, do: draft.do, ...given });
  if (read.success) return { event: read.data };
  const wrong: Record<string, string> = {};
  for (const issue of read.error.issues) {
    const part = String(issue.path[0] ?? '');
    const isMissing = part === 'at' ? at === undefined : !parts.some((given) => given === part);
    wrong[part] ??= (isMissing ? NEEDED[part as keyof EventDraft] : undefined) ?? sentenceOf(issue);
  }
  return { wrong };
}

/** For a field with its name next to it. */
const sentenceOf = (issue: Parameters<typeof issueWords>[0]): string => {
  const words = issueWords(issue);
  return capital(words);
};

/** A valid event, placed after the last one. */
export function newEvent({ where, factors, measure }: Experiment): ScenarioEvent {
  const last = Math.max(-1, ...(measure.events ?? []).map(({ at }) => at));
  const end = measure.warmup + measure.duration;
  const at = Math.round(last < 0 ? measure.warmup + measure.duration / 3 : (last + end) / 2);
  const hasTarget = where.target !== undefined || factors.some(({ kind }) => kind === 'target');
  return hasTarget ? { at, do: 'restart' } : { at, do: 'run', command: 'sync' };
}

/** The document with these events; omitted if there are none. */
export function withEvents(experiment: Experiment, events: readonly ScenarioEvent[]): Experiment {
  const { events: _before, ...measure } = experiment.measure;
  return { ...experiment, measure: { ...measure, ...(events.length > 0 && { events: [...events] }) } };
}
