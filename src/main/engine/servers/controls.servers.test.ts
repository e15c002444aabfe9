import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { type DatabaseServer, startMariaDb } from '../../../../e2e/testbed/databases/index.ts';
import type { ServerControl } from '../../../shared/model/target.ts';
import { shellWords } from '../../../shared/util/shell-quote.ts';
import { problemFrom } from '../hosts/testing/library.ts';
import { createShellMachine } from '../jobs/testing/shell-machine.ts';
import { createServersBed, type ServersBed, settingOf } from './testing/bed.ts';

const signal = new AbortController().signal;

/** A zombie process counts as dead. */
const isUp = (pidFile: string): string =>
  `[ -s ${pidFile} ] && grep -qs '^State:.[^Z]' "/proc/$(cat ${pidFile})/status"`;

/** A replacement for systemctl and journalctl that knows one unit and runs the same scripts, because systemd is not available here. */
const systemctl = (start: string, stop: string, pidFile: string): string => `#!/bin/sh
verb=; for word; do case $word in start|stop|restart|reload|show|kill) verb=$word ;; --kill-who=main) whom=main ;; --signal=KILL) signal=KILL ;; esac; unit=$word; done
[ "$unit" = db.service ] || { echo LoadState=not-found; echo ActiveState=inactive; exit 0; }
up() { ${isUp(pidFile)}; }
case $verb in
show) echo LoadState=loaded; up && { echo ActiveState=active; echo "MainPID=$(cat ${pidFile})"; } || { echo ActiveState=failed; echo MainPID=0; } ;;
stop) up && { ${stop}; }; exit 0 ;;
start) up || { ${start}; } ;;
kill) up && [ "$whom $signal" = "main KILL" ] && kill -9 "$(cat ${pidFile})" ;;
restart) up && { ${stop}; }; ${start} ;;
esac
`;

describe('control of an existing server', () => {
  let database: DatabaseServer;
  let folder: string;
  let bed: ServersBed;
  let pidFile: string;
  const places: Record<string, z.input<typeof ServerControl>> = {};

  beforeAll(async () => {
    database = await startMariaDb();
    folder = mkdtempSync(join(tmpdir(), 'kneepoint-controls-'));
    pidFile = join(database.socket, '..', 'server.pid');
    mkdirSync(join(folder, 'conf.d'));
    mkdirSync(join(folder, 'bin'));
    const [program = '', ...flags] = readFileSync(`/proc/${database.pid()}/cmdline`, 'utf8')
      .split('\0')
      .filter(Boolean);
    writeFileSync(join(folder, 'my.cnf'), `[mysqld]\n!includedir ${folder}/conf.d\n`);
    const argv = [
      program,
      `--defaults-file=${folder}/my.cnf`,
      ...flags.filter((flag) => flag !== '--no-defaults' && !flag.includes('max_connections')),
    ];
    // A failed start prints the end of its log.
    const start = `${shellWords(argv)} >${folder}/log 2>&1 &
i=0; while [ $i -lt 100 ] && kill -0 $! && [ ! -s ${pidFile} ]; do sleep 0.1; i=$((i + 1)); done
kill -0 $! 2>/dev/null || { tail -n 5 ${folder}/log; exit 1; }`;
    const stop = `pid=$(cat ${pidFile}) && kill $pid && while [ -d /proc/$pid ] && ! grep -q '^State:.Z' /proc/$pid/status; do sleep 0.1; done`;
    writeFileSync(join(folder, 'bin', 'systemctl'), systemctl(start, stop, pidFile));
    writeFileSync(join(folder, 'bin', 'journalctl'), `#!/bin/sh\ntail -n 20 ${folder}/log\n`);
    chmodSync(join(folder, 'bin', 'systemctl'), 0o755);
    chmodSync(join(folder, 'bin', 'journalctl'), 0o755);
    places.commands = { kind: 'commands', start, stop };
    places['commands with status and restart'] = {
      kind: 'commands',
      start,
      stop,
      kill: `kill -9 "$(cat ${pidFile})"`,
      restart: `${stop}\n${start}`,
      status: isUp(pidFile),
    };
    places['a stand-in for systemd'] = { kind: 'systemd', unit: 'db.service' };
    const env = { PATH: `${folder}/bin:${process.env.PATH}`, HOME: folder };
    bed = createServersBed({
      db1: createShellMachine('db1', '/bin/sh', env),
      plain: createShellMachine('plain', '/bin/sh', { PATH: '/usr/bin:/bin' }),
    });
    await database.kill('SIGTERM');
  });
  afterAll(async () => {
    if (existsSync(pidFile)) process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL');
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const save = (
    control: z.input<typeof ServerControl>,
    more: { host?: string; settingsFile?: string; limitSeconds?: number } = {},
  ) => {
    const { address, port, user, password, database: name } = database;
    bed.save({ name: 'db', kind: 'mysql', config: { address, port, user, database: name } }, password, {
      host: 'db1',
      control,
      settingsFile: join(folder, 'conf.d', 'kneepoint.cnf'),
      ...more,
    });
    return bed.server('db');
  };

  for (const name of ['commands', 'commands with status and restart', 'a stand-in for systemd']) {
    const control = () => places[name] ?? { kind: 'none' as const };
    test(`${name}: starts, restarts with other settings and stops`, async () => {
      const server = save(control());
      expect(await server.state(signal)).toBe('stopped');
      await server.stop(signal);
      await server.start(signal);
      await server.start(signal);
      expect(await server.state(signal)).toBe('running');
      const first = readFileSync(pidFile, 'utf8');
      await server.settingsFile?.write({
        max_connections: '77',
        sql_mode: 'ANSI_QUOTES,NO_ZERO_DATE',
        init_connect: "SET @a = '1 # 2'",
      });
      await server.restart(signal);
      expect(readFileSync(pidFile, 'utf8')).not.toBe(first);
      expect(await settingOf(bed, 'db', 'max_connections')).toBe('77');
      expect(await settingOf(bed, 'db', 'init_connect')).toBe("SET @a = '1 # 2'");
      await server.settingsFile?.write({});
      await server.stop(signal);
      expect(await server.state(signal)).toBe('stopped');
    });

    test(`${name}: ${name === 'commands' ? 'has no way to kill it' : 'kills it, and starts it again'}`, async () => {
      const server = save(control());
      if (name === 'commands') {
        expect(server.kill).toBeUndefined();
        return;
      }
      await server.start(signal);
      const pid = readFileSync(pidFile, 'utf8');
      await server.kill?.(signal);
      expect(await server.state(signal)).toBe('stopped');
      // A server that ends by itself removes this file.
      expect(readFileSync(pidFile, 'utf8')).toBe(pid);
      expect(await problemFrom(server.kill?.(signal) ?? Promise.resolve())).toMatchObject({
        code: 'change-refused',
        message: expect.stringContaining('is not running, so there is nothing to kill.'),
      });
      rmSync(pidFile);
      await server.start(signal);
      expect(readFileSync(pidFile, 'utf8')).not.toBe(pid);
      await server.stop(signal);
    });

    test(`${name}: a failed start includes the end of the log`, async () => {
      const server = save(control(), { limitSeconds: 20 });
      await server.settingsFile?.write({ no_such_setting: '1' });
      const problem = await problemFrom(server.start(signal));
      expect(problem).toMatchObject({ code: 'server-not-back', host: 'db1', target: 'db' });
      expect(problem.message).toContain('no_such_setting');
      await server.settingsFile?.write({});
      expect(existsSync(join(folder, 'conf.d', 'kneepoint.cnf'))).toBe(false);
      await server.start(signal);
      process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL');
      await expect.poll(() => server.state(signal)).toBe('stopped');
      rmSync(pidFile, { force: true });
    });
  }

  test('a server that never responds fails after the time limit', async () => {
    const server = save({ kind: 'commands', start: 'echo begun; true', stop: 'true' }, { limitSeconds: 1 });
    const problem = await problemFrom(server.start(signal));
    expect(problem).toMatchObject({
      code: 'server-not-back',
      message: expect.stringContaining('1 s after its start. Last log lines: begun'),
    });
  });

  test('a command that does not end is killed at the time limit', async () => {
    const server = save({ kind: 'commands', start: 'sleep 100', stop: 'true' }, { limitSeconds: 1 });
    expect(await problemFrom(server.start(signal))).toMatchObject({
      code: 'server-not-back',
      message: expect.stringContaining('did not end within 1 s'),
    });
  });

  test('a host without systemctl and an unknown unit are reported in words', async () => {
    const absent = save({ kind: 'systemd', unit: 'db.service' }, { host: 'plain' });
    expect(await problemFrom(absent.start(signal))).toMatchObject({
      code: 'change-not-possible',
      message: expect.stringMatching(/^systemd does not run on plain|^plain has no systemctl/),
    });
    const other = save({ kind: 'systemd', unit: 'other.service' });
    expect(await problemFrom(other.state(signal))).toMatchObject({
      code: 'change-not-possible',
      message: expect.stringContaining('no unit other.service'),
    });
  });

  test('a server without control has a state only', async () => {
    const server = save({ kind: 'none' });
    expect(await server.state(signal)).toBe('stopped');
    expect(await problemFrom(server.restart(signal))).toMatchObject({ code: 'change-not-possible' });
    expect(await problemFrom(server.reload(signal))).toMatchObject({ code: 'change-not-possible' });
  });

  describe('the settings file', () => {
    const path = () => join(folder, 'conf.d', 'kneepoint.cnf');
    const file = () => save({ kind: 'none' }).settingsFile;

    test('is written completely, read back and removed', async () => {
      expect(await file()?.read()).toEqual({});
      const settings = { a: '1', b: 'two words', c: 'C:\\x y', d: "it's" };
      await file()?.write(settings);
      expect(await file()?.read()).toEqual(settings);
      expect(statSync(path()).mode & 0o777).toBe(0o644);
      await file()?.write({});
      await file()?.write({});
      expect(existsSync(path())).toBe(false);
    });

    test('of another owner is not touched', async () => {
      writeFileSync(path(), '[mysqld]\nport = 1\n');
      expect(await problemFrom(file()?.write({ a: '1' }) ?? Promise.resolve())).toMatchObject({
        code: 'change-not-possible',
        message: expect.stringContaining('was not written by Kneepoint'),
      });
      expect(await problemFrom(file()?.read() ?? Promise.resolve())).toMatchObject({ code: 'change-not-possible' });
      expect(readFileSync(path(), 'utf8')).toBe('[mysqld]\nport = 1\n');
      rmSync(path());
    });

    test('rejects values that would start another setting, and needs its folder', async () => {
      expect(await problemFrom(file()?.write({ a: '1\nport = 1' }) ?? Promise.resolve())).toMatchObject({
        code: 'change-refused',
      });
      const elsewhere = save({ kind: 'none' }, { settingsFile: join(folder, 'nowhere', 'x.cnf') }).settingsFile;
      expect(await problemFrom(elsewhere?.write({ a: '1' }) ?? Promise.resolve())).toMatchObject({
        code: 'change-not-possible',
        message: expect.stringContaining('has no folder'),
      });
    });
  });
});
