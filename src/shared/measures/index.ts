import { isMeasureId, isMetric, type Metric, measureId, metricOf } from '../metrics/index.ts';
import type { DerivedMeasure, Take } from '../model/derived.ts';
import { type Formula, FormulaError, type FormulaNode, type Reference, readFormula } from './formula.ts';

export { evaluate, type Formula, FormulaError, type Reference, readFormula } from './formula.ts';
export {
  STORED_FILES,
  type StoredFiles,
  type StoredPart,
  sizeFigures,
  sizesTable,
} from './sizes.ts';

/** The rate of the events of a run, whatever its tool calls them. */
export const OPERATIONS = 'operations';

/** A measure ready for calculation. */
export interface Measure {
  /** Its metric id, which includes its words, unit and direction. */
  readonly id: string;
  readonly name: string;
  /** If it is a formula. */
  readonly formula?: Formula;
  /** Measures that its formula may use, by their names in it. */
  readonly before?: ReadonlyMap<string, string>;
  /** If it is a series. `source` absent: the tool. */
  readonly series?: { readonly source: string | undefined; readonly series: string; readonly take: Take };
}

/** Measures of every session whose tool reports the metrics they need. */
const BUILT_IN: readonly { readonly id: string; readonly is: string; readonly needs: readonly string[] }[] = [
  {
    id: 'read_write_mib_s',
    is: 'or(read_mib_s, 0) + or(write_mib_s, 0)',
    needs: ['read_mib_s', 'write_mib_s'],
  },
];

/** Whether a metric is calculated from others instead of stored. */
export const isDerived = (id: string): boolean => isMeasureId(id) || OF_BUILT_IN.has(id);

/** Ids of the built-in measures that metrics of a session allow. */
export const builtInFor = (metrics: ReadonlySet<string>): string[] =>
  BUILT_IN.filter(({ needs }) => needs.every((id) => metrics.has(id))).map(({ id }) => id);

/** The built-in measure that all of these metrics are parts of; undefined if there is none. */
export const builtInOf = (metrics: readonly string[]): string | undefined =>
  BUILT_IN.find(({ needs }) => metrics.every((id) => needs.includes(id)))?.id;

/** The name of a measure in a formula: `rows changed` is `rows_changed`. */
export const formulaName = (name: string): string => name.trim().replaceAll(/[^\p{L}\p{N}.$]+/gu, '_');

const OF_BUILT_IN = new Map(
  BUILT_IN.map(({ id, is }): [string, Measure] => [id, { id, name: metricOf(id).label, formula: readFormula(is) }]),
);

/**
 * Definition of a measure, including the measures that it uses: `write_mib_s / traffic; traffic = read_mib_s + write_mib_s`. Undefined if
 * it is none of these.
 */
export function definitionOf(measures: ReadonlyMap<string, Measure>, id: string): string | undefined {
  const measure = measures.get(id);
  if (!measure) return undefined;
  const { formula, series, before } = measure;
  if (series) return `${series.take} of ${series.series} of ${series.source ?? 'the tool'}`;
  const used = (formula?.references ?? []).flatMap((reference) => {
    const own = reference.kind === 'metric' ? before?.get(reference.name) : undefined;
    const words = own === undefined ? undefined : definitionOf(measures, own);
    return words === undefined || reference.kind !== 'metric' ? [] : [`${reference.name} = ${words}`];
  });
  return [formula?.text ?? '', ...used].join('; ');
}

/** Measures of a document, and those added later. */
export const definedIn = ({
  experiment,
  measures = [],
}: {
  readonly experiment: { readonly derived?: readonly DerivedMeasure[] | undefined };
  readonly measures?: readonly DerivedMeasure[] | undefined;
}): DerivedMeasure[] => [...(experiment.derived ?? []), ...measures];

/**
 * Measures by their metric ids, built-in ones first. Each can use those before it. A measure with an invalid formula is omitted: documents
 * are checked earlier.
 */
export function measuresOf(defined: readonly DerivedMeasure[]): ReadonlyMap<string, Measure> {
  const measures = new Map(OF_BUILT_IN);
  const byName = new Map<string, string>();
  for (const each of defined) {
    const measure = readable(each, byName);
    if (!measure) continue;
    measures.set(measure.id, measure);
    byName.set(formulaName(each.name), measure.id);
  }
  return measures;
}

/** Metric id of a measure by its name, or of a metric. Undefined if it is neither. */
export const metricNamed = (name: string, defined: readonly DerivedMeasure[]): string | undefined =>
  [...measuresOf(defined).values()].reverse().find((measure) => measure.name === name)?.id ??
  (isMetric(name) ? metricOf(name).id : undefined);

/** `before`: ids of the measures before it, by their names in formulas. Throws a `FormulaError`. */
function measureOf(defined: DerivedMeasure, before: ReadonlyMap<string, string>): Measure | undefined {
  const { name, is, of, series, take = 'mean' } = defined;
  if (is !== undefined) {
    const formula = readFormula(is);
    const meaning = meaningOf(formula.node, (metric) => before.get(metric) ?? metric);
    return { id: idOf(defined, meaning, 'level'), name, formula, before: new Map(before) };
  }
  if (series === undefined) return undefined;
  const own = of === undefined ? metricOf(series) : undefined;
  return { id: idOf(defined, { ...own }, statisticOf(take)), name, series: { source: of, series, take } };
}

/** Undefined if the formula of an unchecked document is invalid. */
function readable(defined: DerivedMeasure, before: ReadonlyMap<string, string>): Measure | undefined {
  try {
    return measureOf(defined, before);
  } catch (error) {
    if (error instanceof FormulaError) return undefined;
    throw error;
  }
}

const statisticOf = (take: Take): Metric['statistic'] =>
  take === 'max' ? 'maximum' : take === 'min' ? 'minimum' : /^(?:p\d+|median)$/.test(take) ? 'percentile' : 'level';

/** Meaning of a result, independent of its value; fields are undefined if unknown. */
interface Meaning {
  readonly unit?: string | undefined;
  readonly better?: Metric['better'] | undefined;
}

function idOf(
  { name, unit, better, digits }: DerivedMeasure,
  meaning: Meaning,
  statistic: Metric['statistic'],
): string {
  return measureId({
    label: name,
    unit: unit ?? meaning.unit ?? '',
    better: better ?? meaning.better ?? 'neither',
    digits: digits ?? 2,
    statistic,
  });
}

const COUNT: Meaning = { unit: '' };

/** Unit and better direction of a formula's result. Throws a `FormulaError` if it adds different units. */
export function meaningOf(node: FormulaNode, idOfName: (name: string) => string): Meaning {
  const of = (each: FormulaNode): Meaning => meaningOf(each, idOfName);
  switch (node.kind) {
    case 'number':
      return COUNT;
    case 'reference':
      return ofReference(node.reference, idOfName);
    case 'negative':
      return { unit: of(node.of).unit };
    case 'binary': {
      const [left, right] = [of(node.left), of(node.right)];
      switch (node.operator) {
        case '+':
          return alike([left, right], node.at);
        case '-':
          return { unit: alike([left, right], node.at).unit };
        case '*':
          return scales(node.left) || scales(node.right)
            ? {}
            : { unit: left.unit === '' ? right.unit : right.unit === '' ? left.unit : undefined };
        default:
          return ratio(left, right, scales(node.left) || scales(node.right));
      }
    }
    case 'call':
      if (['min', 'max', 'or', 'abs'].includes(node.name)) return alike(node.of.map(of), node.at);
      for (const each of node.of) of(each);
      return {};
  }
}

/** A constant may be a conversion of the unit. */
const scales = ({ kind }: FormulaNode): boolean => kind === 'number';

function ofReference(reference: Reference, idOfName: (name: string) => string): Meaning {
  switch (reference.kind) {
    case 'level':
      return COUNT;
    case 'metric': {
      if (reference.name === OPERATIONS) return { unit: 'per s', better: 'higher' };
      const { unit, better } = metricOf(idOfName(reference.name));
      return { unit: unit || undefined, better };
    }
    default:
      return {};
  }
}

/** Plain numbers take the unit of the other operands. */
function alike(all: readonly Meaning[], at: number): Meaning {
  const units = [...new Set(all.flatMap(({ unit }) => unit || []))];
  const [first, second] = units;
  if (second !== undefined) throw new FormulaError(`${first} and ${second} cannot be added or compared.`, at);
  const better = new Set(all.filter((each) => each !== COUNT).map((each) => each.better));
  return {
    unit: all.some(({ unit }) => unit === undefined) ? undefined : first,
    better: better.size === 1 ? [...better][0] : undefined,
  };
}

function ratio(left: Meaning, right: Meaning, isScaled: boolean): Meaning {
  if (isScaled || left.unit === undefined || right.unit === undefined) return {};
  if (right.unit === '') return left;
  return left.unit === right.unit ? COUNT : {};
}
