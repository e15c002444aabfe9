import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { Changed, PutBackResult } from '../../shared/model/restore.ts';
import { testEngine } from '../testing/engine.ts';
import { renderWithEngine } from '../testing/render.tsx';
import { ChangesBanner } from './ChangesBanner.tsx';

afterEach(cleanup);

const changed = (more: Partial<Changed> = {}): Changed => ({
  entry: 1,
  session: 12,
  place: { kind: 'server', name: 'db' },
  what: 'sync_binlog',
  first: '1',
  wanted: '0',
  since: Date.UTC(2026, 10, 20),
  active: false,
  ...more,
});

function show(list: Changed[], outcome: PutBackResult['outcome'] | 'uncertain' = 'restored') {
  const asked: unknown[] = [];
  let left = list;
  const { link } = testEngine({
    changes: {
      list: () => left,
      putBack(input) {
        asked.push(input);
        if (outcome === 'uncertain' && !input.confirm?.includes('db'))
          return left.map(({ entry, place, what, first }): PutBackResult => {
            return { entry, place, what, first, outcome: 'failed', confirm: place.name };
          });
        const became = outcome === 'uncertain' ? 'restored' : outcome;
        const results = left.map(({ entry, place, what, first }): PutBackResult => {
          return {
            entry,
            place,
            what,
            first,
            outcome: became,
            ...(became === 'left' && { message: 'Somebody else.' }),
          };
        });
        left = became === 'restored' || input.force ? [] : left.map((each) => ({ ...each, message: 'Somebody else.' }));
        return results;
      },
      leave({ entry }) {
        asked.push({ leave: entry });
        left = left.filter((each) => each.entry !== entry);
        return {};
      },
    },
  });
  renderWithEngine(link, <ChangesBanner />);
  return asked;
}
const button = (name: string) => screen.findByRole('button', { name });

it('does not count settings of an active session', async () => {
  show([changed({ active: true }), changed({ entry: 2, what: 'work_mem' })]);
  expect(await screen.findByText(/^A session changed 1 setting on server db that is not restored yet\./)).toBeDefined();
  expect(screen.getByText(/^Restore it before/)).toBeDefined();
});

it('lists the changed settings, and restores them', async () => {
  const asked = show([changed(), changed({ entry: 2, what: 'thp', place: { kind: 'host', name: 'a' }, first: null })]);
  expect(
    await screen.findByText(/^A session changed 2 settings on server db, host a that are not restored yet/),
  ).toBeDefined();
  fireEvent.click(await button('Restore…'));
  const table = await screen.findByRole('table', { name: 'Settings to restore' });
  expect(within(table).getByText('sync_binlog')).toBeDefined();
  expect(within(table).getByText('unset')).toBeDefined();
  fireEvent.click(await button('Restore and read back'));
  expect(await screen.findByText('2 settings restored and read back.')).toBeDefined();
  expect(asked).toEqual([{ force: false }]);
});

it('restores settings changed by others only after a second confirmation', async () => {
  const asked = show([changed()], 'left');
  fireEvent.click(await button('Restore…'));
  fireEvent.click(await button('Restore and read back'));
  expect(await screen.findByText('sync_binlog: Somebody else.')).toBeDefined();
  expect(screen.getByText('1 setting not restored.')).toBeDefined();
  fireEvent.click(await button('Restore anyway'));
  await waitFor(() => expect(asked).toEqual([{ force: false }, { force: true }]));
});

it('leaves a setting as it is after a confirmation', async () => {
  const asked = show([changed()]);
  fireEvent.click(await button('Restore…'));
  fireEvent.click(await button('Keep current value of sync_binlog'));
  expect(await screen.findByText(/keeps its current value, and Kneepoint forgets the original value 1/)).toBeDefined();
  const all = await screen.findAllByRole('button', { name: 'Keep current value' });
  fireEvent.click(all.at(-1) as HTMLElement);
  await waitFor(() => expect(asked).toEqual([{ leave: 1 }]));
});

it('restores on an uncertain machine only after its name is typed', async () => {
  const asked = show([changed(), changed({ entry: 2, what: 'work_mem' })], 'uncertain');
  fireEvent.click(await button('Restore…'));
  fireEvent.click(await button('Restore and read back'));
  const there = await button('Restore there');
  expect(there).toHaveProperty('disabled', true);
  fireEvent.change(screen.getByLabelText('Type db to confirm that this is the server that was changed'), {
    target: { value: 'db' },
  });
  fireEvent.click(there);
  expect(await screen.findByText('2 settings restored and read back.')).toBeDefined();
  expect(asked).toEqual([{ force: false }, { force: false, confirm: ['db'] }]);
});
