import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { Comparison } from '../../../shared/model/result.ts';
import { renderPiece } from '../../testing/render.tsx';
import { Differences } from './Differences.tsx';

afterEach(cleanup);

const difference = (name: string, rank: Comparison['settings'][number]['rank'], other = '2') => ({
  ...{ name, rank, baseline: '1', other },
});

function show(settings: Comparison['settings'], differences: Comparison['differences'] = []): () => string[] {
  const sides = { baseline: { id: 1, name: 'Before' }, other: { id: 2, name: 'After' } };
  const comparison: Comparison = {
    ...{ basis: 'single-sessions', margin: 0.03, warmup: { baseline: 0, other: 0 } },
    ...{ metric: 'tps', metrics: ['tps'], verdict: '', cells: [], differences, findings: [], settings },
    ...sides,
  };
  renderPiece(<Differences comparison={comparison} />);
  return () => [...document.querySelectorAll('tbody code')].map((cell) => cell.textContent ?? '');
}

it('shows relevant settings, and many others on demand in groups', () => {
  const others = Array.from({ length: 30 }, (_, index) => difference(`other_${index}`, 'other'));
  const names = show([difference('sync_binlog', 'matters', '1000'), ...others, difference('port', 'start', '3307')]);
  expect(names()).toEqual(['sync_binlog']);
  expect(screen.getByRole('table').textContent).toContain('1000');
  fireEvent.click(screen.getByRole('button', { name: 'Show 31 more' }));
  expect(names()).toEqual(['sync_binlog', ...others.map(({ name }) => name), 'port']);
  fireEvent.click(screen.getByRole('button', { name: /^Other settings/ }));
  expect(names()).toEqual(['sync_binlog', 'port']);
  fireEvent.click(screen.getByRole('button', { name: 'Show fewer' }));
  expect(names()).toEqual(['sync_binlog']);
});

it('shows a few others at once, but not startup settings', () => {
  const names = show([difference('work_mem', 'other'), difference('port', 'start')]);
  expect(names()).toEqual(['work_mem']);
  fireEvent.click(screen.getByRole('button', { name: 'Show 1 more' }));
  expect(names()).toEqual(['work_mem', 'port']);
});

it('shows set-up and settings in one table, with relevant settings first', () => {
  show([difference('sync_binlog', 'matters', '1000')], [{ what: 'Tool', baseline: 'one', other: 'two' }]);
  const names = [...document.querySelectorAll('tbody tr')].map((line) => line.querySelector('td')?.textContent);
  expect(names).toEqual(['sync_binlog', 'Tool']);
  expect(screen.getAllByRole('table')).toHaveLength(1);
  expect(screen.getByText('2 differences')).toBeTruthy();
});

it('states “no differences” only if there are none', () => {
  show([difference('port', 'start', '3307')]);
  expect(screen.queryByText('No recorded differences.')).toBeNull();
  expect(screen.getByText('No known relevant differences.')).toBeTruthy();
  cleanup();
  show([]);
  expect(screen.getByText('No recorded differences.')).toBeTruthy();
});
