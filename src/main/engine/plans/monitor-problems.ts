import type { DocumentProblem, Experiment } from '../../../shared/model/experiment.ts';
import { readPatterns } from '../../../shared/patterns/index.ts';

type Placed = (path: (string | number)[], message: string) => DocumentProblem;

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
  if (target === undefined) return [at(path, 'A monitored statement needs a target, and none is chosen.')];
  return takesStatements(target) === false
    ? [at(path, `The target “${target}” cannot run statements, so none can be monitored there.`)]
    : [];
}
