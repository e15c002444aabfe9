import { cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Target, TargetKindInfo } from '../../shared/model/target.ts';
import { createQueryClient } from '../client/index.ts';
import { App } from './App.tsx';
import { sampleSession, testEngine } from './testing/engine.ts';

// A view's code is fetched when it is first shown, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });
configure({ asyncUtilTimeout: 20_000 });

type Topics = Parameters<typeof testEngine>[0];

const mysql: TargetKindInfo = {
  kind: 'mysql',
  title: 'MySQL family',
  takesSecret: true,
  schema: {
    type: 'object',
    properties: {
      address: { type: 'string', default: '127.0.0.1', title: 'Address' },
      port: { type: 'integer', minimum: 1, maximum: 65535, default: 3306, title: 'Port' },
      user: { type: 'string', minLength: 1, title: 'User' },
      tls: { type: 'string', enum: ['disabled', 'verify'], default: 'disabled', title: 'TLS' },
      caFile: { type: 'string', default: '', title: 'CA file', when: { option: 'tls', in: ['verify'] } },
    },
    required: ['user'],
  },
};
const maria: Target = {
  id: 4,
  spec: { name: 'maria', kind: 'mysql', via: null, config: { user: 'sb', port: 3307 } },
  hasSecret: true,
  createdAt: 0,
};

function show(place: string, topics: Topics) {
  const engine = testEngine({ ...topics, targets: { kinds: () => [mysql], list: () => [maria], ...topics.targets } });
  window.location.hash = place;
  render(<App link={engine.link} queries={createQueryClient()} env="test" />);
}
const type = (name: string, value: string) =>
  fireEvent.change(screen.getByRole('textbox', { name }), { target: { value } });

beforeEach(() => {
  sessionStorage.clear();
  window.location.hash = '';
});
afterEach(cleanup);

describe('targets', () => {
  it('calls out what is needed only when one tries, then saves only what differs from the defaults', async () => {
    const saved: unknown[] = [];
    show('/targets/new', {
      targets: {
        save: (input) => {
          saved.push(input);
          return maria;
        },
      },
    });
    const save = await screen.findByRole('button', { name: 'Save' });
    expect(screen.queryByRole('alert')).toBeNull();
    fireEvent.click(save);
    expect((await screen.findByRole('alert')).textContent).toBe('This is needed.');
    expect(saved).toEqual([]);
    type('Name', 'maria');
    type('User', 'sb');
    fireEvent.click(save);
    await waitFor(() => expect(window.location.hash).toBe('#/targets'));
    expect(saved).toEqual([{ spec: { name: 'maria', kind: 'mysql', via: null, config: { user: 'sb' } } }]);
  });

  it('keeps a kept password unless told otherwise, and never shows it', async () => {
    const saved: unknown[] = [];
    show('/targets/4', {
      targets: {
        save: (input) => {
          saved.push(input);
          return maria;
        },
      },
    });
    expect(await screen.findByText('Password is kept')).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Forget' }));
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(saved).toHaveLength(1));
    expect(saved[0]).toMatchObject({ id: 4, secret: null });
  });

  it('tests what is typed and shows the settings with their reasons', async () => {
    const asked: unknown[] = [];
    show('/targets/4', {
      targets: {
        testSpec: (input) => {
          asked.push(input);
          return {
            result: 'ok',
            roundTripMs: 0.4,
            description: {
              product: 'MariaDB',
              version: '10.11.9',
              settings: [{ name: 'sync_binlog', value: '0', why: 'How often the log is flushed.' }],
              durability: { level: 'relaxed', why: 'The log is flushed once a second.' },
              readAt: 0,
            },
          };
        },
      },
    });
    await screen.findByRole('button', { name: 'Test' });
    type('Port', '3310');
    fireEvent.click(screen.getByRole('button', { name: 'Test' }));
    expect(await screen.findByText('MariaDB 10.11.9')).toBeDefined();
    expect(screen.getByText('How often the log is flushed.')).toBeDefined();
    expect(screen.getByText(/^Relaxed/)).toBeDefined();
    expect(asked).toMatchObject([{ id: 4, spec: { config: { user: 'sb', port: 3310 } } }]);
  });

  it('says in the server’s words why it cannot be reached', async () => {
    const problem = {
      code: 'target-auth-failed' as const,
      message: 'The server refused user sb.',
      next: 'Check the password.',
    };
    show('/targets/4', { targets: { testSpec: () => ({ result: 'failed', problem }) } });
    fireEvent.click(await screen.findByRole('button', { name: 'Test' }));
    expect((await screen.findByRole('alert')).textContent).toContain('The server refused user sb.Check the password.');
  });
});

describe('costs', () => {
  const entry = {
    id: 'aws/m5',
    kind: 'instance' as const,
    provider: 'Cloud',
    region: 'east',
    title: 'm5.large',
    summary: '2 vCPU',
    perHour: 0.096,
    currency: 'USD',
    confidence: 'high',
    source: 'price list',
    asOf: '2026-07-20',
  };

  it('prices a configuration part by part and gives that price to sessions', async () => {
    const given: unknown[] = [];
    show('/costs', {
      sessions: { list: () => [sampleSession({ id: 1, name: 'Ladder A' })] },
      costs: {
        catalogue: () => ({ compiled: '2026-11-20', disclaimer: 'List prices.', entries: [entry] }),
        evaluate: ({ spec }) => ({
          currency: 'USD',
          perHour: 0.096 * spec.components.length,
          perMonth: 70.08,
          perYear: 840.96,
          items: spec.components.map((part) => ({
            label: part.kind,
            perHour: 0.096,
            perMonth: 70.08,
            perYear: 840.96,
            how: '0.096 a hour',
            warnings: ['Its disk limit is 81 MB/s.'],
          })),
        }),
        setOfSession: (input) => {
          given.push(input);
          return {};
        },
      },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Add m5.large, east' }));
    expect(await screen.findByText('Its disk limit is 81 MB/s.')).toBeDefined();
    expect(screen.getByText('$840.96')).toBeDefined();
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select Ladder A' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Give $0.0960 per hour to 1 session' }));
    await waitFor(() => expect(given).toHaveLength(1));
    expect(given[0]).toEqual({
      sessionId: 1,
      spec: { label: '', currency: 'USD', components: [{ kind: 'instance', id: 'aws/m5', count: 1 }] },
    });
  });
});
