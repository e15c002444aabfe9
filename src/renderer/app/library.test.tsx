import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { caveatsOf } from '../../shared/model/figure.ts';
import type { Session } from '../../shared/model/session.ts';
import { sampleSession, testEngine } from '../testing/engine.ts';
import { showView } from './testing/view.tsx';

beforeAll(() => import('../views/library/index.tsx'));
beforeEach(() => {
  localStorage.clear();
  window.location.hash = '';
});
afterEach(cleanup);

const sessions = [
  sampleSession({ id: 3, name: 'Disk', tool: 'fio', target: undefined, createdAt: Date.now() + 3_600_000 }),
  sampleSession({ id: 2, name: 'Upgrade', tags: ['reads', 'upgrade'] }),
  sampleSession({ id: 1, name: 'Ladder', tags: ['reads'] }),
];

const show = (list: readonly Session[] = sessions, archived: readonly Session[] = list) => {
  const edited: unknown[] = [];
  const removed: number[] = [];
  const engine = testEngine({
    sessions: {
      list: (asked) => [...(asked.archived ? archived : list)],
      edit: (change) => {
        edited.push(change);
        return sampleSession({ id: change.id });
      },
      remove: ({ id }) => {
        removed.push(id);
        return {};
      },
    },
  });
  showView(engine.link);
  return { edited, removed };
};

/** The rows of the table: the words of a group's head, or the name of a session. */
const rows = () =>
  within(screen.getByRole('table', { name: 'Sessions' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => (within(row).queryByRole('link') ?? within(row).getByRole('rowheader')).textContent);

it('groups by tag, target or date according to the address', async () => {
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

it('saves filter, order and columns as a view, and opens it again', async () => {
  show();
  await screen.findByText('3 sessions');
  fireEvent.change(screen.getByRole('textbox', { name: 'Filter' }), { target: { value: 'sysbench' } });
  fireEvent.click(screen.getByRole('button', { name: 'Session' }));
  expect(rows()).toEqual(['Ladder', 'Upgrade']);
  fireEvent.click(screen.getByRole('button', { name: 'Columns' }));
  fireEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'State' }));
  fireEvent.click(screen.getByRole('button', { name: 'Saved views' }));
  fireEvent.change(await screen.findByRole('textbox', { name: 'Name of the view' }), { target: { value: 'Ladders' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  cleanup();
  window.location.hash = '#/';
  localStorage.removeItem('kneepoint-library-hidden');
  show();
  await screen.findByText('3 sessions');
  expect(rows()).toEqual(['Disk', 'Upgrade', 'Ladder']);
  expect(screen.getByRole('columnheader', { name: 'State' })).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Saved views' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Ladders' }));
  expect(rows()).toEqual(['Ladder', 'Upgrade']);
  expect(screen.queryByRole('columnheader', { name: 'State' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Saved views' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Remove view Ladders' }));
  expect(screen.queryByRole('button', { name: 'Ladders' })).toBeNull();
});

it('counts the filtered sessions, and keeps the grouping on return', async () => {
  show();
  expect(await screen.findByText('3 sessions')).toBeDefined();
  fireEvent.change(screen.getByRole('textbox', { name: 'Filter' }), { target: { value: 'upgrade' } });
  expect(screen.getByText('1 of 3 sessions')).toBeDefined();
  fireEvent.click(screen.getByRole('combobox', { name: 'Group' }));
  fireEvent.click(await screen.findByRole('option', { name: 'By tool', hidden: true }));
  expect(rows()).toEqual(['sysbench 1', 'Upgrade']);
  cleanup();
  window.location.hash = '#/';
  show();
  await screen.findByText('3 sessions');
  expect(rows()).toEqual(['fio 1', 'Disk', 'sysbench 2', 'Upgrade', 'Ladder']);
});

it('counts the sessions of each state that match the rest of the filter', async () => {
  show([
    sampleSession({ id: 1, name: 'Ladder', tags: ['reads'] }),
    sampleSession({ id: 2, name: 'Ladder again', tags: ['reads'], state: 'failed' }),
    sampleSession({ id: 3, name: 'Disk', state: 'running' }),
  ]);
  const states = () => screen.getAllByRole('radio').map(({ parentElement }) => parentElement?.textContent);
  await screen.findByText('3 sessions');
  expect(states()).toEqual(['All 3', 'Active 1', 'Done 1', 'Failed or stopped 1']);
  fireEvent.change(screen.getByRole('textbox', { name: 'Filter' }), { target: { value: 'ladder' } });
  fireEvent.click(screen.getByRole('radio', { name: 'Done 1' }));
  expect(rows()).toEqual(['Ladder']);
  expect(states()).toEqual(['All 2', 'Active 0', 'Done 1', 'Failed or stopped 1']);
});

it('hides a column until it is shown again, and shows and finds answers of sessions', async () => {
  show([sampleSession({ id: 1, name: 'Ladder', question: 'Which?', answer: 'flush 2 is faster than 1: ×1.31.' })]);
  expect(await screen.findByText('flush 2 is faster than 1: ×1.31.')).toBeDefined();
  const header = () => screen.queryByRole('columnheader', { name: 'State' });
  fireEvent.click(screen.getByRole('button', { name: 'Columns' }));
  fireEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'State' }));
  await waitFor(() => expect(header()).toBeNull());
  cleanup();
  window.location.hash = '#/?find=faster';
  show([sampleSession({ id: 1, name: 'Ladder', answer: 'flush 2 is faster than 1: ×1.31.' })]);
  await waitFor(() => expect(rows()).toEqual(['Ladder']));
  expect(header()).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Columns' }));
  fireEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'State' }));
  await waitFor(() => expect(header()).not.toBeNull());
});

it('opens the menu of a row on right-click, and renames its session', async () => {
  const { edited } = show();
  await screen.findByRole('table', { name: 'Sessions' });
  const row = screen.getByRole('link', { name: 'Disk' }).closest('tr') as HTMLElement;
  expect(fireEvent.contextMenu(row.lastElementChild as Element)).toBe(false);
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Rename' }));
  const field = await screen.findByRole('textbox', { name: 'Name' });
  fireEvent.change(field, { target: { value: ' New disk ' } });
  fireEvent.click(screen.getByRole('button', { name: 'Rename' }));
  await waitFor(() => expect(edited).toEqual([{ id: 3, name: 'New disk' }]));
});

const rowOf = (name: string) => screen.getByRole('link', { name }).closest('tr') as HTMLElement;
/** Starts a drag, and waits until places accept it. */
async function drag(element: HTMLElement): Promise<void> {
  fireEvent.dragStart(element, { dataTransfer: { setData: () => undefined } });
  await screen.findByText(/Drop here to select it/);
}

it('compares a session that is dropped on another one with that as the baseline', async () => {
  show([...sessions, sampleSession({ id: 4, name: 'Broken', damaged: true, state: 'failed' })]);
  await screen.findByRole('table', { name: 'Sessions' });
  await drag(rowOf('Disk'));
  const broken = screen.getByText('Broken').closest('tr') as HTMLElement;
  expect(fireEvent.dragOver(broken)).toBe(true);
  expect(fireEvent.dragOver(rowOf('Disk'))).toBe(true);
  expect(fireEvent.dragOver(rowOf('Ladder'))).toBe(false);
  expect(rowOf('Ladder').dataset.over).toBe('true');
  fireEvent.drop(rowOf('Ladder'));
  expect(window.location.hash).toBe('#/compare?baseline=1&other=3');
});

it('adds a tag to a session dropped on it, and selects one dropped on the bar', async () => {
  window.location.hash = '#/?group=tag';
  const { edited } = show();
  await screen.findByRole('table', { name: 'Sessions' });
  await drag(rowOf('Disk'));
  const head = (name: string) => screen.getByRole('button', { name }).closest('tr') as HTMLElement;
  expect(fireEvent.dragOver(head('No tag 1'))).toBe(true);
  expect(fireEvent.dragOver(head('upgrade 1'))).toBe(false);
  fireEvent.drop(head('upgrade 1'));
  fireEvent.dragEnd(rowOf('Disk'));
  await waitFor(() => expect(edited).toEqual([{ id: 3, tags: ['upgrade'] }]));
  await waitFor(() => expect(screen.queryByText(/Drop here/)).toBeNull());
  await drag(rowOf('Disk'));
  fireEvent.drop(screen.getByText(/Drop here to select it, or on another session/));
  expect(await screen.findByText('1 session selected')).toBeDefined();
});

it('moves columns by dragging and with keys, and keeps their order', async () => {
  const headers = () =>
    within(screen.getByRole('table', { name: 'Sessions' }))
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent)
      .slice(1);
  show();
  await screen.findByRole('table', { name: 'Sessions' });
  const usual = headers();
  expect(usual.slice(0, 4)).toEqual(['Session', 'Best cell', 'Curves', 'State']);
  fireEvent.click(screen.getByRole('button', { name: 'Columns' }));
  const item = (name: string) => screen.findByRole('menuitemcheckbox', { name });
  fireEvent.keyDown(await item('State'), { key: 'ArrowUp', altKey: true });
  expect(headers().slice(0, 4)).toEqual(['Session', 'Best cell', 'State', 'Curves']);
  fireEvent.keyDown(await item('Best cell'), { key: 'ArrowUp', altKey: true });
  expect(headers().slice(0, 4)).toEqual(['Session', 'Best cell', 'State', 'Curves']);
  const place = async (name: string) => (await item(name)).parentElement as HTMLElement;
  fireEvent.dragStart(await place('Started'), { dataTransfer: { setData: () => undefined } });
  await waitFor(async () => expect(fireEvent.dragOver(await place('Best cell'))).toBe(false));
  fireEvent.drop(await place('Best cell'));
  const moved = ['Session', 'Started', 'Best cell', 'State', 'Curves'];
  expect(headers().slice(0, 5)).toEqual(moved);
  cleanup();
  show();
  await screen.findByRole('table', { name: 'Sessions' });
  expect(headers().slice(0, 5)).toEqual(moved);
  expect([...headers()].sort()).toEqual([...usual].sort());
});

it('is shown as it was left: filter and selection', async () => {
  show();
  await screen.findByText('3 sessions');
  fireEvent.change(screen.getByRole('textbox', { name: 'Filter' }), { target: { value: 'reads' } });
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Ladder' }));
  const visit = (hash: string) => {
    window.location.hash = hash;
    fireEvent(window, new Event('hashchange'));
  };
  visit('#/nowhere');
  expect(await screen.findByText('Page not found')).toBeDefined();
  visit('#/');
  expect(await screen.findByText('2 of 3 sessions')).toBeDefined();
  expect(window.location.hash).toBe('#/?find=reads');
  expect(screen.getByText('1 session selected')).toBeDefined();
  // In place, the link to the list removes the filter.
  visit('#/');
  expect(await screen.findByText('3 sessions')).toBeDefined();
  visit('#/nowhere');
  await screen.findByText('Page not found');
  visit('#/');
  expect(await screen.findByText('3 sessions')).toBeDefined();
});

it('is where it was scrolled to on return, and other views start at their top', async () => {
  show();
  await screen.findByText('3 sessions');
  const main = screen.getByRole('main');
  const visit = (hash: string) => {
    window.location.hash = hash;
    fireEvent(window, new Event('hashchange'));
  };
  main.scrollTop = 240;
  fireEvent.scroll(main);
  visit('#/nowhere');
  await screen.findByText('Page not found');
  expect(main.scrollTop).toBe(0);
  visit('#/');
  await screen.findByText('3 sessions');
  expect(main.scrollTop).toBe(240);
});

it('explains why three sessions cannot be compared, and which actions need ended ones', async () => {
  show([...sessions, sampleSession({ id: 4, name: 'Under way', state: 'running' })]);
  const table = await screen.findByRole('table', { name: 'Sessions' });
  const tick = (name: string) => fireEvent.click(within(table).getByRole('checkbox', { name: new RegExp(name) }));
  const why = (name: string) => {
    const button = screen.getByRole('button', { name });
    return [
      (button as HTMLButtonElement).disabled,
      document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent,
    ];
  };
  for (const name of ['Disk', 'Upgrade', 'Ladder']) tick(name);
  expect(why('Compare')).toEqual([true, 'Compare takes two sessions: deselect 1.']);
  tick('Ladder');
  expect(why('Compare')).toEqual([false, '']);
  tick('Disk');
  tick('Upgrade');
  tick('Under way');
  const words =
    'Compare takes two sessions: select one more. Only sessions that have ended can be archived or removed.';
  expect(why('Archive')).toEqual([true, words]);
  expect(why('Remove')).toEqual([true, words]);
});

it('shows two tags and a count of the others, and a click on them opens the session', async () => {
  show([sampleSession({ id: 4, name: 'Tagged', tags: ['one', 'two', 'three', 'four'] })]);
  const table = await screen.findByRole('table', { name: 'Sessions' });
  expect(within(table).queryByText('three')).toBeNull();
  fireEvent.click(within(table).getByRole('button', { name: '+2 tags: three, four' }));
  expect(window.location.hash).toBe('#/sessions/4/results');
});

it('groups by experiment with its trend, and keeps closed groups in the address', async () => {
  const at = (id: number, value: number, low: number, high: number): Session =>
    sampleSession({
      id,
      name: `Run ${id}`,
      experiment: 'Ladder',
      best: { value, levels: {}, confidence: { low, high } },
    });
  window.location.hash = '#/?group=experiment';
  show([at(3, 130, 125, 135), at(2, 100, 98, 102), sampleSession({ id: 1, name: 'Alone', experiment: 'Other' })]);
  const ladder = await screen.findByRole('button', { name: 'Ladder 2' });
  expect(ladder.parentElement?.textContent).toContain('Last two: +30 %');
  expect(screen.getByRole('img', { name: /their 95 % intervals do not overlap/ })).toBeDefined();
  fireEvent.click(ladder);
  expect(window.location.hash).toBe('#/?group=experiment&closed=Ladder');
  expect(rows()).toEqual([expect.stringContaining('Ladder 2'), 'Other 1', 'Alone']);
});

it('warns next to a load-bound best cell and its trend', async () => {
  const bound = { verdict: 'network' as const, sentence: 'Link eth0 of db1 at its limit.' };
  const best = { value: 130, levels: {}, confidence: { low: 125, high: 135 } };
  window.location.hash = '#/?group=experiment';
  show([
    sampleSession({
      id: 2,
      name: 'Upgrade',
      experiment: 'Ladder',
      best: { ...best, ...caveatsOf({ partial: false, means: [1, 1], errors: 0, bound }) },
    }),
    sampleSession({ id: 1, name: 'Before', experiment: 'Ladder', best }),
  ]);
  const table = await screen.findByRole('table', { name: 'Sessions' });
  const marks = within(table).getAllByRole('img', {
    name: 'Limited by the network, not by the system under test.',
  });
  expect(marks.map((mark) => mark.closest('tr')?.textContent)).toEqual([
    expect.stringContaining('Ladder'),
    expect.stringContaining('Upgrade'),
  ]);
});

it('selects with the keyboard, tags the selection, and undoes it', async () => {
  const engine = show();
  const table = await screen.findByRole('table', { name: 'Sessions' });
  const [disk, upgrade] = within(table).getAllByRole('row').slice(1);
  disk?.focus();
  fireEvent.keyDown(disk as HTMLElement, { key: ' ' });
  fireEvent.keyDown(disk as HTMLElement, { key: 'ArrowDown', shiftKey: true });
  expect(document.activeElement).toBe(upgrade);
  const bar = within(screen.getByRole('region', { name: 'Selected sessions' }));
  expect(bar.getByText('2 sessions selected')).toBeDefined();
  fireEvent.click(bar.getByRole('button', { name: 'Tag' }));
  const input = await screen.findByRole('combobox', { name: 'Tags of all selected sessions' });
  fireEvent.change(input, { target: { value: 'quiet' } });
  fireEvent.keyDown(input, { key: 'Enter' });
  fireEvent.click(screen.getByRole('button', { name: 'Save tags' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() =>
    expect(engine.edited).toEqual([
      { id: 3, tags: ['quiet'] },
      { id: 2, tags: ['reads', 'upgrade', 'quiet'] },
      { id: 3, tags: [] },
      { id: 2, tags: ['reads', 'upgrade'] },
    ]),
  );
  fireEvent.keyDown(upgrade as HTMLElement, { key: 'Escape' });
  expect(screen.queryByRole('region', { name: 'Selected sessions' })).toBeNull();
});

it('deletes from the menu of a row, once the notice closes', async () => {
  const engine = show();
  await screen.findByRole('table', { name: 'Sessions' });
  fireEvent.click(screen.getByRole('button', { name: 'Actions for Upgrade' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Remove' }));
  await waitFor(() => expect(rows()).toEqual(['Disk', 'Ladder']));
  expect(engine.removed).toEqual([]);
  const notice = (await screen.findByText(/will be removed/)).closest('[role=alert]') as HTMLElement;
  fireEvent.click(within(notice).getAllByRole('button').at(-1) as HTMLElement);
  await waitFor(() => expect(engine.removed).toEqual([2]));
});

it('does not show a new library if everything is archived', async () => {
  show([], sessions);
  expect(await screen.findByText('Every session is archived.')).toBeDefined();
  expect(screen.getByRole('switch', { name: 'Archive' })).toBeDefined();
});

it('names a damaged session, and does not open it', async () => {
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

it('marks a session without results', async () => {
  const message = 'Its only trial failed, so nothing was measured.';
  show([sampleSession({ id: 2, name: 'Broken', message }), sampleSession({ id: 1, name: 'Ladder' })]);
  const table = await screen.findByRole('table', { name: 'Sessions' });
  const [broken, ladder] = ['Broken', 'Ladder'].map((name) => within(table).getByRole('link', { name }).closest('tr'));
  expect(broken?.textContent).toContain('no results');
  expect(within(broken as HTMLElement).getByTitle(message)).toBeDefined();
  expect(ladder?.textContent).not.toContain('no results');
});

it('lists sessions before their figures, requests visible ones, and sorts them as they arrive', async () => {
  const best = (value: number) => ({ value, levels: { threads: 8 } });
  const without = { best: undefined, sparkline: [], figuresFollow: true as const };
  const list = [
    sampleSession({ id: 3, name: 'Middle', best: best(200) }),
    sampleSession({ id: 2, name: 'Highest', ...without }),
    sampleSession({ id: 1, name: 'Of before', best: best(100), figuresFollow: true }),
  ];
  const asked: number[][] = [];
  const engine = testEngine({
    sessions: {
      list: () => list,
      figures: ({ ids }) => {
        asked.push(ids);
        return [];
      },
    },
  });
  showView(engine.link);
  await screen.findByRole('table', { name: 'Sessions' });
  expect(screen.getAllByRole('img', { name: 'Calculating' })).toHaveLength(2);
  expect(screen.getByTitle('Recalculating. Showing the previous figure.').textContent).toContain('100 tps');
  await waitFor(() => expect(asked.flat().sort()).toEqual([1, 2]));
  for (const names of [
    ['Of before', 'Middle', 'Highest'],
    ['Middle', 'Of before', 'Highest'],
  ]) {
    fireEvent.click(screen.getByRole('button', { name: 'Best cell' }));
    expect(rows()).toEqual(names);
  }
  engine.send({
    kind: 'figures',
    sessions: [
      sampleSession({ id: 2, name: 'Highest', best: best(300) }),
      sampleSession({ id: 1, name: 'Of before', best: best(250) }),
    ],
  });
  await waitFor(() => expect(rows()).toEqual(['Highest', 'Of before', 'Middle']));
  expect(screen.queryByRole('img', { name: 'Calculating' })).toBeNull();
});
