import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Experiment, Factor } from '../../../../../shared/model/experiment.ts';
import { readFields } from '../../../../forms/index.ts';
import { combinations, isExcluded, moved, renamed, withExcluded, withFactors, withIncluded } from './cells.ts';
import { doubling, firstLevels, readLevels, stepping } from './levels.ts';

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
const [mode, threads, text, flag] = readFields(
  z.toJSONSchema(
    z.object({
      mode: z.enum(['off', 'normal', 'full']).default('off'),
      threads: z.number().int().min(1).default(2),
      text: z.string().default(''),
      flag: z.boolean().default(false),
    }),
  ) as Record<string, unknown>,
);

describe('cells', () => {
  test('the last factor varies fastest', () => {
    expect(combinations(factors).map((cell) => `${cell.mode}${cell.threads}`)).toEqual([
      'off1',
      'off2',
      'off4',
      'full1',
      'full2',
      'full4',
    ]);
    expect(combinations([])).toEqual([{}]);
  });

  test('a whole row swallows its cells, and one cell can be taken out of it again', () => {
    const one = withExcluded([], { mode: 'off', threads: 2 });
    const row = withExcluded(one, { mode: 'off' });
    expect(row).toEqual([{ mode: 'off' }]);
    const back = withIncluded(row, { mode: 'off', threads: 4 }, factors);
    expect(combinations(factors).filter((cell) => isExcluded(back, cell))).toEqual([
      { mode: 'off', threads: 1 },
      { mode: 'off', threads: 2 },
    ]);
  });

  test('including what was never excluded changes nothing', () => {
    const exclude = [{ mode: 'full' }];
    expect(withIncluded(exclude, { mode: 'off', threads: 1 }, factors)).toEqual(exclude);
  });

  test('what is excluded follows its factor: renamed with it, gone with its level', () => {
    const start = { ...experiment, exclude: [{ mode: 'off', threads: 4 }, { mode: 'full' }] };
    const other = renamed(start, 0, 'sync');
    expect(other.factors[0]).toMatchObject({ name: 'sync', option: 'mode' });
    expect(other.exclude).toEqual([{ sync: 'off', threads: 4 }, { sync: 'full' }]);
    const fewer = withFactors(start, [{ name: 'mode', kind: 'option', levels: ['off', 'full'] }]);
    expect(fewer.exclude).toEqual([{ mode: 'full' }]);
    expect(withFactors(start, [])).not.toHaveProperty('exclude');
  });

  test('moves within the list', () => {
    expect(moved(['a', 'b', 'c'], 1, -1)).toEqual(['b', 'a', 'c']);
    expect(moved(['a', 'b', 'c'], 1, 1)).toEqual(['a', 'c', 'b']);
  });
});

describe('levels', () => {
  test('numbers are read from a list, and what does not fit stays to be corrected', () => {
    expect(readLevels(threads, '1, 2 4;8', [])).toEqual({ levels: [1, 2, 4, 8], rest: '' });
    expect(readLevels(threads, '2 0 x', [2])).toEqual({ levels: [], rest: '2 0 x', problem: '2 is a level already.' });
    expect(readLevels(threads, '16 1.5', [])).toEqual({
      levels: [16],
      rest: '1.5',
      problem: '1.5: Enter a whole number.',
    });
  });

  test('texts may hold commas', () => {
    expect(readLevels(text, 'sync,direct', [])).toEqual({ levels: ['sync,direct'], rest: '' });
  });

  test('choices are checked', () => {
    expect(readLevels(mode, 'fast', []).problem).toBe('fast: Choose one of off, normal, full.');
  });

  test('doubling ends on the last one, whatever it is', () => {
    expect(doubling(1, 8)).toEqual([1, 2, 4, 8]);
    expect(doubling(1, 12)).toEqual([1, 2, 4, 8, 12]);
    expect(doubling(0, 8)).toEqual([]);
    expect(doubling(5, 5)).toEqual([5]);
  });

  test('stepping has no dust', () => {
    expect(stepping(0.1, 0.5, 0.1)).toEqual([0.1, 0.2, 0.3, 0.4, 0.5]);
    expect(stepping(1, 10, 4)).toEqual([1, 5, 9]);
    expect(stepping(1, 10, 0)).toEqual([]);
  });

  test('a new factor starts with something that fits', () => {
    if (!mode || !threads || !flag) throw new Error('fields are missing');
    expect(firstLevels(flag, undefined)).toEqual([false, true]);
    expect(firstLevels(mode, 'off')).toEqual(['off', 'normal', 'full']);
    expect(firstLevels(threads, 16)).toEqual([16]);
    expect(firstLevels(threads, '16x')).toEqual([1]);
  });
});
