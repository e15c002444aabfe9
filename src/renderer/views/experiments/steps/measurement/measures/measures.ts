import { titleOf } from '../../../../../../shared/chart-models/index.ts';
import { KNOWN_METRICS, metricOf } from '../../../../../../shared/metrics/index.ts';
import type { DerivedMeasure } from '../../../../../../shared/model/derived.ts';
import type { Experiment } from '../../../../../../shared/model/experiment.ts';
import type { SourceChoices } from '../../../../../domain/measures/choices.ts';

/** The document with these measures; a removed one is no longer the primary metric. */
export function withMeasures(experiment: Experiment, derived: readonly DerivedMeasure[]): Experiment {
  const { derived: before = [], primary, ...rest } = experiment;
  const isGone = before.some(({ name }) => name === primary) && !derived.some(({ name }) => name === primary);
  return {
    ...rest,
    ...(derived.length > 0 && { derived: [...derived] }),
    ...(primary !== undefined && !isGone && { primary }),
  };
}

/** The document with a changed measure; it remains the primary metric if it was. */
export function withChanged(experiment: Experiment, measure: DerivedMeasure, changed: DerivedMeasure): Experiment {
  const all = (experiment.derived ?? []).map((each) => (each === measure ? changed : each));
  const { primary } = experiment;
  return withMeasures({ ...experiment, ...(primary === measure.name && { primary: changed.name }) }, all);
}

export function withPrimary({ primary: _, ...rest }: Experiment, primary: string | undefined): Experiment {
  return { ...rest, ...(primary !== undefined && { primary }) };
}

/** Names of the groups of a pattern, except the time. */
const groupsIn = (pattern: string): string[] =>
  [...pattern.matchAll(/\(\?P?<(\w+)>/g)].flatMap(([, name = '']) => (name === 't' ? [] : [name]));

/** Series known before anything has run: those of tools, and of the commands of the document. */
export function choicesFor({ monitors }: Experiment): SourceChoices[] {
  const commands = monitors?.commands ?? [];
  return [
    {
      name: 'Tool',
      series: KNOWN_METRICS.map((id) => ({ series: id, label: titleOf(metricOf(id)), unit: metricOf(id).unit })),
    },
    ...commands.map(({ name, pattern, units = {} }) => ({
      name,
      series: groupsIn(pattern).map((group) => ({
        ...{ of: `command ${name}`, series: group, unit: units[group] ?? '' },
        label: units[group] ? `${group} (${units[group]})` : group,
      })),
    })),
  ];
}

/** The first problem of each measure, by its index. */
export function problemsByPlace(problems: Readonly<Record<string, string>>): Record<number, string> {
  const found: Record<number, string> = {};
  for (const [path, message] of Object.entries(problems)) {
    const place = Number(path.split('.')[0]);
    if (Number.isInteger(place)) found[place] ??= message;
  }
  return found;
}
