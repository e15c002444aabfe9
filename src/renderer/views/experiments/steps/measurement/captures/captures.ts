import { type Capture, type CaptureForm, formOf, type ReadyCapture } from '../../../../../../shared/model/capture.ts';
import type { Experiment } from '../../../../../../shared/model/experiment.ts';
import type { TargetKindInfo } from '../../../../../../shared/model/target.ts';

/** Maximum of a document. */
export const MOST = 20;

/** Sources of a capture's content. */
export const SOURCES = { statement: 'Statement', command: 'Command', file: 'File' } as const;
export type SourceName = keyof typeof SOURCES;

const NAMES = Object.keys(SOURCES) as SourceName[];

export const sourceOf = (capture: Capture): SourceName =>
  NAMES.find((name) => capture[name] !== undefined) ?? 'statement';

const EMPTY: Readonly<Record<SourceName, Capture>> = {
  statement: { name: 'statement', statement: 'SELECT 1 AS one' },
  command: { name: 'command', command: 'cat /proc/loadavg' },
  file: { name: 'file', file: '/var/log/syslog' },
};

/** A valid capture to start from. */
export const ownCapture = (source: SourceName): Capture => EMPTY[source];

/** The capture with a unique name. */
export function named(capture: Capture, others: readonly Capture[]): Capture {
  const isFree = (name: string): boolean => !others.some((each) => each.name === name);
  let [name, number] = [capture.name, 2];
  while (!isFree(name)) {
    name = `${capture.name} ${number}`;
    number += 1;
  }
  return { ...capture, name };
}

/** The document with these captures; omitted if there are none. */
export function withCaptures(experiment: Experiment, captures: readonly Capture[]): Experiment {
  const { captures: _before, ...rest } = experiment;
  return captures.length > 0 ? { ...rest, captures: [...captures] } : rest;
}

/** A capture with a part changed; undefined removes that part. */
export function changed(capture: Capture, change: { [Part in keyof Capture]?: Capture[Part] | undefined }): Capture {
  const parts = Object.entries({ ...capture, ...change }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(parts) as Capture;
}

/** The same capture from another source: fields of the former one are removed. */
export function ofSource(capture: Capture, source: SourceName): Capture {
  const { name, at, every, as } = capture;
  const own = EMPTY[source];
  const form = formsOf(own).find(({ value }) => value === as && value !== 'marks')?.value;
  return changed(own, { name, at, every, as: form });
}

const FORMS: readonly { value: CaptureForm; label: string }[] = [
  { value: 'text', label: 'Text' },
  { value: 'table', label: 'Table' },
  { value: 'difference', label: 'Difference, start to end' },
  { value: 'marks', label: 'Marks on the timeline' },
  { value: 'fact', label: 'Fact, for Compare' },
  { value: 'attachment', label: 'Attachment, a whole file' },
];

/** Possible forms for the source of a capture: only a query result is a table, only lines of a log are marks, only files are attached. */
export const formsOf = ({ statement }: Pick<Capture, 'statement'>) =>
  FORMS.filter(({ value }) =>
    statement === undefined ? value !== 'table' : value !== 'marks' && value !== 'attachment',
  );

/** A line that many servers print when they are up. */
const READY = '(?P<mark>ready)';

/** In another form: a difference is taken at start and end, marks at the end, and each has its own fields. */
export function inForm(capture: Capture, as: CaptureForm): Capture {
  const without = { as, key: undefined, marks: undefined };
  if (as === 'marks') return changed(capture, { ...without, at: undefined, every: undefined, marks: READY });
  if (as === 'difference') return changed(capture, { ...without, key: capture.key, at: undefined });
  return changed(capture, { ...without, ...(formOf(capture) === 'difference' && { at: ['end'] }) });
}

interface ReadyGroup {
  readonly family: string;
  readonly ready: readonly ReadyCapture[];
}

/** Ready-made captures for the targets of a document, and for hosts; for all kinds if it names none. */
export function readyFor(kinds: readonly TargetKindInfo[], targetKinds: readonly string[]): ReadyGroup[] {
  return kinds
    .filter(({ kind, connects }) => !connects || targetKinds.length === 0 || targetKinds.includes(kind))
    .flatMap(({ title, captures: ready = [] }) => (ready.length > 0 ? [{ family: title, ready }] : []));
}
