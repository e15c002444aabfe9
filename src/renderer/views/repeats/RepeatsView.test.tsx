import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { Route } from 'wouter';
import type { SessionResult } from '../../../shared/model/result.ts';
import { sampleDetail } from '../../testing/documents.ts';
import { sampleSession, testEngine } from '../../testing/engine.ts';
import { renderWithEngine } from '../../testing/render.tsx';
import { RepeatsView } from './index.tsx';

vi.setConfig({ testTimeout: 60_000 });
afterEach(cleanup);

const session = sampleSession({ id: 7 });
const result: SessionResult = {
  ...{ sessionId: 7, metric: 'tps', metrics: ['tps'], factors: [], warmup: 0 },
  cells: [0, 1].map((cell) => ({ cell, levels: {}, runs: [], means: [1, 2, 3], errors: 0, partial: false })),
};

/** The page at this address; returns its requests to the engine. */
function show(address: string): unknown[] {
  const asked: unknown[] = [];
  const addRepeats = (input: unknown) => {
    asked.push(input);
    return session;
  };
  const { link } = testEngine({
    sessions: { get: () => sampleDetail(session), addRepeats },
    results: { session: () => result },
  });
  window.history.replaceState(null, '', address);
  renderWithEngine(link, <Route path="/sessions/:id/repeats" component={RepeatsView} />);
  return asked;
}

it('adds the repeats in the address, after showing their duration', async () => {
  const asked = show('/sessions/7/repeats?add=6&cells=1');
  expect(await screen.findByText('6 trials, about 3 min 48 s.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Add 6 repeats' }));
  await waitFor(() => expect(window.location.pathname).toBe('/sessions/7/live'));
  expect(asked).toEqual([{ id: 7, repeats: 6, cells: [1] }]);
});

it('adds to every cell unless some are selected, and requires at least one', async () => {
  const asked = show('/sessions/7/repeats');
  fireEvent.click(await screen.findByRole('button', { name: 'Add 3 repeats' }));
  await waitFor(() => expect(asked).toEqual([{ id: 7, repeats: 3 }]));
  cleanup();
  show('/sessions/7/repeats');
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Select all' }));
  expect(screen.getByText('Choose one cell or more.')).toBeTruthy();
  expect((screen.getByRole('button', { name: 'Add 3 repeats' }) as HTMLButtonElement).disabled).toBe(true);
});
