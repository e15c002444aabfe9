import {
  type Formula,
  FormulaError,
  formulaName,
  meaningOf,
  measuresOf,
  metricNamed,
  OPERATIONS,
  type Reference,
  readFormula,
} from '../../../shared/measures/index.ts';
import { isMetric, isRecovery, KNOWN_METRICS } from '../../../shared/metrics/index.ts';
import type { DerivedMeasure } from '../../../shared/model/derived.ts';
import type { DocumentProblem, Experiment } from '../../../shared/model/experiment.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import { type TrialStep, wholeSteps } from '../../../shared/model/step.ts';
import { readPatterns } from '../../../shared/patterns/index.ts';
import { meantWords } from '../../../shared/util/nearest.ts';

type Path = (string | number)[];
/** `offset`: characters into the text at the path. */
type Placed = (path: Path, message: string, offset?: number) => DocumentProblem;
const nowhere: Placed = (path, message) => ({ path: path.join('.'), message });

/** Measures of a document that cannot be calculated as defined, and an unknown primary metric. */
export function measureProblems(experiment: Experiment, at: Placed = nowhere): DocumentProblem[] {
  const { derived = [], primary } = experiment;
  const problems: DocumentProblem[] = [];
  /** Names in formulas → their metrics. */
  const before = new Map<string, string>();
  for (const [index, measure] of derived.entries()) {
    const report = (field: string, message: string, offset?: number): void =>
      void problems.push(at(['derived', index, field], message, offset));
    const name = formulaName(measure.name);
    if (before.has(name)) report('name', `Two measures are named “${measure.name}”.`);
    if (isMetric(name) || name === OPERATIONS)
      report('name', `“${measure.name}” is the name of a metric. Choose another.`);
    const shape = shapeProblem(measure);
    if (shape) report(...shape);
    else if (measure.is !== undefined)
      formulaProblem(measure.is, before, experiment, (words, offset) => report('is', words, offset));
    else {
      const wrong = seriesProblem(measure, experiment);
      if (wrong) report(wrong.of === 'source' ? 'of' : 'series', wrong.message);
    }
    const [known] = [...measuresOf(derived.slice(0, index + 1)).values()].slice(-1);
    if (known?.name === measure.name) before.set(name, known.id);
    else before.set(name, name);
  }
  if (primary !== undefined && primaryOf(experiment) === undefined)
    problems.push(
      at(
        ['primary'],
        `“${primary}” is neither a measure of this document nor a metric.${meantWords(primary, [...derived.map((each) => each.name), ...KNOWN_METRICS])}`,
      ),
    );
  if (primary !== undefined && isRecovery(primary) && !hasRecovery(experiment))
    problems.push(
      at(
        ['primary'],
        `“${primary}” measures the recovery from an event: add one under “measure.events”, or a parallel step that begins later than a measured load (“from”).`,
      ),
    );
  return problems;
}

type Timed = Pick<Experiment, 'measure' | 'steps'>;

/** The first second of this step's run at which an event or a parallel step acts on it. Undefined if none does. */
export function firstFault({ measure, steps = [] }: Timed, place: number): number | undefined {
  const whole = wholeSteps(steps);
  const own = whole[place];
  const parallelSteps = own?.parallel === undefined ? [] : whole.filter(({ parallel }) => parallel === own.parallel);
  const seconds = [
    ...(measure.events ?? []).map(({ at }) => at),
    ...parallelSteps.map(({ from = 0 }: TrialStep) => from - (own?.from ?? 0)).filter((after) => after > 0),
  ];
  return seconds.length === 0 ? undefined : Math.min(...seconds);
}

/** Whether a measured load of a trial has anything to recover from. */
function hasRecovery(experiment: Timed): boolean {
  const whole = wholeSteps(experiment.steps ?? []);
  const loads = whole.keys().filter((place) => whole[place]?.do === undefined && whole[place]?.measured !== false);
  return (whole.length === 0 ? [0] : [...loads]).some((place) => firstFault(experiment, place) !== undefined);
}

function shapeProblem({ is, of, series, take }: DerivedMeasure): [field: string, message: string] | undefined {
  if (is === undefined && series === undefined) return ['name', 'A measure needs a formula (is) or a series (series).'];
  if (is === undefined) return undefined;
  const other = [
    ['series', series],
    ['of', of],
    ['take', take],
  ].find(([, value]) => value !== undefined)?.[0];
  return other === undefined
    ? undefined
    : [other, `A measure with a formula has no “${other}”: write series("…", "…") in it.`];
}

function formulaProblem(
  text: string,
  before: ReadonlyMap<string, string>,
  experiment: Experiment,
  report: (words: string, offset: number) => void,
): void {
  try {
    const formula = readFormula(text);
    meaningOf(formula.node, (name) => before.get(name) ?? name);
    for (const [reference, place] of placesOf(formula)) {
      const words = referenceProblem(reference, experiment);
      if (words !== undefined) report(words, place);
    }
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error;
    report(error.message, error.at);
  }
}

/** Position of the first use of each reference. */
function placesOf({ node, references }: Formula): [Reference, number][] {
  const places = new Map<Reference, number>();
  const look = (part: Formula['node']): void => {
    switch (part.kind) {
      case 'reference':
        if (!places.has(part.reference)) places.set(part.reference, part.at);
        break;
      case 'negative':
        look(part.of);
        break;
      case 'binary':
        look(part.left);
        look(part.right);
        break;
      case 'call':
        part.of.forEach(look);
        break;
      default:
    }
  };
  look(node);
  return references.flatMap((reference) => {
    const place = places.get(reference);
    return place === undefined ? [] : [[reference, place] as [Reference, number]];
  });
}

function referenceProblem(reference: Reference, experiment: Experiment): string | undefined {
  switch (reference.kind) {
    case 'series':
      return seriesProblem({ of: reference.source, series: reference.series }, experiment)?.message;
    case 'level':
      return experiment.factors.some(({ name }) => name === reference.factor)
        ? undefined
        : `There is no factor named “${reference.factor}”.${meantWords(
            reference.factor,
            experiment.factors.map(({ name }) => name),
          )}`;
    default:
      return undefined;
  }
}

/** Series of hosts and servers are known only once they were monitored; those of commands and statements are in the document. */
function seriesProblem(
  { of, series = '' }: Pick<DerivedMeasure, 'of' | 'series'>,
  { monitors = {} }: Experiment,
): { of: 'source' | 'series'; message: string } | undefined {
  if (of === undefined) return undefined;
  const [, kind, name] = /^(server|host|generator|command|statement)(?: +(.+))?$/.exec(of) ?? [];
  if (kind === undefined)
    return {
      of: 'source',
      message: `“${of}” is not a source. Write server, server NAME, host NAME, generator, command NAME or statement NAME.`,
    };
  const { commands = [], statements = [] } = monitors;
  const own: Readonly<Record<string, readonly { name: string; pattern?: string }[]>> = {
    command: commands,
    statement: statements,
  };
  const watched = own[kind];
  if (!watched) return undefined;
  const found = watched.find((each) => each.name === name);
  if (!found) {
    const meant = meantWords(
      name ?? '',
      watched.map((each) => each.name),
    );
    return { of: 'source', message: `No ${kind} named “${name ?? ''}” is watched (monitors.${kind}s).${meant}` };
  }
  const groups = found.pattern === undefined ? undefined : groupsOf(found.pattern);
  if (!groups || groups.includes(series)) return undefined;
  const meant = meantWords(series, groups);
  return { of: 'series', message: `The pattern of “${name}” has no group named “${series}”.${meant}` };
}

/** Undefined for an invalid pattern, which is reported separately. */
function groupsOf(pattern: string): string[] | undefined {
  try {
    return readPatterns(pattern).flatMap((line) => line.groups);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Metric id of the document's primary metric. Undefined if it has none, or an unknown one. */
const primaryOf = ({ derived = [], primary }: Pick<Experiment, 'derived' | 'primary'>): string | undefined =>
  primary === undefined ? undefined : metricNamed(primary, derived);

/** The same for one step. Also undefined if the metric is a recovery and the step has nothing to recover from. */
export function primaryOfStep(
  experiment: Pick<Experiment, 'derived' | 'primary'> & Partial<Timed>,
  place: number,
): string | undefined {
  const id = primaryOf(experiment);
  const { measure, steps } = experiment;
  const isMissing =
    id !== undefined && isRecovery(id) && measure && firstFault({ measure, steps }, place) === undefined;
  return isMissing ? undefined : id;
}

/** Names in formulas that are similar to those of metrics. They are not refused, because tools report figures that are not listed. */
export function measureFindings({ derived = [] }: Experiment): Finding[] {
  const names = derived.map(({ name }) => formulaName(name));
  const known = [...KNOWN_METRICS, OPERATIONS, ...names];
  return [...measuresOf(derived).values()].flatMap(({ name, formula }) =>
    (formula?.references ?? []).flatMap((reference): Finding[] => {
      if (reference.kind !== 'metric' || known.includes(reference.name) || isMetric(reference.name)) return [];
      const meant = meantWords(reference.name, known);
      if (meant === '') return [];
      return [
        {
          code: 'unknown-metric',
          severity: 'warn',
          message: `“${name}” is calculated from “${reference.name}”, an unknown metric.${meant}`,
          next: 'Cells whose tool does not report it have no figure.',
        },
      ];
    }),
  );
}
