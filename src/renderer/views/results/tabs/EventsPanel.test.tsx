import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { Run, TimelineEvent } from '../../../../shared/model/session.ts';
import { renderPiece } from '../../../testing/render.tsx';
import { EventsPanel } from './EventsPanel.tsx';

afterEach(cleanup);

const run = (id: number, startedAt: number): Run => ({
  ...{ id, sessionId: 1, trial: id - 1, cell: 0, repeat: 0, levels: { threads: id }, state: 'done', warmup: 1 },
  ...{ duration: 30, startedAt, endedAt: startedAt + 30_000, summary: {}, findings: [], partial: false, seconds: 30 },
});
const event = (id: number, changes: Partial<TimelineEvent>): TimelineEvent => ({
  ...{ id, sessionId: 1, kind: 'note', at: 0, level: 'note', message: `event ${id}` },
  ...changes,
});

it('lists what happened with its trial and second, also where only the clock tells them', () => {
  const events = [
    event(1, { runId: 1, at: 9000, t: 5.2, message: 'coffee machine on' }),
    event(2, { kind: 'alert', at: 62_000, message: 'disk is full' }),
    event(3, { at: 45_000, message: 'between two trials' }),
    event(4, { kind: 'warm-up-end', runId: 1, t: 1 }),
  ];
  renderPiece(<EventsPanel events={events} runs={[run(1, 1000), run(2, 50_000)]} />);
  const rows = within(screen.getByRole('table', { name: 'Events' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .slice(1)
        .map((cell) => cell.textContent),
    );
  expect(rows).toEqual([
    ['1', '0:05', 'Note', 'coffee machine on', 'threads 1'],
    ['–', '–', 'Note', 'between two trials', '–'],
    ['2', '0:12', 'Alert', 'disk is full', 'threads 2'],
  ]);
});

it('is not there where nothing happened', () => {
  renderPiece(<EventsPanel events={[event(1, { kind: 'warm-up-end', runId: 1, t: 1 })]} runs={[run(1, 1000)]} />);
  expect(screen.queryByRole('table')).toBeNull();
});
