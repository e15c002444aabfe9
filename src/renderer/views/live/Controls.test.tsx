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
  it('pause, skip and stop while it runs', async () => {
    const asked = show('running');
    expect(buttons()).toEqual(['Pause after this trial', 'Skip', 'Stop']);
    fireEvent.click(screen.getByRole('button', { name: 'Pause after this trial' }));
    await waitFor(() => expect(asked).toEqual(['pause 4']));
  });
  it('skip the visible trial, even if another is running by then', async () => {
    const asked = show('running');
    fireEvent.click(screen.getByRole('button', { name: 'Skip' }));
    await waitFor(() => expect(asked).toEqual(['skip 4 12']));
  });
  it('skip the trial that waits for its server, even if the visible one has ended', async () => {
    const failed: Run = { ...running, state: 'failed' };
    show('running', {}, failed);
    expect(screen.getByRole('button', { name: 'Skip' })).toHaveProperty('disabled', true);
    cleanup();
    const asked = show('running', { needs: { code: 'target-unreachable', message: 'Gone.', run: 13 } }, failed);
    fireEvent.click(screen.getByRole('button', { name: 'Skip' }));
    await waitFor(() => expect(asked).toEqual(['skip 4 13']));
  });
  it('stop only after an explanation', async () => {
    const asked = show('running');
    fireEvent.click(screen.getByRole('button', { name: 'Stop' }));
    expect(await screen.findByText(/cannot be continued/)).toBeDefined();
    expect(asked).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Stop the session now' }));
    await waitFor(() => expect(asked).toEqual(['stop 4']));
  });
  it.each(['paused', 'interrupted', 'failed'] as const)('resume when %s', async (state) => {
    const asked = show(state);
    fireEvent.click(screen.getByRole('button', { name: 'Resume' }));
    await waitFor(() => expect(asked).toEqual(['resume 4']));
  });
  it('cancel a pending pause', async () => {
    const asked = show('pausing');
    expect(buttons()).toEqual(['Do not pause', 'Skip', 'Stop']);
    fireEvent.click(screen.getByRole('button', { name: 'Do not pause' }));
    await waitFor(() => expect(asked).toEqual(['resume 4']));
  });
  it('are absent once it is done', () => {
    show('done');
    expect(screen.queryAllByRole('button')).toEqual([]);
  });
});
