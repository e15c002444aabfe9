import { describe, expect, it } from 'vitest';
import { Experiment } from '../../../shared/model/experiment.ts';
import { namedLevels } from '../../../shared/model/factor.ts';
import { randomFrom } from '../../../shared/util/numbers.ts';
import { checkDocument, expandCells, formatDocument, readDocument } from './index.ts';
import { checkContext } from './testing/probe.ts';

const document = (lines: string): string => `kneepoint: 1
name: Conditions
workload: { tool: probe }
where: {}
measure: { duration: 10 }
${lines}`;
const experiment = (lines: string): Experiment => {
  const { experiment: read, problems } = readDocument(document(lines));
  expect(problems).toEqual([]);
  return read as Experiment;
};
const cells = (lines: string) => expandCells(experiment(lines)).map(({ levels }) => Object.values(levels).join(' '));
const problems = (lines: string) => checkDocument(document(lines), checkContext).problems;

const BINLOG = `factors:
  - { name: sync, levels: [0, 1], when: { binlog: on } }
  - { name: binlog, levels: [off, on] }
  - { name: threads, levels: [1, 2] }
`;

describe('a factor that applies only at some levels of another', () => {
  it('has no level in the other cells, and no duplicates of them', () => {
    expect(cells(BINLOG)).toEqual(['off 1', 'off 2', '0 on 1', '0 on 2', '1 on 1', '1 on 2']);
    expect(expandCells(experiment(BINLOG))[0]?.levels).toEqual({ binlog: 'off', threads: 1 });
  });

  it('may depend on one of several levels, and on a conditional factor', () => {
    const volumes = `factors:
  - { name: volume, levels: [gp2, gp3, io1] }
  - { name: iops, levels: [3000, 6000], when: { volume: [gp3, io1] } }
  - { name: burst, levels: [a, b], when: { iops: 3000 } }
`;
    expect(cells(volumes)).toEqual([
      'gp2',
      'gp3 3000 a',
      'gp3 3000 b',
      'gp3 6000',
      'io1 3000 a',
      'io1 3000 b',
      'io1 6000',
    ]);
  });

  it.each([
    ['{ binlog: maybe }', 'maybe is a condition, but is not a level of “binlog”.'],
    ['{ wal: on }', '“wal” is a condition, but is not a factor.'],
    ['{ sync: 1 }', 'Conditions of factors are circular'],
  ])('is refused if its condition is %s', (when, words) => {
    const found = problems(
      BINLOG.replace('{ binlog: on }', when).replace('name: sync,', 'name: sync, option: threads,'),
    );
    expect(found.map(({ message }) => message).join(' ')).toContain(words);
  });
});

describe('the baseline of a factor', () => {
  it('is one of its levels, and stays in the document', () => {
    const factors = (baseline: string) =>
      `factors:\n  - { name: threads, levels: 1..4 doubling, baseline: ${baseline} }\n`;
    const read = experiment(factors('2'));
    expect(read.factors[0]?.baseline).toBe(2);
    expect(formatDocument(read)).toContain('baseline: 2');
    expect(problems(factors('2'))).toEqual([]);
    expect(problems(factors('3'))).toMatchObject([
      { path: 'factors.0.baseline', message: '3 is the baseline, but is not a level of “threads”.', line: 7 },
    ]);
  });
});

describe('values of the levels of a factor', () => {
  const factors = (levels: string, values: string) =>
    `factors:\n  - { name: size, option: table-size, levels: ${levels}, values: ${values} }\n`;

  it('stay in the document and set the order of its levels', () => {
    const text = factors('[2k, 1k, 4k]', '{1k: 1000, 2k: 2000, 4k: 4000}');
    expect(problems(text).filter(({ path }) => path === 'factors.0.values')).toEqual([]);
    const read = experiment(text);
    expect(read.factors[0]?.values).toEqual({ '1k': 1000, '2k': 2000, '4k': 4000 });
    expect(formatDocument(read)).toContain('1k: 1000');
    expect(namedLevels(read.factors)).toMatchObject([{ levels: ['1k', '2k', '4k'], values: { '2k': 2000 } }]);
    const [factor] = read.factors;
    const added = factor ? [{ ...factor, levels: [...factor.levels, '8k'] }] : [];
    expect(namedLevels(added)).toEqual([{ name: 'size', levels: ['2k', '1k', '4k', '8k'] }]);
  });

  it.each([
    ['[1k, 2k]', '{1k: 1000}', 'The level “2k” of “size” has no value.'],
    ['[1k, 2k]', '{1k: 1000, 2k: 1000}', 'Two levels of “size” have the value 1000.'],
    ['[1, 2]', '{1: 1000, 2: 2000}', 'The levels of “size” are numbers already. Remove the values.'],
  ])('of %s cannot be %s', (levels, values, message) => {
    const found = problems(factors(levels, values)).filter(({ path }) => path === 'factors.0.values');
    expect(found).toMatchObject([{ path: 'factors.0.values', message, line: expect.anything() }]);
  });
});

describe('a selection of cells', () => {
  it('includes cells of any pattern, minus the excluded ones', () => {
    const lines = `factors:
  - { name: a, levels: [1, 2, 3] }
  - { name: b, levels: [x, y] }
only: [{ a: 1 }, { a: 3, b: y }]
exclude: [{ a: 1, b: y }]
`;
    expect(cells(lines)).toEqual(['1 x', '3 y']);
  });

  it('names unknown factors and levels at their line', () => {
    const found = problems('factors:\n  - { name: threads, levels: [1, 2] }\nonly: [{ threads: 3 }]\n');
    expect(found).toMatchObject([{ message: '3 is selected, but is not a level of “threads”.', line: 8 }]);
  });
});

describe('one factor at a time', () => {
  const lines = (more: string): string => `design: one-at-a-time
${more}factors:
  - { name: a, levels: [1, 2, 3] }
  - { name: b, levels: [x, y] }
  - { name: c, levels: [p, q], when: { b: y } }
`;

  it('varies each around the first levels', () => {
    expect(cells(lines(''))).toEqual(['1 x', '1 y p', '2 x', '3 x']);
  });

  it('varies each around a base', () => {
    expect(cells(lines('base: { a: 2, b: y }\n'))).toEqual(['1 y p', '2 x', '2 y p', '2 y q', '3 y p']);
  });

  it('accepts no base if all factors are crossed', () => {
    const found = problems('base: { threads: 1 }\nfactors:\n  - { name: threads, levels: [1, 2] }\n');
    expect(found.map(({ message }) => message).join(' ')).toContain('“base” is only valid with design: one-at-a-time');
  });

  it('is written back unchanged', () => {
    const text = document(lines('base: { a: 2, b: y }\n'));
    expect(formatDocument(experiment(lines('base: { a: 2, b: y }\n')), text)).toContain('design: one-at-a-time');
  });
});

describe('any conditions', () => {
  const seed = 20261122;

  it(`give each cell once, and a level exactly where a factor applies (seed ${seed})`, () => {
    const random = randomFrom(seed);
    const below = (count: number): number => Math.floor(random() * count);
    for (let world = 0; world < 300; world++) {
      const count = 1 + below(4);
      const factors = Array.from({ length: count }, (_, index) => ({
        name: `f${index}`,
        kind: 'option',
        levels: Array.from({ length: 1 + below(3) }, (_level, level) => level),
        ...(index > 0 && random() < 0.5 && { when: { [`f${below(index)}`]: [below(3), below(3)] } }),
      }));
      const read = Experiment.parse({
        kneepoint: 1,
        name: 'Any',
        workload: { tool: 'probe', data: 'create' },
        where: {},
        factors: random() < 0.5 ? factors : factors.toReversed(),
        measure: {},
      });
      const found = expandCells(read).map(({ levels }) => levels);
      expect(new Set(found.map((levels) => JSON.stringify(levels))).size).toBe(found.length);
      for (const levels of found)
        for (const factor of factors) {
          const holds = Object.entries(factor.when ?? {}).every(([name, wanted]) =>
            wanted.includes(levels[name] as number),
          );
          expect(levels[factor.name] !== undefined).toBe(holds);
        }
    }
  });
});
