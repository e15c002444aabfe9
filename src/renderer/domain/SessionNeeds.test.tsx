import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { Problem } from '../../shared/model/problem.ts';
import { sampleSession, testEngine } from '../testing/engine.ts';
import { renderWithEngine } from '../testing/render.tsx';
import { ExcludeRun } from './ExcludeRun.tsx';
import { RepeatTrials } from './RerunMenu.tsx';
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

it('asks for the missing password, and stores it with the target', async () => {
  const { saved } = show({ code: 'secret-missing', target: 'shop-db', message: 'The password is missing.' });
  const field = await screen.findByLabelText('Password of shop-db');
  await waitFor(() => {
    fireEvent.change(field, { target: { value: 'geheim' } });
    fireEvent.submit(field);
    expect(saved).toContainEqual({ id: 7, spec, secret: 'geheim' });
  });
});

it('shows the vault field if the vault is locked', async () => {
  show({ code: 'vault-locked', message: 'The vault is locked.' });
  expect(await screen.findByRole('button', { name: 'Unlock…' })).toBeDefined();
});

it('links to the target whose server is awaited, without a button to try again', async () => {
  show({ code: 'target-unreachable', target: 'shop-db', run: 4, message: 'Trial 2 waits for “shop-db”.' });
  expect((await screen.findByRole('link', { name: 'Open shop-db' })).getAttribute('href')).toContain('/targets/7');
  expect(screen.getByText(/Trial 2 waits for “shop-db”/)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

it('tries again on request', async () => {
  const { resumed } = show({ code: 'disk-full', host: 'loadgen', message: 'The disk of loadgen is full.' });
  fireEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(resumed).toEqual([3]));
});

it('excludes a trial with a reason, replaces one, and includes it again', async () => {
  const asked: unknown[] = [];
  const answer =
    <T,>(name: string, value: T) =>
    (request: unknown): T => {
      asked.push([name, request]);
      return value;
    };
  const { link } = testEngine({
    sessions: {
      exclude: answer('exclude', []),
      include: answer('include', []),
      repeat: answer('repeat', sampleSession({ id: 3 })),
    },
  });
  const reasoned = (label: string): void => {
    fireEvent.click(screen.getByRole('button', { name: `${label} trial 32` }));
    const [, act] = screen.getAllByRole('button', { name: `${label} trial 32` });
    expect(act).toHaveProperty('disabled', true);
    fireEvent.change(screen.getByLabelText('Reason'), { target: { value: ' its link was cut ' } });
    fireEvent.click(act as HTMLElement);
  };
  const { unmount } = renderWithEngine(link, <ExcludeRun sessionId={3} run={{ id: 8, trial: 31 }} />);
  reasoned('Exclude');
  await waitFor(() => expect(asked).toEqual([['exclude', { id: 3, runIds: [8], reason: 'its link was cut' }]]));
  reasoned('Replace');
  await waitFor(() => expect(asked[1]).toEqual(['repeat', { id: 3, runIds: [8], reason: 'its link was cut' }]));
  unmount();
  renderWithEngine(link, <ExcludeRun sessionId={3} run={{ id: 8, trial: 31, excluded: { reason: 'cut', at: 0 } }} />);
  fireEvent.click(screen.getByRole('button', { name: 'Include run' }));
  await waitFor(() => expect(asked[2]).toEqual(['include', { id: 3, runIds: [8] }]));
});

it('repeats failed trials if there are any', async () => {
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
  // A session that was measured elsewhere cannot be continued.
  renderWithEngine(link, <RepeatTrials session={sampleSession({ id: 3, trialsFailed: 2, origin: 'imported' })} />);
  expect(screen.queryByRole('button')).toBeNull();
  cleanup();
  renderWithEngine(link, <RepeatTrials session={sampleSession({ id: 3, trialsFailed: 2 })} />);
  fireEvent.click(screen.getByRole('button', { name: 'Repeat 2 failed trials' }));
  await waitFor(() => expect(asked).toEqual([{ id: 3 }]));
});
