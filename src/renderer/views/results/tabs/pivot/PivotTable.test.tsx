import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { pivotOf } from '../../../../../shared/chart-models/index.ts';
import { caveatsOf } from '../../../../../shared/model/figure.ts';
import type { CellResult, FactorRatios, SessionResult } from '../../../../../shared/model/result.ts';
import { PivotTable } from './PivotTable.tsx';

afterEach(cleanup);

const all: CellResult['levels'][] = [
  { binlog: 'off', threads: 1 },
  { binlog: 'off', threads: 2 },
  { binlog: 'on', sync: 1, threads: 1 },
  { binlog: 'on', sync: 1, threads: 2 },
];
const result: SessionResult = {
  ...{ sessionId: 1, metric: 'tps', metrics: ['tps'], warmup: 0 },
  factors: [
    { name: 'binlog', levels: ['off', 'on'] },
    { name: 'sync', levels: [1], sparse: true },
    { name: 'threads', levels: [1, 2] },
  ],
  cells: all.map((levels, cell): CellResult => {
    const value = 100 * (cell + 1);
    return { cell, levels, runs: [], errors: 0, partial: false, means: [value, value], value };
  }),
};

function shown(against?: FactorRatios, of = result) {
  const onCell = vi.fn();
  const pivot = pivotOf(of, { rows: 'sync', columns: 'threads', fixed: { binlog: 'on' } });
  render(<PivotTable {...{ result: of, pivot, against, onCell }} rows="sync" columns="threads" />);
  return onCell;
}

describe('the pivot of two factors', () => {
  it('marks a cell with a load-bound figure', () => {
    const bound = { verdict: 'network' as const, sentence: '' };
    const cells = result.cells.map((cell) => (cell.cell === 3 ? { ...cell, ...caveatsOf({ ...cell, bound }) } : cell));
    shown(undefined, { ...result, cells });
    screen.getByRole('button', {
      name: '400 tps, 2 repeats. Limited by the network, not by the system under test.',
    });
    expect(screen.getAllByRole('img', { hidden: true })).toHaveLength(1);
  });

  it('is a table with headers, and a dash for a missing level', () => {
    shown();
    expect(screen.getByRole('table').querySelector('caption')?.textContent).toBe('Transactions (tps), mean');
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'sync \\ threads',
      '1',
      '2',
    ]);
    expect(screen.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual(['1', '–']);
    expect(screen.getByRole('button', { name: '300 tps, 2 repeats' }).textContent).toBe('300');
    expect(screen.getAllByRole('button', { name: 'not measured' }).map(({ textContent }) => textContent)).toEqual([
      '–',
      '–',
    ]);
  });

  it('is one tab stop with arrow keys; Enter opens the runs of a cell', () => {
    const onCell = shown();
    const buttons = screen.getAllByRole('button');
    expect(buttons.filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1);
    buttons[0]?.focus();
    fireEvent.keyDown(document.activeElement as Element, { key: 'ArrowRight' });
    expect(document.activeElement).toBe(buttons[1]);
    fireEvent.click(document.activeElement as Element);
    expect(onCell).toHaveBeenCalledWith(3);
    fireEvent.keyDown(document.activeElement as Element, { key: 'ArrowDown' });
    fireEvent.click(document.activeElement as Element);
    expect(onCell).toHaveBeenCalledTimes(1);
    fireEvent.keyDown(document.activeElement as Element, { key: 'Home' });
    expect(document.activeElement).toBe(buttons[2]);
  });

  it('shows ratios to a baseline with their verdicts in words', () => {
    const cell = { cell: 3, baseline: 2, ratio: 1.33, verdict: 'better' as const, sentence: 'Higher by 33 %.' };
    shown({ factor: 'threads', level: 1, verdict: '', cells: [cell] });
    expect(screen.getByRole('button', { name: 'Higher by 33 %.' }).textContent).toBe('×1.33better');
    expect(screen.getByRole('button', { name: 'the baseline' }).textContent).toBe('baseline');
  });
});
