import type { Experiment, Levels, Scalar } from '../../../shared/model/experiment.ts';
import { type Factor, levelName, UNNAMED_KIND } from '../../../shared/model/factor.ts';

/** Number of repeats with which a difference of 3 % is found in nine of ten cases, given a run noise of 1 %. */
const ENOUGH_REPEATS = 5;

/**
 * Builds an experiment that interleaves two set-ups: differences between their documents become a factor. `why` if that is impossible. Both
 * are documents of past sessions, with the same defaults. `repeats` is the minimum for each cell.
 */
export function interleave(
  baseline: Experiment,
  other: Experiment,
  repeats = ENOUGH_REPEATS,
): { experiment: Experiment } | { why: string } {
  const differing = PARTS.filter(([, part]) => JSON.stringify(part(baseline)) !== JSON.stringify(part(other)));
  if (differing.length > 0) {
    return {
      why: `One experiment cannot interleave both: they differ in ${differing.map(([name]) => name).join(' and ')}.`,
    };
  }
  if (baseline.design === 'one-at-a-time')
    return { why: 'One experiment cannot interleave both: they vary one factor at a time.' };
  const [left, right] = [baseline.workload.options, other.workload.options];
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])].filter(
    (name) => left[name] !== right[name],
  );
  const alone = names.filter((name) => left[name] === undefined || right[name] === undefined);
  if (alone.length > 0) return { why: `Only one of them sets ${alone.join(', ')}.` };
  const [here, there] = [baseline.where.target, other.where.target];
  if ((here === undefined) !== (there === undefined)) return { why: 'Only one of them names a target.' };
  const taken = new Set([...baseline.factors.map(({ name }) => name), ...names]);
  const sides: Side[] = [
    ...placeSides(baseline.where, other.where, (name) => freeName(name, taken)),
    ...names.map((name) => ({
      name,
      kind: UNNAMED_KIND,
      levels: [left[name] as Scalar, right[name] as Scalar] as const,
    })),
  ];
  if (sides.length === 0) return { why: 'The experiments are identical: any difference is in the environment.' };
  const options = Object.fromEntries(Object.entries(left).filter(([name]) => !names.includes(name)));
  const { target, generators } = baseline.where;
  return {
    experiment: {
      ...baseline,
      name: `${baseline.name}, both interleaved`.slice(0, 200),
      workload: { ...baseline.workload, options },
      where: { generators, ...(target !== undefined && here === there && { target }) },
      factors: [
        ...sides.map(({ name, kind, levels }): Factor => ({ name, kind, levels: [...levels] })),
        ...baseline.factors,
      ],
      ...mixturesOf(baseline, sides),
      measure: {
        ...baseline.measure,
        order: 'shuffled',
        repeats: Math.max(ENOUGH_REPEATS, repeats, baseline.measure.repeats, other.measure.repeats),
      },
    },
  };
}

const PARTS: readonly (readonly [string, (experiment: Experiment) => unknown])[] = [
  ['the tool', ({ workload }) => workload.tool],
  ['their factors', ({ factors }) => factors],
  [
    'their selection of cells',
    ({ design = 'full', base = {}, only = [], exclude = [] }) => [design, base, only, exclude],
  ],
  ['their data policy', ({ workload }) => workload.data],
];

/** A factor with a level for the baseline and one for the other document. */
interface Side {
  name: string;
  kind: string;
  levels: readonly [Factor['levels'][number], Factor['levels'][number]];
}

function placeSides(here: Experiment['where'], there: Experiment['where'], named: (name: string) => string): Side[] {
  const sides: Side[] = [];
  if (here.target !== undefined && there.target !== undefined && here.target !== there.target)
    sides.push({ name: named('target'), kind: 'target', levels: [here.target, there.target] });
  if (JSON.stringify(here.generators) !== JSON.stringify(there.generators)) {
    const hosts = ({ generators }: Experiment['where']) => ({
      name: generators.join(', ').slice(0, 80),
      hosts: generators,
    });
    sides.push({ name: named('generators'), kind: 'generators', levels: [hosts(here), hosts(there)] });
  }
  return sides;
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted} ${number}`;
    if (!taken.has(name)) return name;
  }
}

/** With several differences, excludes cells that mix both sides. */
function mixturesOf({ exclude = [] }: Experiment, sides: readonly Side[]): { exclude?: Levels[] } {
  const [first, ...rest] = sides;
  if (!first) return {};
  const [mine, theirs] = [levelName(first.levels[0]), levelName(first.levels[1])];
  const mixed = rest.flatMap(({ name, levels }) => [
    { [first.name]: mine, [name]: levelName(levels[1]) },
    { [first.name]: theirs, [name]: levelName(levels[0]) },
  ]);
  const all = [...exclude, ...mixed];
  return all.length > 0 ? { exclude: all } : {};
}
