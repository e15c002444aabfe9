import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { MonitoredSource } from '../../../../shared/model/monitored.ts';
import type { Run, Session } from '../../../../shared/model/session.ts';
import { LaneWindow } from '../../../charts/index.ts';
import { blankCanvas } from '../../../testing/canvas.ts';
import { testEngine } from '../../../testing/engine.ts';
import { renderWithEngine } from '../../../testing/render.tsx';
import { LiveStore } from '../stream/live-store.ts';
import { LiveStrips } from './LiveStrips.tsx';

beforeEach(blankCanvas);
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const ZERO = 1_700_000_000_000;
const run: Run = {
  ...{ id: 7, sessionId: 1, trial: 1, cell: 0, repeat: 0, levels: { threads: 8 }, state: 'running', startedAt: ZERO },
  ...{ warmup: 10, duration: 50, summary: {}, findings: [], partial: false, seconds: 60 },
};
const db1: MonitoredSource = {
  ...{ id: 1, kind: 'host', name: 'db1', roles: ['server'], samples: 9, gaps: [] },
  series: [{ id: 'cpu.busy', rule: 'cpu.busy', label: 'Busy', unit: '%', lane: 'cpu', main: true }],
};

it('has a mark for what an event of the running trial did', async () => {
  const { link } = testEngine({
    monitors: {
      sources: () => [db1],
      windows: () => [{ runId: 7, zero: ZERO, from: ZERO + 10_000, to: ZERO + 60_000 }],
    },
    sessions: {
      events: ({ kinds }) =>
        kinds?.includes('scenario')
          ? [
              {
                ...{ id: 1, sessionId: 1, runId: 7, kind: 'scenario', at: ZERO + 20_000, t: 20 },
                ...{ level: 'info', message: 'The server of “shop” is killed.' },
              },
            ]
          : [],
    },
  });
  renderWithEngine(
    link,
    <LiveStrips
      session={{ id: 1, name: 'Reads', state: 'running' } as Session}
      state={new LiveStore().state()}
      run={run}
      shared={new LaneWindow({ from: 0, to: 60 }, { from: 0, to: 60 })}
      plot={undefined}
      onJoin={() => undefined}
    />,
  );
  const cursor = await screen.findByRole('slider', { name: 'Cursor through all lanes' });
  fireEvent.keyDown(cursor, { key: 'Home' });
  for (let second = 0; second < 20; second += 1) fireEvent.keyDown(cursor, { key: 'ArrowRight' });
  await waitFor(() => expect(cursor.textContent).toContain('⚑ The server of “shop” is killed.'));
});
