import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSshd, type TestSshd } from '../../../e2e/testbed/sshd/index.ts';
import type { Host, HostFacts, HostTest } from '../../shared/model/host.ts';
import type { Target, TargetTest } from '../../shared/model/target.ts';
import { TARGETS } from '../engine/targets/index.ts';
import { Terminal } from './testing/cli.ts';

const KINDS = TARGETS.map(({ kind }) => kind);

let terminal: Terminal;
let server: TestSshd;
beforeAll(async () => {
  terminal = new Terminal();
  server = await startSshd();
});
afterAll(async () => {
  await server?.close();
  terminal.close();
});

describe('a host', () => {
  const add = (...more: string[]) =>
    terminal.run('host', 'add', 'loadgen', ...['--address', server.address, '--port', String(server.port)], ...more);

  it('is added with a key file, listed, and trusted only with its own fingerprint', async () => {
    const added = await add('--user', server.user, '--key', server.keyFile);
    expect(added.code, added.stderr).toBe(0);
    expect(added.stderr).toContain('kneepoint host test "loadgen"');

    const first = await terminal.run('host', 'test', 'loadgen', '--json');
    expect(first.code).toBe(1);
    expect(first.json<HostTest>()).toMatchObject({ result: 'key-unknown', key: { fingerprint: server.fingerprint() } });

    const wrong = await terminal.run('host', 'test', 'loadgen', '--accept-key', 'SHA256:not-it');
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/presents SHA256:.*not the accepted SHA256:not-it.*Nothing was sent/),
    });

    const right = await terminal.run('host', 'test', 'loadgen', '--accept-key', server.fingerprint(), '--json');
    expect(right.code, right.stderr).toBe(0);
    const tested = right.json<HostTest>();
    if (tested.result !== 'ok') throw new Error(right.stdout);
    expect(tested.facts.tools.map(({ tool }) => tool)).toContain('sysbench');

    const text = await terminal.run('host', 'test', 'loadgen');
    expect(text.stdout).toMatch(/^loadgen responds in [\d.]+ ms: .*\ntool +version/);
    const facts = (await terminal.run('host', 'facts', 'loadgen')).json<HostFacts>();
    expect(facts.cpuCount).toBe(tested.facts.cpuCount);
    const hosts = (await terminal.run('host', 'list', '--json')).json<Host[]>();
    expect(hosts.map(({ spec }) => spec.name)).toEqual(['this computer', 'loadgen']);
  });

  it('is refused with a duplicate name, an invalid name or an invalid port', async () => {
    expect((await add('--user', 'x')).code).toBe(2);
    expect(
      (await terminal.run('host', 'add', 'h', '--address', 'a', '--user', 'u', '--port', '70000')).stderr,
    ).toContain('--port takes 1 to 65535, not “70000”');
    expect((await terminal.run('host', 'add', '$(reboot)', '--address', 'a', '--user', 'u')).code).toBe(2);
    expect((await terminal.run('host', 'add', 'h', '--address', '-oProxyCommand=x', '--user', 'u')).code).toBe(2);
  });

  it('is imported from an SSH configuration with its jump host, and skipped settings are named', async () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'kneepoint-config-')), 'config');
    writeFileSync(
      file,
      'Match exec "false"\n  User x\nHost inner\n  HostName 10.9.0.1\n  ProxyJump outer\nHost outer\n  Port 2222\nHost *\n  User me\n',
    );
    const listed = await terminal.run('host', 'import', '--config', file);
    expect(listed.stdout).toMatch(/inner +me@10\.9\.0\.1:22 +\S+.* outer/);
    expect(listed.stderr).toContain('config:1: Match exec is not imported');
    const added = await terminal.run('host', 'import', 'inner', '--config', file);
    expect(added.stderr).toContain('2 hosts added: outer, inner.');
    const again = await terminal.run('host', 'import', 'inner', 'nobody', '--config', file, '--json');
    expect(again.code).toBe(2);
    expect(again.json<{ added: Host[]; skipped: { name: string }[] }>()).toMatchObject({
      added: [],
      skipped: [{ name: 'inner' }, { name: 'nobody' }],
    });
    expect((await terminal.run('host', 'import', 'inner', '--all', '--config', file)).code).toBe(2);
  });

  it('that is unreachable fails its test with a sentence', async () => {
    await terminal.run(
      'host',
      'add',
      'dark',
      '--address',
      '127.0.0.1',
      '--port',
      '1',
      '--user',
      'u',
      '--key',
      server.keyFile,
    );
    const { code, stderr } = await terminal.run('host', 'test', 'dark');
    expect(code).toBe(1);
    expect(stderr).toMatch(/dark/);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

describe('a target', () => {
  it('documents every kind and setting in the help', async () => {
    const { stdout } = await terminal.run('target', 'add', '--help');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`one of ${KINDS.join(', ')}`);
    for (const kind of KINDS) {
      const refused = await terminal.run('target', 'add', 'x', '--kind', kind, '--config', 'unknown=1');
      const names = /takes one of (.*) as name=value/.exec(refused.stderr)?.[1]?.split(', ') ?? [];
      const line = new RegExp(`^  ${kind} +(.*)$`, 'm').exec(stdout)?.[1]?.split(', ') ?? [];
      expect(line.toSorted(), kind).toEqual(names.toSorted());
    }
  });

  it('that may send its password in cleartext is marked in the list', async () => {
    const settings = ['user=u', 'database=d', 'allowCleartextPassword=true'].flatMap((pair) => ['--config', pair]);
    const own = new Terminal();
    const added = await own.run('target', 'add', 'open', '--kind', 'postgres', ...settings);
    expect(added.code, added.stderr).toBe(0);
    expect((await own.run('target', 'list')).stdout).toContain('Cleartext password allowed');
    own.close();
  });
});

describe('a password', () => {
  const SECRET = 'correct-horse-battery';
  const target = [
    '--kind',
    'mysql',
    '--config',
    'address=127.0.0.1',
    '--config',
    'port=1',
    '--config',
    'user=u',
    '--config',
    'database=d',
  ];

  it('is read only from a file private to its owner, and only if it can be stored', async () => {
    const open = terminal.write('open.txt', `${SECRET}\n`, 0o644);
    const refused = await terminal.run('target', 'add', 'db', ...target, '--secret-file', open);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(`chmod 600 ${open}`) });

    const secret = terminal.write('secret.txt', `${SECRET}\n`);
    const unkept = await terminal.run('target', 'add', 'db', ...target, '--secret-file', secret);
    expect(unkept).toMatchObject({ code: 2, stderr: expect.stringContaining('pass --passphrase-file FILE') });
    expect((await terminal.run('target', 'list', '--json')).json()).toEqual([]);
  });

  it('is not an argument of any command', async () => {
    for (const option of ['--password', '--passphrase', '--secret'])
      expect((await terminal.run('target', 'add', 'db', ...target, option, SECRET)).stderr).toContain(
        `unknown option '${option}'`,
      );
  });

  it('is stored in the vault, which requires its passphrase', async () => {
    const passphrase = terminal.write('passphrase.txt', 'a long passphrase\n');
    const vault = ['--passphrase-file', passphrase];
    const open = terminal.write('open-passphrase.txt', 'a long passphrase\n', 0o640);
    expect((await terminal.run('sessions', '--passphrase-file', open)).code).toBe(2);
    const short = terminal.write('short.txt', 'short\n');
    expect((await terminal.run('sessions', '--passphrase-file', short)).stderr).toContain('needs 8 characters or more');

    const secret = terminal.write('secret.txt', `${SECRET}\n`);
    const added = await terminal.run('target', 'add', 'db', ...target, '--secret-file', secret, ...vault);
    expect(added.code, added.stderr).toBe(0);
    expect(added.stderr).toContain('Created a vault');
    const piped = terminal.start(['target', 'add', 'db2', ...target, '--secret-file', '-', ...vault], {
      input: SECRET,
    });
    expect((await piped.answer).code).toBe(0);
    const targets = (await terminal.run('target', 'list', '--json')).json<Target[]>();
    expect(targets.map(({ spec, hasSecret }) => [spec.name, hasSecret])).toEqual([
      ['db', true],
      ['db2', true],
    ]);

    const wrong = terminal.write('wrong.txt', 'another passphrase\n');
    const refused = await terminal.run('target', 'test', 'db', '--passphrase-file', wrong);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/passphrase/) });
    const tested = await terminal.run('target', 'test', 'db', '--json', ...vault);
    expect(tested.code).toBe(1);
    expect(tested.json<TargetTest>()).toMatchObject({ result: 'failed', problem: { code: 'target-unreachable' } });
    expect(tested.stdout + tested.stderr).not.toContain(SECRET);
  });

  it('is nowhere on disk in cleartext', () => {
    const files = readdirSync(terminal.data, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) expect(readFileSync(path.join(file.parentPath, file.name)).includes(SECRET)).toBe(false);
  });
});
