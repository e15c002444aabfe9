import { expect, it } from 'vitest';
import type { CellResult, ComparedCell } from './result.ts';
import { repeatsOf } from './settling.ts';

const cell = (index: number): CellResult => ({
  ...{ cell: index, levels: { threads: index }, runs: [], means: [1], errors: 0, partial: false },
});
const compared = (index: number, rest: Partial<ComparedCell>): ComparedCell => ({
  ...{ levels: { threads: index }, verdict: 'cannot-tell', sentence: '', baseline: cell(0), other: cell(index) },
  ...rest,
});

it('asks for the most that any undecided cell needs, of these cells and their baseline', () => {
  const cells = [
    compared(1, { more: 4 }),
    compared(2, { verdict: 'better' }),
    compared(3, { more: 9 }),
    compared(4, {}),
  ];
  expect(repeatsOf({ basis: 'levels', cells })).toEqual({
    repeats: 9,
    cells: [0, 1, 3],
    words: 'About 9 more repeats of 2 undecided cells and their baseline would resolve them.',
  });
});

it('asks for enough repeats to be judged where a cell was measured once', () => {
  expect(repeatsOf({ basis: 'levels', cells: [compared(1, { verdict: 'too-few' })] })?.repeats).toBe(4);
});

it('asks for none where all is settled, and none between sessions', () => {
  expect(repeatsOf({ basis: 'levels', cells: [compared(1, { verdict: 'worse' })] })).toBeUndefined();
  expect(repeatsOf({ basis: 'single-sessions', cells: [compared(1, { more: 4 })] })).toBeUndefined();
});
