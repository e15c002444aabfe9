import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { HostSpec } from '../../shared/model/host.ts';
import { createQueryClient } from '../client/index.ts';
import { fileOf, ladder } from '../testing/documents.ts';
import { sampleSession, testEngine } from '../testing/engine.ts';
import { App } from './App.tsx';

beforeEach(() => {
  window.location.hash = '';
});
afterEach(cleanup);

const host: HostSpec = {
  kind: 'ssh',
  name: 'db7',
  address: '10.0.0.7',
  port: 22,
  user: 'bench',
  auth: { method: 'agent' },
  jumps: [],
};

/** A library with some sessions, a host, a target, an experiment and a template. */
async function show(names = ['First', 'Second']) {
  const { link } = testEngine({
    sessions: { list: () => names.map((name, index) => sampleSession({ id: index + 1, name })) },
    hosts: { list: () => [{ id: 3, spec: host, hasSecret: false, createdAt: 0 }] },
    targets: {
      list: () => [
        { id: 5, spec: { name: 'orders', kind: 'thing', via: null, config: {} }, hasSecret: false, createdAt: 0 },
      ],
    },
    experiments: {
      list: () => [
        fileOf('9', 'saved', { ...ladder, name: 'My ladder' }),
        fileOf('fsync', 'template', { ...ladder, name: 'Cost of fsync' }),
      ],
    },
  });
  render(<App link={link} queries={createQueryClient()} env="test" />);
  await screen.findByRole('table', { name: 'Sessions' });
}

const press = (key: string, more: object = {}): void => {
  fireEvent.keyDown(document.activeElement ?? document.body, { key, code: `Key${key.toUpperCase()}`, ...more });
};
const search = () => screen.findByRole('textbox', { name: 'Search' });

/** Opens the palette, types, and selects the entry with this name. */
async function take(words: string): Promise<void> {
  press('k', { ctrlKey: true });
  fireEvent.change(await search(), { target: { value: words } });
  const palette = within(screen.getByRole('dialog'));
  fireEvent.click(await palette.findByRole('button', { name: new RegExp(words) }));
}

describe('the command palette', () => {
  it('opens with the focus anywhere: in a field, on the checkbox of a row, on a filter', async () => {
    await show();
    for (const element of [
      screen.getByRole('textbox', { name: 'Filter' }),
      screen.getByRole('checkbox', { name: 'Select First' }),
      screen.getByRole('radio', { name: /^Failed or stopped/ }),
    ]) {
      act(() => element.focus());
      press('k', { ctrlKey: true });
      fireEvent.keyDown(await search(), { key: 'Escape' });
      await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Search' })).toBeNull());
    }
  });

  it('finds hosts, targets, experiments and templates', async () => {
    await show();
    for (const [words, place] of [
      ['db7', '#/hosts/3'],
      ['orders', '#/targets/5'],
      ['My ladder', '#/experiments/9'],
      ['Cost of fsync', '#/experiments/fsync'],
    ] as const) {
      await take(words);
      await waitFor(() => expect(window.location.hash).toBe(place));
      await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Search' })).toBeNull());
    }
  });

  it('shows date and number of each session to distinguish equal names', async () => {
    await show(['Same', 'Same']);
    press('k', { ctrlKey: true });
    fireEvent.change(await search(), { target: { value: 'Same' } });
    const palette = within(screen.getByRole('dialog'));
    for (const kind of ['Same', 'Run again: Same'])
      for (const id of [1, 2]) {
        const name = new RegExp(`^${kind} 2026-1[01]-\\d\\d \\d\\d:\\d\\d · session ${id}$`);
        await palette.findByRole('button', { name });
      }
    fireEvent.change(await search(), { target: { value: 'session 2' } });
    await waitFor(() => expect(palette.queryByRole('button', { name: / session 1$/ })).toBeNull());
    fireEvent.click(await palette.findByRole('button', { name: /^Same/ }));
    await waitFor(() => expect(window.location.hash).toMatch(/^#\/sessions\/2\//));
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Search' })).toBeNull());
  });

  it('reserves room for every kind of result', async () => {
    await show(Array.from({ length: 60 }, (_, index) => `Session ${index}`));
    press('k', { ctrlKey: true });
    await search();
    const palette = within(screen.getByRole('dialog'));
    for (const name of [/db7/, /orders/, /My ladder/, /Cost of fsync/]) {
      expect(await palette.findByRole('button', { name })).toBeDefined();
    }
    expect(palette.queryByRole('button', { name: /^Session 59/ })).toBeNull();
    fireEvent.change(await search(), { target: { value: 'Session 59' } });
    fireEvent.click(await palette.findByRole('button', { name: /^Session 59/ }));
    await waitFor(() => expect(window.location.hash).toMatch(/^#\/sessions\/60\//));
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Search' })).toBeNull());
  });

  it('offers the actions of the current screen that are available', async () => {
    await show();
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select First' }));
    press('k', { ctrlKey: true });
    await search();
    const palette = within(screen.getByRole('dialog'));
    expect(palette.queryByRole('button', { name: 'Compare' })).toBeNull();
    fireEvent.click(await palette.findByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(screen.queryByRole('link', { name: 'First' })).toBeNull());
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByRole('link', { name: 'First' })).toBeDefined();
  });
});

describe('the list of shortcuts', () => {
  it('opens with a question mark, even with the focus on a checkbox', async () => {
    await show();
    act(() => screen.getByRole('checkbox', { name: 'Select First' }).focus());
    press('?', { shiftKey: true });
    const list = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }));
    expect(list.getByText('Search or run a command')).toBeDefined();
    expect(list.getByRole('region', { name: 'Charts' })).toBeDefined();
  });

  it('does not open when a question mark is typed in a field', async () => {
    await show();
    act(() => screen.getByRole('textbox', { name: 'Filter' }).focus());
    press('?', { shiftKey: true });
    expect(screen.queryByRole('dialog', { name: 'Keyboard shortcuts' })).toBeNull();
    await take('Keyboard shortcuts');
    expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeDefined();
  });
});

it('shows a chart in full screen with a key: the one with the focus, otherwise the first', async () => {
  await show();
  const clicked: string[] = [];
  const [first, second] = ['first', 'second'].map((name) => {
    const figure = document.createElement('figure');
    figure.className = 'kp-chart';
    const button = document.createElement('button');
    button.dataset.fullScreen = '';
    button.addEventListener('click', () => clicked.push(name));
    const other = document.createElement('button');
    figure.append(other, button);
    document.body.append(figure);
    onTestFinished(() => figure.remove());
    return other;
  });
  press('f');
  expect(clicked).toEqual(['first']);
  act(() => second?.focus());
  press('f');
  expect(clicked).toEqual(['first', 'second']);
  act(() => first?.focus());
  press('f', { ctrlKey: true });
  expect(clicked).toEqual(['first', 'second']);
});
