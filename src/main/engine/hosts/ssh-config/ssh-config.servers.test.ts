import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSshConfig } from './index.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'kneepoint-config-'));
  mkdirSync(path.join(home, '.ssh', 'conf.d'), { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const at = (name: string): string => path.join(home, '.ssh', name);
const write = (name: string, text: string): void => writeFileSync(at(name), text);
const read = (hasAgent = true) => readSshConfig({ file: at('config'), home, hasAgent });
async function hostsOf(text: string) {
  write('config', text);
  const { entries, jumps } = await read();
  return new Map([...entries, ...jumps].map((entry) => [entry.name, entry]));
}

describe('hosts of an SSH configuration', () => {
  it('are the named ones of all included files, as in OpenSSH', async () => {
    write('conf.d/10-db', 'Host db1\n  HostName %h.example.net\n');
    write('conf.d/.hidden', 'Host hidden\n');
    write('conf.d/20-more', 'Host db2\n  Port 2222\n');
    const hosts = await hostsOf(
      'Include conf.d/*\nHost web web-old !no *.lan\n  HostName 10.0.0.3\nHost db*\n  User bench\nHost *\n  User me\n  Port 22\n',
    );
    expect([...hosts.keys()]).toEqual(['db1', 'db2', 'web', 'web-old']);
    expect(hosts.get('db1')?.spec).toEqual({
      ...{ kind: 'ssh', name: 'db1', address: 'db1.example.net', port: 22, user: 'bench' },
      ...{ auth: { method: 'agent' }, jumps: [] },
    });
    expect(hosts.get('db2')?.spec).toMatchObject({ address: 'db2', port: 2222, user: 'bench' });
    expect(hosts.get('web-old')?.spec).toMatchObject({ address: '10.0.0.3', user: 'me' });
  });

  it('are read from the text of another computer, without its files and the system configuration', async () => {
    write('config', 'Host own\n  HostName own.example.net\n');
    const text = 'Host db1\n  HostName 192.0.2.7\n  User bench\n  ProxyCommand touch /tmp/never\n';
    const { file, entries, notes } = await readSshConfig({ file: 'config of a colleague', text, home, hasAgent: true });
    expect({ file, names: entries.map(({ name }) => name), notes }).toEqual({
      ...{ file: 'config of a colleague', names: ['db1'], notes: [] },
    });
    expect(entries[0]?.spec).toMatchObject({ address: '192.0.2.7', user: 'bench' });
  });

  it('agree with ssh -G for the file', async () => {
    write('extra', 'User included\nHost c\n  User other\n');
    const text = `Host a b
  HostName "%h.lan"
Match originalhost b
  Port 2200
Host c
  Include ${at('extra')}
Match host a.lan user me
  Port 2201
Host *
  User=me
  Port 22
`;
    const hosts = await hostsOf(text);
    for (const name of ['a', 'b', 'c']) {
      const resolved = execFileSync('ssh', ['-G', '-F', at('config'), '--', name], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const value = (key: string) => new RegExp(`^${key} (.*)$`, 'm').exec(resolved)?.[1];
      expect(hosts.get(name)?.spec).toMatchObject({
        address: value('hostname'),
        user: value('user'),
        port: Number(value('port')),
      });
    }
    expect(hosts.get('c')?.spec?.user).toBe('included');
  });

  it('run nothing: settings of Match exec are omitted and listed', async () => {
    const spellings = ['Match exec', '"Match" host x exec', '=match !exec', 'MATCH\texec', 'Match originalhost a exec'];
    write('included', `Match exec "touch ${at('ran-included')}"\n  Port 1\n`);
    write(
      'config',
      `${spellings.map((words, index) => `${words} "touch ${at(`ran${index}`)}"\n  User evil\n`).join('')}Match all
Include included
Host a
  ProxyCommand touch ${at('ran-proxy')}
  LocalCommand touch ${at('ran-local')}
  KnownHostsCommand /bin/touch ${at('ran-known')}
`,
    );
    const { entries, notes } = await read();
    expect(entries).toEqual([
      {
        name: 'a',
        spec: expect.objectContaining({ user: userInfo().username, port: 22 }),
        notes: [`ProxyCommand is not imported: touch ${at('ran-proxy')}`],
      },
    ]);
    const ran = ['0', '1', '2', '3', '4', '-included', '-proxy', '-local', '-known'].filter((name) =>
      existsSync(at(`ran${name}`)),
    );
    expect(ran).toEqual([]);
    expect(notes.filter((note) => note.includes('Match exec'))).toHaveLength(spellings.length + 1);
    expect(notes[0]).toBe(
      `${at('config')}:1: Match exec is not imported because its command is not run. The settings below it are omitted.`,
    );
  });

  it('include their jump hosts, even without an entry', async () => {
    const hosts = await hostsOf(
      'Host db\n  ProxyJump gate,ops@10.0.0.2:2222\nHost gate\n  ProxyJump door\nHost door\n  HostName 192.0.2.1\nHost direct\n  ProxyJump none\nHost *\n  User me\n',
    );
    expect(hosts.get('db')?.spec?.jumps).toEqual(['gate', 'ops@10.0.0.2 (2222)']);
    expect(hosts.get('ops@10.0.0.2 (2222)')?.spec).toMatchObject({ address: '10.0.0.2', user: 'ops', port: 2222 });
    expect(hosts.get('gate')?.spec?.jumps).toEqual(['door']);
    expect(hosts.get('direct')?.spec?.jumps).toEqual([]);
  });

  it('that jump through each other are refused', async () => {
    const hosts = await hostsOf('Host a\n  ProxyJump b\nHost b\n  ProxyJump a\nHost c\n  ProxyJump c\n');
    for (const name of ['a', 'b', 'c']) expect(hosts.get(name)?.problem).toMatch(/circular|loop/);
  });

  it('log in with the configured key, else with the agent, else with the existing key', async () => {
    write('id_work', 'key');
    write('id_db', 'key');
    write(
      'config',
      'Host work\n  IdentityFile ~/.ssh/id_none\n  IdentityFile ~/.ssh/id_work\nHost db\n  IdentityFile %d/.ssh/id_%h\nHost gone\n  IdentityFile ~/.ssh/id_gone\nHost odd\n  IdentityFile ~/.ssh/%C\nHost plain\n',
    );
    const { entries } = await read();
    const auth = (name: string) => entries.find((entry) => entry.name === name)?.spec?.auth;
    expect(auth('work')).toEqual({ method: 'key', keyFile: at('id_work') });
    expect(auth('db')).toEqual({ method: 'key', keyFile: at('id_db') });
    expect(auth('gone')).toEqual({ method: 'key', keyFile: at('id_gone') });
    expect(entries.find(({ name }) => name === 'gone')?.notes).toEqual([
      `Its key file does not exist: ${at('id_gone')}`,
    ]);
    expect(auth('odd')).toEqual({ method: 'agent' });
    expect(auth('plain')).toEqual({ method: 'agent' });
    write('id_ed25519', 'key');
    const without = await read(false);
    expect(without.entries.find(({ name }) => name === 'plain')?.spec?.auth).toEqual({
      method: 'key',
      keyFile: at('id_ed25519'),
    });
  });

  it('are read from cyclic includes, odd bytes and unsupported hosts', async () => {
    write('loop', 'Include loop\nHost in-loop\n');
    write('config', `Include loop\nInclude nowhere/*\nInclude ~other/config\n\0\nHost ok\nHost bad|name\n`);
    const { entries, notes } = await read();
    expect(entries.map(({ name, problem }) => [name, problem === undefined])).toEqual([
      ['in-loop', true],
      ['ok', true],
      ['bad|name', false],
    ]);
    expect(notes.join('\n')).toMatch(/too many files include each other[\s\S]*Include ~other\/config was not read/);
  });

  it('are empty without a file', async () => {
    await expect(read()).rejects.toMatchObject({ problem: { code: 'not-found' } });
  });
});
