import { titleOf } from '../../../shared/chart-models/index.ts';
import {
  definitionOf,
  FormulaError,
  formulaName,
  isDerived,
  type Measure,
  readFormula,
} from '../../../shared/measures/index.ts';
import { factParts, isMeasureId, metricName, metricOf } from '../../../shared/metrics/index.ts';
import type { DerivedMeasure, Take } from '../../../shared/model/derived.ts';
import type { Experiment } from '../../../shared/model/experiment.ts';
import type { HostRole, MonitoredSource } from '../../../shared/model/monitored.ts';

/** A series that a measure can use. `of`: its source as named in a document; absent: the tool. */
export interface SeriesChoice {
  readonly of?: string;
  readonly series: string;
  readonly label: string;
  readonly unit: string;
}

/** Series of one source. */
export interface SourceChoices {
  readonly name: string;
  readonly series: readonly SeriesChoice[];
}

export const TAKE_WORDS: Readonly<Record<Take, string>> = {
  mean: 'Mean',
  median: 'Median',
  min: 'Smallest value',
  max: 'Largest value',
  p5: '5th percentile',
  p95: '95th percentile',
  p99: '99th percentile',
  last: 'Last value',
  change: 'Change, last − first',
  total: 'Total, mean × seconds',
};

/** The source as named in a measure: by its role if that is unique, so that the measure fits other sessions too. */
export function sourceText(
  { kind, name, roles }: Pick<MonitoredSource, 'kind' | 'name' | 'roles'>,
  all: readonly Pick<MonitoredSource, 'kind' | 'roles'>[],
  monitors: Experiment['monitors'],
): string {
  if (kind === 'own') {
    const lists = { command: monitors?.commands ?? [], statement: monitors?.statements ?? [] };
    const [list = 'statement'] =
      Object.entries(lists).find(([, entries]) => entries.some((entry) => entry.name === name)) ?? [];
    return `${list} ${name}`;
  }
  const same = all.filter((source) => source.kind === kind);
  if (kind === 'server') return same.length === 1 ? 'server' : `server ${name}`;
  const isOnly = (role: HostRole): boolean =>
    roles.includes(role) && same.filter((source) => source.roles.includes(role)).length === 1;
  return isOnly('server') ? 'host' : isOnly('generator') ? 'generator' : `host ${name}`;
}

/** All series that measures of a session can use, the tool's first. */
export function seriesChoices(
  {
    metrics,
    sources,
    nameOf,
  }: { metrics: readonly string[]; sources: readonly MonitoredSource[]; nameOf(source: MonitoredSource): string },
  monitors: Experiment['monitors'],
): SourceChoices[] {
  const own = metrics.map(
    (id): SeriesChoice => ({ series: id, label: titleOf(metricOf(id)), unit: metricOf(id).unit }),
  );
  const watched = sources.map((source) => {
    const of = sourceText(source, sources, monitors);
    return {
      name: nameOf(source),
      series: source.series.map(({ id, label, unit, instance }): SeriesChoice => {
        const words = instance === undefined || label.includes(instance) ? label : `${label}, ${instance}`;
        return { of, series: id, label: withUnit(words, unit), unit };
      }),
    };
  });
  return [...(own.length > 0 ? [{ name: 'Tool', series: own }] : []), ...watched].filter(
    ({ series }) => series.length > 0,
  );
}

/** A metric or series as written in a formula. */
export function inFormula({ of, series }: Pick<SeriesChoice, 'of' | 'series'>): string {
  if (of === undefined) {
    const fact = factParts(series);
    if (fact)
      return `fact(${[fact.table, fact.column, ...(fact.row === undefined ? [] : [fact.row])].map(quoted).join(', ')})`;
    if (isMeasureId(series)) return formulaName(metricName(series));
    return PLAIN.test(series) ? series : `figure(${quoted(series)})`;
  }
  return PLACE.test(of) && PLAIN.test(series) ? `${of}.${series}` : `series(${quoted(of)}, ${quoted(series)})`;
}

const PLACE = /^(?:server|host|generator)$/;
const PLAIN = /^[A-Za-z_][\w.]*$/;
const quoted = (text: string): string => (PLAIN.test(text) ? text : JSON.stringify(text));

/** A formula with one more value: added with a plus, unless the formula ends with an operator or a bracket. */
export const withValue = (formula: string, value: string): string => {
  const before = formula.trim();
  return before === '' ? value : /[-+*/(,]$/.test(before) ? `${before} ${value}` : `${before} + ${value}`;
};

/** Problem of a formula, a sentence; undefined if there is none, or it is empty. */
export function formulaProblem(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  try {
    readFormula(text);
    return undefined;
  } catch (error) {
    if (error instanceof FormulaError) return `${error.message} Character ${error.at + 1}.`;
    throw error;
  }
}

/** The formula of a measure, or its series and aggregate. */
export const definitionWords = (measures: ReadonlyMap<string, Measure>, name: string): string =>
  [...measures.values()].filter((each) => each.name === name).map(({ id }) => definitionOf(measures, id) ?? '')[0] ??
  '';

/** Maximum characters of the name of a measure. */
const MOST_NAME = 60;

const withUnit = (words: string, unit: string): string => (unit ? `${words} (${unit})` : words);

/** The words of a choice without its unit: the default name of a measure of it. */
export const nameOfChoice = ({ label, unit }: Pick<SeriesChoice, 'label' | 'unit'>): string =>
  (unit !== '' && label.endsWith(` (${unit})`) ? label.slice(0, -` (${unit})`.length) : label).slice(0, MOST_NAME);

/** A figure of a run as the draft of a measure. Undefined for a measure. */
export const measureOfFigure = (id: string): Partial<DerivedMeasure> | undefined =>
  isDerived(id) ? undefined : { name: metricOf(id).label.slice(0, MOST_NAME), is: inFormula({ series: id }) };

/** A lane as the draft of a measure. */
export const measureOfSeries = ({ of, series, label, unit }: SeriesChoice): Partial<DerivedMeasure> => ({
  name: nameOfChoice({ label, unit }),
  ...(of !== undefined && { of }),
  series,
  ...(of !== undefined && unit !== '' && { unit }),
});
