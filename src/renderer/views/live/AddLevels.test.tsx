import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { Session, SessionDetail } from '../../../shared/model/session.ts';
import { testEngine } from '../../testing/engine.ts';
import { renderWithEngine } from '../../testing/render.tsx';
import { AddLevels } from './AddLevels.tsx';

afterEach(cleanup);

const session: Session = {
  id: 4,
  uuid: 'uuid-4',
  name: 'Ladder',
  tags: [],
  state: 'running',
  tool: 'embedded',
  generators: ['this computer'],
  createdAt: 0,
  cells: 2,
  repeats: 1,
  trialsTotal: 2,
  trialsEnded: 0,
  trialsFailed: 0,
  primaryMetric: 'tps',
  sparkline: [],
};
const detail = {
  session,
  experiment: { factors: [{ name: 'threads', kind: 'option', levels: [1, 4] }] },
  plan: { cells: [{ index: 0, levels: { threads: 1 } }] },
} as unknown as SessionDetail;

it('sends the typed levels, shows a refusal, and asks for the confirmation phrase', async () => {
  const asked: unknown[] = [];
  const onDone = vi.fn();
  const { link } = testEngine({
    sessions: {
      addLevels(input) {
        asked.push(input);
        if (input.destroy.length > 0) return session;
        throw new KneepointError({
          code: 'preflight-refused',
          message: 'Others use this server too.',
          details: [{ id: 'changes', confirm: 'db:shared' }],
        });
      },
    },
  });
  renderWithEngine(link, <AddLevels detail={detail} onDone={onDone} />);
  expect(screen.getByText('Existing levels: 1, 4')).toBeTruthy();
  fireEvent.change(screen.getByRole('textbox', { name: 'Levels' }), { target: { value: ' 2, 8..16 doubling ' } });
  fireEvent.click(screen.getByRole('button', { name: 'Check and add' }));
  await screen.findByText('Others use this server too.');
  expect(onDone).not.toHaveBeenCalled();
  fireEvent.change(screen.getByRole('textbox', { name: 'Type db:shared to confirm' }), {
    target: { value: 'db:shared' },
  });
  fireEvent.click(screen.getByRole('button', { name: 'Check and add' }));
  await waitFor(() => expect(onDone).toHaveBeenCalled());
  const wanted = { id: 4, factor: 'threads', levels: '2, 8..16 doubling' };
  expect(asked).toEqual([
    { ...wanted, destroy: [] },
    { ...wanted, destroy: ['db:shared'] },
  ]);
});
