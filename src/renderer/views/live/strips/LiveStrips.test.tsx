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
  localStorage.clear();
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

const core = (index: number): MonitoredSource['series'][number] => ({
  ...{
    id: `core.${index}.busy`,
    rule: 'core.*.busy',
    instance: `${index}`,
    label: 'Core busy',
    unit: '%',
    lane: 'cpu',
  },
});
const server: MonitoredSource = {
  ...{ id: 2, kind: 'server', name: 'shop', roles: [], samples: 9, gaps: [] },
  series: [{ id: 'hits', rule: 'hits', label: 'Cache hits', unit: '%', lane: 'cache', main: true }],
};

it('receives only visible lanes, which can be chosen from all series and are remembered', async () => {
  const asked: unknown[] = [];
  const { link } = testEngine({
    monitors: {
      sources: () => [{ ...db1, series: [...db1.series, core(0), core(1)] }, server],
      async *watch({ wanted }) {
        asked.push(wanted);
        yield (wanted ?? []).flatMap(({ sourceId, ids }) =>
          ids.map((id) => ({ sourceId, id, t: Float64Array.of(ZERO + 1000, ZERO + 2000), v: Float64Array.of(0, 50) })),
        );
      },
    },
    sessions: { events: () => [] },
  });
  const strips = () => (
    <LiveStrips
      session={{ id: 1, name: 'Reads', state: 'running' } as Session}
      state={new LiveStore().state()}
      run={run}
      shared={new LaneWindow({ from: 0, to: 60 }, { from: 0, to: 60 })}
      plot={undefined}
      onJoin={() => undefined}
    />
  );
  const view = renderWithEngine(link, strips());
  await screen.findByRole('group', { name: 'Busy' });
  await waitFor(() => expect(asked).toEqual([[{ sourceId: 1, ids: ['cpu.busy'] }]]));
  fireEvent.click(screen.getByRole('button', { name: 'Lanes' }));
  fireEvent.change(screen.getByRole('textbox', { name: 'Find a series' }), { target: { value: 'core' } });
  fireEvent.click(screen.getByRole('checkbox', { name: /^Core busy, each/ }));
  const ofCores = { sourceId: 1, ids: ['cpu.busy', 'core.0.busy', 'core.1.busy'] };
  await waitFor(() => expect(asked.at(-1)).toEqual([{ ...ofCores, ids: expect.arrayContaining(ofCores.ids) }]));
  const map = await screen.findByRole('group', { name: 'Core busy, each' });
  await waitFor(() => expect(map.textContent).toContain('25 … 25'));
  fireEvent.change(screen.getByRole('textbox', { name: 'Find a series' }), { target: { value: 'cache' } });
  fireEvent.click(screen.getByRole('checkbox', { name: /^Cache hits/ }));
  await waitFor(() => expect(asked.at(-1)).toContainEqual({ sourceId: 2, ids: ['hits'] }));
  // A collapsed group is not visible.
  fireEvent.click(screen.getByRole('button', { name: /^db1/, expanded: true }));
  await waitFor(() => expect(asked.at(-1)).toEqual([{ sourceId: 2, ids: ['hits'] }]));
  view.unmount();
  renderWithEngine(link, strips());
  await screen.findByRole('group', { name: 'Cache hits' });
});

it('begins with the session before its first trial, as nothing earlier belongs to it', async () => {
  const { link } = testEngine({
    monitors: {
      sources: () => [db1],
      async *watch() {
        const t = Float64Array.of(ZERO - 300_000, ZERO + 40_000);
        yield [{ sourceId: 1, id: 'cpu.busy', t, v: Float64Array.of(50, 50) }];
      },
    },
    sessions: { events: () => [] },
  });
  const shared = new LaneWindow({ from: 0, to: 60 }, { from: 0, to: 60 });
  renderWithEngine(
    link,
    <LiveStrips
      session={{ id: 1, name: 'Reads', state: 'starting', startedAt: ZERO } as Session}
      state={new LiveStore().state()}
      run={undefined}
      shared={shared}
      plot={undefined}
      onJoin={() => undefined}
    />,
  );
  await screen.findByText('since the start of the session');
  await waitFor(() => expect(shared.view).toEqual({ from: 0, to: 60 }));
});

it('marks an event of the running trial', async () => {
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
