import { changeIn } from '../../../shared/captures/index.ts';
import { type Capture, CaptureForm, formOf, momentsOf, SIZES } from '../../../shared/model/capture.ts';
import type { DocumentProblem, Experiment } from '../../../shared/model/experiment.ts';
import { readPatterns } from '../../../shared/patterns/index.ts';

type Path = (string | number)[];
type Placed = (path: Path, message: string) => DocumentProblem;

/** Problems of a document's captures that are known without asking a host or server. `targets` are those of all cells. */
export function captureProblems(
  { captures = [], measure }: Experiment,
  targets: readonly string[],
  known: MonitorKnowledge | undefined,
  at: Placed,
): DocumentProblem[] {
  const names = captures.map(({ name }) => name);
  return captures.flatMap((capture, index) => {
    const here = (path: Path, message: string): DocumentProblem => at(['captures', index, ...path], message);
    return [
      ...(names.indexOf(capture.name) < index ? [here(['name'], `Two captures are named “${capture.name}”.`)] : []),
      ...(capture.name === SIZES
        ? [here(['name'], `“${SIZES}” is reserved for the sizes that each run records.`)]
        : []),
      ...sourceProblems(capture, here),
      ...formProblems(capture, here),
      ...(momentsOf(capture).includes('event') && !measure.events
        ? [here(['at'], 'No trial has an event: add one under “measure.events”, or remove “event”.')]
        : []),
      ...placeProblems(capture, targets, known, here),
    ];
  });
}

/** Requires exactly one source, and only fields that belong to it. */
function sourceProblems(capture: Capture, here: Placed): DocumentProblem[] {
  const { statement, command, file } = capture;
  const [source, more] = Object.entries({ statement, command, file }).flatMap(([name, text]) =>
    text === undefined ? [] : [name],
  );
  if (source === undefined) return [here([], 'A capture needs a source: a statement, a command or a file.')];
  if (more !== undefined) return [here([more], `It already has a ${source}; use one capture per source.`)];
  const misplaced = (['first', 'writes'] as const).filter(
    (part) => statement === undefined && capture[part] !== undefined,
  );
  return [
    ...misplaced.map((part) => here([part], `“${part}” is only valid with a statement; this is a ${source}.`)),
    ...(statement !== undefined && capture.host !== undefined
      ? [here(['host'], 'A statement runs on the target; “host” is only valid with a command or file.')]
      : []),
    ...(command === undefined && capture['only-reads'] !== undefined
      ? [here(['only-reads'], `“only-reads” is only valid with a command; this is a ${source}.`)]
      : []),
    ...(capture.writes ? [] : writeProblems(capture, here)),
  ];
}

function writeProblems({ statement, first = [] }: Capture, here: Placed): DocumentProblem[] {
  const refuse = (why: string | undefined, ...path: Path): DocumentProblem[] =>
    why === undefined
      ? []
      : [
          here(
            path,
            `Only read-only statements are sent, but this one ${why}. If that is intended, add “writes: true”.`,
          ),
        ];
  return [
    ...(statement === undefined ? [] : refuse(changeIn(statement), 'statement')),
    ...first.flatMap((each, index) => refuse(changeIn(each, true), 'first', index)),
  ];
}

function formProblems(capture: Capture, here: Placed): DocumentProblem[] {
  const form = formOf(capture);
  const moments = momentsOf(capture);
  if (form === 'marks' || capture.marks !== undefined) return markProblems(capture, here);
  if (form === CaptureForm.enum.table && capture.statement === undefined)
    return [
      here(
        ['as'],
        'Only the result of a statement can be a table. Use “text”, or “difference” if each line is a name and a number.',
      ),
    ];
  if (form === CaptureForm.enum.attachment && capture.statement !== undefined)
    return [here(['as'], 'Only a file or the output of a command can be an attachment.')];
  if (form !== CaptureForm.enum.difference)
    return capture.key === undefined ? [] : [here(['key'], '“key” is only valid with “as: difference”.')];
  return moments.includes('start') && moments.includes('end')
    ? []
    : [here(['at'], 'A difference needs both “start” and “end”.')];
}

function markProblems(capture: Capture, here: Placed): DocumentProblem[] {
  const { as = 'marks', marks, statement, every, key } = capture;
  if (as !== 'marks')
    return [here(['marks'], '“marks” is only valid with “as: marks”: add that, or remove these lines.')];
  if (statement !== undefined) return [here(['as'], 'Marks are read from a log: specify a file or a command.')];
  if (marks === undefined) return [here(['as'], 'Specify the lines of the log under “marks”.')];
  if (every !== undefined || momentsOf(capture).some((moment) => moment !== 'end'))
    return [here([every === undefined ? 'at' : 'every'], 'Marks are read once, at the end of the run.')];
  if (key !== undefined) return [here(['key'], '“key” is only valid with “as: difference”.')];
  try {
    readPatterns(marks);
    return [];
  } catch (error) {
    if (error instanceof RangeError) return [here(['marks'], error.message)];
    throw error;
  }
}

function placeProblems(
  { statement, host }: Capture,
  [target]: readonly string[],
  known: MonitorKnowledge | undefined,
  here: Placed,
): DocumentProblem[] {
  if (host !== undefined && known?.isHost(host) === false)
    return [here(['host'], `There is no host named “${host}”. Add it under Hosts, or choose another one.`)];
  if (statement === undefined) return [];
  if (target === undefined) return [here(['statement'], 'A statement needs a target, but none is chosen.')];
  return known?.takesStatements(target) === false
    ? [here(['statement'], `The target “${target}” cannot run statements for captures.`)]
    : [];
}

/** Knowledge of hosts and targets before any is asked. */
export interface MonitorKnowledge {
  isHost(name: string): boolean;
  /** Whether a target's server accepts statements. Undefined if the target is unknown. */
  takesStatements(target: string): boolean | undefined;
}

/** Problems of `monitors`: names that do not exist, and sources that cannot be read. `targets` are those of all cells. */
export function monitorProblems(
  { monitors = {} }: Experiment,
  targets: readonly string[],
  known: MonitorKnowledge,
  at: Placed,
): DocumentProblem[] {
  const { hosts = [], commands = [], statements = [] } = monitors;
  const unknown = (name: string, path: (string | number)[]): DocumentProblem[] =>
    known.isHost(name) ? [] : [at(path, `There is no host named “${name}”. Add it under Hosts, or omit it.`)];
  return [
    ...hosts.flatMap((name, index) => unknown(name, ['monitors', 'hosts', index])),
    ...commands.flatMap(({ host }, index) =>
      host === undefined ? [] : unknown(host, ['monitors', 'commands', index, 'host']),
    ),
    ...commands.flatMap(({ pattern }, index) => {
      const why = refusalOf(pattern);
      return why === undefined ? [] : [at(['monitors', 'commands', index, 'pattern'], why)];
    }),
    ...twice('commands', commands, at),
    ...twice('statements', statements, at),
    ...(statements.length > 0 ? statementProblems(targets, known, at) : []),
  ];
}

function refusalOf(pattern: string): string | undefined {
  try {
    const groups = readPatterns(pattern).flatMap((line) => line.groups);
    return groups.length > 0
      ? undefined
      : 'The pattern has no named group: write (?<name>…) around each figure to watch.';
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}

/** Their names have to be unique. */
const twice = (part: string, entries: readonly { name: string }[], at: Placed): DocumentProblem[] =>
  entries.flatMap(({ name }, index) =>
    entries.findIndex((other) => other.name === name) < index
      ? [at(['monitors', part, index, 'name'], `Two of these ${part} are named “${name}”.`)]
      : [],
  );

/** Statements are sent to the first target of the session. */
function statementProblems(
  [target]: readonly string[],
  { takesStatements }: MonitorKnowledge,
  at: Placed,
): DocumentProblem[] {
  const path = ['monitors', 'statements'];
  if (target === undefined) return [at(path, 'A monitored statement needs a target, but none is chosen.')];
  return takesStatements(target) === false
    ? [at(path, `The target “${target}” cannot run statements, so none can be monitored there.`)]
    : [];
}
