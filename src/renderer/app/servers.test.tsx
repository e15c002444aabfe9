import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KneepointError } from '../../shared/model/problem.ts';
import type { Changed } from '../../shared/model/restore.ts';
import type { ServerLook, ServerPlace, Target, TargetKindInfo } from '../../shared/model/target.ts';
import { testEngine } from '../testing/engine.ts';
import { showView } from './testing/view.tsx';

const kind: TargetKindInfo = {
  kind: 'mysql',
  title: 'MySQL family',
  family: 'MySQL',
  nameExample: 'maria',
  takesSecret: true,
  connects: true,
  via: 'connection',
  tells: [],
  schema: { type: 'object', properties: {} },
};
const PLACE: ServerPlace = {
  host: 'db-01',
  control: { kind: 'systemd', unit: 'mariadb.service', sudo: true },
  limitSeconds: 90,
};
const NOW = Date.UTC(2026, 10, 20, 12);
const look = (more: Partial<ServerLook> = {}): ServerLook => ({ state: 'running', claims: [], readAt: NOW, ...more });

type Targets = NonNullable<Parameters<typeof testEngine>[0]['targets']>;

function show(given: Targets & { server?: ServerPlace | null; changed?: Changed[] }) {
  const { server = PLACE, changed = [], ...targets } = given;
  const target: Target = {
    id: 4,
    spec: { name: 'maria', kind: 'mysql', via: null, config: {}, ...(server && { server }) },
    hasSecret: true,
    createdAt: 0,
  };
  const list = () => [target];
  const { link } = testEngine({
    targets: { kinds: () => [kind], list, serverState: () => ({ state: 'starting' }), ...targets },
    changes: { list: () => changed },
  });
  showView(link, '/targets/4/server');
}
const panel = async () => within(await screen.findByRole('region', { name: 'Server' }));

beforeEach(() => sessionStorage.clear());
afterEach(cleanup);

describe('the server of a target', () => {
  it('shows version, uptime and control', async () => {
    show({ lookAtServer: () => look({ product: 'MariaDB 10.11.9', upSince: NOW - 3_600_000 }) });
    const server = await panel();
    await server.findByText('Running');
    server.getByText('MariaDB 10.11.9');
    server.getByText(/^up since .*, 1 h/);
    server.getByText('systemd unit mariadb.service, with sudo');
    expect(await screen.findByText('No setting of the server or of db-01 is changed.')).toBeDefined();
    expect(server.queryByRole('button', { name: 'Start' })).toBeNull();
  });

  it('restarts after a confirmation, with its state until it runs again', async () => {
    let resolve = (): void => undefined;
    const done = new Promise<void>((finish) => {
      resolve = finish;
    });
    const restartServer = async () => {
      await done;
      return { state: 'running' as const };
    };
    show({ lookAtServer: () => look(), restartServer });
    const server = await panel();
    fireEvent.click(await server.findByRole('button', { name: 'Restart' }));
    await screen.findByText(/^Restart the server of maria\? Clients that are connected/);
    fireEvent.click((await screen.findAllByRole('button', { name: 'Restart' })).at(-1) as HTMLElement);
    await server.findByText('Restarting');
    await server.findByText(/^now starting/);
    server.getByText(/ of at most 1 min 30 s$/);
    expect(server.queryByRole('button', { name: 'Stop' })).toBeNull();
    resolve();
    await server.findByText('Running');
    await server.findByRole('button', { name: 'Stop' });
  });

  it('shows the end of its log if it does not start', async () => {
    const startServer = (): never => {
      throw new KneepointError({
        code: 'server-not-back',
        message: 'The server of target “maria” on db-01 ended right after its start.',
        next: 'Correct what the log names.',
        details: {
          log: ['[Note] starting', '[ERROR] unknown variable'],
        },
      });
    };
    show({ lookAtServer: () => look({ state: 'stopped' }), startServer });
    fireEvent.click(await (await panel()).findByRole('button', { name: 'Start' }));
    expect((await screen.findByRole('alert')).textContent).toContain('ended right after its start.Correct what');
    const log = within(screen.getByRole('region', { name: 'Last lines of its log' }));
    log.getByText(/starting \[ERROR\] unknown variable/);
    await (await panel()).findByText('Stopped');
  });

  it('is not stopped while a session uses it, and the page names the session', async () => {
    const stopServer = (): never => {
      throw new KneepointError({ code: 'conflict', message: 'Session 3 (“ladder”) is using the server.' });
    };
    show({ lookAtServer: () => look(), stopServer });
    fireEvent.click(await (await panel()).findByRole('button', { name: 'Stop' }));
    await screen.findByText(/^Stop the server of maria\?/);
    fireEvent.click((await screen.findAllByRole('button', { name: 'Stop' })).at(-1) as HTMLElement);
    expect((await screen.findByRole('alert')).textContent).toContain('Session 3 (“ladder”) is using the server.');
    await (await panel()).findByText('Running');
  });

  it('lists settings that sessions have changed, and who else varies it', async () => {
    const change = (entry: number, place: Changed['place'], what: string): Changed => ({
      ...{ entry, place, what, session: 12, first: '1', wanted: '0', since: NOW, active: true },
    });
    show({
      lookAtServer: () => look({ claims: [{ place: 'host', by: 'session 9 of root@laptop, /data' }] }),
      changed: [
        change(1, { kind: 'server', name: 'maria' }, 'sync_binlog'),
        change(2, { kind: 'host', name: 'db-01' }, 'swappiness'),
        change(3, { kind: 'server', name: 'other' }, 'work_mem'),
      ],
    });
    await screen.findByText('Settings of db-01 are being varied by session 9 of root@laptop, /data.');
    const table = within(await screen.findByRole('table', { name: 'Changed by sessions' }));
    table.getByText('sync_binlog');
    table.getByText('swappiness');
    expect(table.queryByText('work_mem')).toBeNull();
    expect(table.getAllByRole('link', { name: '12' })[0]?.getAttribute('href')).toMatch(/\/sessions\/12$/);
  });

  it('is not requested without a host, and the page explains what to do', async () => {
    show({ server: null });
    await screen.findByRole('heading', { name: 'Server host unknown' });
    fireEvent.click(screen.getByRole('link', { name: 'Set the host' }));
    await waitFor(() => expect(window.location.hash).toBe('#/targets/4'));
  });

  it('offers only a new check if not controlled', async () => {
    show({ server: { host: 'db-01', control: { kind: 'none' } }, lookAtServer: () => look() });
    const server = await panel();
    await server.findByText('not controlled by Kneepoint');
    await server.findByText('Running');
    expect(server.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Check again']);
  });
});
