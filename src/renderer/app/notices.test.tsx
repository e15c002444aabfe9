import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Session } from '../../shared/model/session.ts';
import { createQueryClient, type Notice, type NoticeApi, NoticesContext, noticesOf } from '../client/index.ts';
import { sampleSession, testEngine } from '../testing/engine.ts';
import { App } from './App.tsx';

beforeAll(() => import('../views/library/index.tsx'));
beforeEach(() => {
  window.location.hash = '';
  localStorage.clear();
});
afterEach(cleanup);

const running = sampleSession({ id: 3, name: 'Ladder', state: 'running', trialsEnded: 2 });

/** The app with a notice API that records its notices; `isSeen`: the page is in view. */
async function show(isSeen = false) {
  const shown: Notice[] = [];
  let open = (): void => undefined;
  const api: NoticeApi = {
    ...{ permission: () => 'granted', ask: async () => undefined, onChanged: () => () => undefined },
    isSeen: () => isSeen,
    show: (notice, onOpen) => {
      shown.push(notice);
      open = onOpen;
    },
  };
  const engine = testEngine({ sessions: { list: () => [running] } });
  render(
    <NoticesContext value={api}>
      <App link={engine.link} queries={createQueryClient()} env="test" />
    </NoticesContext>,
  );
  await screen.findByRole('table', { name: 'Sessions' });
  const become = async (changes: Partial<Session>, words: string): Promise<void> => {
    engine.send({ kind: 'session', session: { ...running, ...changes } });
    await screen.findAllByText(words);
  };
  return { shown, become, open: () => open() };
}

it('notifies once that a session is done while the page is hidden, and opens it', async () => {
  const { shown, become, open } = await show();
  await become({ trialsEnded: 3 }, '3 of 6');
  await become({ state: 'done', trialsEnded: 6, trialsFailed: 1 }, 'done');
  await become({ state: 'done', trialsEnded: 6, trialsFailed: 1, name: 'Renamed' }, 'Renamed');
  expect(shown).toEqual([{ tag: 'session 3', title: 'Done: Ladder', body: '6 trials ended, 1 failed.' }]);
  open();
  await waitFor(() => expect(window.location.hash).toBe('#/sessions/3/live'));
});

it('notifies about failure or needed input in the words of the session', async () => {
  const { shown, become } = await show();
  await become({ needs: { code: 'vault-locked', message: 'The vault is locked.' }, trialsEnded: 3 }, '3 of 6');
  await become({ state: 'failed', message: 'db1 is gone.' }, 'failed');
  expect(shown.map(({ title, body }) => [title, body])).toEqual([
    ['Input needed: Ladder', 'The vault is locked.'],
    ['Failed: Ladder', 'db1 is gone.'],
  ]);
});

it('sends nothing while the page is visible or notifications are off', async () => {
  const seen = await show(true);
  await seen.become({ state: 'done' }, 'done');
  expect(seen.shown).toEqual([]);
  cleanup();
  localStorage.setItem('kneepoint-notices', 'false');
  const off = await show();
  await off.become({ state: 'done' }, 'done');
  expect(off.shown).toEqual([]);
});

it('requests permission only while undecided, and shows nothing without it', async () => {
  const made: string[] = [];
  class Shown {
    static permission: NotificationPermission = 'default';
    static requestPermission = async () => {
      Shown.permission = 'granted';
      return Shown.permission;
    };
    onclick: (() => void) | undefined;
    constructor(title: string) {
      made.push(title);
    }
  }
  const page = { Notification: Shown, isSecureContext: true, document } as unknown as Parameters<typeof noticesOf>[0];
  const api = noticesOf(page);
  const notice = { title: 'Done', body: '', tag: 'a' };
  api.show(notice, () => undefined);
  expect([api.permission(), made]).toEqual(['default', []]);
  await api.ask();
  api.show(notice, () => undefined);
  expect([api.permission(), made]).toEqual(['granted', ['Done']]);
  expect(noticesOf({ isSecureContext: true, document } as unknown as typeof page).permission()).toBe('none');
});
