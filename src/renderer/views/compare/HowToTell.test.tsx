import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { Comparison } from '../../../shared/model/result.ts';
import { testEngine } from '../../testing/engine.ts';
import { renderWithEngine } from '../../testing/render.tsx';
import { HowToTell } from './HowToTell.tsx';

afterEach(cleanup);

const comparison: Comparison = {
  ...{ basis: 'single-sessions', margin: 0.03, metric: 'tps', metrics: ['tps'], verdict: '' },
  ...{ warmup: { baseline: 0, other: 0 }, cells: [], differences: [], settings: [], findings: [] },
  ...{ baseline: { id: 1, name: 'Before' }, other: { id: 2, name: 'After' } },
};

it('makes the experiment that measures both set-ups in turns', async () => {
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
  renderWithEngine(link, <HowToTell comparison={comparison} />);
  fireEvent.click(await screen.findByRole('button', { name: 'Make this experiment' }));
  await waitFor(() => expect(texts).toEqual(['name: 1 and 2']));
  await waitFor(() => expect(window.location.pathname).toBe('/experiments/7'));
});

it('says what else to do where no experiment can measure both', async () => {
  const { link } = testEngine({ experiments: { bothInTurns: () => ({ why: 'Only one of them sets a.' }) } });
  renderWithEngine(link, <HowToTell comparison={comparison} />);
  expect(await screen.findByText(/choose several sessions on each side\. Only one of them sets a\./)).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
});
