import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Configuration, CostSpec, Priced } from '../../shared/model/cost.ts';
import type { TableSet } from '../../shared/model/data-set.ts';
import { type Host, type HostFacts, LOCAL_HOST_NAME } from '../../shared/model/host.ts';
import { KneepointError } from '../../shared/model/problem.ts';
import type { Target, TargetKindInfo } from '../../shared/model/target.ts';
import { mysqlKind } from '../testing/documents.ts';
import { sampleSession, testEngine } from '../testing/engine.ts';
import { showView } from './testing/view.tsx';

type Topics = Parameters<typeof testEngine>[0];

const maria: Target = {
  id: 4,
  spec: { name: 'maria', kind: 'mysql', via: null, config: { user: 'sb', port: 3307 } },
  hasSecret: true,
  createdAt: 0,
};

const FACTS: HostFacts = {
  ...{ hostname: 'here', os: 'Debian', kernel: '6.1', architecture: 'x86_64', cpuCount: 2 },
  ...{ disks: [], networks: [], filesystems: [], tools: [], readAt: 0 },
};

const host = (name: string): Host => ({
  id: name.length,
  spec:
    name === LOCAL_HOST_NAME
      ? { kind: 'local', name: LOCAL_HOST_NAME }
      : { kind: 'ssh', name, address: name, port: 22, user: 'u', auth: { method: 'agent' }, jumps: [] },
  hasSecret: false,
  createdAt: 0,
});

function show(place: string, topics: Topics) {
  const engine = testEngine({
    ...topics,
    targets: { kinds: () => [mysqlKind], list: () => [maria], ...topics.targets },
  });
  showView(engine.link, place);
}
const type = (name: string, value: string) =>
  fireEvent.change(screen.getByRole('textbox', { name }), { target: { value } });

beforeEach(() => {
  sessionStorage.clear();
  window.location.hash = '';
});
afterEach(cleanup);

describe('targets', () => {
  it('are listed with the effective address, even a default one', async () => {
    show('/targets', {});
    const row = within(await screen.findByRole('table', { name: 'Targets' })).getByRole('row', { name: /maria/ });
    await within(row).findByText('127.0.0.1:3307');
  });

  it('have a menu, which a right-click on the row opens: test, duplicate and remove', async () => {
    const removed: unknown[] = [];
    const tested: unknown[] = [];
    const targets: NonNullable<Topics['targets']> = {
      remove: (asked) => {
        removed.push(asked);
        return {};
      },
      testSpec: ({ id }) => {
        tested.push(id);
        return { result: 'failed', problem: { code: 'target-unreachable', message: 'db1 did not respond.' } };
      },
    };
    const choose = async (name: string) => {
      show('/targets', { targets });
      const row = (await screen.findByRole('link', { name: 'maria' })).closest('tr') as HTMLElement;
      expect(fireEvent.contextMenu(row.lastElementChild as Element)).toBe(false);
      fireEvent.click(await screen.findByRole('menuitem', { name }));
    };
    await choose('Test');
    await screen.findByText('db1 did not respond.');
    expect(tested).toEqual([4]);
    cleanup();
    await choose('Duplicate');
    expect(await screen.findByDisplayValue('maria (copy)')).toBeDefined();
    expect(screen.getByDisplayValue('3307')).toBeDefined();
    cleanup();
    await choose('Remove');
    const dialog = within(await screen.findByRole('dialog', { name: 'Remove target' }));
    fireEvent.click(dialog.getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(removed).toEqual([{ id: 4 }]));
  });

  it('show a long name in full on hover, without taking room from other columns', async () => {
    const long = { ...maria, spec: { ...maria.spec, name: 'mariadb-10.11 on db-bench-01 (primary)' } };
    show('/targets', { targets: { list: () => [long] } });
    const table = within(await screen.findByRole('table', { name: 'Targets' }));
    const cell = table.getByText(long.spec.name).closest('td');
    expect(cell?.title).toBe(long.spec.name);
    expect(table.getByText('127.0.0.1:3307').closest('td')?.title).toBe('');
  });

  it('are marked in the list and on their page if a readable password is allowed', async () => {
    const open = { ...maria, spec: { ...maria.spec, config: { ...maria.spec.config, open: true } } };
    const other = { ...maria, id: 5, spec: { ...maria.spec, name: 'closed' } };
    const targets = { list: () => [open, other] };
    show('/targets', { targets });
    const table = within(await screen.findByRole('table', { name: 'Targets' }));
    expect(within(table.getByRole('row', { name: /maria/ })).getByTitle('The password may be read')).toBeTruthy();
    expect(within(table.getByRole('row', { name: /closed/ })).queryByTitle('The password may be read')).toBeNull();
    cleanup();
    show('/targets/4', { targets });
    await screen.findByText('The password may be read');
  });

  it('browse the folders of their host, by keyboard too, and use one', async () => {
    const storage: TargetKindInfo = {
      ...mysqlKind,
      ...{ kind: 'storage', title: 'Storage path', via: 'place', takesSecret: false },
      schema: {
        type: 'object',
        properties: { path: { type: 'string', title: 'Path', folder: true } },
        required: ['path'],
      },
    };
    const tree: Readonly<Record<string, string[]>> = {
      '/home/me': ['bench'],
      '/': ['home', 'srv'],
      '/srv': ['data'],
      '/srv/data': [],
    };
    const saved: unknown[] = [];
    const folder = ({ host: name, path }: { host: string; path: string }) => {
      const at = path === '' ? '/home/me' : path;
      const folders = tree[at];
      if (!folders)
        throw new KneepointError({ code: 'not-found', host: name, message: `${at} does not exist on ${name}.` });
      const space = { mount: '/', type: 'xfs', sizeBytes: 200 * 2 ** 30, freeBytes: 120 * 2 ** 30 };
      return { path: at, writable: at !== '/srv', folders, fileSystem: space };
    };
    show('/targets/new', {
      hosts: { list: () => [host(LOCAL_HOST_NAME), host('db1')], folder },
      targets: {
        kinds: () => [storage],
        save: (input) => {
          saved.push(input);
          return maria;
        },
      },
    });
    fireEvent.click(await screen.findByRole('button', { name: `Browse ${LOCAL_HOST_NAME}` }));
    const list = within(await screen.findByRole('group', { name: `Folders on ${LOCAL_HOST_NAME}` }));
    await list.findByText('/home/me');
    await list.findByText('xfs, 120 GiB of 200 GiB free (/)');
    fireEvent.keyDown(list.getByRole('list'), { key: 'Backspace' });
    await list.findByText('/home does not exist on this computer.');
    fireEvent.keyDown(list.getByRole('list'), { key: 'Backspace' });
    const first = await list.findByRole('button', { name: 'home' });
    first.focus();
    fireEvent.keyDown(first, { key: 'ArrowDown' });
    expect(document.activeElement?.textContent).toBe('srv');
    fireEvent.click(document.activeElement as HTMLElement);
    await list.findByText(/not writable for this account/);
    fireEvent.click(await list.findByRole('button', { name: 'data' }));
    await list.findByText('No folders in it.');
    fireEvent.click(list.getByRole('button', { name: 'Use this folder' }));
    expect(await screen.findByDisplayValue('/srv/data')).toBeDefined();
    type('Name', 'data disk');
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(saved).toMatchObject([{ spec: { config: { path: '/srv/data' } } }]));
  });

  it('show an example name for their kind', async () => {
    const storage: TargetKindInfo = { ...mysqlKind, kind: 'storage', title: 'Storage path', nameExample: 'data disk' };
    show('/targets/new', { targets: { kinds: () => [mysqlKind, storage] } });
    await screen.findByPlaceholderText('e.g. mariadb-10.11 on db-bench-01');
    fireEvent.click(screen.getByRole('radio', { name: 'Storage path' }));
    await screen.findByPlaceholderText('e.g. data disk');
  });

  it('name required fields only after an attempt, then save only values other than the defaults', async () => {
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
    fireEvent.click(screen.getByRole('button', { name: 'Test' }));
    expect((await screen.findByRole('alert')).textContent).toBe('Required.');
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'User' }));
    fireEvent.click(save);
    await screen.findByText('Enter a name.');
    expect(saved).toEqual([]);
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Name' }));
    type('Name', 'maria');
    type('User', 'sb');
    fireEvent.click(save);
    await waitFor(() => expect(window.location.hash).toBe('#/targets'));
    expect(saved).toEqual([{ spec: { name: 'maria', kind: 'mysql', via: null, config: { user: 'sb' } } }]);
  });

  it.each([
    ['loopback, with this computer alone', '127.0.0.1', [], 'this computer'],
    ['loopback, among several hosts', 'localhost', ['db1'], 'this computer'],
    ['one of this computer', '192.0.2.7', ['db1'], 'this computer'],
    ['another one', '192.0.2.8', ['db1'], undefined],
  ])(
    'have their host chosen by a local address, and get a name from a test: %s',
    async (_, address, others, chosen) => {
      const saved: unknown[] = [];
      show('/targets/new', {
        targets: {
          list: () => [{ ...maria, spec: { ...maria.spec, name: `MariaDB on ${address}` } }],
          testSpec: () => ({
            ...{ result: 'ok' as const, roundTripMs: 0.4 },
            description: { product: 'MariaDB', version: '10.11.9', settings: [], readAt: 0 },
          }),
          save: (input) => {
            saved.push(input);
            return maria;
          },
        },
        hosts: {
          list: () => [LOCAL_HOST_NAME, ...others].map(host),
          facts: () => ({ facts: { ...FACTS, networks: [{ name: 'eth0', addresses: ['192.0.2.7'] }] } }),
        },
      });
      // The address is preset to 127.0.0.1.
      const place = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Server host' });
      expect(place.value).toBe('this computer');
      type('Address', address);
      await waitFor(() => expect(place.value).toBe(chosen ?? 'Unknown'));
      type('User', 'sb');
      fireEvent.click(screen.getByRole('button', { name: 'Test' }));
      // Another target already has the name without the port.
      await screen.findByDisplayValue(`MariaDB on ${address} port 3306`);
      expect(screen.queryByRole('button', { name: 'Use this computer' })).toBeNull();
      fireEvent.click(screen.getByRole('button', { name: 'Save' }));
      await waitFor(() => expect(saved).toHaveLength(1));
      expect(saved[0]).toMatchObject({ spec: { name: `MariaDB on ${address} port 3306` } });
      expect((saved[0] as { spec: { server?: unknown } }).spec.server).toEqual(
        chosen === undefined ? undefined : { host: chosen, control: { kind: 'none' } },
      );
    },
  );

  it('keep a stored password until it is removed, and never show it', async () => {
    const saved: unknown[] = [];
    show('/targets/4', {
      targets: {
        save: (input) => {
          saved.push(input);
          return maria;
        },
      },
    });
    const kept = await screen.findByText('stored');
    const [user, tls] = ['user', 'tls'].map((name) => document.querySelector(`[data-option="${name}"]`));
    expect(user?.compareDocumentPosition(kept)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(tls?.compareDocumentPosition(kept)).toBe(Node.DOCUMENT_POSITION_PRECEDING);
    fireEvent.click(screen.getByRole('button', { name: 'Remove the password' }));
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(saved).toHaveLength(1));
    expect(saved[0]).toMatchObject({ id: 4, secret: null });
  });

  it('test the current form and show the settings with reasons', async () => {
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
              durability: {
                level: 'relaxed',
                why: 'The log is flushed once a second.',
                settings: [{ name: 'sync_binlog', value: '0', level: 'relaxed' }],
              },
              middleware: { product: 'PgBouncer', settings: [], note: 'Its settings are told to admins.' },
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
    expect(screen.getByRole('list', { name: 'Durability settings' }).textContent).toBe('sync_binlog = 0');
    expect(screen.getByText('Its settings are told to admins.')).toBeDefined();
    expect(asked).toMatchObject([{ id: 4, spec: { config: { user: 'sb', port: 3310 } } }]);
  });

  it('test without a valid name, keep the result, and mark it as outdated after a change', async () => {
    const asked: unknown[] = [];
    const testSpec = (input: unknown) => {
      asked.push(input);
      return {
        result: 'ok' as const,
        roundTripMs: 0.4,
        description: { product: 'MariaDB', version: '10.11.9', settings: [], readAt: 0 },
      };
    };
    show('/targets/new', { targets: { testSpec } });
    await screen.findByRole('button', { name: 'Test' });
    type('Name', 'maria, the old one');
    type('User', 'sb');
    fireEvent.click(screen.getByRole('button', { name: 'Test' }));
    expect(await screen.findByText('MariaDB 10.11.9')).toBeDefined();
    expect(asked).toMatchObject([{ spec: { kind: 'mysql', config: { user: 'sb' } } }]);
    type('Name', 'maria');
    expect(screen.getByText('MariaDB 10.11.9')).toBeDefined();
    expect(screen.queryByText(/^The connection settings have changed/)).toBeNull();
    type('User', 'root');
    expect(screen.getByText('MariaDB 10.11.9')).toBeDefined();
    expect(screen.getByText('The connection settings have changed since this test.')).toBeDefined();
    type('User', 'sb');
    expect(screen.queryByText(/^The connection settings have changed/)).toBeNull();
  });

  it('show why they were not saved next to the button, and are saved once the vault is open', async () => {
    const status = { keeper: 'vault' as const, unlocked: false, vaultExists: true, message: 'Kept in a vault.' };
    let isOpen = false;
    show('/targets/4', {
      app: {
        secrets: () => status,
        unlockVault: () => {
          isOpen = true;
          return { ...status, unlocked: true };
        },
      },
      targets: {
        save: () => {
          if (!isOpen) throw new KneepointError({ code: 'vault-locked', message: 'The vault is locked.' });
          return maria;
        },
      },
    });
    const save = await screen.findByRole('button', { name: 'Save' });
    fireEvent.click(save);
    // The footer stays visible, however long the form is.
    const unlock = await screen.findByRole('button', { name: 'Unlock…' });
    expect(save.closest('footer')?.contains(unlock)).toBe(true);
    fireEvent.click(unlock);
    const passphrase = await screen.findByLabelText(/^Passphrase/);
    fireEvent.change(passphrase, { target: { value: 'open sesame' } });
    fireEvent.submit(passphrase);
    await waitFor(() => expect(window.location.hash).toBe('#/targets'));
  });

  it('warn after a test that the password could be read, with remedies', async () => {
    const { properties, ...rest } = mysqlKind.schema as { properties: Record<string, unknown> };
    const schema = {
      ...rest,
      properties: {
        ...properties,
        tls: { type: 'string', enum: ['disabled', 'preferred', 'required'], default: 'preferred', title: 'TLS' },
        allowCleartextPassword: { type: 'boolean', default: false, title: 'Allow cleartext password' },
      },
    };
    const description = { product: 'MariaDB', version: '10.11.9', settings: [], readAt: 0, encrypted: true };
    const remote = { ...maria, spec: { ...maria.spec, config: { ...maria.spec.config, address: '192.0.2.7' } } };
    show('/targets/4', {
      targets: {
        kinds: () => [{ ...mysqlKind, schema }],
        list: () => [remote],
        testSpec: () => ({ result: 'ok', roundTripMs: 0.4, description }),
      },
    });
    const warning = /tools could send the password in cleartext/;
    const test = await screen.findByRole('button', { name: 'Test' });
    expect(screen.queryByText(warning)).toBeNull();
    fireEvent.click(test);
    await screen.findByText(warning);
    type('Address', '127.0.0.1');
    expect(screen.queryByText(warning)).toBeNull();
    type('Address', '192.0.2.7');
    fireEvent.click(screen.getByRole('button', { name: 'Require TLS' }));
    expect(screen.queryByText(warning)).toBeNull();
    expect(screen.getByText('The connection settings have changed since this test.')).toBeDefined();
  });

  it('show why they cannot be reached in the server’s words', async () => {
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

describe('the host of a server', () => {
  const kinds = () => [{ ...mysqlKind, settingsFile: true, managed: { programs: ['mysqld', 'mariadbd'] } }];
  const choose = async (label: string, option: string) => {
    const box = await screen.findByRole('combobox', { name: label });
    fireEvent.click(box);
    const list = document.getElementById(box.getAttribute('aria-controls') ?? '') as HTMLElement;
    fireEvent.click(await within(list).findByRole('option', { name: option, hidden: true }));
  };
  const hosts = { list: () => [host('this computer'), host('db-01')] };
  const savedBy = (saved: unknown[]) => (input: unknown) => {
    saved.push(input);
    return maria;
  };

  it('is asked for step by step, from the host to the details of its control', async () => {
    const saved: unknown[] = [];
    show('/targets/4', { hosts, targets: { kinds, save: savedBy(saved) } });
    expect(await screen.findByText(/^Kneepoint only connects to the server/)).toBeDefined();
    expect(screen.queryByRole('combobox', { name: 'Control' })).toBeNull();
    await choose('Server host', 'db-01');
    await choose('Control', 'systemd unit');
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect((await screen.findByRole('alert')).textContent).toBe('Required.');
    expect(saved).toEqual([]);
    type('Unit', 'mariadb.service');
    type('Settings file', '/etc/mysql/conf.d/kneepoint.cnf');
    expect(screen.getByText(/^Kneepoint starts, stops and restarts the unit on db-01/)).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(saved).toHaveLength(1));
    expect(saved[0]).toMatchObject({
      spec: {
        server: {
          host: 'db-01',
          control: { kind: 'systemd', unit: 'mariadb.service', sudo: false },
          settingsFile: '/etc/mysql/conf.d/kneepoint.cnf',
        },
      },
    });
  });

  it('offers programs found on it for a managed server', async () => {
    const asked: unknown[] = [];
    const saved: unknown[] = [];
    const findPrograms = (input: unknown) => {
      asked.push(input);
      return [{ name: 'mysqld' }, { name: 'mariadbd', path: '/usr/sbin/mariadbd', version: 'Ver 10.11.14' }];
    };
    show('/targets/4', { hosts, targets: { kinds, save: savedBy(saved), findPrograms } });
    await choose('Server host', 'db-01');
    await choose('Control', 'managed by Kneepoint');
    expect(asked).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Find on db-01' }));
    const found = await screen.findByRole('list', { name: 'Programs on db-01' });
    expect(found.textContent).toMatch(/mysqldnot found.*mariadbdVer 10\.11\.14/);
    fireEvent.click(screen.getByRole('button', { name: 'Use /usr/sbin/mariadbd' }));
    type('Base settings', 'innodb_buffer_pool_size = 1G\nmax_connections = 500');
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(saved).toHaveLength(1));
    expect(asked).toEqual([{ kind: 'mysql', host: 'db-01' }]);
    const settings = { innodb_buffer_pool_size: '1G', max_connections: 500 };
    expect(saved[0]).toMatchObject({
      spec: { server: { control: { kind: 'managed', program: '/usr/sbin/mariadbd', settings } } },
    });
  });
});

describe('details of a target', () => {
  const details = {
    settings: [
      { name: 'max_connections', value: '151', default: '151', change: 'dynamic' as const, source: 'compiled' },
      { name: 'sync_binlog', value: '0', default: '1', change: 'restart' as const, source: 'file' },
    ],
    sizes: {
      databases: [{ name: 'shop', bytes: 3 << 20 }],
      tables: [{ name: 'orders', bytes: 2 << 20 }],
      tablesLeftOut: 7,
    },
    sessions: [
      { id: '1', user: 'sb', state: 'Query', own: true },
      { id: '2', user: 'clerk', state: 'Sleep', own: false, seconds: 90, statement: 'SELECT 1' },
    ],
    counters: { Questions: 12 },
    readAt: 0,
  };

  it('list all settings, searchable by words and by changes from the default', async () => {
    show('/targets/4/settings', { targets: { inspectSpec: () => ({ result: 'ok', details }) } });
    const table = await screen.findByRole('table', { name: 'Settings' });
    const names = () => [...table.querySelectorAll('tbody code')].map((cell) => cell.textContent);
    expect(names()).toEqual(['max_connections', 'sync_binlog']);
    expect(table.textContent).toContain('after restart');
    type('Search 2 settings', 'CONN');
    await waitFor(() => expect(names()).toEqual(['max_connections']));
    type('Search 2 settings', '');
    fireEvent.click(screen.getByRole('radio', { name: 'Changed from the default (1)' }));
    await waitFor(() => expect(names()).toEqual(['sync_binlog']));
  });

  it('include sizes, live sessions and counters, read once and again on demand', async () => {
    let readings = 0;
    const inspectSpec = () => {
      readings += 1;
      return { result: 'ok' as const, details };
    };
    show('/targets/4', { targets: { inspectSpec } });
    fireEvent.click(await screen.findByRole('tab', { name: 'Data' }));
    expect((await screen.findByRole('table', { name: 'Tables' })).textContent).toContain('orders');
    expect(screen.getByText(/7 smaller ones are not listed/)).toBeDefined();
    fireEvent.click(screen.getByRole('tab', { name: 'Database sessions' }));
    expect((await screen.findByRole('table', { name: 'Database sessions' })).textContent).toContain('sb (Kneepoint)');
    expect(screen.getByText('1 other session')).toBeDefined();
    fireEvent.click(screen.getByRole('tab', { name: 'Counters' }));
    expect((await screen.findByRole('table', { name: 'Counters' })).textContent).toContain('Questions12');
    expect(readings).toBe(1);
    fireEvent.click(screen.getByRole('button', { name: 'Read again' }));
    await waitFor(() => expect(readings).toBe(2));
  });

  it('ask for a missing password in place, and are read once it is saved', async () => {
    let password = '';
    const problem = { code: 'secret-missing' as const, message: 'Its password was in memory only.' };
    show('/targets/4/settings', {
      targets: {
        inspectSpec: () => (password === '' ? { result: 'failed', problem } : { result: 'ok', details }),
        save: ({ secret }) => {
          password = secret ?? '';
          return maria;
        },
      },
    });
    const field = await screen.findByLabelText(`Password of ${maria.spec.name}`);
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    fireEvent.change(field, { target: { value: 'geheim' } });
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByRole('table', { name: 'Settings' })).toBeDefined();
    expect(password).toBe('geheim');
  });

  it('do not discard typed values, and explain why a server does not respond', async () => {
    const problem = { code: 'target-unreachable' as const, message: 'Nothing listens at 127.0.0.1:3307.' };
    show('/targets/4', { targets: { inspectSpec: () => ({ result: 'failed', problem }) } });
    await screen.findByRole('button', { name: 'Test' });
    type('Port', '3310');
    fireEvent.click(screen.getByRole('tab', { name: 'Settings' }));
    expect((await screen.findByRole('alert')).textContent).toContain(problem.message);
    fireEvent.click(screen.getByRole('tab', { name: 'Connection' }));
    expect((await screen.findByRole<HTMLInputElement>('textbox', { name: 'Port' })).value).toBe('3310');
  });
});

describe('data sets of a target', () => {
  const set: TableSet = {
    kind: 'tables',
    id: 7,
    targetId: 4,
    target: 'maria',
    tool: 'sysbench',
    title: '2 tables × 500 rows',
    tables: [
      { name: 'sbtest1', rows: 500, found: 500 },
      { name: 'sbtest2', rows: 500, found: 500 },
    ],
    bytes: 240_000,
    shape: 'innodb',
    state: 'dirty',
    madeAt: 1_700_000_000_000,
    madeBy: 3,
    countedAt: 1_700_000_000_000,
  };

  it('show content, state and origin, and can be counted again', async () => {
    const counted: unknown[] = [];
    const look = (input: { id: number }): TableSet => {
      counted.push(input);
      return set;
    };
    show('/targets/4/data-sets', { dataSets: { list: () => [set], look } });
    const list = await screen.findByRole('table', { name: 'Data sets' });
    expect(list.textContent).toMatch(/2 tables × 500 rowssbtest1, sbtest2.*1,000.*modified since.*session 3/);
    fireEvent.click(screen.getByRole('button', { name: 'Count sbtest1, sbtest2 again' }));
    await waitFor(() => expect(counted).toEqual([{ kind: 'tables', id: 7 }]));
  });

  it('are removed only after a confirmation with target and tables; a refusal is shown', async () => {
    const removed: unknown[] = [];
    const remove = (input: { id: number }): never => {
      removed.push(input);
      throw new KneepointError({ code: 'conflict', message: 'Session 9 is using the target.' });
    };
    show('/targets/4/data-sets', { dataSets: { list: () => [set], remove } });
    fireEvent.click(await screen.findByRole('button', { name: 'Remove sbtest1, sbtest2' }));
    expect(await screen.findByText(/^Drop sbtest1, sbtest2 on maria\?/)).toBeDefined();
    expect(removed).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Drop 2 tables' }));
    expect((await screen.findByRole('alert')).textContent).toContain('Session 9 is using the target.');
    expect(removed).toEqual([{ kind: 'tables', id: 7 }]);
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

  const item = { label: 'm5.large', perHour: 0.096, perMonth: 70.08, perYear: 840.96, how: '0.096 per hour' };
  /** A part from the catalogue has a price, a custom item has none. */
  const priced = ({ components }: CostSpec): Priced => {
    const parts = components.map(({ kind }) =>
      kind === 'own'
        ? { problem: { code: 'bad-request' as const, message: 'The price of Custom item is missing.' } }
        : { item: { ...item, warnings: ['Its disk limit is 81 MB/s.'] } },
    );
    const items = parts.flatMap((part) => ('item' in part ? part.item : []));
    const { label: _label, how: _how, ...sums } = item;
    return { parts, ...(items.length === parts.length && { total: { ...sums, currency: 'USD', items } }) };
  };

  it('prices a configuration part by part, assigns it to sessions and saves it by name', async () => {
    const given: unknown[] = [];
    const saved: Configuration[] = [];
    show('/costs', {
      sessions: { list: () => [sampleSession({ id: 1, name: 'Ladder A' })] },
      costs: {
        catalogue: () => ({ compiled: '2026-11-20', disclaimer: 'List prices.', entries: [entry] }),
        evaluate: ({ spec }) => priced(spec),
        configurations: () => saved,
        saveConfiguration: ({ spec }) => {
          const configuration = { id: 1, spec, changedAt: 0, ...priced(spec) };
          saved.push(configuration);
          return configuration;
        },
        setOfSession: (input) => {
          given.push(input);
          return {};
        },
      },
    });
    fireEvent.click(await screen.findByRole('button', { name: /^Add m5\.large east/ }));
    expect(await screen.findByText('Its disk limit is 81 MB/s.')).toBeDefined();
    expect(screen.getByText('$840.96')).toBeDefined();
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select Ladder A' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Assign to session' }));
    await screen.findByText('Price assigned to 1 session.');
    expect((screen.getByRole('checkbox', { name: 'Select Ladder A' }) as HTMLInputElement).checked).toBe(false);
    expect(given).toHaveLength(1);
    expect(given[0]).toEqual({
      sessionId: 1,
      spec: { label: '', currency: 'USD', components: [{ kind: 'instance', id: 'aws/m5', count: 1 }] },
    });
    // The next price begins empty, or with the same parts again.
    expect(screen.getByText('Build a configuration')).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Open the same parts' }));
    expect(await screen.findByText('$840.96')).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Custom item' }));
    expect(await screen.findByText('The price of Custom item is missing.')).toBeDefined();
    expect(await screen.findByText('No total: a price is missing.')).toBeDefined();
    expect(screen.queryByText('$840.96')).toBeNull();
    fireEvent.change(screen.getByRole('textbox', { name: 'Name of the configuration' }), { target: { value: 'Two' } });
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(saved.map(({ spec }) => spec.label)).toEqual(['Two']));
  });
});
