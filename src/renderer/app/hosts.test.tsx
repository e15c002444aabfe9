import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileSet } from '../../shared/model/data-set.ts';
import type { Host, HostFacts, HostKey, HostTest, Tunnel } from '../../shared/model/host.ts';
import { KneepointError } from '../../shared/model/problem.ts';
import type { Changed } from '../../shared/model/restore.ts';
import type { ServerPlace, Target } from '../../shared/model/target.ts';
import { testEngine } from '../testing/engine.ts';
import { showView } from './testing/view.tsx';

type Topics = Parameters<typeof testEngine>[0];
type Hosts = NonNullable<Topics['hosts']>;

const bench: Host = {
  id: 2,
  spec: {
    kind: 'ssh',
    name: 'bench',
    address: '10.0.0.2',
    port: 22,
    user: 'load',
    auth: { method: 'agent' },
    jumps: [],
  },
  hasSecret: false,
  createdAt: 0,
};
const local: Host = { id: 1, spec: { kind: 'local', name: 'this computer' }, hasSecret: false, createdAt: 0 };
const facts: HostFacts = {
  hostname: 'bench',
  os: 'Debian 12',
  kernel: '6.1',
  architecture: 'x86_64',
  cpuCount: 8,
  memoryBytes: 16 * 1024 ** 3,
  disks: [],
  networks: [],
  filesystems: [],
  tools: [{ tool: 'sysbench', found: false, message: 'apt install sysbench' }],
  readAt: Date.UTC(2026, 10, 20),
};
const key = (fingerprint: string): HostKey => ({
  host: 'bench',
  address: '10.0.0.2',
  port: 22,
  algorithm: 'ssh-ed25519',
  fingerprint,
});

function show(place: string, hosts: Hosts, more: Topics = {}) {
  const test = (): HostTest => ({ result: 'ok', facts, roundTripMs: 0.1 });
  const engine = testEngine({ ...more, hosts: { list: () => [local, bench], facts: () => ({}), test, ...hosts } });
  showView(engine.link, place);
  return engine;
}
const click = async (name: string | RegExp) =>
  fireEvent.click((await screen.findAllByRole('button', { name }))[0] as HTMLElement);
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

beforeEach(() => {
  window.location.hash = '';
});
afterEach(cleanup);

it('reads the facts of this computer automatically', async () => {
  show('/hosts/1', {});
  expect(await screen.findByText('Debian 12')).toBeDefined();
});

it('imports the selected hosts of the SSH configuration, and skips unusable ones', async () => {
  const asked: unknown[] = [];
  const spec = (name: string) => ({ ...bench.spec, name }) as Extract<Host['spec'], { kind: 'ssh' }>;
  show('/hosts/import', {
    sshConfig: () => ({
      file: '/home/me/.ssh/config',
      files: [],
      notes: ['/home/me/.ssh/config:9: Match exec is not imported.'],
      entries: [
        { name: 'db1', spec: spec('db1'), notes: [], saved: false },
        { name: 'bench', spec: spec('bench'), notes: [], saved: true },
        { name: 'bad', problem: 'address: Enter a host name or an IP address.', notes: [], saved: false },
      ],
    }),
    importSshConfig: (input) => {
      asked.push(input);
      return { added: [bench], skipped: [] };
    },
  });
  expect(await screen.findByText('/home/me/.ssh/config:9: Match exec is not imported.')).toBeDefined();
  expect(screen.getByText('already saved')).toBeDefined();
  for (const box of screen.getAllByRole('checkbox').slice(1)) fireEvent.click(box);
  await click('Import 1 host');
  await waitFor(() => expect(window.location.hash).toBe('#/hosts'));
  expect(asked).toEqual([{ names: ['db1'] }]);
});

describe('the menu of a host, by right-click on its row', () => {
  const openMenu = async (place: string, hosts: Hosts = {}) => {
    const engine = show(place, hosts);
    const row = (await screen.findByRole('link', { name: 'bench' })).closest('tr') as HTMLElement;
    expect(fireEvent.contextMenu(row.lastElementChild as Element)).toBe(false);
    return engine;
  };
  const choose = async (name: string) => fireEvent.click(await screen.findByRole('menuitem', { name }));

  it('tests it on its page, once', async () => {
    let tests = 0;
    const test = (): HostTest => {
      tests += 1;
      return { result: 'ok', facts, roundTripMs: 0.1 };
    };
    await openMenu('/hosts', { test });
    await choose('Test');
    await screen.findByText('Debian 12');
    await waitFor(() => expect(window.location.hash).toBe('#/hosts/2'));
    expect(tests).toBe(1);
  });

  it('duplicates it under another name', async () => {
    await openMenu('/hosts');
    await choose('Duplicate');
    expect(await screen.findByDisplayValue('bench (copy)')).toBeDefined();
    expect(screen.getByDisplayValue('10.0.0.2')).toBeDefined();
  });

  it('removes it after a confirmation, and shows a refusal there', async () => {
    const removed: unknown[] = [];
    await openMenu('/hosts', {
      remove: (asked) => {
        removed.push(asked);
        throw new KneepointError({ code: 'conflict', message: 'A session uses bench.' });
      },
    });
    await choose('Remove');
    const dialog = within(await screen.findByRole('dialog', { name: 'Remove host' }));
    dialog.getByText(/^Remove bench\?/);
    fireEvent.click(dialog.getByRole('button', { name: 'Remove' }));
    await dialog.findByText('A session uses bench.');
    expect(removed).toEqual([{ id: 2 }]);
  });

  it('has no actions that this computer does not have', async () => {
    show('/hosts', {});
    fireEvent.click(await screen.findByRole('button', { name: 'Actions for this computer' }));
    expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual(['Open', 'Test']);
  });
});

describe('the page of a host', () => {
  const target = (id: number, name: string, server?: ServerPlace): Target => ({
    id,
    spec: { name, kind: 'mysql', via: null, config: {}, ...(server && { server }) },
    hasSecret: false,
    createdAt: 0,
  });

  it('lists the servers on it, and the settings that sessions have changed', async () => {
    const list = () => [
      target(4, 'shop', { host: 'bench', control: { kind: 'systemd', unit: 'mariadb', sudo: false } }),
      target(5, 'elsewhere', { host: 'this computer', control: { kind: 'none' } }),
      target(6, 'unknown'),
    ];
    const change = (entry: number, name: string, what: string): Changed => ({
      ...{ entry, session: 12, place: { kind: 'host', name }, what, first: '60', wanted: '1', since: 0, active: true },
    });
    const changes = { list: () => [change(1, 'bench', 'swappiness'), change(2, 'this computer', 'thp')] };
    show('/hosts/2', {}, { targets: { list }, changes });
    const servers = within(await screen.findByRole('table', { name: 'Servers on this host' }));
    servers.getByText('systemd unit mariadb');
    expect(servers.getByRole('link').getAttribute('href')).toMatch(/\/targets\/4\/server$/);
    const changed = await screen.findByRole('table', { name: 'Changed by sessions' });
    expect(changed.textContent).toContain('swappiness');
    expect(changed.textContent).not.toContain('thp');
  });

  it('removes or redirects a host with changed settings only after its name is typed', async () => {
    const asked: unknown[] = [];
    const refused = (input: { giveUp?: string | undefined }) => {
      asked.push(input.giveUp);
      if (input.giveUp === 'bench') return;
      throw new KneepointError({
        ...{ code: 'conflict', message: 'Session 7 on host “bench”: swappiness (was “60”, set to “1”).' },
        details: { giveUp: 'bench' },
      });
    };
    show('/hosts/2/edit', {
      save: (input) => {
        refused(input);
        return bench;
      },
      remove: (input) => {
        refused(input);
        return {};
      },
    });
    await screen.findByLabelText('Address');
    type('Address', '10.0.0.3');
    await click('Save');
    await screen.findByText(/was “60”, set to “1”/);
    type('Type bench to keep the changes', 'bench');
    fireEvent.click(screen.getAllByRole('button', { name: 'Save' })[0] as HTMLElement);
    await waitFor(() => expect(window.location.hash).toBe('#/hosts/2'));
    await click('Remove');
    fireEvent.click((await screen.findAllByRole('button', { name: 'Remove' })).at(-1) as HTMLElement);
    await screen.findByText(/was “60”, set to “1”/);
    type('Type bench to keep the changes', 'benc');
    fireEvent.keyDown(screen.getByLabelText('Type bench to keep the changes'), { key: 'Enter' });
    type('Type bench to keep the changes', 'bench');
    fireEvent.keyDown(screen.getByLabelText('Type bench to keep the changes'), { key: 'Enter' });
    await waitFor(() => expect(window.location.hash).toBe('#/hosts'));
    expect(asked).toEqual([undefined, 'bench', undefined, 'bench']);
  });

  it('omits empty sections', async () => {
    show('/hosts/2', {}, { targets: { list: () => [target(6, 'unknown')] } });
    await screen.findByRole('heading', { name: 'bench' });
    expect(screen.queryByText('Servers on this host')).toBeNull();
    expect(screen.queryByText('Changed by sessions')).toBeNull();
  });
});

describe('the list of hosts', () => {
  it('follows connection changes', async () => {
    const engine = show('/hosts', {});
    const row = (await screen.findByRole('link', { name: 'bench' })).closest('tr') as HTMLElement;
    expect(row.textContent).toContain('not connected');
    engine.send({ kind: 'links', links: [{ host: 'bench', state: 'up', since: 0, roundTripMs: 3.4 }] });
    await waitFor(() => expect(row.textContent).toContain('connected · 3.4 ms'));
    engine.send({ kind: 'links', links: [{ host: 'bench', state: 'down', since: 0, message: 'No answer.' }] });
    await waitFor(() => expect(row.textContent).toContain('unreachable'));
  });

  it('lists files that Kneepoint left on a host, and when they will be removed', async () => {
    const next = 'Kneepoint removes it at the next contact with bench.';
    let left = [{ host: 'bench', what: 'Files of job 3-1, with a password', since: Date.UTC(2026, 10, 20), next }];
    const engine = show('/hosts', { leftBehind: () => left });
    const row = (await screen.findByRole('link', { name: 'bench' })).closest('tr') as HTMLElement;
    const mark = await within(row).findByTitle(/^Files of job 3-1, with a password, since 2026-11-20/);
    expect(mark.textContent).toBe('1 file left behind');
    expect(mark.title).toContain(next);
    fireEvent.click(within(row).getByRole('link', { name: 'bench' }));
    expect((await screen.findByText(/Left behind on this host/)).textContent).toContain('with a password');
    expect(screen.getByText(next)).toBeDefined();
    left = [];
    engine.send({ kind: 'changed', topic: 'hosts' });
    await waitFor(() => expect(screen.queryByText(next)).toBeNull());
  });

  it('explains what a host is for if there is none', async () => {
    show('/hosts', { list: () => [local] });
    expect(await screen.findByText('No host added yet')).toBeDefined();
  });
});

describe('testing a host', () => {
  it('shows the facts found, and how to install missing tools', async () => {
    show('/hosts/2', { test: () => ({ result: 'ok', facts, roundTripMs: 2 }) });
    await click('Test');
    const tools = await screen.findByRole('table', { name: 'Benchmark tools' });
    expect(within(tools).getByText('apt install sysbench')).toBeDefined();
    expect(screen.getByText('Debian 12')).toBeDefined();
    expect(screen.getByText('16.0 GiB')).toBeDefined();
  });

  it.each([
    ['kvm', ['virtual disk', 'virtual disk', 'virtual disk']],
    ['none', ['virtual disk', 'solid state', 'rotating']],
    [undefined, ['virtual disk', 'solid state', 'rotating']],
  ])('does not call the disk of a virtual machine rotating (%s)', async (virtualization, kinds) => {
    const disks = ['vda', 'nvme0n1', 'sda'].map((name) => {
      return { name, sizeBytes: 1e12, rotational: name !== 'nvme0n1', mounts: [] };
    });
    const found = { ...facts, disks, ...(virtualization && { virtualization }) };
    show('/hosts/2', { test: () => ({ result: 'ok', facts: found, roundTripMs: 2 }) });
    await click('Test');
    const rows = within(await screen.findByRole('table', { name: 'Disks' })).getAllByRole('row');
    disks.forEach(({ name }, index) => {
      expect(rows.find((row) => row.textContent?.includes(name))?.textContent).toContain(kinds[index]);
    });
  });

  it('trusts a key only after showing it with a way to verify it, and then tests again', async () => {
    const answers: HostTest[] = [
      { result: 'key-unknown', key: key('SHA256:new') },
      { result: 'ok', facts, roundTripMs: 2 },
    ];
    const trusted: HostKey[] = [];
    show('/hosts/2', {
      test: () => answers.shift() as HostTest,
      trustKey: (input) => {
        trusted.push(input.key);
        return {};
      },
    });
    await click('Test');
    const dialog = await screen.findByRole('dialog');
    expect(dialog.textContent).toContain('SHA256:new');
    expect(dialog.textContent).toContain('ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub');
    expect(trusted).toEqual([]);
    fireEvent.click(within(dialog).getByRole('button', { name: 'Trust this key' }));
    expect(await screen.findByText('Debian 12')).toBeDefined();
    expect(trusted).toEqual([key('SHA256:new')]);
  });

  it('stores no key if the first contact is cancelled', async () => {
    show('/hosts/2', { test: () => ({ result: 'key-unknown', key: key('SHA256:new') }) });
    await click('Test');
    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('stops at a changed key: shows both, without a button to accept it', async () => {
    const answers: HostTest[] = [
      { result: 'key-changed', key: key('SHA256:other'), known: key('SHA256:old') },
      { result: 'key-unknown', key: key('SHA256:other') },
    ];
    const forgotten: unknown[] = [];
    show('/hosts/2', {
      test: () => answers.shift() as HostTest,
      forgetKey: (input) => {
        forgotten.push(input);
        return {};
      },
    });
    await click('Test');
    const panel = await screen.findByRole('alert', { name: 'The key of the host changed' });
    expect(panel.textContent).toContain('SHA256:old');
    expect(panel.textContent).toContain('SHA256:other');
    expect(
      within(panel)
        .getAllByRole('button')
        .map((button) => button.textContent),
    ).toEqual(['Forget the known key…']);
    fireEvent.click(within(panel).getByRole('button'));
    const forget = await screen.findByRole('button', { name: 'Forget the known key' });
    expect(forget).toHaveProperty('disabled', true);
    type('Type the name of the host: bench', 'bench');
    fireEvent.click(forget);
    const contact = await screen.findByRole('dialog', { name: 'First contact with bench' });
    expect(within(contact).getByRole('button', { name: 'Close' })).toBeDefined();
    expect(forgotten).toEqual([{ address: '10.0.0.2', port: 22 }]);
  });

  it('asks for the passphrase of the vault with the password, and continues', async () => {
    const answers: HostTest[] = [
      { result: 'failed', problem: { code: 'vault-locked', message: 'The vault is locked.' } },
      { result: 'ok', facts, roundTripMs: 2 },
    ];
    const status = { keeper: 'vault' as const, unlocked: false, vaultExists: true, message: 'Kept in a vault.' };
    show(
      '/hosts/2',
      { test: () => answers.shift() as HostTest },
      {
        app: {
          secrets: () => status,
          unlockVault: ({ passphrase }) => {
            if (passphrase !== 'correct horse')
              throw new KneepointError({ code: 'vault-locked', message: 'This is not it.' });
            return { ...status, unlocked: true };
          },
        },
      },
    );
    await click('Test');
    await click('Unlock…');
    fireEvent.change(await screen.findByLabelText('Passphrase'), { target: { value: 'wrong horse' } });
    await click('Unlock');
    expect(await screen.findByText('This is not it.')).toBeDefined();
    type('Passphrase', 'correct horse');
    await click('Unlock');
    expect(await screen.findByText('Debian 12')).toBeDefined();
  });
});

describe('adding a host', () => {
  it('names missing fields, then saves the host with its secret', async () => {
    const saved: unknown[] = [];
    show(
      '/hosts/new',
      {
        save: (input) => {
          saved.push(input);
          return { ...bench, id: 2 };
        },
      },
      {
        app: {
          secrets: () => ({
            keeper: 'launch',
            unlocked: true,
            vaultExists: false,
            message: 'Kept until the app ends.',
          }),
        },
      },
    );
    await click('Save');
    expect(await screen.findByText('Enter a name.')).toBeDefined();
    expect(saved).toEqual([]);
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Name' }));
    type('Name', 'gen');
    await click('Test before saving');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Address' })));
    type('Address', 'gen.example.net');
    type('Port', '2222');
    type('User', 'load');
    fireEvent.click(screen.getByRole('radio', { name: 'Password' }));
    fireEvent.change(screen.getByLabelText('Password', { selector: 'input[type=password]' }), {
      target: { value: 's3cret' },
    });
    expect(await screen.findByText('Kept until the app ends.')).toBeDefined();
    await click('Save');
    await waitFor(() => expect(window.location.hash).toBe('#/hosts/2'));
    expect(saved).toEqual([
      {
        spec: {
          kind: 'ssh',
          name: 'gen',
          address: 'gen.example.net',
          port: 2222,
          user: 'load',
          auth: { method: 'password' },
          jumps: [],
        },
        secret: 's3cret',
      },
    ]);
  });
});

describe('tunnels', () => {
  const tunnel: Tunnel = {
    id: 5,
    kind: 'tunnel',
    name: 'shell',
    host: 'bench',
    address: '127.0.0.1',
    port: 3306,
    wantedPort: 0,
    state: 'stopped',
    connections: 0,
    bytesIn: 0,
    bytesOut: 0,
  };
  const stream: Tunnel = {
    id: 0,
    kind: 'stream',
    name: 'Target db',
    host: 'bench',
    address: '10.0.0.9',
    port: 3306,
    state: 'open',
    connections: 1,
    bytesIn: 2048,
    bytesOut: 10,
  };

  it('lists own tunnels and those of the app, and starts and adds own ones', async () => {
    const done: string[] = [];
    const saved: unknown[] = [];
    show('/hosts/2', {
      async *watchTunnels() {
        yield [tunnel, stream];
        await new Promise(() => undefined);
      },
      startTunnel: () => {
        done.push('start');
        return tunnel;
      },
      saveTunnel: ({ spec }) => {
        saved.push(spec);
        return tunnel;
      },
    });
    const table = await screen.findByRole('table', { name: 'Tunnels of bench' });
    expect(within(table).getByText('2.00 KiB')).toBeDefined();
    expect(within(table).queryByRole('button', { name: 'Stop Target db' })).toBeNull();
    fireEvent.click(within(table).getByRole('button', { name: 'Start shell' }));
    await waitFor(() => expect(done).toEqual(['start']));
    await click('Add a tunnel');
    const form = await screen.findByRole('form', { name: 'New tunnel' });
    fireEvent.change(within(form).getByLabelText('Name'), { target: { value: 'web' } });
    fireEvent.change(within(form).getByLabelText('Port there'), { target: { value: '80' } });
    fireEvent.click(within(form).getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(saved).toEqual([
        { name: 'web', host: 'bench', localPort: 0, address: '127.0.0.1', port: 80, autoStart: true },
      ]),
    );
  });
});

describe('file sets of a host', () => {
  const set: FileSet = {
    kind: 'files',
    id: 7,
    hostId: 1,
    host: 'this computer',
    directory: '/mnt/disk/kneepoint-fio',
    tool: 'fio',
    title: '2 files of fio, 2.00 MiB',
    files: [
      { name: 'kneepoint-fio.0.0', bytes: 1_048_576, found: 1_048_576 },
      { name: 'kneepoint-fio.1.0', bytes: 1_048_576, found: null },
    ],
    state: 'partial',
    madeAt: 1_700_000_000_000,
    madeBy: 3,
  };

  it('show location, state and origin, and can be checked again', async () => {
    const checked: unknown[] = [];
    const look = (input: { id: number }): FileSet => {
      checked.push(input);
      return set;
    };
    show('/hosts/1', {}, { dataSets: { list: () => [set], look } });
    const list = await screen.findByRole('table', { name: 'File sets' });
    expect(list.textContent).toMatch(
      /2 files of fio.*kneepoint-fio\.0\.0 and 1 more in \/mnt\/disk.*1\.00 MiB of 2\.00 MiB.*incomplete.*session 3/,
    );
    await click(/^Check kneepoint-fio/);
    await waitFor(() => expect(checked).toEqual([{ kind: 'files', id: 7 }]));
  });

  it('are removed only after a confirmation with host and files; a refusal is shown', async () => {
    const removed: unknown[] = [];
    const remove = (input: { id: number }): never => {
      removed.push(input);
      throw new KneepointError({ code: 'conflict', message: 'Session 9 is using the host.' });
    };
    show('/hosts/1', {}, { dataSets: { list: () => [set], remove } });
    await click(/^Remove kneepoint-fio/);
    expect(await screen.findByText(/^Remove kneepoint-fio.* on this computer\?/)).toBeDefined();
    expect(removed).toEqual([]);
    await click('Remove 2 files');
    expect((await screen.findByRole('alert')).textContent).toContain('Session 9 is using the host.');
    expect(removed).toEqual([{ kind: 'files', id: 7 }]);
  });

  it('have no panel if there are none', async () => {
    show('/hosts/1', {});
    await screen.findByText('Debian 12');
    expect(screen.queryByRole('region', { name: 'File sets' })).toBeNull();
  });
});
