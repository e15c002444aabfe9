import {
  type DocumentProblem,
  type DocumentStep,
  type Experiment,
  type Scalar,
  STEPS_FORMAT,
} from '../../../shared/model/experiment.ts';
import {
  type GroupedStep,
  isMeasured,
  MOST_STEPS,
  optionIn,
  type ParallelStep,
  type StepAct,
  type StepGate,
  type TrialStep,
  type WaitUntil,
  wholeSteps,
  worksOnData,
} from '../../../shared/model/step.ts';
import { formatDuration } from '../../../shared/util/format.ts';
import { rulesOf } from '../factors/index.ts';
import { optionName } from '../tools/index.ts';
import { optionProblem } from '../tools/option-problem.ts';
import type { Tool } from '../tools/tool.ts';
import { contentsOf, databaseOf, dataOf, type Workload } from './data-groups.ts';
import type { ResolvedCell } from './effects.ts';
import { parallelProblems } from './parallel.ts';

type Placed = (path: (string | number)[], message: string) => DocumentProblem;

/** Problems of a document's steps, independent of the levels of its factors. The factors have no problems of their own. */
export function stepProblems(experiment: Experiment, tool: Tool, at: Placed): DocumentProblem[] {
  const { kneepoint, steps, factors, measure } = experiment;
  if (!steps) return [];
  const problems: DocumentProblem[] = [];
  if (kneepoint !== STEPS_FORMAT)
    problems.push(
      at(['kneepoint'], `A document with steps has format ${STEPS_FORMAT}: write “kneepoint: ${STEPS_FORMAT}”.`),
    );
  const whole = wholeSteps(steps);
  if (measure.events && whole.length > 1)
    problems.push(
      at(
        ['measure', 'events'],
        'Events need an experiment with a single step: with several, it is unclear in which step they happen.',
      ),
    );
  if (!whole.some(isMeasured)) problems.push(at(['steps'], 'No step is measured, so there would be no result.'));
  if (whole.length > MOST_STEPS)
    problems.push(
      at(['steps'], `Each trial has ${whole.length} steps, including those of its groups; the limit is ${MOST_STEPS}.`),
    );
  const varied = new Map(
    factors.flatMap((factor) => rulesOf(factor, tool).varies.map((what) => [what, factor.name] as const)),
  );
  for (const [index, step] of steps.entries()) {
    const here: Here = (path, message) => at(['steps', index, ...path], message);
    const earlier = whole.filter(({ at: [, place] }) => Number(place) < index);
    const own = whole.filter(({ at: [, place] }) => Number(place) === index);
    const known: Known = { experiment, tool, varied, earlier, own };
    if (step.same !== undefined)
      problems.push(
        ...sameProblems(step, [...steps.slice(0, index), ...earlier], here),
        ...ownGateProblems(step, step.same, own, known, here),
      );
    else if (step.parallel) problems.push(...parallelProblemsOf(step, step.parallel, known, here));
    else if (step.each) problems.push(...groupProblems(step, step.each, known, here));
    else problems.push(...ownProblems(step, known, here));
  }
  return [...problems, ...nameProblems(steps, whole, at)];
}

/** Names that could be confused in reports or searches. In a group, names only have to be unique there. */
function nameProblems(steps: readonly DocumentStep[], whole: readonly TrialStep[], at: Placed): DocumentProblem[] {
  const names = new Set<string>();
  const found = steps.flatMap(({ name }, index) => {
    const isTaken = names.has(name);
    names.add(name);
    return isTaken ? [at(['steps', index, 'name'], `Two steps are named “${name}”.`)] : [];
  });
  if (found.length > 0) return found;
  const groups = new Set(whole.flatMap(({ group }) => group ?? []));
  const taken = new Set<string>(groups);
  return whole.flatMap(({ name, at: path }) => {
    const isTaken = taken.has(name);
    taken.add(name);
    return isTaken ? [at([...path, 'name'], `Two steps are named “${name}”.`)] : [];
  });
}

interface Known {
  readonly experiment: Experiment;
  readonly tool: Tool;
  /** Options and lengths varied by factors, with the factor's name. */
  readonly varied: ReadonlyMap<string, string>;
  /** Earlier steps of the trial. */
  readonly earlier: readonly TrialStep[];
  /** Steps that this part of the document becomes: those of its group, or its levels. */
  readonly own: readonly TrialStep[];
  /** The group that it belongs to. */
  readonly ofGroup?: DocumentStep;
}

/** Problems of a single step. */
function ownProblems(step: GroupedStep, known: Known, here: Here): DocumentProblem[] {
  return [
    ...(step.gate ? gateProblems(step.do, step.gate, known, here) : []),
    ...kindProblems(step, here),
    ...steadyProblems(step, known, here),
    ...(step.do === undefined || worksOnData(step) ? settingProblems(step, known, here) : []),
  ];
}

/** Options that the tool does not accept, or that a factor varies as well. */
function settingProblems(step: GroupedStep, known: Known, here: Here): DocumentProblem[] {
  const { name, options, duration } = step;
  const { tool, varied } = known;
  const set: [string, (string | number)[]][] = Object.keys(options).map((option) => [
    optionName(tool, option),
    ['options', option],
  ]);
  if (duration !== undefined) set.push(['the duration', ['duration']]);
  return [
    ...factorProblems(step, known, here),
    ...set.flatMap(([what, path]) => {
      const factor = varied.get(what);
      return factor === undefined
        ? []
        : [here(path, `Step “${name}” sets ${what}, which the factor “${factor}” varies. Omit it in one of them.`)];
    }),
    ...Object.entries(options).flatMap(([option, value]) => {
      const problem = optionProblem(tool, option, value);
      return problem === undefined ? [] : [here(['options', option], problem)];
    }),
  ];
}

/** Factors of a step that vary something already varied or set, and levels that the tool does not accept. */
function factorProblems({ name, factors = [], options }: GroupedStep, known: Known, here: Here): DocumentProblem[] {
  const { tool, varied, ofGroup } = known;
  const set = new Set(Object.keys(options).map((option) => optionName(tool, option)));
  const own = new Set((ofGroup?.factors ?? []).map((factor) => optionName(tool, optionIn(factor))));
  const found: DocumentProblem[] = [...set].flatMap((what) =>
    own.has(what)
      ? [here(['options'], `Step “${name}” sets ${what}, which its group varies. Omit it in one of them.`)]
      : [],
  );
  for (const [index, factor] of factors.entries()) {
    const problem = (path: (string | number)[], message: string) =>
      found.push(here(['factors', index, ...path], message));
    const what = optionName(tool, optionIn(factor));
    const other = varied.get(what);
    if (other !== undefined)
      problem([], `Step “${name}” varies ${what}, which the factor “${other}” varies as well. Omit it in one of them.`);
    if (set.has(what)) problem([], `Step “${name}” sets ${what}, and varies it. Omit it in one of them.`);
    if (own.has(what)) problem([], `Two factors of step “${name}” vary ${what}.`);
    own.add(what);
    if (new Set(factor.levels.map(String)).size < factor.levels.length)
      problem(['levels'], `Factor “${factor.name}” of step “${name}” has the same level twice.`);
    for (const [place, level] of factor.levels.entries()) {
      const message = optionProblem(tool, optionIn(factor), level);
      if (message !== undefined) problem(['levels', place], message);
    }
  }
  return found;
}

/** Fields that a group shares with its steps. */
const SHARED = ['options', 'warmup', 'duration', 'factors', 'gate'] as const satisfies readonly (keyof DocumentStep)[];

/** Problems of a group, which has the fields that its steps share, and of each of its steps. */
function groupProblems(group: DocumentStep, each: readonly GroupedStep[], known: Known, here: Here): DocumentProblem[] {
  const { name: _name, each: _each, measured: _measured, options, warmup, duration, factors, gate, ...others } = group;
  const invalid = Object.keys(others).map((field) =>
    here([field], `“${field}” is not valid in a group: set it in the steps under “each”.`),
  );
  const hasLoad = each.some((step) => step.do === undefined);
  const unused = SHARED.filter((field) => !hasLoad && isSet(group, field)).map((field) =>
    here([field], `No step of the group “${group.name}” runs the workload, so “${field}” has no effect.`),
  );
  const earlier = [...known.earlier];
  const ofSteps = each.flatMap((step, place) => {
    const found = ownProblems(step, { ...known, earlier, ofGroup: group }, (path, message) =>
      here(['each', place, ...path], message),
    );
    // Within its group, a step is known by its own name, unless it becomes one for each level.
    const hasLevels = step.do === undefined && (step.factors ?? group.factors) !== undefined;
    if (!hasLevels) earlier.push({ ...step, at: [] });
    return found;
  });
  return [
    ...invalid,
    ...unused,
    ...(gate ? gateProblems(undefined, gate, known, here) : []),
    ...settingProblems(group, known, here),
    ...ofSteps,
  ];
}

function parallelProblemsOf(
  group: DocumentStep,
  parallel: readonly ParallelStep[],
  known: Known,
  here: Here,
): DocumentProblem[] {
  const own = (step: ParallelStep, inside: Here): DocumentProblem[] =>
    ownProblems(step, { ...known, ofGroup: group }, inside);
  return [
    ...parallelProblems(group, parallel, known.earlier, own, here),
    ...parallel.flatMap(({ gate, same }, place) => {
      const source = same === undefined ? undefined : known.earlier.find(({ name }) => name === same);
      const inside: Here = (path, message) => here(['parallel', place, ...path], message);
      return gate && source ? gateProblems(source.do, gate, known, inside) : [];
    }),
    ...(group.gate ? gateProblems(undefined, group.gate, known, here) : []),
    ...settingProblems(group, known, here),
  ];
}

type Here = (path: (string | number)[], message: string) => DocumentProblem;

/** Fields that only some kinds of step have. */
const FIELDS = {
  options: ['load', 'prepare', 'cleanup'],
  warmup: ['load'],
  duration: ['load'],
  factors: ['load'],
  until: ['wait'],
  else: ['load', 'wait'],
  steady: ['load'],
  statement: ['statement'],
  command: ['run'],
  overwrites: ['run'],
  'only-reads': ['run'],
  for: ['run'],
  on: ['statement', 'run'],
  'at-most': ['prepare', 'cleanup', 'wait', 'statement', 'run'],
} as const satisfies Partial<Record<keyof GroupedStep, readonly (StepAct | 'load')[]>>;

const isSet = (step: GroupedStep, field: keyof GroupedStep): boolean =>
  field === 'options' ? Object.keys(step.options).length > 0 : step[field] !== undefined;

const kindWords = (kinds: readonly string[]): string =>
  kinds.map((kind) => (kind === 'load' ? 'runs the workload' : `has “do: ${kind}”`)).join(' or ');

/** Fields that its kind does not have, and required ones that are missing. */
function kindProblems(step: GroupedStep, here: Here): DocumentProblem[] {
  const kind = step.do ?? 'load';
  const invalid = Object.entries(FIELDS).flatMap(([field, kinds]) =>
    !isSet(step, field as keyof typeof FIELDS) || (kinds as readonly string[]).includes(kind)
      ? []
      : [here([field], `“${field}” is only valid in a step that ${kindWords(kinds)}.`)],
  );
  const twice =
    step.for !== undefined && step['at-most'] !== undefined
      ? [here(['at-most'], 'A command with “for” is stopped after that time, so “at-most” has no effect.')]
      : [];
  return [...invalid, ...twice, ...missingProblems(step, here)];
}

/** Problems of a load that runs until it is steady. */
function steadyProblems(step: GroupedStep, { ofGroup }: Known, here: Here): DocumentProblem[] {
  const { name, steady, duration = ofGroup?.duration } = step;
  if (!steady)
    return step.do === undefined && step.else !== undefined
      ? [here(['else'], '“else” is only valid in a step that waits, or that runs until it is steady.')]
      : [];
  const least = steady.rounds * steady.of;
  return [
    ...(step.measured === false
      ? []
      : [
          here(
            ['steady'],
            `Step “${name}” runs until it is steady, so its length varies and it has no figures: set “measured: false”, and measure in the next step.`,
          ),
        ]),
    ...(duration === undefined
      ? [here(['steady'], `Step “${name}” needs a “duration”: the longest time it may take to become steady.`)]
      : []),
    ...(duration !== undefined && duration < least
      ? [
          here(
            ['duration'],
            `${steady.rounds} rounds of ${formatDuration(steady.of)} take ${formatDuration(least)}, but step “${name}” may take only ${formatDuration(duration)}.`,
          ),
        ]
      : []),
  ];
}

/** The required field of each kind of step. */
const NEEDED = { wait: 'until', statement: 'statement', run: 'command' } as const satisfies Partial<
  Record<StepAct, string>
>;

function missingProblems(step: GroupedStep, here: Here): DocumentProblem[] {
  if (step.do === undefined || step.do === 'prepare' || step.do === 'cleanup') return [];
  const needed = NEEDED[step.do];
  if (step[needed] === undefined) return [here([], `Step “${step.name}” has “do: ${step.do}” and no “${needed}”.`)];
  return step.until ? waitProblems(step.until, here) : [];
}

/** Problems of the gate of a step that repeats another step or a group. */
function ownGateProblems(
  { gate }: DocumentStep,
  same: string,
  own: readonly TrialStep[],
  known: Known,
  here: Here,
): DocumentProblem[] {
  if (!gate) return [];
  const repeated = own.find(({ do: act }) => act === undefined) ?? own[0];
  // It may name the group that it repeats: each step is then divided by the one that it repeats.
  const { of, ...others } = gate;
  const isRepeatedGroup = of === same && own.some(({ group }) => group !== undefined);
  return gateProblems(repeated?.do, isRepeatedGroup ? { ...others, of: repeated?.same ?? '' } : gate, known, here);
}

/** A step that repeats another step or a group has its own name, and perhaps a gate. */
function sameProblems(
  step: DocumentStep,
  earlier: readonly Pick<DocumentStep, 'name'>[],
  here: Here,
): DocumentProblem[] {
  const { name: _name, same, note: _note, measured: _measured, gate: _gate, options, ...rest } = step;
  const [set] = [...Object.keys(rest), ...(Object.keys(options).length > 0 ? ['options'] : [])];
  if (!earlier.some(({ name }) => name === same))
    return [here(['same'], `There is no step or group named “${same}” before this one.`)];
  return set === undefined
    ? []
    : [here([set], `A step with “same” copies the step that it names, so “${set}” is not valid in it.`)];
}

/** Fields of a gate for which its step has no figure. */
function gateProblems(
  act: StepAct | undefined,
  gate: StepGate,
  known: Pick<Known, 'experiment' | 'tool' | 'earlier' | 'own'>,
  here: Here,
): DocumentProblem[] {
  const { experiment, tool, earlier } = known;
  const problem = (field: string, message: string): DocumentProblem => here(['gate', field], message);
  const isStatement = act === 'statement';
  const [first] = Object.keys(gate);
  const isRelative = gate['ratio-above'] !== undefined || gate['ratio-below'] !== undefined;
  return [
    ...(first === undefined ? [here(['gate'], 'This gate has no condition.')] : []),
    ...(gate.errors !== undefined && (act !== undefined || (tool.metrics.failures ?? []).length === 0)
      ? [problem('errors', `${act === undefined ? tool.title : 'Such a step'} counts no errors.`)]
      : []),
    ...(gate.rows !== undefined && !isStatement ? [problem('rows', 'Only statements have rows.')] : []),
    ...(gate.equal !== undefined && !isStatement ? [problem('equal', 'Only results of statements are compared.')] : []),
    ...(gate.equal !== undefined && !earlier.some(({ name, do: other }) => name === gate.equal && other === 'statement')
      ? [problem('equal', `There is no step with statements named “${gate.equal}” before this one.`)]
      : []),
    ...(gate.of === undefined ? [] : ratioProblems(act, { ...gate, of: gate.of }, known, here)),
    ...(isRelative && gate.of === undefined && gateBaseline(experiment) === undefined
      ? [
          here(
            ['gate'],
            'A ratio needs a factor with a baseline: set “baseline” to a level in one factor, or “of” to an earlier step.',
          ),
        ]
      : []),
  ];
}

/** Problems of a ratio to another step of the trial. */
function ratioProblems(
  act: StepAct | undefined,
  { of, ...gate }: StepGate & { of: string },
  { earlier, own }: Pick<Known, 'earlier' | 'own'>,
  here: Here,
): DocumentProblem[] {
  // Steps before the other one have no ratio yet: at least one has to come after it.
  const last = own.findLastIndex((step) => step.gate?.of === of);
  const other = [...earlier, ...own.slice(0, Math.max(0, last))].find(({ name }) => name === of);
  if (gate['ratio-above'] === undefined && gate['ratio-below'] === undefined)
    return [here(['gate', 'of'], '“of” is only valid with “ratio-above” or “ratio-below”.')];
  if (!other) return [here(['gate', 'of'], `There is no step named “${of}” before this one.`)];
  return (other.do === undefined) === (act === undefined)
    ? []
    : [here(['gate', 'of'], `“${of}” has another kind of figure: one is a time, the other is not.`)];
}

/** The baseline level for ratios of gates: of the factor that names one, preferably the factor under test. */
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
      ? [here(['until', 'on'], '“status” and “sql” query the target, so “on” is not valid with them.')]
      : []),
  ];
}

/** Steps without a load that need a target, and unknown hosts. Without `isHost`, hosts are not checked. */
export function actPlaceProblems(
  { steps = [] }: Experiment,
  cells: readonly ResolvedCell[],
  isHost: ((name: string) => boolean) | undefined,
  at: Placed,
): DocumentProblem[] {
  return wholeSteps(steps).flatMap(({ name, do: act, until, on, same, at: own }, place) => {
    // The step that it repeats has the same problem.
    if (same !== undefined) return [];
    const isAsked = act === 'statement' || until?.status !== undefined || until?.sql !== undefined;
    const hasTarget = cells.every((cell) => cell.steps[place]?.target !== undefined);
    const unknown = (host: string | undefined, path: string[]): DocumentProblem[] =>
      host === undefined || isHost?.(host) !== false
        ? []
        : [at([...own, ...path], `There is no host named “${host}”. Add it under Hosts, or choose another one.`)];
    return [
      ...(isAsked && !hasTarget
        ? [
            at(
              [...own, act === 'statement' ? 'statement' : act === 'wait' ? 'until' : 'do'],
              `Step “${name}” needs a target, but none is chosen.`,
            ),
          ]
        : []),
      ...unknown(until?.on, ['until', 'on']),
      ...unknown(on, ['on']),
    ];
  });
}

/** Steps of one trial that need different data in the same tables: one would remove what another has made. */
export function sharedDataProblems(
  { steps = [] }: Experiment,
  cells: readonly ResolvedCell[],
  workload: Workload,
  at: Placed,
): DocumentProblem[] {
  const whole = wholeSteps(steps);
  const found = new Map<string, DocumentProblem>();
  for (const cell of cells) {
    const contents = new Map<string, { content: string; place: number }>();
    for (const [place, step] of cell.steps.entries()) {
      const need = dataOf(step, workload);
      for (const [table, content] of need ? contentsOf(need, databaseOf(step, workload)) : []) {
        const other = contents.get(table);
        if (other && other.content !== content) {
          const [one, two] = [whole[other.place]?.name, whole[place]?.name];
          const message = `Steps “${one}” and “${two}” need different data in the same tables. Use the same size of data in both, or other tables.`;
          found.set(message, at([...(whole[place]?.at ?? ['steps'])], message));
        }
        contents.set(table, { content, place });
      }
    }
  }
  return [...found.values()];
}
