import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { Problem } from '../../shared/model/problem.ts';
import { sampleSession, testEngine } from '../testing/engine.ts';
import { renderWithEngine } from '../testing/render.tsx';
import { RepeatTrials } from './RepeatTrials.tsx';
import { SessionNeeds } from './SessionNeeds.tsx';

afterEach(cleanup);

const spec = { name: 'shop-db', kind: 'mysql', via: null, config: {} } as const;

function show(needs: Problem) {
  const saved: unknown[] = [];
  const resumed: number[] = [];
  const target = { id: 7, spec, hasSecret: false, createdAt: 0 };
  const { link } = testEngine({
    sessions: {
      resume: ({ id }) => {
        resumed.push(id);
        return sampleSession({ id });
      },
    },
    targets: {
      list: () => [target],
      save: (asked) => {
        saved.push(asked);
        return target;
      },
    },
    hosts: { list: () => [] },
    app: {
      secrets: () => ({ keeper: 'vault', unlocked: false, vaultExists: true, message: 'Locked.' }),
    },
  });
  renderWithEngine(link, <SessionNeeds session={sampleSession({ id: 3, state: 'running', needs })} />);
  return { saved, resumed };
}

it('asks for the password that a session waits for, and keeps it with its target', async () => {
  const { saved } = show({ code: 'secret-missing', target: 'shop-db', message: 'The password is missing.' });
  const field = await screen.findByLabelText('Password of shop-db');
  await waitFor(() => {
    fireEvent.change(field, { target: { value: 'geheim' } });
    fireEvent.submit(field);
    expect(saved).toContainEqual({ id: 7, spec, secret: 'geheim' });
  });
});

it('has the field of the vault where the vault is locked', async () => {
  show({ code: 'vault-locked', message: 'The vault is locked.' });
  expect(await screen.findByRole('button', { name: 'Unlock…' })).toBeDefined();
});

it('tries again when a person says so', async () => {
  const { resumed } = show({ code: 'disk-full', host: 'loadgen', message: 'The disk of loadgen is full.' });
  fireEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(resumed).toEqual([3]));
});

it('repeats the failed trials, and nothing where none has failed', async () => {
  const asked: unknown[] = [];
  const { link } = testEngine({
    sessions: {
      repeat: (request) => {
        asked.push(request);
        return sampleSession({ id: 3 });
      },
    },
  });
  renderWithEngine(link, <RepeatTrials session={sampleSession({ id: 3, trialsFailed: 0 })} />);
  expect(screen.queryByRole('button')).toBeNull();
  cleanup();
  renderWithEngine(link, <RepeatTrials session={sampleSession({ id: 3, trialsFailed: 2 })} />);
  fireEvent.click(screen.getByRole('button', { name: 'Repeat 2 failed trials' }));
  await waitFor(() => expect(asked).toEqual([{ id: 3 }]));
});
