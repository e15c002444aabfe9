import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../../e2e/testbed/databases/index.ts';
import { lacks } from '../../../e2e/testbed/programs.ts';
import type { ServerLook, ServerProgram, Target } from '../../shared/model/target.ts';
import { Terminal } from './testing/cli.ts';

const ABSENT = lacks('mariadbd');

describe.skipIf(ABSENT !== '')('the server of a target', () => {
  let terminal: Terminal;
  let port: number;
  const vault = () => ['--passphrase-file', path.join(terminal.folder, 'passphrase.txt')];
  /** A separate process, which the server started by it outlives. */
  const kneepoint = (...args: string[]) => terminal.start([...args, ...vault()]).answer;
  const runWithVault = (...args: string[]) => terminal.run(...args, ...vault());
  /** With a locked vault, as unlocking takes half a second: for commands that contact no server. */
  const locked = (...args: string[]) => terminal.run(...args);
  const folder = () => path.join(terminal.folder, 'server');
  beforeAll(async () => {
    terminal = new Terminal();
    // Jobs of both are in the same home.
    vi.stubEnv('HOME', terminal.folder);
    vi.stubEnv('XDG_STATE_HOME', undefined);
    port = await freePort();
    terminal.write('passphrase.txt', 'a long passphrase\n');
    const secret = terminal.write('secret.txt', 'correct-horse\n');
    const config = [`port=${port}`, 'user=bench', 'database=shop'].flatMap((pair) => ['--config', pair]);
    const added = await runWithVault('target', 'add', 'shop', '--kind', 'mysql', ...config, '--secret-file', secret);
    expect(added.code, added.stderr).toBe(0);
  });
  afterAll(async () => {
    await runWithVault('target', 'stop', 'shop');
    terminal.close();
    vi.unstubAllEnvs();
  });

  it('cannot be queried while its host is unknown', async () => {
    const { code, stderr } = await runWithVault('target', 'server', 'shop');
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('has no server host') });
    expect((await locked('target', 'list')).stdout).toMatch(/shop.*unknown/);
  });

  it.each([
    ['a name that is none', ['--server', 'hosts=x'], 'takes one of host, control'],
    ['a control that is none', ['--server', 'host=this computer', '--server', 'control=docker'], 'control.kind'],
    ['a unit without its control', ['--server', 'host=this computer', '--server', 'unit=x'], 'control'],
    ['a host that is not saved', ['--server', 'host=nowhere'], 'There is no host named “nowhere”'],
    ['nothing', [], 'Specify the server host with --server'],
  ])('is refused with %s', async (_what, options, words) => {
    const { code, stderr } = await locked('target', 'place', 'shop', ...options);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(words) });
  });

  it('is read from a file and from pairs', async () => {
    const file = terminal.write('place.yaml', 'host: this computer\ncontrol: {kind: systemd, unit: maria.service}\n');
    const placed = await locked('target', 'place', 'shop', '--server-file', file, '--json');
    expect(placed.json<Target>().spec.server).toEqual({
      host: 'this computer',
      control: { kind: 'systemd', unit: 'maria.service', sudo: false },
    });
    const pairs = ['host=this computer', 'control=managed', 'program=mariadbd', `folder=${folder()}`, 'limit=60'];
    const settings = ['set.innodb_buffer_pool_size=64M', 'set.innodb_log_file_size=16M', 'set.performance_schema=OFF'];
    const options = [...pairs, ...settings].flatMap((pair) => ['--server', pair]);
    const changed = await locked('target', 'place', 'shop', ...options, '--json');
    expect(changed.json<Target>().spec.server).toMatchObject({ limitSeconds: 60, control: { program: 'mariadbd' } });
    expect(changed.json<Target>().hasSecret).toBe(true);
    const { stdout } = await locked('target', 'list');
    expect(stdout).toMatch(/this computer, managed/);
  });

  it('accepts a proxy by name, and upstream settings of earlier versions', async () => {
    const config = ['port=1', 'user=bench', 'database=shop'].flatMap((pair) => ['--config', pair]);
    const added = await locked('target', 'add', 'lb', '--kind', 'mysql', ...config, '--behind', 'shop', '--json');
    expect(added.json<Target>().spec).toMatchObject({ name: 'lb', behind: 'shop' });
    const none = await locked('target', 'place', 'lb', '--behind', '', '--json');
    expect(none.json<Target>().spec.behind).toBeUndefined();
    const earlier = 'host: this computer\ncontrol: {kind: managed, program: mariadbd, upstream: shop}\n';
    const file = terminal.write('earlier.yaml', earlier);
    const placed = await locked('target', 'place', 'lb', '--server-file', file, '--json');
    expect(placed.json<Target>().spec).toMatchObject({ behind: 'shop', server: { control: { program: 'mariadbd' } } });
    expect(JSON.stringify(placed.json<Target>().spec)).not.toContain('upstream');
  });

  it('is found, started, described, restarted and stopped', async () => {
    const programs = await locked('target', 'programs', 'this computer', '--kind', 'mysql', '--json');
    const found = programs.json<ServerProgram[]>().find(({ name }) => name === 'mariadbd');
    expect(found).toMatchObject({
      path: expect.stringMatching(/mariadbd$/),
      version: expect.stringMatching(/MariaDB/),
    });
    // Other tests may be varying settings of this computer, which the next line would list.
    expect((await runWithVault('target', 'server', 'shop')).stdout).toMatch(/^stopped on this computer\n/);
    const started = await kneepoint('target', 'start', 'shop');
    expect(started.code, started.stderr).toBe(0);
    expect(started.stdout).toBe('The server of “shop” is running.\n');
    const { stdout } = await runWithVault('target', 'server', 'shop');
    expect(stdout).toMatch(/^running on this computer, MariaDB [\d.]+.*, up since /);
    const look = (await runWithVault('target', 'server', 'shop', '--json')).json<ServerLook>();
    const restarted = await runWithVault('target', 'restart', 'shop', '--json');
    expect(restarted.json()).toEqual({ state: 'running' });
    const later = (await runWithVault('target', 'server', 'shop', '--json')).json<ServerLook>();
    expect(later.upSince).toBeGreaterThan(look.upSince ?? Number.POSITIVE_INFINITY);
    expect((await kneepoint('target', 'stop', 'shop')).stdout).toBe('The server of “shop” is stopped.\n');
  });

  it('that does not start fails the command with its log', async () => {
    const pairs = ['host=this computer', 'control=managed', 'program=mariadbd', `folder=${folder()}`, 'set.no_such=1'];
    await locked('target', 'place', 'shop', ...pairs.flatMap((pair) => ['--server', pair]));
    const { code, stderr } = await runWithVault('target', 'start', 'shop');
    expect(code).toBe(1);
    expect(stderr).toMatch(/The server of target “shop” on this computer .*no_such/);
    const unknown = await locked('target', 'place', 'shop', '--unknown', '--json');
    expect(unknown.json<Target>().spec).not.toHaveProperty('server');
  });
});
