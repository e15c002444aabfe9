import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { SessionResult } from '../../../../shared/model/result.ts';
import type { Run, TimelineEvent } from '../../../../shared/model/session.ts';
import { testEngine } from '../../../testing/engine.ts';
import { renderPiece, renderWithEngine } from '../../../testing/render.tsx';
import { EventsPanel } from './EventsPanel.tsx';
import { SteadinessPanel } from './SteadinessPanel.tsx';

afterEach(cleanup);

const run = (id: number, startedAt: number): Run => ({
  ...{ id, sessionId: 1, trial: id - 1, cell: 0, repeat: 0, levels: { threads: id }, state: 'done', warmup: 1 },
  ...{ duration: 30, startedAt, endedAt: startedAt + 30_000, summary: {}, findings: [], partial: false, seconds: 30 },
});
const event = (id: number, changes: Partial<TimelineEvent>): TimelineEvent => ({
  ...{ id, sessionId: 1, kind: 'note', at: 0, level: 'note', message: `event ${id}` },
  ...changes,
});

function show(events: readonly TimelineEvent[], runs: readonly Run[]): unknown[] {
  const asked: unknown[] = [];
  const { link } = testEngine({
    sessions: {
      addNote: (request) => {
        asked.push(request);
        return { id: 9, sessionId: 1, kind: 'note', at: 0, level: 'note', message: request.message };
      },
    },
  });
  renderWithEngine(link, <EventsPanel sessionId={1} events={events} runs={runs} />);
  return asked;
}

it('lists events with trial and second, derived from the clock if necessary', () => {
  const events = [
    event(1, { runId: 1, at: 9000, t: 5.2, message: 'coffee machine on' }),
    event(2, { kind: 'alert', at: 62_000, message: 'disk is full' }),
    event(3, { at: 45_000, message: 'between two trials' }),
    event(4, { kind: 'warm-up-end', runId: 1, t: 1 }),
  ];
  show(events, [run(1, 1000), run(2, 50_000)]);
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

it('has no rows without events', () => {
  show([event(1, { kind: 'warm-up-end', runId: 1, t: 1 })], [run(1, 1000)]);
  expect(screen.queryByRole('table')).toBeNull();
  expect(screen.getByText('No notes, alerts or checkpoints.')).toBeDefined();
});

it('adds a note later at a second of a run', async () => {
  const asked = show([], [run(1, 1000), run(2, 50_000)]);
  fireEvent.click(screen.getByRole('button', { name: 'Add a note' }));
  fireEvent.change(await screen.findByLabelText('Note'), { target: { value: ' checkpoint of the server ' } });
  fireEvent.click(screen.getByRole('combobox', { name: 'In the run' }));
  fireEvent.click(await screen.findByRole('option', { name: 'Trial 2, threads 2, repeat 1' }));
  fireEvent.change(screen.getByLabelText('Second of the run'), { target: { value: '12' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save note' }));
  await waitFor(() => expect(asked).toEqual([{ id: 1, message: 'checkpoint of the server', at: 62_000 }]));
});

it('summarises the steadiness of each cell: level, stalls and regular dips', () => {
  const cell = { cell: 0, levels: { threads: 8 }, value: 900, means: [900], errors: 0 };
  const result = {
    metric: 'tps',
    factors: [{ name: 'threads', levels: [8, 9] }],
    cells: [
      { ...cell, stalls: { count: 3, longest: 4.5, share: 0.12 } },
      { ...cell, cell: 1, levels: { threads: 9 } },
    ],
    steadiness: [
      { cell: 0, verdict: 'step', change: -0.3, at: 61, dips: { period: 30, depth: 0.8, length: 3, count: 9, at: [] } },
    ],
  } as unknown as SessionResult;
  renderPiece(<SteadinessPanel result={result} filter={{ threads: [8, 9] }} />);
  const cells = within(screen.getByRole('table', { name: 'Steadiness' })).getAllByRole('cell');
  expect(cells.map(({ textContent }) => textContent)).toEqual([
    ...['threads 8', 'step of −30 % at 1 min 1 s', '3', '4.5', '12.0'],
    ...['30.0', '80.0', '3.0', '10.0'],
  ]);
});
