import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { MomentComparison, SeriesBeforeAfter } from '../../../../../shared/model/analysis.ts';
import { testEngine } from '../../../../testing/engine.ts';
import { renderWithEngine } from '../../../../testing/render.tsx';
import { MomentsPanel } from './MomentsPanel.tsx';

afterEach(cleanup);

const busy: SeriesBeforeAfter = {
  ...{ source: 'db1', sourceId: 1, id: 'cpu.busy', label: 'CPU busy', unit: '%', digits: 1, before: 60, after: 12 },
  ...{ ratio: 0.2, low: 0.18, high: 0.22, verdict: 'less' },
};
const written: SeriesBeforeAfter = {
  ...{ source: 'db1', sourceId: 1, id: 'disk.sda.write_mib_s', label: 'Written', instance: 'sda', unit: 'MiB/s' },
  ...{ before: 4, after: 5, verdict: 'not-known', why: 'The interval holds both a difference and none.' },
};
const moment = (eventId: number, series: SeriesBeforeAfter[]): MomentComparison => ({
  ...{ eventId, kind: 'note', at: eventId * 1000, message: `upgrade ${eventId}`, runId: 1, series },
  ...{ before: { from: 0, to: 300_000 }, after: { from: 310_000, to: 600_000 }, sentences: ['The load was the same.'] },
});
const show = (moments: MomentComparison[]) =>
  renderWithEngine(testEngine({ monitors: { moments: () => moments } }).link, <MomentsPanel sessionId={1} />);

it('shows values before and after each note, with the interval or why it is unknown', async () => {
  show([moment(1, [busy, written, { ...written, source: 'db2', sourceId: 2 }])]);
  const table = await screen.findByRole('table', { name: /upgrade 1$/ });
  const rows = within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    );
  expect(rows).toEqual([
    ['CPU busy', 'db1', '60.0 %', '12.0 %', '×0.20 (0.18 to 0.22)', 'less'],
    ['Written, sda', 'db1', '4.0 MiB/s', '5.0 MiB/s', '–', 'unclear'],
    ['Written, sda', 'db2', '4.0 MiB/s', '5.0 MiB/s', '–', 'unclear'],
  ]);
  expect(
    screen.getByText('Written, sda of db1, Written, sda of db2: The interval holds both a difference and none.'),
  ).toBeTruthy();
  expect(screen.getByText('The load was the same.')).toBeTruthy();
  expect(screen.getByText('5 min before it against 4 min 50 s after it.')).toBeTruthy();
});

it('expands the last of many, and is absent without notes', async () => {
  show([1, 2, 3, 4].map((id) => moment(id, [busy])));
  const groups = await screen.findAllByRole('group');
  expect(groups.map((each) => each.hasAttribute('open'))).toEqual([false, false, false, true]);
  cleanup();
  show([]);
  expect(screen.queryByText('Before and after')).toBeNull();
});
