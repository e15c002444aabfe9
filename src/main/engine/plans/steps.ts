import {
  type DocumentProblem,
  type DocumentStep,
  type Experiment,
  type Scalar,
  STEPS_FORMAT,
} from '../../../shared/model/experiment.ts';
import { isMeasured, type StepAct, type StepGate, type WaitUntil, wholeSteps } from '../../../shared/model/step.ts';
import { rulesOf } from '../factors/index.ts';
import { optionName } from '../tools/index.ts';
import { optionProblem } from '../tools/option-problem.ts';
import type { Tool } from '../tools/tool.ts';
import { contentsOf, databaseOf, dataOf, type Workload } from './data-groups.ts';
import type { ResolvedCell } from './effects.ts';

type Placed = (path: (string | number)[], message: string) => DocumentProblem;

/** Problems of the steps of a document, whatever the levels of its factors. The factors have no problems of their own. */
export function stepProblems(experiment: Experiment, tool: Tool, at: Placed): DocumentProblem[] {
  const { kneepoint, steps, factors, measure } = experiment;
  if (!steps) return [];
  const problems: DocumentProblem[] = [];
  if (kneepoint !== STEPS_FORMAT)
    problems.push(
      at(['kneepoint'], `A document with steps has format ${STEPS_FORMAT}: write “kneepoint: ${STEPS_FORMAT}”.`),
    );
  if (measure.events && steps.length > 1)
    problems.push(
      at(
        ['measure', 'events'],
        'Events need an experiment with one step: with more, it is open in which of them they happen.',
      ),
    );
  if (!wholeSteps(steps).some(isMeasured))
    problems.push(at(['steps'], 'No step is measured, so there would be no result.'));
  const varied = new Map(
    factors.flatMap((factor) => rulesOf(factor, tool).varies.map((what) => [what, factor.name] as const)),
  );
  const names = new Set<string>();
  for (const [index, step] of steps.entries()) {
    if (names.has(step.name)) problems.push(at(['steps', index, 'name'], `Two steps are named “${step.name}”.`));
    const here = (path: (string | number)[], message: string): DocumentProblem =>
      at(['steps', index, ...path], message);
    const earlier = wholeSteps(steps).slice(0, index);
    if (step.same !== undefined) {
      problems.push(...sameProblems(step, earlier, here));
      names.add(step.name);
      continue;
    }
    if (step.gate) problems.push(...gateProblems(step.do, step.gate, { experiment, tool, earlier }, here));
    names.add(step.name);
    problems.push(...kindProblems(step, here));
    if (step.do !== undefined) continue;
    const set: [string, (string | number)[]][] = Object.keys(step.options).map((name) => [
      optionName(tool, name),
      ['options', name],
    ]);
    if (step.duration !== undefined) set.push(['the duration', ['duration']]);
    for (const [what, path] of set) {
      const factor = varied.get(what);
      if (factor !== undefined)
        problems.push(
          at(
            ['steps', index, ...path],
            `Step “${step.name}” sets ${what}, which the factor “${factor}” varies. Omit it in one of them.`,
          ),
        );
    }
    for (const [name, value] of Object.entries(step.options)) {
      const problem = optionProblem(tool, name, value);
      if (problem !== undefined) problems.push(at(['steps', index, 'options', name], problem));
    }
  }
  return problems;
}

type Here = (path: (string | number)[], message: string) => DocumentProblem;

/** Fields that only some kinds of step have. */
const FIELDS = {
  options: ['load'],
  warmup: ['load'],
  duration: ['load'],
  until: ['wait'],
  else: ['wait'],
  statement: ['statement'],
  command: ['run'],
  overwrites: ['run'],
  'only-reads': ['run'],
  on: ['statement', 'run'],
  'at-most': ['wait', 'statement', 'run'],
} as const satisfies Partial<Record<keyof DocumentStep, readonly (StepAct | 'load')[]>>;

const kindWords = (kinds: readonly string[]): string =>
  kinds.map((kind) => (kind === 'load' ? 'runs the workload' : `has “do: ${kind}”`)).join(' or ');

/** Fields that its kind does not have, and what its kind is missing. */
function kindProblems(step: DocumentStep, here: Here): DocumentProblem[] {
  const kind = step.do ?? 'load';
  const isSet = (field: keyof DocumentStep): boolean =>
    field === 'options' ? Object.keys(step.options).length > 0 : step[field] !== undefined;
  const strange = Object.entries(FIELDS).flatMap(([field, kinds]) =>
    !isSet(field as keyof typeof FIELDS) || (kinds as readonly string[]).includes(kind)
      ? []
      : [here([field], `“${field}” is only valid in a step that ${kindWords(kinds)}.`)],
  );
  return [...strange, ...missingProblems(step, here)];
}

/** The field that a step of a kind is about. */
const NEEDED = { wait: 'until', statement: 'statement', run: 'command' } as const satisfies Record<StepAct, string>;

function missingProblems(step: DocumentStep, here: Here): DocumentProblem[] {
  if (step.do === undefined) return [];
  const needed = NEEDED[step.do];
  if (step[needed] === undefined) return [here([], `Step “${step.name}” has “do: ${step.do}” and no “${needed}”.`)];
  return step.until ? waitProblems(step.until, here) : [];
}

/** A step that repeats another one has a name of its own, and nothing else. */
function sameProblems(step: DocumentStep, earlier: readonly DocumentStep[], here: Here): DocumentProblem[] {
  const { name: _name, same, measured: _measured, options, ...rest } = step;
  const [set] = [...Object.keys(rest), ...(Object.keys(options).length > 0 ? ['options'] : [])];
  if (!earlier.some(({ name }) => name === same))
    return [here(['same'], `There is no step named “${same}” before this one.`)];
  return set === undefined
    ? []
    : [here([set], `A step with “same” is like the step that it names, so it takes no “${set}”.`)];
}

/** Fields of a gate that its step can have no figure for. */
function gateProblems(
  act: StepAct | undefined,
  gate: StepGate,
  { experiment, tool, earlier }: { experiment: Experiment; tool: Tool; earlier: readonly DocumentStep[] },
  here: Here,
): DocumentProblem[] {
  const problem = (field: string, message: string): DocumentProblem => here(['gate', field], message);
  const isStatement = act === 'statement';
  const [first] = Object.keys(gate);
  const isRelative = gate['ratio-above'] !== undefined || gate['ratio-below'] !== undefined;
  return [
    ...(first === undefined ? [here(['gate'], 'This gate names no figure.')] : []),
    ...(gate.errors !== undefined && (act !== undefined || (tool.metrics.failures ?? []).length === 0)
      ? [problem('errors', `${act === undefined ? tool.title : 'Such a step'} counts no errors.`)]
      : []),
    ...(gate.rows !== undefined && !isStatement ? [problem('rows', 'Only statements have rows.')] : []),
    ...(gate.equal !== undefined && !isStatement ? [problem('equal', 'Only results of statements are compared.')] : []),
    ...(gate.equal !== undefined && !earlier.some(({ name, do: other }) => name === gate.equal && other === 'statement')
      ? [problem('equal', `There is no step with statements named “${gate.equal}” before this one.`)]
      : []),
    ...(isRelative && gateBaseline(experiment) === undefined
      ? [here(['gate'], 'A ratio needs a factor with a baseline: name a level as “baseline” in one factor.')]
      : []),
  ];
}

/** The level that ratios of gates refer to: of the factor that names a baseline, the one under test before others. */
export function gateBaseline({ factors }: Pick<Experiment, 'factors'>): { factor: string; level: Scalar } | undefined {
  const named = factors.filter(({ baseline }) => baseline !== undefined);
  const factor = named.find(({ tested }) => tested) ?? named[0];
  return factor?.baseline === undefined ? undefined : { factor: factor.name, level: factor.baseline };
}

const CONDITIONS = ['status', 'sql', 'file', 'port'] as const satisfies readonly (keyof WaitUntil)[];

function waitProblems(until: WaitUntil, here: Here): DocumentProblem[] {
  const { below, above, on } = until;
  const isQuiet = until.dirty !== undefined || until.writes !== undefined;
  const named = [...CONDITIONS.filter((each) => until[each] !== undefined), ...(isQuiet ? ['dirty, writes'] : [])];
  if (named.length !== 1)
    return [
      here(
        ['until'],
        `A wait has one condition: status, sql, file, port, or dirty and writes; this one has ${named.length === 0 ? 'none' : named.join(' and ')}.`,
      ),
    ];
  const isCompared = below !== undefined || above !== undefined;
  const isAsked = until.status !== undefined || until.sql !== undefined;
  return [
    ...(until.status !== undefined && !isCompared ? [here(['until'], 'A status needs “below” or “above”.')] : []),
    ...(isCompared && !isAsked ? [here(['until'], '“below” and “above” are only valid with status or sql.')] : []),
    ...(below !== undefined && above !== undefined && above >= below
      ? [here(['until'], `No number is above ${above} and below ${below}.`)]
      : []),
    ...(on !== undefined && isAsked
      ? [here(['until', 'on'], 'Status and sql are asked of the target, so they take no host.')]
      : []),
  ];
}

/** Steps without a load that need a target, and hosts that are not known. `isHost`: absent where hosts are not known. */
export function actPlaceProblems(
  { steps = [] }: Experiment,
  cells: readonly ResolvedCell[],
  isHost: ((name: string) => boolean) | undefined,
  at: Placed,
): DocumentProblem[] {
  return steps.flatMap(({ name, do: act, until, on }, place) => {
    const isAsked = act === 'statement' || until?.status !== undefined || until?.sql !== undefined;
    const hasTarget = cells.every((cell) => cell.steps[place]?.target !== undefined);
    const unknown = (host: string | undefined, path: string[]): DocumentProblem[] =>
      host === undefined || isHost?.(host) !== false
        ? []
        : [at(['steps', place, ...path], `There is no host named “${host}”. Add it under Hosts, or name another one.`)];
    return [
      ...(isAsked && !hasTarget
        ? [
            at(
              ['steps', place, act === undefined ? 'do' : NEEDED[act]],
              `Step “${name}” needs a target, and none is chosen.`,
            ),
          ]
        : []),
      ...unknown(until?.on, ['until', 'on']),
      ...unknown(on, ['on']),
    ];
  });
}

/** Steps of one trial that need different data in the same tables: one of them would remove what another has made. */
export function sharedDataProblems(
  { steps = [] }: Experiment,
  cells: readonly ResolvedCell[],
  workload: Workload,
  at: Placed,
): DocumentProblem[] {
  const found = new Map<string, DocumentProblem>();
  for (const cell of cells) {
    const contents = new Map<string, { content: string; place: number }>();
    for (const [place, step] of cell.steps.entries()) {
      const need = dataOf(step, workload);
      for (const [table, content] of need ? contentsOf(need, databaseOf(step, workload)) : []) {
        const other = contents.get(table);
        if (other && other.content !== content) {
          const [one, two] = [steps[other.place]?.name, steps[place]?.name];
          const message = `Steps “${one}” and “${two}” need different data in the same tables. Use the same size of data in both, or other tables.`;
          found.set(message, at(['steps', place], message));
        }
        contents.set(table, { content, place });
      }
    }
  }
  return [...found.values()];
}
