import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { SeriesDifference } from '../../../../shared/model/analysis.ts';
import type { MonitoredSource } from '../../../../shared/model/monitored.ts';
import type { ComparedCell, Comparison } from '../../../../shared/model/result.ts';
import type { TimelineEvent } from '../../../../shared/model/session.ts';
import { blankCanvas } from '../../../testing/canvas.ts';
import { testEngine } from '../../../testing/engine.ts';
import { renderWithEngine } from '../../../testing/render.tsx';
import { pairsOf } from '../question.ts';
import { WatchedDifferences } from './WatchedDifferences.tsx';

beforeEach(blankCanvas);
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.restoreAllMocks();
});

const side = (cell: number, runId: number | undefined): NonNullable<ComparedCell['baseline']> => ({
  ...{ cell, levels: { threads: cell }, errors: 0, partial: false, means: [] },
  runs: runId === undefined ? [] : [{ runId, repeat: 0, seconds: 60, partial: false, value: 1 } as never],
});
const cell = (index: number, ratio: number, runId?: number): ComparedCell => ({
  ...{ levels: { threads: index }, ratio, verdict: 'worse', sentence: '' },
  ...{ baseline: side(index, runId), other: side(index, runId === undefined ? undefined : 100 + runId) },
});
const comparison: Comparison = {
  ...{ basis: 'single-sessions', margin: 0.03, warmup: { baseline: 0, other: 0 } },
  ...{ metric: 'tps', metrics: ['tps'], verdict: '', differences: [], findings: [], settings: [] },
  ...{ baseline: { id: 1, name: 'Before' }, other: { id: 2, name: 'After' } },
  cells: [cell(1, 0.98, 1), cell(2, 0.5, 2), cell(4, 0.1)],
};
const BEFORE = { id: 1, name: 'Before' };
const AFTER = { id: 2, name: 'After' };
const sessions = { baseline: [BEFORE], other: [AFTER] };
const difference = (index: number): SeriesDifference => ({
  ...{ one: { source: 'db1', id: `s${index}` }, other: { source: 'db2', id: `s${index}` } },
  ...{ label: `Series ${index}`, unit: '%', from: 40, to: 20, change: -0.5, effect: index - 16, sure: index < 3 },
});
const source = (id: number, name: string): MonitoredSource => ({
  ...{ id, kind: 'host', name, roles: [], samples: 9, gaps: [] },
  series: Array.from({ length: 20 }, (_, index) => ({
    ...{ id: `s${index}`, rule: `s${index}`, label: `Series ${index}`, unit: '%', lane: 'cpu' },
  })),
});

it('starts with the cell whose sides differ most, of those with runs on both', () => {
  expect(pairsOf(comparison.cells).map(({ levels }) => levels.threads)).toEqual([2, 1]);
});

it('ranks the different series, and overlays the seconds of both runs', async () => {
  const asked: unknown[] = [];
  const { link } = testEngine({
    results: {
      seriesDifferences: (query) => {
        asked.push([query.one, query.other]);
        return Array.from({ length: 15 }, (_, index) => difference(index));
      },
    },
    monitors: {
      sources: ({ sessionId }) => [source(sessionId, sessionId === 1 ? 'db1' : 'db2')],
      windows: ({ sessionId }) =>
        [1, 2, 101, 102].map((runId) => ({
          runId,
          zero: sessionId * 1_000_000,
          from: sessionId * 1_000_000,
          to: sessionId * 1_000_000 + 60_000,
        })),
      series: ({ wanted, from = 0 }) =>
        wanted.map(({ sourceId, ids }) => ({
          ...{ sourceId, id: ids[0] ?? '' },
          t: Float64Array.from({ length: 61 }, (_, second) => from + second * 1000),
          v: Float64Array.from({ length: 61 }, (_, second) => sourceId * 100 + second),
        })),
    },
  });
  renderWithEngine(link, <WatchedDifferences comparison={comparison} sessions={sessions} />);
  const table = await screen.findByRole('table', { name: 'Differences on hosts and servers' });
  expect(asked).toEqual([[[2], [102]]]);
  expect(within(table).getAllByRole('row')).toHaveLength(13);
  expect(table.textContent).toContain('db1 → db2');
  const chances = within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.lastElementChild?.textContent);
  expect([chances[0], chances[5]]).toEqual(['significant', 'large, but too few repeats or seconds']);
  expect(screen.getByText('15 series; 3 differ significantly')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Show 3 more' }));
  expect(within(table).getAllByRole('row')).toHaveLength(16);
  // An effect as small as the variation of the series itself.
  expect(within(table).getAllByRole('row').at(-1)?.lastElementChild?.textContent).toBe('not significant');
  const lane = await screen.findByRole('group', { name: 'Series 0' });
  const cursor = screen.getByRole('slider', { name: 'Cursor through all lanes' });
  fireEvent.keyDown(cursor, { key: 'Home' });
  fireEvent.keyDown(cursor, { key: 'ArrowRight', shiftKey: true });
  await waitFor(() =>
    expect(
      within(lane)
        .getAllByRole('status')
        .map(({ textContent }) => textContent),
    ).toEqual(['110.0', '210.0']),
  );
});

it('shows throughput first, marks of both runs, and lanes that are remembered', async () => {
  const note = (sessionId: number, runId: number | undefined, at: number, message: string): TimelineEvent => ({
    ...{ id: at, sessionId, kind: 'note' as const, level: 'info' as const, message },
    ...{ at: sessionId * 1_000_000 + at * 1000, ...(runId !== undefined && { runId, t: at }) },
  });
  const { link } = testEngine({
    results: {
      seriesDifferences: () => Array.from({ length: 15 }, (_, index) => difference(index)),
      series: ({ runIds }) =>
        runIds.map((runId) => ({
          ...{ runId, metric: 'tps', generator: -1, t: Float64Array.of(1, 20), v: Float64Array.of(runId, runId) },
        })),
    },
    sessions: {
      events: ({ id }) =>
        id === 1
          ? [note(1, 2, 5, 'cache dropped'), note(1, 1, 5, 'of another run')]
          : [note(2, undefined, 5, 'failed over'), note(2, undefined, 90, 'after the run')],
    },
    monitors: {
      sources: ({ sessionId }) => [source(sessionId, sessionId === 1 ? 'db1' : 'db2')],
      windows: ({ sessionId }) => {
        const zero = sessionId * 1_000_000;
        return [2, 102].map((runId) => ({ runId, zero, from: zero, to: zero + 60_000 }));
      },
    },
  });
  const shown = () => {
    const lanes = screen.getByRole('group', { name: 'Timeline of both runs, lanes' });
    return within(lanes)
      .getAllByRole('group')
      .map((lane) => lane.getAttribute('aria-label'));
  };
  const view = renderWithEngine(link, <WatchedDifferences comparison={comparison} sessions={sessions} />);
  const throughput = await screen.findByRole('group', { name: 'Transactions' });
  await waitFor(() => expect(shown().slice(0, 3)).toEqual(['Transactions', 'Series 0', 'Series 1']));
  await waitFor(() =>
    expect(
      within(throughput)
        .getAllByRole('status')
        .map(({ textContent }) => textContent),
    ).toEqual(['2', '102']),
  );
  const cursor = screen.getByRole('slider', { name: 'Cursor through all lanes' });
  fireEvent.keyDown(cursor, { key: 'Home' });
  for (let second = 0; second < 5; second += 1) fireEvent.keyDown(cursor, { key: 'ArrowRight' });
  await waitFor(() => expect(cursor.textContent).toContain('● baseline: cache dropped'));
  expect(cursor.textContent).toContain('● compared: failed over');
  expect(cursor.textContent).not.toContain('another run');
  fireEvent.click(screen.getByRole('button', { name: 'Lanes' }));
  fireEvent.change(screen.getByRole('textbox', { name: 'Find a series' }), { target: { value: 'series 17' } });
  fireEvent.click(screen.getByRole('checkbox', { name: /^Series 17/ }));
  fireEvent.click(screen.getByRole('button', { name: 'Hide Series 1' }));
  await waitFor(() => expect(shown()).not.toContain('Series 1'));
  view.unmount();
  renderWithEngine(link, <WatchedDifferences comparison={comparison} sessions={sessions} />);
  await screen.findByRole('checkbox', { name: 'All lanes of db1, host' });
  await waitFor(() => expect(shown()).toContain('Series 0'));
  expect(shown()).not.toContain('Series 1');
});

it('shows nothing without monitored series on both sides', async () => {
  const asked: unknown[] = [];
  const { link } = testEngine({
    results: {
      seriesDifferences: (query) => {
        asked.push(query);
        return [];
      },
    },
  });
  renderWithEngine(link, <WatchedDifferences comparison={comparison} sessions={sessions} />);
  await waitFor(() => expect(asked).toHaveLength(1));
  expect(screen.queryByRole('table')).toBeNull();
});

it('uses the runs of the selected session if a side has several', async () => {
  const asked: unknown[] = [];
  const again = {
    ...comparison.cells[1]?.other,
    runs: [{ runId: 302, repeat: 0, state: 'done', partial: false, errors: 0 }],
  } as NonNullable<ComparedCell['other']>;
  const { link } = testEngine({
    results: {
      session: ({ sessionId, metric = '' }) => ({
        ...{ sessionId, metric, metrics: [metric], factors: [], warmup: 0, cells: [again] },
      }),
      seriesDifferences: (query) => {
        asked.push([query.one, query.other]);
        return [difference(0)];
      },
    },
    monitors: { sources: () => [], windows: () => [] },
  });
  const both = { ...sessions, other: [AFTER, { id: 3, name: 'After' }] };
  renderWithEngine(link, <WatchedDifferences comparison={comparison} sessions={both} />);
  expect(await screen.findByRole('table')).toBeDefined();
  expect(screen.queryByRole('combobox', { name: 'Baseline session' })).toBeNull();
  fireEvent.click(screen.getByRole('combobox', { name: 'Compared session' }));
  fireEvent.click(await screen.findByRole('option', { name: '3 · After', hidden: true }));
  await waitFor(() =>
    expect(asked).toEqual([
      [[2], [102]],
      [[2], [302]],
    ]),
  );
});

it('matches cells by their levels, and states that the selected session has no runs of a cell', async () => {
  const asked: unknown[] = [];
  const levels = { threads: 2, scale: 10 };
  const known = { ...comparison, cells: [{ ...cell(2, 0.5, 2), levels }] };
  for (const each of known.cells) for (const part of [each.baseline, each.other]) if (part) part.levels = levels;
  const found = {
    ...{ ...side(2, undefined), levels: { scale: 10, threads: 2 } },
    runs: [{ runId: 302, repeat: 0, state: 'done' as const, partial: false, errors: 0 }],
  };
  const { link } = testEngine({
    results: {
      session: ({ sessionId, metric = '' }) => ({
        ...{ sessionId, metric, metrics: [metric], factors: [], warmup: 0 },
        cells: sessionId === 3 ? [found] : [{ ...found, levels: { scale: 10, threads: 1 } }],
      }),
      seriesDifferences: (query) => {
        asked.push(query.other);
        return [difference(0)];
      },
    },
    monitors: { sources: () => [], windows: () => [] },
  });
  const more = { ...sessions, other: [AFTER, { id: 3, name: 'Again' }, { id: 4, name: 'Changed' }] };
  renderWithEngine(link, <WatchedDifferences comparison={known} sessions={more} />);
  const table = await screen.findByRole('table');
  const choose = async (name: string): Promise<void> => {
    fireEvent.click(screen.getByRole('combobox', { name: 'Compared session' }));
    fireEvent.click(await screen.findByRole('option', { name, hidden: true }));
  };
  await choose('3 · Again');
  await waitFor(() => expect(asked).toEqual([[102], [302]]));
  expect(await within(table).findByText('Series 0')).toBeDefined();
  expect(screen.getByText('1 series; 1 differs significantly')).toBeDefined();
  await choose('4 · Changed');
  expect(await screen.findByText('no runs of this cell in session 4')).toBeDefined();
  expect(within(table).queryByText('Series 0')).toBeNull();
  expect(asked).toHaveLength(2);
  await choose('2 · After');
  expect(await within(table).findByText('Series 0')).toBeDefined();
});
