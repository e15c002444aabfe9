import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { KneepointError } from '../../../../shared/model/problem.ts';
import type { SessionDetail } from '../../../../shared/model/session.ts';
import { testEngine } from '../../../testing/engine.ts';
import { renderWithEngine } from '../../../testing/render.tsx';
import { AboutForm } from './Head.tsx';

afterEach(cleanup);

const session: SessionDetail['session'] = {
  id: 4,
  uuid: 'uuid-4',
  name: 'Ladder',
  tags: ['old'],
  state: 'done',
  tool: 'embedded',
  generators: ['this computer'],
  createdAt: 0,
  cells: 1,
  repeats: 1,
  trialsTotal: 1,
  trialsEnded: 1,
  trialsFailed: 0,
  primaryMetric: 'tps',
  sparkline: [],
};

/** The form with an engine that edits, or refuses to. */
function show(edit: (input: unknown) => SessionDetail['session']): { done: () => number } {
  const { link } = testEngine({ sessions: { list: () => [session], edit } });
  let done = 0;
  const detail = { session, note: 'As it came' } as SessionDetail;
  renderWithEngine(link, <AboutForm detail={detail} onDone={() => (done += 1)} />);
  return { done: () => done };
}

it('saves name, tags and note', async () => {
  const asked: unknown[] = [];
  const { done } = show((input) => {
    asked.push(input);
    return session;
  });
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: ' Ladder, evening ' } });
  const tags = screen.getByRole('combobox', { name: 'Tags' });
  fireEvent.paste(tags, { clipboardData: { getData: () => 'quiet host,evening' } });
  fireEvent.change(screen.getByLabelText('Note'), { target: { value: 'After the move' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(done()).toBe(1));
  expect(asked).toEqual([
    { id: 4, name: 'Ladder, evening', tags: ['old', 'quiet host', 'evening'], note: 'After the move' },
  ]);
});

it('stays open with the reason if saving fails', async () => {
  const { done } = show(() => {
    throw new KneepointError({ code: 'disk-full', message: 'The disk of the library is full.' });
  });
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect((await screen.findByRole('alert')).textContent).toContain('The disk of the library is full.');
  expect(done()).toBe(0);
  fireEvent.keyDown(screen.getByLabelText('Note'), { key: 'Escape' });
  expect(done()).toBe(1);
});

it('requires a name', () => {
  show(() => session);
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: '  ' } });
  expect((screen.getByRole('button', { name: 'Save' }) as HTMLButtonElement).disabled).toBe(true);
});
