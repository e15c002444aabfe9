import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Run, Session, SessionEvent } from '../../shared/model/session.ts';
import { createQueryClient } from '../client/index.ts';
import { ladder } from '../testing/documents.ts';
import { sampleSession, type TestEngine, testEngine } from '../testing/engine.ts';
import { App } from './App.tsx';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
configure({ asyncUtilTimeout: 20_000 });
beforeAll(() => import('../views/live/index.tsx'));
beforeEach(() => {
  window.location.hash = '/sessions/1/live';
});
afterEach(cleanup);

const running = (id: number, changes: Partial<Run> = {}): Run => ({
  ...{ id, sessionId: 1, trial: id - 1, cell: 0, repeat: id - 1, levels: { threads: 2 }, state: 'running', warmup: 1 },
  ...{ duration: 30, startedAt: 1000, summary: {}, findings: [], partial: false, seconds: 3, ...changes },
});

const samples = (runId: number, columns: Record<string, number[]>): SessionEvent => ({
  kind: 'samples',
  batch: {
    runId,
    generator: 0,
    first: 0,
    t: Float64Array.from(Object.values(columns)[0] ?? [], (_value, index) => index + 1),
    columns: Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, Float64Array.from(values)])),
  },
});

/** The live page of a session whose stream is told by hand. `ends`: the openings of the stream so far, each with its end. */
function show(first: Session) {
  const openings: { tell: (...events: SessionEvent[]) => void; end: () => void }[] = [];
  let now = first;
  async function* watch(): AsyncGenerator<SessionEvent> {
    const queue: (SessionEvent | 'end')[] = [];
    let wake = (): void => undefined;
    const put = (...entries: (SessionEvent | 'end')[]): void => {
      queue.push(...entries);
      wake();
    };
    openings.push({ tell: put, end: () => put('end') });
    for (;;) {
      const entry = queue.shift();
      if (entry === 'end') return;
      if (entry) yield entry;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  }
  const engine: TestEngine = testEngine({
    sessions: {
      list: () => [now],
      watch,
      events: () => [],
      get: () => ({
        session: now,
        experiment: { ...ladder, factors: [] },
        experimentText: '',
        plan: { cells: [{ index: 0, levels: {} }], trials: [], seconds: 0, findings: [] },
        hosts: [],
        appVersion: '0',
        findings: [],
      }),
      resume: () => now,
    },
    results: {
      session: () => ({ sessionId: 1, metric: 'tps', metrics: ['tps'], factors: [], warmup: 0, cells: [] }),
      series: () => [],
    },
  });
  render(<App link={engine.link} queries={createQueryClient()} env="test" />);
  return {
    engine,
    openings,
    /** The session is in another state, and everybody is told. */
    become: (session: Session) => {
      now = session;
      engine.tell({ kind: 'session', session });
    },
    opened: async (count: number) => {
      await waitFor(() => expect(openings).toHaveLength(count));
      const opening = openings[count - 1];
      if (!opening) throw new Error('The stream was not opened.');
      return opening;
    },
  };
}

describe('a failed session that is continued', () => {
  it('is followed again, and its banner goes', async () => {
    const failed = sampleSession({ state: 'failed', message: 'mariadb does not answer.', trialsEnded: 2 });
    const { opened, become } = show(failed);
    const first = await opened(1);
    first.tell({ kind: 'session', session: failed });
    first.end();
    await screen.findByText('mariadb does not answer.');
    fireEvent.click(screen.getByRole('button', { name: 'Resume' }));
    const going = sampleSession({ state: 'running', trialsEnded: 3 });
    become(going);
    const second = await opened(2);
    second.tell({ kind: 'session', session: going });
    await waitFor(() => expect(screen.queryByText('mariadb does not answer.')).toBeNull());
    expect(screen.queryByRole('button', { name: 'Resume' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Pause after this trial' })).toBeDefined();
  });

  it('is not asked for again and again while it stays ended', async () => {
    const done = sampleSession({ state: 'done' });
    const { opened, become, openings } = show(done);
    const first = await opened(1);
    first.tell({ kind: 'session', session: done });
    first.end();
    become({ ...done, name: 'Renamed' });
    await screen.findAllByText('Renamed');
    expect(openings).toHaveLength(1);
  });
});
