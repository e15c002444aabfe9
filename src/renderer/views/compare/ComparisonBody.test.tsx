import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { caveatsOf } from '../../../shared/model/figure.ts';
import type { CellResult, ComparedCell, Comparison } from '../../../shared/model/result.ts';
import { testEngine } from '../../testing/engine.ts';
import { renderPiece, renderWithEngine } from '../../testing/render.tsx';
import { ComparisonBody, HowToResolve } from './ComparisonBody.tsx';

afterEach(cleanup);

const side = (events: number): CellResult => ({
  ...{ cell: 0, levels: { threads: 1 }, runs: [], means: [1000], partial: false, errors: events },
  failures: [{ events, seconds: 60 }],
});
const compared = (baseline: number, other: number, rest: Partial<ComparedCell> = {}): ComparedCell => ({
  ...{ levels: { threads: 1 }, verdict: 'too-few', sentence: 'Too few.' },
  ...{ baseline: side(baseline), other: side(other) },
  ...rest,
});
const show = (cells: ComparedCell[], rest: Partial<Comparison> = {}): HTMLElement => {
  renderPiece(
    <ComparisonBody
      comparison={{
        ...{ basis: 'levels', margin: 0.03, metric: 'tps', metrics: ['tps'], verdict: 'A verdict.', cells },
        ...{ warmup: { baseline: 10, other: 10 }, differences: [], settings: [], findings: [] },
        ...{ baseline: { id: 1, name: 'Before' }, other: { id: 1, name: 'After' } },
        ...rest,
      }}
    />,
  );
  return screen.getByRole('table', { name: 'Compared cells' });
};

it('shows warnings before the figures', () => {
  const table = show([compared(0, 0)], {
    findings: [{ code: 'errors-differ', severity: 'warn', message: 'Errors differ in 1 cell.' }],
  });
  const warning = screen.getByText('Errors differ in 1 cell.');
  expect(warning.compareDocumentPosition(table) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
});

it('shows the overall ratio after warnings, and links to the repeats that would resolve the rest', () => {
  const undecided = compared(0, 0, { verdict: 'cannot-tell', more: 6 });
  show([undecided], {
    basis: 'levels',
    overall: { sentence: 'No overall ratio: there were errors.' },
    findings: [{ code: 'errors-differ', severity: 'warn', message: 'Errors differ in 1 cell.' }],
  });
  const overall = screen.getByText('No overall ratio: there were errors.');
  const warning = screen.getByText('Errors differ in 1 cell.');
  expect(warning.compareDocumentPosition(overall) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  const link = screen.getByRole('link', { name: 'Add 6 repeats' });
  expect(link.getAttribute('href')).toBe('/sessions/1/repeats?add=6');
});

it('shows errors next to the figures if there were any', () => {
  const table = show([compared(0, 30_000)]);
  expect(within(table).getByRole('columnheader', { name: /Errors/ })).toBeTruthy();
  expect(within(table).getByTitle('30,000 errors (500 per s)').textContent).toBe('30,000');
  cleanup();
  expect(within(show([compared(0, 0)])).queryByRole('columnheader', { name: /Errors/ })).toBeNull();
});

it('states the warm-up cut of the figures', () => {
  show([compared(0, 0)]);
  expect(screen.getByText('figures after 10 s of each run')).toBeTruthy();
  cleanup();
  show([compared(0, 0)], { warmup: { baseline: 10, other: 60 } });
  expect(screen.getByText('figures after 10 s (baseline) and 1 min (compared) of each run')).toBeTruthy();
});

it('shows an extremely wide interval as inequalities', () => {
  const open = compared(0, 0, { interval: { low: 0.0004, high: 2_300 } });
  expect(within(show([open])).getByText('< ×0.10 – > ×10.0')).toBeTruthy();
});

it.each([
  ['higher', 'idle'],
  ['lower', 'idle'],
  ['better', 'ok'],
  ['worse', 'bad'],
] as const)('shows %s in the colour of %s', (verdict, tone) => {
  const status = within(show([compared(0, 0, { verdict })]))
    .getByText(verdict)
    .querySelector('[data-tone]');
  expect(status?.getAttribute('data-tone')).toBe(tone);
});

it('marks the side with a load-bound figure', () => {
  const bound = { verdict: 'generator-cpu' as const, sentence: 'CPU of load1 at its limit.', evidence: [] };
  const bounded = { ...side(0), value: 1000, ...caveatsOf({ ...side(0), bound }) };
  const table = show([compared(0, 0, { other: bounded })]);
  const mark = within(table).getByRole('img', {
    name: 'Limited by the CPU of the load generator, not by the system under test.',
  });
  expect(mark.closest('td')?.textContent).toBe('1,000');
});

afterEach(cleanup);

const comparison: Comparison = {
  ...{ basis: 'single-sessions', margin: 0.03, metric: 'tps', metrics: ['tps'], verdict: '' },
  ...{ warmup: { baseline: 0, other: 0 }, cells: [], differences: [], settings: [], findings: [] },
  ...{ baseline: { id: 1, name: 'Before' }, other: { id: 2, name: 'After' } },
};

it('creates the experiment that measures both set-ups interleaved', async () => {
  const texts: string[] = [];
  const { link } = testEngine({
    experiments: {
      bothInTurns: ({ baselineId, otherId }) => ({ text: `name: ${baselineId} and ${otherId}` }),
      save: ({ text }) => {
        texts.push(text);
        return { id: '7', name: 'Both', origin: 'saved', tool: 'sysbench', tags: [], text };
      },
    },
  });
  renderWithEngine(link, <HowToResolve comparison={comparison} />);
  fireEvent.click(await screen.findByRole('button', { name: 'Create this experiment' }));
  await waitFor(() => expect(texts).toEqual(['name: 1 and 2']));
  await waitFor(() => expect(window.location.pathname).toBe('/experiments/7'));
});

it('proposes a step where what settles it would be too many repeats', async () => {
  const asked: (number | undefined)[] = [];
  const { link } = testEngine({
    experiments: {
      bothInTurns: ({ repeats }) => {
        asked.push(repeats);
        return { text: 'name: Both' };
      },
    },
  });
  const cells = [compared(0, 0, { verdict: 'cannot-tell', more: 49 })];
  renderWithEngine(link, <HowToResolve comparison={{ ...comparison, cells }} />);
  expect(await screen.findByText(/in one session, with 11 repeats, and choose it on both sides\./)).toBeTruthy();
  expect(asked).toEqual([11]);
});

it('explains what else to do if no experiment can measure both', async () => {
  const { link } = testEngine({ experiments: { bothInTurns: () => ({ why: 'Only one of them sets a.' }) } });
  renderWithEngine(link, <HowToResolve comparison={comparison} />);
  expect(await screen.findByText(/choose several sessions on each side\. Only one of them sets a\./)).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
});
