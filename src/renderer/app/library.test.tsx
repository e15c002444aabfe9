import { cleanup, configure, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Session } from '../../shared/model/session.ts';
import { createQueryClient } from '../client/index.ts';
import { sampleSession, testEngine } from '../testing/engine.ts';
import { App } from './App.tsx';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
configure({ asyncUtilTimeout: 20_000 });
beforeAll(() => import('../views/library/index.tsx'));
beforeEach(() => {
  window.location.hash = '';
});
afterEach(cleanup);

const sessions = [
  sampleSession({ id: 3, name: 'Disk', tool: 'fio', target: undefined, createdAt: Date.now() + 3_600_000 }),
  sampleSession({ id: 2, name: 'Upgrade', tags: ['reads', 'upgrade'] }),
  sampleSession({ id: 1, name: 'Ladder', tags: ['reads'] }),
];

const show = (list: readonly Session[] = sessions, archived: readonly Session[] = list) => {
  const engine = testEngine({
    sessions: { list: (asked) => [...(asked.archived ? archived : list)] },
  });
  render(<App link={engine.link} queries={createQueryClient()} env="test" />);
};

/** What the table shows, row by row: the words of a group's head, or the name of a session. */
const rows = () =>
  within(screen.getByRole('table', { name: 'Sessions' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => (within(row).queryByRole('link') ?? within(row).getByRole('rowheader')).textContent);

it('groups by tag, target and date, as the address says', async () => {
  window.location.hash = '#/?group=tag';
  show();
  await screen.findByRole('table', { name: 'Sessions' });
  expect(rows()).toEqual(['reads 2', 'Upgrade', 'Ladder', 'upgrade 1', 'Upgrade', 'No tag 1', 'Disk']);
  fireEvent.click(screen.getByRole('button', { name: 'reads 2' }));
  expect(rows()).toEqual(['reads 2', 'upgrade 1', 'Upgrade', 'No tag 1', 'Disk']);
  cleanup();
  window.location.hash = '#/?group=target';
  show();
  await screen.findByRole('table', { name: 'Sessions' });
  expect(rows()).toEqual(['mariadb on db1 2', 'Upgrade', 'Ladder', 'No separate target 1', 'Disk']);
  cleanup();
  window.location.hash = '#/?group=date';
  show();
  await screen.findByRole('table', { name: 'Sessions' });
  expect(rows()[0]).toBe('Today 1');
});

it('shows only what has a tag that was clicked, and keeps that in the address', async () => {
  show();
  const table = await screen.findByRole('table', { name: 'Sessions' });
  fireEvent.click(within(table).getByRole('button', { name: 'upgrade' }));
  expect(rows()).toEqual(['Upgrade']);
  expect(window.location.hash).toBe('#/?tag=upgrade');
});

it('is not taken for a new library when everything is archived', async () => {
  show([], sessions);
  expect(await screen.findByText('Every session is archived.')).toBeDefined();
  expect(screen.getByRole('switch', { name: 'Archived too' })).toBeDefined();
});

it('names a session that is damaged, and opens nothing of it that cannot be read', async () => {
  const message = 'Part of this session is damaged and cannot be read. Other sessions are intact.';
  show([
    sampleSession({ id: 2, name: 'Broken', state: 'failed', damaged: true, message, createdAt: 0 }),
    sampleSession({ id: 1, name: 'Ladder' }),
  ]);
  const table = await screen.findByRole('table', { name: 'Sessions' });
  const broken = within(table).getByText('Broken').closest('tr') as HTMLElement;
  expect(within(broken).getByText('damaged')).toBeDefined();
  expect(within(broken).getByText(message)).toBeDefined();
  expect(within(broken).queryByRole('link')).toBeNull();
  expect(broken.textContent).not.toContain('1970');
  fireEvent.click(within(broken).getByText(message));
  expect(window.location.hash).toBe('');
  for (const name of ['Broken', 'Ladder']) fireEvent.click(screen.getByRole('checkbox', { name: `Select ${name}` }));
  expect(screen.getByRole('button', { name: 'Compare' }).hasAttribute('disabled')).toBe(true);
});

it('tells a session of which nothing was measured from one that is done', async () => {
  const message = 'Its only trial failed, so nothing was measured.';
  show([sampleSession({ id: 2, name: 'Broken', message }), sampleSession({ id: 1, name: 'Ladder' })]);
  const table = await screen.findByRole('table', { name: 'Sessions' });
  const [broken, ladder] = ['Broken', 'Ladder'].map((name) => within(table).getByRole('link', { name }).closest('tr'));
  expect(broken?.textContent).toContain('done, none measured');
  expect(within(broken as HTMLElement).getByTitle(message)).toBeDefined();
  expect(ladder?.textContent).not.toContain('none measured');
});
