import { describe, expect, it } from 'vitest';
import { levelsAround, readRange } from './ranges.ts';

describe('a range of levels', () => {
  it.each([
    ['1..64 doubling', [1, 2, 4, 8, 16, 32, 64]],
    ['1..100 doubling', [1, 2, 4, 8, 16, 32, 64, 100]],
    ['10..50 by 10', [10, 20, 30, 40, 50]],
    ['10..55 by 10', [10, 20, 30, 40, 50]],
    ['0.1..1 by 0.1', [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]],
    ['-2..2 by 1', [-2, -1, 0, 1, 2]],
    [' 128M .. 512M  doubling ', ['128M', '256M', '512M']],
    ['1s..3s by 1s', ['1s', '2s', '3s']],
    ['10%..30% by 10', ['10%', '20%', '30%']],
    ['7..7 doubling', [7]],
  ])('%s', (text, levels) => {
    expect(readRange(text)).toEqual({ levels });
  });

  it.each([
    ['0..8 doubling', 'must start above 0'],
    ['64..1 doubling', 'ends before it starts'],
    ['9..1 by 1', 'ends before it starts'],
    ['1..9 by 0', 'the step must be above 0'],
    ['1..1000 by 1', 'more than 200 levels'],
    ['1M..2G doubling', 'mixes units'],
  ])('%s has a problem in words', (text, words) => {
    expect(readRange(text)).toEqual({ problem: expect.stringContaining(words) });
  });

  it.each(['doubling', '1..8', '1..8 twice', 'a..b by c', '1.2.3', '10.0.0.1', ''])('“%s” is not a range', (text) => {
    expect(readRange(text)).toBeUndefined();
  });

  it('has unique integers around a number of CPUs', () => {
    expect(levelsAround(16)).toEqual([4, 8, 12, 16, 24, 32, 64]);
    expect(levelsAround(1)).toEqual([1, 2, 4]);
  });
});
