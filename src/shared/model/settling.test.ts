import { describe, expect, it } from 'vitest';
import { caveatsOf } from './figure.ts';
import type { CellResult, ComparedCell } from './result.ts';
import { moreRepeatsWords, nextStepOf, repeatsOf, stepOf } from './settling.ts';

const cell = (index: number): CellResult => ({
  ...{ cell: index, levels: { threads: index }, runs: [], means: [1], errors: 0, partial: false },
});
const compared = (index: number, rest: Partial<ComparedCell>): ComparedCell => ({
  ...{ levels: { threads: index }, verdict: 'cannot-tell', sentence: '', baseline: cell(0), other: cell(index) },
  ...rest,
});

it('proposes the repeats that the most undecided cell needs, for these cells and their baseline', () => {
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

it('proposes enough repeats for a verdict if a cell was measured once', () => {
  expect(repeatsOf({ basis: 'levels', cells: [compared(1, { verdict: 'too-few' })] })).toMatchObject({
    repeats: 4,
    words: '4 more repeats of 1 undecided cell and its baseline would show how much they vary.',
  });
});

it('proposes none if all cells are decided, or between sessions', () => {
  expect(repeatsOf({ basis: 'levels', cells: [compared(1, { verdict: 'worse' })] })).toBeUndefined();
  expect(repeatsOf({ basis: 'single-sessions', cells: [compared(1, { more: 4 })] })).toBeUndefined();
});

describe('without a known number of repeats', () => {
  const measured = (repeats: number): CellResult => ({ ...cell(1), means: Array.from({ length: repeats }, () => 1) });
  const open = (repeats: number, rest: Partial<ComparedCell> = {}): ComparedCell =>
    compared(1, { interval: { low: 0.5, high: 2 }, baseline: measured(9), other: measured(repeats), ...rest });

  it('proposes three more while the variance is too uncertain to know how many it takes', () => {
    for (const repeats of [2, 4])
      expect(repeatsOf({ basis: 'levels', cells: [open(repeats)] })).toMatchObject({
        repeats: 3,
        words: '3 more repeats of 1 undecided cell and its baseline would show how many more it takes.',
      });
    expect(nextStepOf([open(2)])).toBeUndefined();
  });

  it('proposes another way once the variance is known', () => {
    expect(repeatsOf({ basis: 'levels', cells: [open(5)] })).toBeUndefined();
    expect(nextStepOf([open(5)])).toMatch(/^More repeats would hardly resolve it: measure longer/);
    expect(nextStepOf([open(5, { verdict: 'differ' })])).toMatch(/with the order “interleaved”\.$/);
    expect(nextStepOf([open(5, { verdict: 'missing' })])).toMatch(/^Some cells have no result/);
    expect(nextStepOf([open(1, { verdict: 'too-few', other: { ...measured(1), partial: true } })])).toMatch(
      /^Runs of some cells failed/,
    );
  });

  it('never proposes repeats for latencies that exclude different times', () => {
    const stalled = caveatsOf({ ...measured(2), stalls: { count: 1, longest: 9, share: 0.2 }, excludesStalls: true });
    const unlike = open(2, { other: { ...measured(2), ...stalled } });
    expect(repeatsOf({ basis: 'levels', cells: [unlike] })).toBeUndefined();
    expect(nextStepOf([unlike])).toMatch(/^Compare throughput instead/);
  });

  it('proposes nothing if all cells are decided', () => {
    expect(nextStepOf([open(5, { verdict: 'better' }), open(5, { verdict: 'no-difference' })])).toBeUndefined();
  });
});

describe('the proposed number of repeats', () => {
  it.each([
    ['all where a person would add them', { repeats: 6, seconds: 1200 }, { repeats: 6, seconds: 1200, isWhole: true }],
    ['ten of many', { repeats: 49, seconds: 4900 }, { repeats: 10, seconds: 1000, isWhole: false }],
    ['an hour of several', { repeats: 8, seconds: 8 * 1500 }, { repeats: 2, seconds: 3000, isWhole: false }],
    ['one where that takes longer', { repeats: 5, seconds: 5 * 9000 }, { repeats: 1, seconds: 9000, isWhole: false }],
    ['the only one, however long', { repeats: 1, seconds: 90_000 }, { repeats: 1, seconds: 90_000, isWhole: true }],
    ['ten of many of unknown time', { repeats: 49 }, { repeats: 10, isWhole: false }],
  ])('is %s', (_name, more, step) => {
    expect(stepOf(more)).toEqual(step);
  });

  it('are named after all that would settle it, with their time where it is known', () => {
    const words = 'About 49 more repeats would resolve it.';
    expect(moreRepeatsWords({ repeats: 49, seconds: 49 * 100, words })).toBe(
      'About 49 more repeats would resolve it, which takes about 1 h 22 min; the first 10 (16 min 40 s) would narrow the interval.',
    );
    expect(moreRepeatsWords({ repeats: 49, words })).toBe(
      'About 49 more repeats would resolve it; the first 10 would narrow the interval.',
    );
    expect(moreRepeatsWords({ repeats: 5, seconds: 5 * 9000, words })).toMatch(
      /; the first one \(2 h 30 min\) would narrow/,
    );
    expect(moreRepeatsWords({ repeats: 6, seconds: 60, words: 'Six.' })).toBe('Six.');
  });
});
