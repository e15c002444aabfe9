import { expect, it } from 'vitest';
import { linesInGroups, stepsText } from './steps-text.ts';

const line = (step: number, name: string, group: string | undefined, value: number) => ({
  ...{ step, name, metric: 'tps', levels: {}, ...(group !== undefined && { group }) },
  cells: [
    { cell: 0, value: 100 },
    { cell: 1, value, ratio: value / 100 },
  ],
});
const TABLE = {
  ...{ factor: 'version', levels: [5, 8], baseline: 5, sentences: [] },
  lines: [line(0, 'fill', undefined, 100), line(1, 'reads / a', 'reads', 50), line(2, 'reads / b', 'reads', 200)],
  groups: [{ name: 'reads', step: 1, cells: [{}, { ratio: 1 }] }],
};

it('has a line for each group, with the mean ratio above its steps', () => {
  const { head, rows } = stepsText(TABLE);
  expect(head).toEqual(['step', 'metric', 'version 5', 'version 8', 'ratio']);
  expect(rows.map(([step, , ...figures]) => [step, ...figures])).toEqual([
    ['fill', '100', '100', '×1.00'],
    ['reads', '', '', '×1.00'],
    ['· a', '100', '50', '×0.50'],
    ['· b', '100', '200', '×2.00'],
  ]);
  expect(rows[1]?.[1]).toBe('geometric mean');
});

it('names inverted metrics in a mean, and divides a repeated group by the first', () => {
  const [fill, ...own] = TABLE.lines;
  const again = { name: 'reads', step: 1, inverted: 'times', cells: [{ again: 2 }, { ratio: 1, again: 0.5 }] };
  const same = own.map((each) => ({
    ...each,
    same: 'first',
    cells: each.cells.map((cell) => ({ ...cell, again: 2 })),
  }));
  const { rows } = stepsText({ ...TABLE, lines: [...(fill ? [fill] : []), ...same], groups: [again] });
  expect(rows[1]).toEqual(['reads', 'geometric mean, times inverted', '', '', '×1.00', '×2.00 · ×0.50']);
});

it('has the sum of the seconds of a group', () => {
  const lines = TABLE.lines.map((each) => ({ ...each, metric: 'took_s' }));
  const groups = [{ name: 'reads', step: 1, cells: [{ sum: 200 }, { sum: 250, ratio: 1 }] }];
  const { rows } = stepsText({ ...TABLE, lines, groups });
  expect(rows[1]?.slice(0, 2)).toEqual(['reads', 'sum, geometric mean']);
  expect(rows[1]?.slice(2).map((cell) => Number.parseFloat(cell.replace('×', '')))).toEqual([200, 250, 1]);
});

it('has no mean without a comparison', () => {
  const { rows } = stepsText({ ...TABLE, groups: [{ name: 'reads', step: 1, cells: [{}, {}] }] });
  expect(rows[1]).toEqual(['reads', '', '', '', '–']);
});

it('marks ratios of which the load was the limit', () => {
  const limits = [{ kind: 'least' as const }, { kind: 'limited' as const }];
  const lines = limits.map(({ kind }, place) => ({
    ...line(place, kind, undefined, 131),
    cells: [
      { cell: 0, value: 100 },
      { cell: 1, value: 131, ratio: 1.31, limit: { kind, by: 'the load generator' } },
    ],
  }));
  const { rows } = stepsText({ ...TABLE, lines, groups: [] });
  expect(rows.map((row) => row.at(-1))).toEqual(['at least ×1.31', '×1.31, undetermined']);
});

it('has columns only for factors in which its lines differ', () => {
  const levels = (threads: number) => ({ threads, tables: '1 table' });
  const lines = TABLE.lines.map((each, index) => ({ ...each, levels: levels(2 ** index) }));
  expect(stepsText({ ...TABLE, lines, groups: [] }).head).toEqual([
    ...['step', 'threads', 'metric', 'version 5', 'version 8', 'ratio'],
  ]);
});

it('has no extra lines without groups', () => {
  const { groups: _, ...without } = TABLE;
  expect(linesInGroups(without)).toEqual(TABLE.lines);
});
