import type { DocumentStep, Experiment, Levels, Scalar } from './experiment.ts';
import { type Factor, levelsOf } from './factor.ts';
import { LOCAL_HOST_NAME } from './host.ts';
import { type GroupedStep, wholeSteps } from './step.ts';

/** A host or target that a document names. */
export interface NamedPlace {
  readonly place: 'host' | 'target';
  readonly name: string;
}

/** Distinct targets of cells, hosts that run the tool, and hosts of steps. */
export function placesNamed({ where, factors, steps = [] }: Experiment): NamedPlace[] {
  const varied = factors.filter(({ kind }) => kind === 'target').flatMap((factor) => levelsOf(factor).map(String));
  const targets = varied.length > 0 ? varied : [where.target ?? []].flat();
  const ofSteps = wholeSteps(steps).flatMap(({ on, until }) => [on ?? [], until?.on ?? []].flat());
  const hosts = [...where.generators, ...ofSteps].filter((name) => name !== LOCAL_HOST_NAME);
  return [
    ...[...new Set(targets)].map((name): NamedPlace => ({ place: 'target', name })),
    ...[...new Set(hosts)].map((name): NamedPlace => ({ place: 'host', name })),
  ];
}

/** The document with a host or target replaced wherever it occurs: also as a level in conditions, patterns and the small form. */
export function withPlace(experiment: Experiment, { place, name }: NamedPlace, chosen: string): Experiment {
  const { where, factors, small, steps } = experiment;
  if (place === 'host') {
    const generators = [...new Set(where.generators.map((each) => (each === name ? chosen : each)))];
    const changed = ({ on, until }: GroupedStep) => ({
      ...(on !== undefined && { on: on === name ? chosen : on }),
      ...(until && { until: until.on === name ? { ...until, on: chosen } : until }),
    });
    const inStep = ({ each, ...step }: DocumentStep): DocumentStep => ({
      ...step,
      ...changed(step),
      ...(each && { each: each.map((own) => ({ ...own, ...changed(own) })) }),
    });
    return { ...experiment, where: { ...where, generators }, ...(steps && { steps: steps.map(inStep) }) };
  }
  const targetFactors = new Set(factors.flatMap((factor) => (factor.kind === 'target' ? [factor.name] : [])));
  const other = <Level>(level: Level): Level | string => (level === name ? chosen : level);
  /** Values of factors that vary the target. */
  const among = <Value>(values: Readonly<Record<string, Value>>, change: (value: Value) => Value) =>
    Object.fromEntries(
      Object.entries(values).map(([of, value]) => [of, targetFactors.has(of) ? change(value) : value]),
    );
  const pattern = (levels: Levels): Levels => among<Scalar>(levels, other);
  const { only, exclude, base } = experiment;
  return {
    ...experiment,
    where: { ...where, ...(where.target === name && { target: chosen }) },
    factors: factors.map((factor): Factor => {
      const { when, levels, baseline, values, kind } = factor;
      const own = kind === 'target' && {
        levels: [...new Set(levels.map(other))],
        ...(baseline === name && { baseline: chosen }),
        ...(values && { values: Object.fromEntries(Object.entries(values).map(([of, value]) => [other(of), value])) }),
      };
      const conditions = when && among(when, (value) => (Array.isArray(value) ? value.map(other) : other(value)));
      return { ...factor, ...own, ...(conditions && { when: conditions }) };
    }),
    ...(base && { base: pattern(base) }),
    ...(only && { only: only.map(pattern) }),
    ...(exclude && { exclude: exclude.map(pattern) }),
    ...(small?.set && {
      small: {
        ...small,
        set: among(small.set, (value) => (Array.isArray(value) ? [...new Set(value.map(other))] : other(value))),
      },
    }),
  };
}
