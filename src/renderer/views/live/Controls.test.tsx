import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { Run, Session, SessionState } from '../../../shared/model/session.ts';
import { testEngine } from '../../testing/engine.ts';
import { renderWithEngine } from '../../testing/render.tsx';
import { Controls } from './Controls.tsx';

afterEach(cleanup);

const sessionIn = (state: SessionState): Session => ({
  id: 4,
  uuid: 'uuid-4',
  name: 'Ladder',
  tags: [],
  state,
  tool: 'embedded',
  generators: ['this computer'],
  createdAt: 0,
  cells: 1,
  repeats: 1,
  trialsTotal: 1,
  trialsEnded: 0,
  trialsFailed: 0,
  primaryMetric: 'tps',
  sparkline: [],
});

const running: Run = {
  id: 12,
  sessionId: 4,
  trial: 0,
  cell: 0,
  repeat: 0,
  levels: {},
  state: 'running',
  warmup: 0,
  duration: 60,
  summary: {},
  findings: [],
  partial: false,
  seconds: 3,
};

/** The buttons with an engine that records its calls. */
function show(state: SessionState, more: Partial<Session> = {}, run: Run = running): string[] {
  const asked: string[] = [];
  const note =
    (name: string) =>
    ({ id, runId }: { id: number; runId?: number | undefined }) => {
      asked.push([name, id, runId].filter((part) => part !== undefined).join(' '));
      return sessionIn(state);
    };
  const sessions = { pause: note('pause'), resume: note('resume'), skip: note('skip'), stop: note('stop') };
  const { link } = testEngine({ sessions });
  renderWithEngine(link, <Controls session={{ ...sessionIn(state), ...more }} run={run} />);
  return asked;
}
const buttons = () => screen.getAllByRole('button').map((button) => button.textContent);

describe('controls of a session', () => {
  it('can be paused, skipped and stopped while it runs', async () => {
    const asked = show('running');
    expect(buttons()).toEqual(['Pause after this trial', 'Skip', 'Stop']);
    fireEvent.click(screen.getByRole('button', { name: 'Pause after this trial' }));
    await waitFor(() => expect(asked).toEqual(['pause 4']));
  });
  it('skips the trial that is shown, whichever runs when the click arrives', async () => {
    const asked = show('running');
    fireEvent.click(screen.getByRole('button', { name: 'Skip' }));
    await waitFor(() => expect(asked).toEqual(['skip 4 12']));
  });
  it('skips the trial that waits for its server, though the one that is shown has ended', async () => {
    const failed: Run = { ...running, state: 'failed' };
    show('running', {}, failed);
    expect(screen.getByRole('button', { name: 'Skip' })).toHaveProperty('disabled', true);
    cleanup();
    const asked = show('running', { needs: { code: 'target-unreachable', message: 'Gone.', run: 13 } }, failed);
    fireEvent.click(screen.getByRole('button', { name: 'Skip' }));
    await waitFor(() => expect(asked).toEqual(['skip 4 13']));
  });
  it('stops only after saying what that means', async () => {
    const asked = show('running');
    fireEvent.click(screen.getByRole('button', { name: 'Stop' }));
    expect(await screen.findByText(/cannot be continued/)).toBeDefined();
    expect(asked).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Stop the session now' }));
    await waitFor(() => expect(asked).toEqual(['stop 4']));
  });
  it.each(['paused', 'interrupted', 'failed'] as const)('can be resumed when %s', async (state) => {
    const asked = show(state);
    fireEvent.click(screen.getByRole('button', { name: 'Resume' }));
    await waitFor(() => expect(asked).toEqual(['resume 4']));
  });
  it('takes back a pause that has not come yet', async () => {
    const asked = show('pausing');
    expect(buttons()).toEqual(['Do not pause', 'Skip', 'Stop']);
    fireEvent.click(screen.getByRole('button', { name: 'Do not pause' }));
    await waitFor(() => expect(asked).toEqual(['resume 4']));
  });
  it('offers nothing when it is done', () => {
    show('done');
    expect(screen.queryAllByRole('button')).toEqual([]);
  });
});
