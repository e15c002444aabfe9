import type { Experiment, Levels, Scalar } from '../../../shared/model/experiment.ts';

/** Repeats from which a difference of 3 % at a run noise of 1 % is found nine times in ten. */
const ENOUGH_REPEATS = 5;

/**
 * One experiment that measures two set-ups in turns: what differs between their documents becomes a factor. `why` where that cannot be done.
 * Both are documents that have been run, with the same defaults. `repeats`: at least so many of each cell.
 */
export function bothInTurns(
  baseline: Experiment,
  other: Experiment,
  repeats = ENOUGH_REPEATS,
): { experiment: Experiment } | { why: string } {
  const apart = PARTS.filter(([, part]) => JSON.stringify(part(baseline)) !== JSON.stringify(part(other)));
  if (apart.length > 0) {
    return {
      why: `One experiment cannot measure both in turns: they differ in ${apart.map(([name]) => name).join(' and ')}.`,
    };
  }
  if (baseline.design === 'one-at-a-time')
    return { why: 'One experiment cannot measure both in turns: they vary one factor at a time.' };
  const [left, right] = [baseline.workload.options, other.workload.options];
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])].filter(
    (name) => left[name] !== right[name],
  );
  if (names.length === 0) return { why: 'Their documents are the same: what differs is not in them.' };
  const alone = names.filter((name) => left[name] === undefined || right[name] === undefined);
  if (alone.length > 0) return { why: `Only one of them sets ${alone.join(', ')}.` };
  const sides = names.map((name) => ({ name, levels: [left[name] as Scalar, right[name] as Scalar] as const }));
  const options = Object.fromEntries(Object.entries(left).filter(([name]) => !names.includes(name)));
  return {
    experiment: {
      ...baseline,
      name: `${baseline.name}, both in turns`.slice(0, 200),
      workload: { ...baseline.workload, options },
      factors: [
        ...sides.map(({ name, levels }) => ({ name, kind: 'option' as const, levels: [...levels] })),
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
  ['the target', ({ where }) => where.target],
  ['the generators', ({ where }) => where.generators],
  ['their factors', ({ factors }) => factors],
  [
    'their selection of cells',
    ({ design = 'full', base = {}, only = [], exclude = [] }) => [design, base, only, exclude],
  ],
  ['their data policy', ({ workload }) => workload.data],
];

/** Where several options differ, only all of one side or all of the other is meant. */
function mixturesOf(
  { exclude = [] }: Experiment,
  sides: readonly { name: string; levels: readonly [Scalar, Scalar] }[],
): { exclude?: Levels[] } {
  const [first, ...rest] = sides as [(typeof sides)[number], ...typeof sides];
  const mixed = rest.flatMap(({ name, levels }) => [
    { [first.name]: first.levels[0], [name]: levels[1] },
    { [first.name]: first.levels[1], [name]: levels[0] },
  ]);
  const all = [...exclude, ...mixed];
  return all.length > 0 ? { exclude: all } : {};
}
