import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { ComparedCounters } from '../../../../shared/model/capture.ts';
import type { SessionResult } from '../../../../shared/model/result.ts';
import type { Run, SessionDetail } from '../../../../shared/model/session.ts';
import { testEngine } from '../../../testing/engine.ts';
import { renderWithEngine } from '../../../testing/render.tsx';
import { ProfilesPanel } from './ProfilesPanel.tsx';

afterEach(cleanup);

const cells = ['a', 'b'].flatMap((query, column) =>
  ['MyISAM', 'InnoDB', 'Aria'].map((engine, row) => ({
    ...{ cell: 3 * column + row, levels: { query, engine } },
    runs: [{ runId: 10 * column + row }],
  })),
);
const result = {
  cells,
  answer: { factor: 'engine' },
  ratios: [{ factor: 'engine', level: 'InnoDB', verdict: '', cells: [] }],
  factors: [
    { name: 'query', levels: ['a', 'b'] },
    { name: 'engine', levels: ['MyISAM', 'InnoDB', 'Aria'] },
  ],
} as unknown as SessionResult;
const detailOf = (as: string) => ({ experiment: { captures: [{ name: 'digests', as }] } }) as unknown as SessionDetail;

function show(as: string, runs: readonly Pick<Run, 'findings'>[] = [], shown = result) {
  const asked: unknown[] = [];
  const { link } = testEngine({
    captures: {
      compare: ({ one, other }): ComparedCounters[] => {
        asked.push([one, other]);
        return [
          {
            ...{ name: 'digests', keys: ['query'], counters: ['calls'], word: 'execution', runs: { one: 1, other: 1 } },
            rows: [{ key: ['SELECT a'], values: [{ one: { mean: 2 }, other: { mean: 3 }, change: 0.5 }] }],
          },
        ];
      },
    },
  });
  renderWithEngine(link, <ProfilesPanel detail={detailOf(as)} result={shown} runs={runs as Run[]} />);
  return asked;
}

it('shows two levels of the factor under test side by side, and others on request', async () => {
  const asked = show('difference');
  const table = await screen.findByRole('table', { name: 'digests, per execution' });
  expect(within(table).getByText(/\+50 %/)).toBeDefined();
  expect(screen.getByText('engine InnoDB → engine MyISAM, query a')).toBeDefined();
  fireEvent.click(screen.getByRole('combobox', { name: 'Cell of the profiles' }));
  fireEvent.click(await screen.findByRole('option', { name: 'engine Aria · query b', hidden: true }));
  expect(await screen.findByText('engine InnoDB → engine Aria, query b')).toBeDefined();
  await screen.findByRole('table', { name: 'digests, per execution' });
  expect(asked).toEqual([
    [[1], [0]],
    [[11], [12]],
  ]);
});

it('opens with the cell that differs most from its baseline', async () => {
  const values = [4, 4, 4, 1, 2, 9];
  show('difference', [], {
    ...result,
    cells: cells.map((cell, index) => ({ ...cell, value: values[index] })),
  } as never);
  expect(await screen.findByText('engine InnoDB → engine Aria, query b')).toBeDefined();
});

it('shows profiles of timed queries, and nothing without counters', async () => {
  show('text', [{ findings: [{ code: 'query-profile', severity: 'note', message: 'The server’s profile.' }] }]);
  await screen.findByRole('table', { name: 'digests, per execution' });
  cleanup();
  expect(show('text')).toEqual([]);
  expect(screen.queryByText('Profiles side by side')).toBeNull();
});
