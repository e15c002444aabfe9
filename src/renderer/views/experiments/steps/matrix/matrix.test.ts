import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { combinationsOf, matcherOf } from '../../../../../shared/model/cells.ts';
import type { Experiment, Factor, Levels } from '../../../../../shared/model/experiment.ts';
import type { FactorKindInfo } from '../../../../../shared/model/factor.ts';
import type { HostFacts } from '../../../../../shared/model/host.ts';
import { readFields } from '../../../../forms/index.ts';
import { readScalar } from '../../document/document.ts';
import {
  freeName,
  moved,
  renamed,
  withBase,
  withCondition,
  withDesign,
  withFactor,
  withFactors,
  withLevel,
} from './factors.ts';
import { readLevels, takesValues, valuesInNames, withMore, withValues } from './levels.ts';
import { around, proposals } from './newFactor.ts';
import { withExcluded, withIncluded } from './patterns.ts';
import { asOneSetting, asSets, canBeOneSetting, factorName, nameByValues, renamedByValues } from './set/convert.ts';

const factors: Factor[] = [
  { name: 'mode', kind: 'option', levels: ['off', 'full'] },
  { name: 'threads', kind: 'option', levels: [1, 2, 4] },
];
const experiment: Experiment = {
  kneepoint: 1,
  name: 'Matrix',
  workload: { tool: 'embedded', options: {}, data: 'create' },
  where: { generators: ['this computer'] },
  factors,
  measure: { warmup: 0, duration: 10, repeats: 1, order: 'rounds', seed: 1, pause: 0 },
};
const [mode, threads, text] = readFields(
  z.toJSONSchema(
    z.object({
      mode: z.enum(['off', 'normal', 'full']).default('off'),
      threads: z.number().int().min(1).default(2),
      text: z.string().default(''),
      flag: z.boolean().default(false),
    }),
  ) as Record<string, unknown>,
);
const leftOut = (exclude: readonly Levels[], of: readonly Factor[] = factors): string[] =>
  combinationsOf({ factors: [...of] })
    .filter(matcherOf(exclude))
    .map((cell) => Object.values(cell).join(' '));

describe('excluded cells', () => {
  test('merge into an excluded row, and can be included one by one', () => {
    const one = withExcluded([], [{ mode: 'off', threads: 2 }]);
    const row = withExcluded(one, [{ mode: 'off' }]);
    expect(row).toEqual([{ mode: 'off' }]);
    expect(withExcluded(row, [{ mode: 'off', threads: 1 }])).toEqual(row);
    const back = withIncluded(row, { mode: 'off', threads: 4 }, factors);
    expect(leftOut(back)).toEqual(['off 1', 'off 2']);
  });

  test('do not change when a cell that is not excluded is included', () => {
    const exclude = [{ mode: 'full' }];
    expect(withIncluded(exclude, { mode: 'off', threads: 1 }, factors)).toEqual(exclude);
  });

  test('need few patterns when one of a thousand is included again', () => {
    const levels = Array.from({ length: 10 }, (_, level) => level);
    const wide = ['a', 'b', 'c', 'd'].map((name): Factor => ({ name, kind: 'option', levels }));
    const back = withIncluded([{ a: 1 }], { a: 1, b: 2, c: 3, d: 4 }, wide);
    expect(back.length).toBe(27);
    expect(leftOut(back, wide)).toHaveLength(999);
    expect(leftOut(back, wide)).not.toContain('1 2 3 4');
  });

  test('stay excluded if they have no level of a conditional factor', () => {
    const conditional: Factor[] = [
      { name: 'log', kind: 'option', levels: ['on', 'off'] },
      { name: 'sync', kind: 'option', levels: [0, 1], when: { log: 'on' } },
      { name: 'threads', kind: 'option', levels: [1, 2] },
    ];
    const back = withIncluded([{ threads: 1 }], { log: 'on', sync: 1, threads: 1 }, conditional);
    expect(leftOut(back, conditional)).toEqual(['on 0 1', 'off 1']);
  });
});

describe('a change of a factor', () => {
  const named: Experiment = {
    ...experiment,
    factors: [
      { name: 'mode', kind: 'option', levels: ['off', 'full'], baseline: 'full' },
      ...factors.slice(1),
      { name: 'sync', kind: 'option', levels: [0, 1], when: { mode: ['off', 'full'] } },
    ],
    exclude: [{ mode: 'off', threads: 4 }, { mode: 'full' }],
    only: [{ threads: 1 }],
    design: 'one-at-a-time',
    base: { mode: 'full', threads: 2 },
    measure: { ...experiment.measure, canary: { every: 5, cell: { mode: 'off' } } },
  };

  test('renames it everywhere', () => {
    const other = renamed(named, 0, 'durability');
    expect(other.factors[0]).toMatchObject({ name: 'durability', option: 'mode', baseline: 'full' });
    expect(other).toMatchObject({
      exclude: [{ durability: 'off', threads: 4 }, { durability: 'full' }],
      base: { durability: 'full', threads: 2 },
      measure: { canary: { every: 5, cell: { durability: 'off' } } },
    });
    expect(other.factors[2]?.when).toEqual({ durability: ['off', 'full'] });
  });

  test('renames a level everywhere', () => {
    const other = withLevel(named, 0, 1, 'normal');
    expect(other.factors[0]).toMatchObject({ levels: ['off', 'normal'], baseline: 'normal' });
    expect(other).toMatchObject({
      exclude: [{ mode: 'off', threads: 4 }, { mode: 'normal' }],
      base: { mode: 'normal' },
    });
    expect(other.factors[2]?.when).toEqual({ mode: ['off', 'normal'] });
  });

  test('removes only references to removed levels', () => {
    const mode: Factor = { name: 'mode', kind: 'option', levels: ['full', 'normal'], baseline: 'full' };
    const fewer = withFactor(named, 0, mode);
    expect(fewer.factors[0]).toEqual(mode);
    expect(withFactor(named, 0, { ...mode, levels: ['off'] }).factors[0]).not.toHaveProperty('baseline');
    expect(fewer).toMatchObject({ exclude: [{ mode: 'full' }], only: [{ threads: 1 }], base: named.base });
    expect(fewer.factors[2]?.when).toEqual({ mode: 'full' });
    expect(fewer.measure.canary).toEqual({ every: 5 });
    const none = withFactors(named, []);
    for (const part of ['exclude', 'only', 'base']) expect(none).not.toHaveProperty(part);
  });

  test('keeps the fields of its kind', () => {
    const factor: Factor = {
      name: 'durability',
      kind: 'server-setting',
      on: 'db-1',
      levels: [
        { name: 'safe', set: { sync_binlog: 1 } },
        { name: 'relaxed', set: { sync_binlog: 0 } },
      ],
    };
    const with2 = withFactors(experiment, [factor]);
    expect(renamed(with2, 0, 'd').factors).toEqual([{ ...factor, name: 'd' }]);
    expect(withFactors(with2, moved([factor, ...factors], 0, 1)).factors[1]).toEqual(factor);
  });

  test('adds and removes levels of a condition', () => {
    const [, factor] = factors;
    if (!factor) throw new Error('a factor is missing');
    const one = withCondition(factor, 'mode', 'off');
    expect(one.when).toEqual({ mode: 'off' });
    const two = withCondition(one, 'mode', 'full');
    expect(two.when).toEqual({ mode: ['off', 'full'] });
    expect(withCondition(withCondition(two, 'mode', 'full'), 'mode', 'off')).toEqual(factor);
  });

  test('stores only base levels other than the first, and removes them with the design', () => {
    const [first] = factors;
    if (!first) throw new Error('a factor is missing');
    const design = withDesign(experiment, 'one-at-a-time');
    expect(withBase(design, first, 'full').base).toEqual({ mode: 'full' });
    expect(withBase(withBase(design, first, 'full'), first, 'off')).toEqual(design);
    expect(withDesign(withBase(design, first, 'full'), undefined)).toEqual(experiment);
  });

  test('moves it within the list, and finds free names', () => {
    expect(moved(['a', 'b', 'c'], 1, -1)).toEqual(['b', 'a', 'c']);
    expect(moved(['a', 'b', 'c'], 1, 1)).toEqual(['a', 'c', 'b']);
    expect(freeName('load', ['load', 'load 2'])).toBe('load 3');
  });
});

describe('levels', () => {
  test('added numbers keep levels listed by size in that order', () => {
    expect(withMore([1, 8], [4])).toEqual([1, 4, 8]);
    expect(withMore([8, 1], [4])).toEqual([8, 1, 4]);
    expect(withMore(['off', 'full'], ['normal'])).toEqual(['off', 'full', 'normal']);
  });

  test('are parsed as numbers from a list, with invalid input left for correction', () => {
    expect(readLevels(threads, '1, 2 4;8', [])).toEqual({ levels: [1, 2, 4, 8], rest: '' });
    expect(readLevels(threads, '2 0 x', [2])).toEqual({ levels: [], rest: '2 0 x', problem: '2 is a level already.' });
    expect(readLevels(threads, '16 1.5', [])).toEqual({
      levels: [16],
      rest: '1.5',
      problem: '1.5: Enter a whole number.',
    });
  });

  test('are parsed from a range as in a document, skipping existing ones', () => {
    expect(readLevels(threads, '1..12 doubling', [4])).toEqual({ levels: [1, 2, 8, 12], rest: '' });
    expect(readLevels(undefined, '128M..512M doubling', [])).toEqual({ levels: ['128M', '256M', '512M'], rest: '' });
    expect(readLevels(threads, '8..1 doubling', []).problem).toMatch(/ends before it starts/);
  });

  test('can be texts with commas and blanks', () => {
    expect(readLevels(text, 'sync,direct', [])).toEqual({ levels: ['sync,direct'], rest: '' });
    expect(readLevels(undefined, '1, 2', [])).toEqual({ levels: [1, 2], rest: '' });
    expect(readLevels(undefined, '128M,1G', [])).toEqual({ levels: ['128M', '1G'], rest: '' });
    expect(readLevels(mode, 'off, full', [])).toEqual({ levels: ['off', 'full'], rest: '' });
    expect(readLevels(undefined, '4096 87380 6291456', [])).toEqual({ levels: ['4096 87380 6291456'], rest: '' });
  });

  test('of any value are numbers if written as such', () => {
    expect(['1', '0.5', '-3', '007', '1e3', '8G', 'true', 'on', ''].map(readScalar)).toEqual([
      1,
      0.5,
      -3,
      '007',
      '1e3',
      '8G',
      true,
      'on',
      '',
    ]);
  });

  test('must be one of the choices', () => {
    expect(readLevels(mode, 'fast', []).problem).toBe('fast: Choose one of off, normal, full.');
  });

  test('are suggested around the current value, within the range, or all of a short one', () => {
    expect(around(64, { integer: true, minimum: 1, maximum: 256 })).toEqual([16, 32, 64, 128, 256]);
    expect(around(1, { integer: true, minimum: 0, maximum: 3 })).toEqual([0, 1, 2, 3]);
    expect(around(1, { integer: true, minimum: 1 })).toEqual([1, 2, 4, 8]);
    expect(around(0, { integer: true })).toEqual([0]);
  });
});

test('host settings are proposed with common levels and the present value', () => {
  const kinds: FactorKindInfo[] = [
    {
      ...{ kind: 'host-setting', title: 'Host setting', description: '', changes: 'host', takes: '' },
      schema: {
        properties: {
          setting: {
            choices: { 'cpu-governor': 'Governor.', 'io-scheduler': 'Scheduler.', sysctl: 'Parameter.' },
            belongsTo: { 'io-scheduler': 'a block device', sysctl: 'a parameter' },
            suggests: { 'cpu-governor': ['performance', 'powersave'], 'io-scheduler': ['none', 'bfq'] },
          },
        },
      },
    } as unknown as FactorKindInfo,
  ];
  const known = { experiment, tool: undefined, options: [], kinds, hosts: [], targets: [], cpus: 4 };
  const proposed = (varied?: Partial<HostFacts>) =>
    proposals({ ...known, varied: varied as HostFacts | undefined }, [])
      .filter(({ group, sets }) => group === 'Host settings' && !sets)
      .map(({ title, suggestions, now }) => [title, suggestions, now]);
  expect(proposed()).toEqual([
    ['cpu-governor', ['performance', 'powersave'], undefined],
    ['io-scheduler', ['none', 'bfq'], undefined],
    ['sysctl', [], undefined],
  ]);
  expect(proposed({ cpuGovernor: 'schedutil' })[0]).toEqual([
    'cpu-governor',
    ['schedutil', 'performance', 'powersave'],
    'schedutil',
  ]);
  expect(proposed({ cpuGovernor: 'powersave' })[0]?.[1]).toEqual(['performance', 'powersave']);
});

describe('a factor of one setting or of sets', () => {
  const one: Factor = {
    name: 'thp',
    kind: 'host-setting',
    setting: 'read-ahead',
    of: 'sda',
    on: 'db',
    levels: [128, '4M'],
  };

  test('converts in both directions', () => {
    const sets = asSets(one);
    expect(sets).toEqual({
      name: 'thp',
      kind: 'host-setting',
      on: 'db',
      levels: [
        { name: '128', set: { 'read-ahead sda': 128 } },
        { name: '4M', set: { 'read-ahead sda': '4M' } },
      ],
    });
    expect(asOneSetting(sets)).toEqual(one);
  });

  test('does not convert if that would lose information', () => {
    const levels = (...sets: Record<string, number | null>[]): Factor => ({
      name: 'f',
      kind: 'server-setting',
      levels: sets.map((set, index) => ({ name: `l${index}`, set })),
    });
    expect(canBeOneSetting(levels({ a: 1 }, { a: 2 }))).toBe(true);
    expect(canBeOneSetting(levels({ a: 1 }, { a: 2, b: 1 }))).toBe(false);
    expect(canBeOneSetting(levels({ a: 1 }, { a: null }))).toBe(false);
    expect(canBeOneSetting(levels({ a: 1 }, { a: 1 }))).toBe(false);
  });
});

describe('default names of factors and levels', () => {
  const level = (name: string, set: Record<string, number | string | null>) => ({ name, set });

  test('follow their settings', () => {
    expect(nameByValues(level('', { a: 2, b: 0 }), 'set')).toBe('2 / 0');
    expect(nameByValues(level('', { a: null, b: null }), 'set')).toBe('as found');
    const long = { name: 'settings' };
    expect(factorName(long, [[], ['a']], 'settings', [])).toBe('a');
    expect(factorName({ name: 'a' }, [['a'], ['a', 'b']], 'settings', [])).toBe('a and b');
    expect(
      factorName(
        { name: 'a and b' },
        [
          ['a', 'b'],
          ['a', 'b', 'c'],
        ],
        'settings',
        [],
      ),
    ).toBe('a and 2 more');
    expect(factorName({ name: 'a' }, [['a'], []], 'settings', ['settings'])).toBe('settings 2');
  });

  test('do not replace names given by the user, and are unique', () => {
    expect(factorName({ name: 'durability' }, [['a'], ['a', 'b']], 'settings', [])).toBe('durability');
    const changed = (name: string, others: string[] = []) =>
      renamedByValues(level(name, { a: 1 }), level(name, { a: 2 }), 'set', others).name;
    expect([changed('1'), changed('level 2'), changed('1 2'), changed('safe')]).toEqual(['2', '2', '2', 'safe']);
    expect(changed('1', ['2'])).toBe('2 2');
  });
});

describe('numeric values of named levels', () => {
  const sizes: Factor = { name: 'volume', kind: 'option', levels: ['1 TB', '2 TB'], values: { '1 TB': 1, '2 TB': 2 } };
  const document: Experiment = { ...experiment, factors: [sizes, ...factors] };

  test('follow a renamed level, and are removed with it', () => {
    expect(withLevel(document, 0, 0, '1000 GB').factors[0]?.values).toEqual({ '1000 GB': 1, '2 TB': 2 });
    expect(withFactor(document, 0, { ...sizes, levels: ['2 TB', '4 TB'] }).factors[0]?.values).toEqual({ '2 TB': 2 });
    expect(renamed(document, 0, 'size').factors[0]?.values).toEqual(sizes.values);
  });

  test('default to the numbers in the names, if these have the same unit', () => {
    expect(valuesInNames(['1 TB', '2 TB', '0.5 TB'])).toEqual({ '1 TB': 1, '2 TB': 2, '0.5 TB': 0.5 });
    expect(valuesInNames(['512 GB', '1 TB'])).toEqual({});
    expect(valuesInNames(['small', 'large'])).toEqual({});
  });

  test('apply to names only, and leave no trace when removed', () => {
    const { values: _, ...plain } = sizes;
    expect(withValues(sizes, undefined)).toEqual(plain);
    expect([sizes, plain, ...factors].map(takesValues)).toEqual([true, true, true, false]);
  });
});

test('a chart follows the renamed factor', () => {
  const charts = [
    { kind: 'curve' as const, x: 'threads' },
    { kind: 'dots' as const, panels: 'mode' },
  ];
  expect(renamed({ ...experiment, charts }, 1, 'clients').charts).toEqual([{ kind: 'curve', x: 'clients' }, charts[1]]);
});
