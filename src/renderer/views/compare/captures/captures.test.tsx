import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { ComparedCounters, KeptCapture } from '../../../../shared/model/capture.ts';
import type { Comparison } from '../../../../shared/model/result.ts';
import { testEngine } from '../../../testing/engine.ts';
import { renderPiece, renderWithEngine } from '../../../testing/render.tsx';
import { ComparedCaptures, ComparedFacts } from './ComparedCaptures.tsx';

afterEach(cleanup);

const side = (runId: number) => ({ runs: [{ runId }] });
const COMPARISON = {
  ...{ baseline: { id: 1, name: 'five' }, other: { id: 2, name: 'eight' } },
  cells: [{ levels: { threads: 1 }, ratio: 1, baseline: side(11), other: side(21) }],
} as unknown as Comparison;
const PROFILE: ComparedCounters = {
  ...{ name: 'digests', keys: ['query'], counters: ['ms', 'calls', 'rows', 'lock', 'errors'], word: 'transaction' },
  runs: { one: 3, other: 1 },
  rows: [
    {
      key: ['SELECT a'],
      values: [
        { one: { mean: 0.5, low: 0.4, high: 0.6 }, other: { mean: 0.75 }, change: 0.5 },
        { one: { mean: 10 }, other: { mean: 10 }, change: 0 },
        { one: {}, other: { mean: 1 } },
        { one: { mean: 0 }, other: { mean: 0 } },
        { one: { mean: 0 }, other: { mean: 2 } },
      ],
    },
  ],
};
const kept = (id: number, runId: number, more: Partial<KeptCapture> = {}): KeptCapture => ({
  ...{ id, runId, name: 'status', as: 'text', moment: 'end', at: 0, tookMs: 1, bytes: 5, times: 1 },
  ...more,
});

function show(profiles: readonly ComparedCounters[], lists: Record<number, readonly KeptCapture[]>): void {
  const { link } = testEngine({
    captures: {
      list: ({ sessionId }) => [...(lists[sessionId] ?? [])],
      content: ({ id }) => ({ text: `content ${id}` }),
      compare: ({ one, other }) => (one[0] === 11 && other[0] === 21 ? [...profiles] : []),
    },
  });
  renderWithEngine(link, <ComparedCaptures comparison={COMPARISON} />);
}

it('shows facts of both sides, different ones first', () => {
  renderPiece(
    <ComparedFacts
      facts={[
        { what: 'kernel', baseline: '6.1', other: '6.1', isEqual: true },
        { what: 'sysctl: swappiness', baseline: '10', other: '60', isEqual: false },
      ]}
    />,
  );
  const [, ...rows] = within(screen.getByRole('table', { name: 'Captured facts' })).getAllByRole('row');
  expect(
    rows.map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ),
  ).toEqual([
    ['sysctl: swappiness', '10', '60', 'Different'],
    ['kernel', '6.1', '6.1', 'Equal'],
  ]);
  expect(screen.getByText('2 facts, 1 difference')).toBeTruthy();
});

it('shows counters of both sides per operation, four at first', async () => {
  show([PROFILE, { ...PROFILE, name: 'empty', rows: [] }], {});
  const table = await screen.findByRole('table', { name: 'digests, per transaction' });
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent),
  ).toEqual([...['query', 'ms', 'calls', 'rows', 'lock']]);
  const [, row] = within(table).getAllByRole('row');
  expect(
    row &&
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
  ).toEqual([...['SELECT a', '0.500 → 0.750 +50 %', '10.0 → 10.0 ±0 %', '– → 1.00 ', '0 → 0 ']]);
  expect(screen.getByText('means of 3 runs and 1 run')).toBeTruthy();
  expect(screen.queryByText(/^empty/)).toBeNull();
});

it('shows text of both sides next to each other, starting with the same capture and moment', async () => {
  show([], {
    1: [kept(1, 11), kept(2, 12), kept(3, 11, { name: 'only here' })],
    2: [kept(4, 21, { moment: 'start' }), kept(5, 21), kept(6, 21, { as: 'difference' })],
  });
  expect(await screen.findByText('content 1')).toBeTruthy();
  expect(await screen.findByText('content 5')).toBeTruthy();
  fireEvent.click(screen.getByLabelText('Captures of the compared side, eight', { selector: 'input' }));
  fireEvent.click(await screen.findByRole('option', { name: 'status, before the start', hidden: true }));
  expect(await screen.findByText('content 4')).toBeTruthy();
});

it('shows nothing without captures on both sides', async () => {
  show([], { 1: [kept(1, 11)] });
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(screen.queryByText(/Kept/)).toBeNull();
});
