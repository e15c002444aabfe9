import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sampleDetail } from '../testing/documents.ts';
import { sampleSession, testEngine } from '../testing/engine.ts';
import { renderWithEngine } from '../testing/render.tsx';
import { RerunMenu } from './RerunMenu.tsx';

vi.setConfig({ testTimeout: 60_000 });
beforeEach(() => window.history.replaceState(null, '', '/'));
afterEach(cleanup);

const TEXT = 'name: Ladder\n';
const file = (id: string, origin: 'saved' | 'template') => ({
  ...{ id, name: 'Ladder', origin, tool: 'sysbench', tags: [], text: TEXT },
});

/** The menu with an engine that has these documents; a saved one gets id 9. */
async function choose(item: string, documents: ReturnType<typeof file>[] = []): Promise<string[]> {
  const saved: string[] = [];
  const { link } = testEngine({
    sessions: { get: () => sampleDetail(sampleSession({ id: 7 }), TEXT) },
    experiments: {
      list: () => documents,
      save: ({ text }) => {
        saved.push(text);
        return file('9', 'saved');
      },
    },
  });
  renderWithEngine(link, <RerunMenu sessions={[sampleSession({ id: 7 })]} />);
  fireEvent.click(await screen.findByRole('button', { name: 'Run again' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: new RegExp(`^${item}`), hidden: true }));
  await waitFor(() => expect(window.location.pathname).not.toBe('/'));
  return saved;
}

it('opens the review of a copy of the experiment, and reuses a saved one', async () => {
  expect(await choose('Run again', [file('4', 'template')])).toEqual([TEXT]);
  expect(window.location.pathname).toBe('/experiments/9/review');
  cleanup();
  window.history.replaceState(null, '', '/');
  expect(await choose('Run again', [file('4', 'saved')])).toEqual([]);
  expect(window.location.pathname).toBe('/experiments/4/review');
});

it('edits a copy, so that the original stays unchanged', async () => {
  expect(await choose('Edit and run again', [file('4', 'saved')])).toEqual([TEXT]);
  expect(window.location.pathname).toBe('/experiments/9/workload');
});

it('opens the page for adding repeats', async () => {
  await choose('Add repeats');
  expect(window.location.pathname).toBe('/sessions/7/repeats');
});
