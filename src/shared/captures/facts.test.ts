import { describe, expect, it } from 'vitest';
import { comparedFacts, factsInTable, factsInText, type KeptFact } from './facts.ts';

describe('facts of a response', () => {
  it.each([
    ['one value', ['v'], [['8.0.33']], [{ name: '', value: '8.0.33' }]],
    ['one column', ['v'], [['a'], [null], [3]], [{ name: '', value: 'a, NULL, 3' }]],
    [
      'names and values',
      ['name', 'value'],
      [
        ['a', 1],
        ['b', ' x\n y '],
      ],
      [
        { name: 'a', value: '1' },
        { name: 'b', value: 'x y' },
      ],
    ],
    [
      'a row',
      ['a', 'b', 'c'],
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
      [
        { name: 'a', value: '1' },
        { name: 'b', value: '2' },
        { name: 'c', value: '3' },
      ],
    ],
    ['no row', ['a'], [], []],
  ])('%s', (_what, columns, rows, facts) => {
    expect(factsInTable({ columns, rows })).toEqual(facts);
  });
});

describe('facts of output', () => {
  it.each([
    ['6.1.0-18-amd64\n', [{ name: '', value: '6.1.0-18-amd64' }]],
    [
      'vm.swappiness = 10\nvm.dirty_ratio = 20\n',
      [
        { name: 'vm.swappiness', value: '10' },
        { name: 'vm.dirty_ratio', value: '20' },
      ],
    ],
    [
      'Model: X\n\nFirmware:  1:2 \n',
      [
        { name: 'Model', value: 'X' },
        { name: 'Firmware', value: '1:2' },
      ],
    ],
    ['always [madvise] never', [{ name: '', value: 'always [madvise] never' }]],
    ['one: 1\nand another line\n', [{ name: '', value: 'one: 1 and another line' }]],
    ['\n', []],
  ])('%j', (text, facts) => {
    expect(factsInText(text)).toEqual(facts);
  });
});

const fact = (capture: string, value: string, name = ''): KeptFact => ({ capture, name, value });

it('compares what the runs of both sides have, equal and different', () => {
  const one = [fact('kernel', '6.1'), fact('kernel', '6.1'), fact('sysctl', '10', 'swappiness'), fact('gone', 'x')];
  const other = [fact('kernel', '6.1'), fact('sysctl', '60', 'swappiness'), fact('sysctl', '10', 'swappiness')];
  expect(comparedFacts(one, other)).toEqual([
    { what: 'kernel', baseline: '6.1', other: '6.1', isEqual: true },
    { what: 'sysctl: swappiness', baseline: '10', other: '10 · 60', isEqual: false },
    { what: 'gone', baseline: 'x', other: '–', isEqual: false },
  ]);
});

it('shows four values of a side, and compares all of them', () => {
  const all = ['1', '2', '3', '4', '5', '6'].map((value) => fact('load', value));
  const [first] = comparedFacts(all, all.slice(0, 5));
  expect(first).toEqual({
    ...{ what: 'load', baseline: '1 · 2 · 3 · 4 · 2 more values', other: '1 · 2 · 3 · 4 · 1 more value' },
    isEqual: false,
  });
});
