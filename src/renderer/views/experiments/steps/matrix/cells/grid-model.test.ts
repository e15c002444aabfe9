import { describe, expect, test } from 'vitest';
import type { Experiment, Factor } from '../../../../../../shared/model/experiment.ts';
import {
  areAllExcluded,
  countIn,
  frameOf,
  type Grid,
  gridOf,
  headPattern,
  patternsOf,
  wrongLevels,
} from './grid-model.ts';

const factors: Factor[] = [
  { name: 'log', kind: 'option', levels: ['on', 'off'] },
  { name: 'sync', kind: 'option', levels: [0, 1], when: { log: 'on' } },
  { name: 'threads', kind: 'option', levels: [1, 2, 4] },
];

type Given = Partial<Pick<Experiment, 'only' | 'exclude' | 'design' | 'base'>>;

function grid(given: Given = {}, across?: string, of = factors): Grid {
  const frame = frameOf({ factors: of, ...given }, across);
  if (!frame) throw new Error('there is no factor');
  return gridOf(frame, given, []);
}
/** A line per row: its levels, then the number of each cell, × if it is excluded, · if there is none. */
const drawn = ({ rows }: Grid): string[] =>
  rows.map(({ levels, cells, whole }) => {
    const marks = [...cells, whole].map((cell) =>
      cell ? (cell.number ?? (cell.state === 'left-out' ? '×' : '-')) : '·',
    );
    return `${Object.values(levels).join(' ')}: ${marks.join(' ')}`;
  });

describe('the grid of cells', () => {
  test('has the last factor as columns, and a row for each valid combination of the others', () => {
    expect(drawn(grid())).toEqual(['on 0: 1 2 3 ·', 'on 1: 4 5 6 ·', 'off: 7 8 9 ·']);
  });

  test('has one cell in a row to which the column factor does not apply', () => {
    expect(drawn(grid({}, 'sync'))).toEqual([
      'on 1: 1 4 ·',
      'on 2: 2 5 ·',
      'on 4: 3 6 ·',
      'off 1: · · 7',
      'off 2: · · 8',
      'off 4: · · 9',
    ]);
  });

  test('numbers measured cells, and distinguishes excluded from unselected ones', () => {
    expect(drawn(grid({ exclude: [{ threads: '2' }], only: [{ log: 'on' }] }))).toEqual([
      'on 0: 1 × 2 ·',
      'on 1: 3 × 4 ·',
      'off: - - - ·',
    ]);
  });

  test('contains only cells of the design', () => {
    expect(drawn(grid({ design: 'one-at-a-time', base: { sync: 1 } }))).toEqual([
      'on 0: 1 · · ·',
      'on 1: 2 3 4 ·',
      'off: 5 · · ·',
    ]);
  });

  test('marks the cells of an invalid level', () => {
    const wrong = wrongLevels(factors, [{ path: 'factors.2.levels.1', message: 'no' }]);
    const frame = frameOf({ factors }, undefined);
    const states = frame && gridOf(frame, {}, wrong).rows.map(({ cells }) => cells.map((cell) => cell?.state));
    expect(states?.[0]).toEqual(['measured', 'wrong', 'measured']);
  });

  test('describes an area by whole rows or columns if possible', () => {
    const all = grid();
    const area = (from: [number, number], to: [number, number]) => ({
      from: { row: from[0], column: from[1] },
      to: { row: to[0], column: to[1] },
    });
    expect(patternsOf(all, area([2, 1], [0, 1]))).toEqual([{ threads: 2 }]);
    expect(patternsOf(all, area([0, 0], [1, 2]))).toEqual([
      { log: 'on', sync: 0 },
      { log: 'on', sync: 1 },
    ]);
    expect(patternsOf(all, area([1, 1], [2, 2]))).toEqual([
      { log: 'on', sync: 1, threads: 2 },
      { log: 'on', sync: 1, threads: 4 },
      { log: 'off', threads: 2 },
      { log: 'off', threads: 4 },
    ]);
    expect(countIn(all, area([1, 1], [2, 2]))).toBe(4);
  });

  test('maps headers to a column, a row, or every row of a level', () => {
    const all = grid();
    expect(headPattern(all, { row: -1, column: 2 })).toEqual({ threads: 4 });
    expect(headPattern(all, { row: 1, column: -1 })).toEqual({ log: 'on', sync: 1 });
    expect(headPattern(all, { row: 1, column: -2 })).toEqual({ log: 'on' });
    expect(areAllExcluded(grid({ exclude: [{ log: 'on' }] }), [{ log: 'on', sync: 1 }])).toBe(true);
    expect(areAllExcluded(grid({ exclude: [{ threads: 1 }] }), [{ log: 'on' }])).toBe(false);
  });
});
