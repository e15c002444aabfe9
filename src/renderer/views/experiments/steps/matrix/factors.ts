import { baseLevelOf, sameLevel } from '../../../../../shared/model/cells.ts';
import type { Experiment, Factor, Levels, Scalar } from '../../../../../shared/model/experiment.ts';
import { type Level, levelName, levelsOf, optionOf, UNNAMED_KIND } from '../../../../../shared/model/factor.ts';

type When = NonNullable<Factor['when']>;

const absentIfEmpty = <T extends object>(value: T | undefined): T | undefined =>
  value !== undefined && Object.keys(value).length > 0 ? value : undefined;

/** The document with an optional part set, or removed. */
function withPart<Part extends 'only' | 'exclude' | 'base' | 'design'>(
  experiment: Experiment,
  part: Part,
  value: Experiment[Part],
): Experiment {
  const { [part]: _, ...rest } = experiment;
  return (value === undefined ? rest : { ...rest, [part]: value }) as Experiment;
}

export const withExclude = (experiment: Experiment, exclude: readonly Levels[]): Experiment =>
  withPart(experiment, 'exclude', absentIfEmpty([...exclude]));

export const withOnly = (experiment: Experiment, only: readonly Levels[]): Experiment =>
  withPart(experiment, 'only', absentIfEmpty([...only]));

/** The base belongs to the one-at-a-time design and is removed with it. */
export function withDesign(experiment: Experiment, design: Experiment['design']): Experiment {
  const chosen = withPart(experiment, 'design', design);
  return design === 'one-at-a-time' ? chosen : withPart(chosen, 'base', undefined);
}

/** The base with this level; the first level of a factor is the default and omitted. */
export function withBase(experiment: Experiment, factor: Factor, level: Scalar): Experiment {
  const { [factor.name]: _, ...rest } = experiment.base ?? {};
  const first = baseLevelOf(factor);
  const base = first !== undefined && sameLevel(first, level) ? rest : { ...rest, [factor.name]: level };
  return withPart(experiment, 'base', absentIfEmpty(base));
}

/** Absent: no baseline. */
export function withBaseline({ baseline: _, ...factor }: Factor, baseline: Scalar | undefined): Factor {
  return { ...factor, ...(baseline !== undefined && { baseline }) };
}

/** Adds a level of another factor to the condition of a factor, or removes it. */
export function withCondition(factor: Factor, other: string, level: Scalar): Factor {
  const { when = {}, ...rest } = factor;
  const { [other]: now, ...others } = when;
  const levels = now === undefined ? [] : Array.isArray(now) ? now : [now];
  const has = levels.some((each) => sameLevel(each, level));
  const next = has ? levels.filter((each) => !sameLevel(each, level)) : [...levels, level];
  const [only, ...more] = next;
  const changed: When = only === undefined ? others : { ...when, ...others, [other]: more.length === 0 ? only : next };
  return { ...rest, ...(Object.keys(changed).length > 0 && { when: changed }) };
}

/** Undefined: the level is dropped. */
type NameLevel = (factor: string, level: Scalar) => readonly [factor: string, level: Scalar] | undefined;

/** Maps every level of a factor in a document through a function that may change or drop it. */
function throughNames(experiment: Experiment, name: NameLevel): Experiment {
  /** Undefined: without the dropped level its meaning would change. */
  const whole = (pattern: Levels): Levels | undefined => {
    const named = Object.entries(pattern).map(([factor, level]) => name(factor, level));
    return named.every((entry) => entry !== undefined) ? Object.fromEntries(named) : undefined;
  };
  const partly = (pattern: Levels | undefined): Levels | undefined =>
    absentIfEmpty(
      Object.fromEntries(
        Object.entries(pattern ?? {}).flatMap(([factor, level]) =>
          [name(factor, level)].filter((entry) => entry !== undefined),
        ),
      ),
    );
  const patterns = (all: readonly Levels[] | undefined): Levels[] =>
    (all ?? []).map(whole).filter((pattern) => pattern !== undefined);
  const factors = experiment.factors.map((factor) =>
    whenThrough(valuesThrough(baselineThrough(factor, name), name), name),
  );
  const { measure } = experiment;
  const { canary } = measure;
  const cell = partly(canary?.cell);
  const { cell: _, ...everywhere } = canary ?? { every: 1 };
  const next = {
    ...experiment,
    factors,
    measure: canary ? { ...measure, canary: { ...everywhere, ...(cell && { cell }) } } : measure,
  };
  return withPart(
    withOnly(withExclude(next, patterns(experiment.exclude)), patterns(experiment.only)),
    'base',
    partly(experiment.base),
  );
}

function baselineThrough({ baseline, ...factor }: Factor, name: NameLevel): Factor {
  const named = baseline === undefined ? undefined : name(factor.name, baseline);
  return { ...factor, ...(named && { baseline: named[1] }) };
}

/** A new level has no value: the user has to enter one. */
function valuesThrough({ values, ...factor }: Factor, name: NameLevel): Factor {
  const named = Object.entries(values ?? {}).flatMap(([level, value]) => {
    const entry = name(factor.name, level);
    return entry ? [[String(entry[1]), value]] : [];
  });
  return { ...factor, ...(values && { values: Object.fromEntries(named) }) };
}

function whenThrough({ when, ...factor }: Factor, name: NameLevel): Factor {
  if (!when) return factor;
  const next: When = {};
  for (const [other, wanted] of Object.entries(when)) {
    const named = (Array.isArray(wanted) ? wanted : [wanted]).flatMap((level) => {
      const entry = name(other, level);
      return entry ? [entry] : [];
    });
    const [first, ...more] = named;
    if (first) next[first[0]] = more.length === 0 ? first[1] : named.map(([, level]) => level);
  }
  return { ...factor, ...(Object.keys(next).length > 0 && { when: next }) };
}

/** The document with other factors; keeps exclusions, conditions and a base as far as they still apply. */
export const withFactors = (experiment: Experiment, factors: readonly Factor[]): Experiment =>
  throughNames({ ...experiment, factors: [...factors] }, (name, level) =>
    factors.some((factor) => factor.name === name && levelsOf(factor).some((known) => sameLevel(known, level)))
      ? [name, level]
      : undefined,
  );

export const withFactor = (experiment: Experiment, index: number, factor: Factor): Experiment =>
  withFactors(
    experiment,
    experiment.factors.map((old, place) => (place === index ? factor : old)),
  );

/** Renames a factor everywhere. */
export function renamed(experiment: Experiment, index: number, name: string): Experiment {
  const old = experiment.factors[index];
  if (!old) return experiment;
  const factors = experiment.factors.map((factor, place) =>
    place === index ? { ...factor, ...(factor.kind === UNNAMED_KIND && { option: optionOf(factor) }), name } : factor,
  );
  const charts = experiment.charts?.map((chart) => ({
    ...chart,
    ...(chart.x === old.name && { x: name }),
    ...(chart.panels === old.name && { panels: name }),
  }));
  return throughNames({ ...experiment, factors, ...(charts && { charts }) }, (factor, level) => [
    factor === old.name ? name : factor,
    level,
  ]);
}

/** Replaces a level of a factor everywhere. */
export function withLevel(experiment: Experiment, index: number, place: number, level: Level): Experiment {
  const factor = experiment.factors[index];
  const old = factor?.levels[place];
  if (!factor || old === undefined) return experiment;
  const levels = factor.levels.map((each, at) => (at === place ? level : each));
  const factors = experiment.factors.map((each, at) => (at === index ? { ...each, levels } : each));
  return throughNames({ ...experiment, factors }, (name, named) => [
    name,
    name === factor.name && sameLevel(named, levelName(old)) ? levelName(level) : named,
  ]);
}

/** The list with the item at `index` moved by one. */
export function moved<T>(items: readonly T[], index: number, by: -1 | 1): T[] {
  const copy = [...items];
  const [item] = copy.splice(index, 1);
  if (item !== undefined) copy.splice(Math.max(0, index + by), 0, item);
  return copy;
}

/** The name, with the first number that makes it unique if it is taken. */
export function freeName(name: string, taken: readonly string[]): string {
  if (!taken.includes(name)) return name;
  let number = 2;
  while (taken.includes(`${name} ${number}`)) number += 1;
  return `${name} ${number}`;
}
