import { describe, expect, it } from 'vitest';
import type { ConnectionFacts } from '../../../../../shared/model/target.ts';
import type { PlanInput } from '../../tool.ts';
import { dataNeed } from '../data/index.ts';
import { SysbenchOptions } from '../options/index.ts';
import { SCRIPTS } from '../scripts/index.ts';
import { passwordTable } from '../testing/recordings.ts';
import { furtherAddresses } from './connection.ts';
import { configFileValue, planSysbench } from './index.ts';

const mysql: ConnectionFacts = {
  kind: 'mysql',
  host: 'db1',
  port: 3307,
  user: 'sbtest',
  password: 's3cret',
  database: 'bench',
};
const postgres: ConnectionFacts = {
  kind: 'postgres',
  host: 'db2',
  port: 5433,
  user: 'sbtest',
  password: 's3:c\\ret',
  database: 'bench',
};

function input(options: Record<string, unknown>, connection: ConnectionFacts = mysql): PlanInput<SysbenchOptions> {
  const paths = { nodePath: '/usr/bin/node', assetsDir: '/opt/kneepoint' };
  return { options: SysbenchOptions.parse(options), connection, warmup: 5, duration: 60, seed: 7, ...paths };
}
const plan = (options: Record<string, unknown>, connection: ConnectionFacts = mysql) => ({
  ...planSysbench(input(options, connection)),
  data: dataNeed(SysbenchOptions.parse(options), connection.kind),
});

describe('a run against MySQL', () => {
  const { run, prepare, cleanup, data } = plan({ threads: 16, tables: 4, 'table-size': 10_000 });

  it('sets all important options explicitly, and no others', () => {
    expect(run.argv).toEqual([
      'sysbench',
      '--config-file=@sysbench.conf@',
      'oltp_read_write',
      '--db-driver=mysql',
      '--mysql-host=db1',
      '--mysql-port=3307',
      '--mysql-user=sbtest',
      '--mysql-db=bench',
      '--threads=16',
      '--percentile=95',
      '--tables=4',
      '--table-size=10000',
      '--rand-type=special',
      '--report-interval=1',
      '--report-checkpoints=5',
      '--time=65',
      '--events=0',
      '--rand-seed=7',
      'run',
    ]);
    expect(run.plannedSeconds).toBe(65);
  });

  it('keeps the password in a file private to its owner', () => {
    expect(run.files).toEqual([
      { name: 'sysbench.conf', content: 'mysql-password="s3cret"\n', mode: 0o600, secret: true },
    ]);
    expect(JSON.stringify([run.argv, run.env, prepare?.argv, cleanup?.argv])).not.toContain('s3cret');
  });

  it('prepares and cleans up the same tables', () => {
    for (const step of [prepare, cleanup]) {
      expect(step?.argv).toEqual(expect.arrayContaining(['--tables=4', '--table-size=10000', '--threads=4']));
      expect(step?.argv.join(' ')).not.toMatch(/--(time|percentile|rand-type|report-interval)/);
    }
    expect([prepare?.argv.at(-1), cleanup?.argv.at(-1)]).toEqual(['prepare', 'cleanup']);
  });

  it('describes its data', () => {
    expect(data?.title).toBe('4 tables × 10,000 rows, about 9.16 MiB');
    expect(data?.tables).toEqual([1, 2, 3, 4].map((n) => ({ name: `sbtest${n}`, rows: 10_000 })));
    expect(data?.shape).toBe('innodb, a primary key, a secondary index, automatic ids');
    const layouts = [{}, { 'mysql-storage-engine': 'myisam' }, { 'create-secondary': false }, { secondary: true }];
    expect(new Set(layouts.map((options) => plan(options).data?.shape)).size).toBe(4);
  });

  it('marks scripts that do not modify rows', () => {
    const written = (options: Record<string, unknown>) => dataNeed(SysbenchOptions.parse(options), 'mysql')?.written;
    expect(SCRIPTS.filter((script) => written({ script }) === false)).toEqual([
      ...['oltp_read_only', 'oltp_point_select', 'select_random_points', 'select_random_ranges'],
      ...['lookups', 'many_schemas', 'key_popularity'],
    ]);
    expect(written({ script: 'lookups', query: 'update-one' })).toBe(true);
    expect(written({ script: 'object_history', writes: 0 })).toBe(false);
  });
});

describe('options', () => {
  const argvOf = (options: Record<string, unknown>, connection?: ConnectionFacts) => plan(options, connection).run.argv;
  it('unknown to the script are omitted', () => {
    const argv = argvOf({ script: 'bulk_insert', tables: 9, 'rand-type': 'uniform', 'point-selects': 3 });
    expect(argv.join(' ')).not.toMatch(/--(tables|table-size|rand-type|point-selects)/);
    expect(argvOf({ script: 'oltp_write_only', 'point-selects': 3 }).join(' ')).not.toContain('point-selects');
  });
  it('of several tables are omitted for scripts that refuse them', () => {
    const { run, cleanup, data } = plan({ script: 'select_random_points', tables: 4 });
    for (const step of [run, cleanup]) expect(step?.argv.join(' ')).not.toContain('--tables');
    expect(data?.tables).toEqual([{ name: 'sbtest1', rows: 10_000 }]);
  });
  it('that depend on another option are included with it only', () => {
    expect(argvOf({ 'rand-type': 'special', 'rand-spec-pct': 5 })).toContain('--rand-spec-pct=5');
    expect(argvOf({ 'rand-type': 'uniform', 'rand-spec-pct': 5 })).not.toContain('--rand-spec-pct=5');
  });
  it('are written in the notation of sysbench', () => {
    const argv = argvOf({ 'skip-trx': true, 'range-selects': false, 'mysql-ignore-errors': 'all', rate: 200 });
    expect(argv).toEqual(
      expect.arrayContaining(['--skip-trx=on', '--range-selects=off', '--mysql-ignore-errors=all', '--rate=200']),
    );
  });
  it('of MySQL are omitted for PostgreSQL', () => {
    expect(
      argvOf({ 'mysql-ignore-errors': 'all', 'mysql-storage-engine': 'myrocks' }, postgres).join(' '),
    ).not.toContain('mysql');
  });
  it('with unknown names or values are refused', () => {
    expect(SysbenchOptions.safeParse({ thread: 4 }).success).toBe(false);
    expect(SysbenchOptions.safeParse({ script: 'oltp' }).success).toBe(false);
    expect(SysbenchOptions.safeParse({ directory: 'relative' }).success).toBe(false);
  });
  it('add a checkpoint at the end of the warm-up, unless others are set or a script has its own reports', () => {
    const checkpoints = (options: Record<string, unknown>, warmup = 5) =>
      planSysbench({ ...input(options), warmup }).run.argv.filter((word) => word.startsWith('--report-checkpoints'));
    expect(checkpoints({ script: 'oltp_read_only' })).toEqual(['--report-checkpoints=5']);
    expect(checkpoints({ script: 'oltp_read_only' }, 0)).toEqual([]);
    expect(checkpoints({ script: 'oltp_read_only' }, 2.5)).toEqual([]);
    expect(checkpoints({ script: 'oltp_read_only', 'report-checkpoints': '10,20' })).toEqual([
      '--report-checkpoints=10,20',
    ]);
    expect(checkpoints({ script: 'own', 'script-text': 'function event() end' })).toEqual([]);
  });
  it('with a fraction of a second are rounded up', () => {
    expect(
      planSysbench({ ...input({ script: 'cpu' }, { kind: 'host' }), warmup: 0.2, duration: 1 }).run.argv,
    ).toContain('--time=2');
  });
});

describe('connections', () => {
  it('use a socket, and do not treat localhost as one', () => {
    expect(plan({}, { ...mysql, socket: '/run/my.sock' }).run.argv).toEqual(
      expect.arrayContaining(['--mysql-host=localhost', '--mysql-socket=/run/my.sock']),
    );
    expect(plan({}, { ...mysql, host: 'localhost' }).run.argv).toContain('--mysql-host=127.0.0.1');
    const further = { 'mysql-further-hosts': 'db2,10.0.0.9' };
    expect(plan(further, mysql).run.argv).toContain('--mysql-host=db1,db2,10.0.0.9');
    // sysbench has no such option, and would not start with it.
    expect(plan(further, mysql).run.argv.join(' ')).not.toContain('further');
    expect(furtherAddresses(SysbenchOptions.parse(further), 'mysql')).toEqual(['db2', '10.0.0.9']);
    expect(furtherAddresses(SysbenchOptions.parse(further), 'postgres')).toEqual([]);
    const pairs = (...addresses: { host: string; port: number }[]) =>
      plan({}, { ...mysql, addresses }).run.argv.filter((argument) => /^--mysql-(host|port)=/.test(argument));
    expect(pairs({ host: 'db1', port: 3306 }, { host: 'db2', port: 3306 })).toEqual([
      ...['--mysql-host=db1,db2', '--mysql-port=3306'],
    ]);
    expect(pairs({ host: 'localhost', port: 3306 }, { host: 'localhost', port: 3307 })).toEqual([
      ...['--mysql-host=127.0.0.1', '--mysql-port=3306,3307'],
    ]);
    expect(plan({}, { ...postgres, socket: '/run/postgresql/.s.PGSQL.5432' }).run.argv).toContain(
      '--pgsql-host=/run/postgresql',
    );
  });
  it('pass password and TLS to PostgreSQL', () => {
    const { run } = plan({}, { ...postgres, tls: 'verify', caFile: '/etc/ca.pem' });
    expect(run.argv.slice(0, 4)).toEqual(['env', 'PGPASSFILE=@pgpass@', 'sysbench', 'oltp_read_write']);
    expect(run.argv).toContain('--pgsql-port=5433');
    expect(run.files[0]).toEqual({ name: 'pgpass', content: '*:*:*:*:s3\\:c\\\\ret\n', mode: 0o600, secret: true });
    expect(run.env).toEqual({ LC_ALL: 'C', PGSSLMODE: 'verify-full', PGSSLROOTCERT: '/etc/ca.pem' });
  });
  it('use TLS files of MySQL where they are, and require them', () => {
    const options = { 'mysql-ssl-directory': '/etc/my tls' };
    const { run } = plan(options, { ...mysql, tls: 'required' });
    expect(run.argv.slice(0, 6)).toEqual([
      'sh',
      '-c',
      'cd -- "$1" && shift && exec "$@"',
      'sh',
      '/etc/my tls',
      'sysbench',
    ]);
    expect(run.argv).toContain('--mysql-ssl=on');
    expect(plan({ ...options, 'mysql-ssl': 'off' }, { ...mysql, tls: 'required' }).run.argv.join(' ')).not.toContain(
      'ssl',
    );
    expect(() => plan({}, { ...mysql, tls: 'required' })).toThrow(/cacert\.pem/);
  });
  it('of another kind are refused', () => {
    expect(() => plan({}, { kind: 'host' })).toThrow(/needs a MySQL or PostgreSQL target/);
  });
  it('need no file without a password', () => {
    const { password: _, ...open } = mysql;
    expect(plan({}, open).run.files).toEqual([]);
  });
});

describe('the value in a configuration file', () => {
  // Python literals of passwords, and the notation of each that sysbench 1.0.20 understood.
  const rows = passwordTable()
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'));
  const literal = (text: string): string => text.slice(1, -1).replace(/\\(.)/g, '$1');

  it.each(rows)('is readable by sysbench: %s', (text, bare, double, single) => {
    const value = configFileValue(literal(text ?? ''));
    const ways = { bare, double, single };
    if (value === undefined) expect(Object.values(ways).every((way) => way?.startsWith('FAILS'))).toBe(true);
    else expect(ways[value.startsWith('"') ? 'double' : value.startsWith("'") ? 'single' : 'bare']).toBe('ok');
  });
  it('cannot contain some passwords, which are read from a file through the environment', () => {
    for (const password of [`"both' and blank`, 'two\nlines']) {
      const { run } = plan({}, { ...mysql, password });
      expect(run.argv.slice(0, 2)).toEqual(['sh', '-c']);
      expect(run.files).toEqual([{ name: 'password', content: `${password}\n`, mode: 0o600, secret: true }]);
      expect(JSON.stringify([run.argv, run.env])).not.toContain(password.slice(0, 5));
    }
  });
});

it('gives bulk_insert new tables for each run', () => {
  const { run, data } = plan({ script: 'bulk_insert', threads: 3 });
  expect(run.argv.slice(0, 2)).toEqual(['sh', '-c']);
  expect(run.argv[2]).toContain('cleanup prepare');
  expect(run.argv.at(-1)).toBe('--rand-seed=7');
  expect(data?.tables.map(({ rows }) => rows)).toEqual([0, 0, 0]);
});

describe('tests of the host', () => {
  it('need no data and no password', () => {
    const cpu = plan({ script: 'cpu', 'cpu-max-prime': 20_000 }, { kind: 'host' });
    expect(cpu).toEqual({
      run: {
        argv: [
          ...['sysbench', 'cpu', '--threads=1', '--percentile=95', '--cpu-max-prime=20000'],
          ...['--report-interval=1', '--report-checkpoints=5', '--time=65', '--events=0', '--rand-seed=7', 'run'],
        ],
        env: { LC_ALL: 'C' },
        files: [],
        plannedSeconds: 65,
      },
    });
  });
  it('write files only into their own folder', () => {
    const { prepare, run, cleanup, data } = plan(
      { script: 'fileio', directory: '/data/', 'file-total-size': '1G' },
      { kind: 'host' },
    );
    for (const step of [prepare, run, cleanup])
      expect(step?.argv.slice(3, 6)).toEqual(['sh', '/data/kneepoint-fileio/128-files-1G', 'sysbench']);
    expect(data).toBeUndefined();
    expect(plan({ script: 'fileio' }, { kind: 'host', path: '/mnt/x' }).run.argv).toContain(
      '/mnt/x/kneepoint-fileio/128-files-2G',
    );
  });
  it('with a custom script must not name a disk, as there is no confirmation', () => {
    const own = (text: string) => plan({ script: 'own', 'script-text': `function event() ${text} end` }).run.argv;
    expect(() => own('io.open("/dev/sdb", "w")')).toThrow(/names the device \/dev\/sdb/);
    expect(() => own("os.execute('dd of=/dev/mapper/vg-bench')")).toThrow(/vg-bench/);
    expect(own('io.open("/dev/urandom")')).toContain('@script.lua@');
  });
  it('require a folder', () => {
    expect(() => plan({ script: 'fileio' }, { kind: 'host' })).toThrow(/needs a folder/);
  });
  it('of sequential writes create their own files', () => {
    expect(
      plan({ script: 'fileio', directory: '/d', 'file-test-mode': 'seqwr' }, { kind: 'host' }).prepare,
    ).toBeUndefined();
  });
});
