import type { DocumentProblem, Experiment } from '../../../shared/model/experiment.ts';
import { type Factor, levelName } from '../../../shared/model/factor.ts';
import { wholeSteps } from '../../../shared/model/step.ts';
import { devicesIn, type Ungated, ungatedIn } from '../tools/device-gate.ts';
import type { Tool } from '../tools/tool.ts';
import type { Step } from './effects.ts';

type Path = (string | number)[];
type Placed = (path: Path, message: string) => DocumentProblem;

/** A text of the document that a shell or a server runs. */
interface Text {
  readonly path: Path;
  readonly text: string;
  readonly onlyReads?: string | undefined;
}

/**
 * Problems of commands outside of a tool's steps, and of statements that make a server run one, if they overwrite a device: only the steps
 * of a tool are confirmed before they do. Called for each document, because these commands are not checked again before they run.
 */
export function deviceProblems(
  experiment: Experiment,
  { tool, steps }: { tool: Tool; steps: readonly Step[] },
  at: Placed,
): DocumentProblem[] {
  const seen = new Set<string>();
  return [
    ...commandsOf(experiment).map((each) => [each, each.text] as const),
    ...statementsOf(experiment, tool, steps).map((each) => [each, shellOf(each.text)] as const),
  ].flatMap(([{ path, onlyReads = '' }, script]) => {
    const ungated = ungatedIn(script, { overwrites: [], reads: devicesIn(onlyReads) });
    const key = JSON.stringify([path, ungated]);
    if (!ungated || seen.has(key)) return [];
    seen.add(key);
    return [at(path, wordsOf(ungated))];
  });
}

const STEPS =
  'Only tools with the option “overwrites” may overwrite a device: list it there, and Kneepoint asks for confirmation first.';

function wordsOf(ungated: Ungated): string {
  switch (ungated.kind) {
    case 'untold':
      return `This names the device ${ungated.device} without declaring whether it writes to it. ${STEPS} If it only reads the device, list it in “only-reads”.`;
    case 'written':
      return `${ungated.device} is declared read-only, but this writes to it (${ungated.by}). ${STEPS}`;
    case 'unseen':
      return `This runs ${ungated.by}, which destroys the content of a device, on “${ungated.at}”. ${STEPS}`;
    case 'hidden':
      return `This names something in /dev (“${ungated.at}”), but the device cannot be identified. ${STEPS} If it only reads the device, write its full path and also list it in “only-reads”.`;
  }
}

const pathTo = (...parts: Path): Path => parts;

function commandsOf({ factors, measure, monitors, captures = [] }: Experiment): Text[] {
  return [
    ...factors.flatMap(ofFactor),
    ...(measure.events ?? []).flatMap((event, index) =>
      event.do === 'run'
        ? [{ path: pathTo('measure', 'events', index, 'command'), text: event.command, onlyReads: event['only-reads'] }]
        : [],
    ),
    ...(monitors?.commands ?? []).map(({ command, ...rest }, index) => ({
      path: pathTo('monitors', 'commands', index, 'command'),
      text: command,
      onlyReads: rest['only-reads'],
    })),
    ...captures.flatMap(({ command, ...rest }, index) =>
      command === undefined
        ? []
        : [{ path: pathTo('captures', index, 'command'), text: command, onlyReads: rest['only-reads'] }],
    ),
  ];
}

/** Commands of a factor of any kind. The value of $first comes from the host, so it is unknown here. */
function ofFactor(factor: Factor, index: number): Text[] {
  const onlyReads = typeof factor['only-reads'] === 'string' ? factor['only-reads'] : undefined;
  return ['apply', 'read', 'undo'].flatMap((part) => {
    const text = factor[part];
    if (typeof text !== 'string') return [];
    const path = ['factors', index, part];
    return factor.levels.map((level) => ({ path, text: withLevel(text, String(levelName(level))), onlyReads }));
  });
}

const withLevel = (text: string, level: string): string => text.replaceAll(/\$level\b|\$\{level\}/g, () => level);

function statementsOf(
  { factors, measure, monitors, captures = [], steps: named = [] }: Experiment,
  tool: Tool,
  steps: readonly Step[],
): Text[] {
  const { before, events = [] } = measure;
  const own = Object.entries(tool.options.shape).flatMap(([name, type]) =>
    type.meta()?.language === 'sql' ? [name] : [],
  );
  return [
    ...factors.flatMap(({ levels }, index) =>
      levels.flatMap((level, place) =>
        typeof level !== 'object'
          ? []
          : ['statements', 'undo', 'check'].flatMap((part) =>
              [level[part]]
                .flat()
                .flatMap((text) =>
                  typeof text === 'string' ? [{ path: ['factors', index, 'levels', place, part], text }] : [],
                ),
            ),
      ),
    ),
    ...(['statement', 'until'] as const).flatMap((part) =>
      before?.[part] === undefined ? [] : [{ path: ['measure', 'before', part], text: before[part] }],
    ),
    ...events.flatMap((event, index) =>
      event.do === 'statement' ? [{ path: ['measure', 'events', index, 'statement'], text: event.statement }] : [],
    ),
    ...wholeSteps(named).flatMap(({ until, statement, at }) => [
      ...(until?.sql === undefined ? [] : [{ path: [...at, 'until', 'sql'], text: until.sql }]),
      ...[statement ?? []].flat().map((text) => ({ path: [...at, 'statement'], text })),
    ]),
    ...(monitors?.statements ?? []).map(({ statement }, index) => ({
      path: ['monitors', 'statements', index, 'statement'],
      text: statement,
    })),
    ...captures.flatMap(({ statement, first = [] }, index) => [
      ...(statement === undefined ? [] : [{ path: pathTo('captures', index, 'statement'), text: statement }]),
      ...first.map((text, place) => ({ path: pathTo('captures', index, 'first', place), text })),
    ]),
    ...steps.flatMap(({ options }) =>
      own.flatMap((name) =>
        typeof options[name] === 'string' ? [{ path: ['workload', 'options', name], text: options[name] }] : [],
      ),
    ),
  ];
}

/** Shell commands in a statement, and files that it writes: PostgreSQL’s COPY … PROGRAM, pgbench’s \shell and \setshell. */
function shellOf(statement: string): string {
  const programs = [...statement.matchAll(/\bPROGRAM\s+(?:E?'((?:[^']|'')*)'|\$\w*\$(.*?)\$\w*\$)/gis)].map(
    ([, quoted = '', dollars = '']) => quoted + dollars,
  );
  const shells = [...statement.matchAll(/^\s*\\(?:shell|setshell\s+\S+)\s+(.*)$/gim)].map(([, text = '']) => text);
  return [...programs, ...shells, ...(statement.match(/[\w./-]*\/dev\/[^\s';)]+/g) ?? [])].join('\n');
}
