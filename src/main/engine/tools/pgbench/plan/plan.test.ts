import { describe, expect, it } from 'vitest';
import type { ConnectionFacts } from '../../../../../shared/model/target.ts';
import { pgbenchTool } from '../index.ts';
import { PgbenchOptions } from '../options/index.ts';
import { ownScripts } from './index.ts';

const TARGET: ConnectionFacts = {
  kind: 'postgres',
  host: 'db2',
  port: 5433,
  user: 'bench',
  password: 's3:c\\ret',
  database: 'bench',
};

const plan = (options: Record<string, unknown>, connection: ConnectionFacts = TARGET, duration = 55.5) =>
  pgbenchTool.plan({
    options: PgbenchOptions.parse(options),
    connection,
    warmup: 4.5,
    duration,
    seed: 7,
    nodePath: '/usr/bin/node',
    assetsDir: '/opt/kneepoint',
  });
const dataOf = (options: Record<string, unknown>) => pgbenchTool.data?.(PgbenchOptions.parse(options), TARGET.kind);
const argv = (options: Record<string, unknown>): string => plan(options).run.argv.join(' ');

describe('a run', () => {
  const options = { client: 16, jobs: 2, scale: 20, protocol: 'prepared' };
  const { run, prepare, cleanup } = plan(options);
  const data = dataOf(options);

  it('sets all important options explicitly', () => {
    expect(run.argv).toEqual([
      'env',
      'PGPASSFILE=@pgpass@',
      'pgbench',
      '--builtin=tpcb-like@1',
      '--client=16',
      '--jobs=2',
      '--protocol=prepared',
      '--random-seed=7',
      '--progress=1',
      '--time=60',
      '--host=db2',
      '--port=5433',
      '--username=bench',
      'bench',
    ]);
    expect(run).toMatchObject({ plannedSeconds: 60, env: { LC_ALL: 'C' } });
  });

  it('keeps the password in a file private to its owner', () => {
    expect(run.files).toEqual([{ name: 'pgpass', content: '*:*:*:*:s3\\:c\\\\ret\n', mode: 0o600, secret: true }]);
  });

  it('prepares its tables and drops only those', () => {
    expect(prepare?.argv.slice(2)).toEqual([
      'pgbench',
      '--initialize',
      '--init-steps=dtgvp',
      '--scale=20',
      '--fillfactor=100',
      '--host=db2',
      '--port=5433',
      '--username=bench',
      'bench',
    ]);
    expect(cleanup?.argv.slice(2, 5)).toEqual(['pgbench', '--initialize', '--init-steps=d']);
    expect(data).toEqual({
      title: 'pgbench tables of scale 20: 2,000,000 accounts, about 299 MiB',
      bytes: 313_917_440,
      tables: [
        { name: 'pgbench_branches', rows: 20 },
        { name: 'pgbench_tellers', rows: 200 },
        { name: 'pgbench_accounts', rows: 2_000_000 },
      ],
      shape: 'plain tables',
      written: true,
    });
  });

  it('modifies the data unless it only reads', () => {
    const weights = { 'tpcb-like-weight': 0, 'simple-update-weight': 0, 'own-weight': 0, 'select-only-weight': 1 };
    expect(dataOf({ script: 'select-only' })?.written).toBe(false);
    expect(dataOf({ script: 'mix', ...weights })?.written).toBe(false);
    expect(dataOf({ script: 'mix', ...weights, 'simple-update-weight': 1 })?.written).toBe(true);
  });
});

describe('options', () => {
  it('of the load become arguments only if they differ from the default', () => {
    expect(argv({})).not.toMatch(/rate|limit|tries|vacuum|connect| -r |failures|log/);
    const full = argv({
      rate: 250.5,
      'latency-limit': 20,
      'max-tries': 0,
      'no-vacuum': true,
      connect: true,
      'report-per-command': true,
      'failures-detailed': true,
    });
    for (const word of ['--rate=250.5', '--latency-limit=20', '--max-tries=0', '--no-vacuum', '--connect', '-r'])
      expect(full.split(' ')).toContain(word);
    expect(full).toContain('--failures-detailed');
  });

  it('of the data determine its preparation and its size', () => {
    const options = {
      scale: 3,
      partitions: 4,
      'foreign-keys': true,
      'unlogged-tables': true,
      'server-side-generate': true,
      fillfactor: 80,
    };
    const { prepare } = plan(options);
    const data = dataOf(options);
    const words = prepare?.argv.join(' ');
    expect(words).toContain('--init-steps=dtGvpf --scale=3 --fillfactor=80 --partitions=4 --partition-method=range');
    expect(words).toContain('--unlogged-tables');
    expect(data?.tables.slice(3)).toEqual([1, 2, 3, 4].map((n) => ({ name: `pgbench_accounts_${n}`, rows: 75_000 })));
    expect(data?.title).toContain('4 range partitions, foreign keys, unlogged, fill factor 80');
    expect(dataOf({ partitions: 4, 'partition-method': 'hash' })?.tables).toHaveLength(3);
  });

  it('of partitions that do not divide the rows leave fewer rows to the last', () => {
    const rows =
      dataOf({ partitions: 7 })
        ?.tables.slice(3)
        .map((table) => table.rows) ?? [];
    expect(rows).toEqual([14_286, 14_286, 14_286, 14_286, 14_286, 14_286, 14_284]);
  });

  it('with unknown names or values are refused', () => {
    for (const wrong of [{ clients: 4 }, { client: 0 }, { script: 'tpcc' }, { define: 'a b' }, { rate: -1 }])
      expect(PgbenchOptions.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false);
  });

  it('of a log need a run time that is a multiple of its interval', () => {
    const { run } = plan({ 'aggregate-interval': 5 });
    expect(run.argv.slice(2, 4)).toEqual(['sh', '@with-logs.sh@']);
    expect(run.argv).toEqual(
      expect.arrayContaining(['@aggregate@', '--log', '--log-prefix=@aggregate@', '--aggregate-interval=5']),
    );
    expect(() => plan({ 'aggregate-interval': 7 })).toThrow(/multiple of the log interval/);
  });

  it('of a transaction log count the latencies of every transaction on the generator', () => {
    const { run } = plan({ 'transaction-log': true, 'aggregate-interval': 7 });
    expect(run.argv).toEqual(expect.arrayContaining(['@with-logs.sh@', '--log', '--log-prefix=@aggregate@']));
    expect(run.argv.join(' ')).not.toContain('--aggregate-interval');
  });
});

describe('scripts', () => {
  it('are drawn by weight', () => {
    const mixed = plan({
      script: 'mix',
      'select-only-weight': 8,
      'own-weight': 2,
      'own-script': '-- script: read @3\nSELECT 1;\n-- script: write\n\\set x 1\nSELECT :x;\n',
      define: 'limit=10, name=a',
      scale: 4,
    }).run;
    expect(mixed.argv.slice(3, 9)).toEqual([
      '--builtin=tpcb-like@1',
      '--builtin=select-only@8',
      '--file=@read.sql@@6',
      '--file=@write.sql@@2',
      '--define=limit=10',
      '--define=name=a',
    ]);
    expect(mixed.argv.join(' ')).not.toContain('--scale');
    expect(mixed.files.map(({ name, content }) => [name, content])).toEqual(
      expect.arrayContaining([
        ['read.sql', 'SELECT 1;\n'],
        ['write.sql', '\\set x 1\nSELECT :x;\n\n'],
      ]),
    );
  });

  it('of the user get the scale, and tables of the user are not touched', () => {
    const mine = { script: 'own', 'own-script': 'SELECT 1;', scale: 9 };
    expect(argv(mine)).toContain('--file=@own.sql@@1 --scale=9');
    expect(dataOf(mine)?.tables).toHaveLength(3);
    const foreign = plan({ ...mine, 'pgbench-tables': false });
    expect(Object.keys(foreign)).toEqual(['run']);
    expect(foreign.run.argv).toContain('--no-vacuum');
  });

  it('may have headings with unique names', () => {
    expect(ownScripts('SELECT 1;')).toEqual([{ name: 'own', weight: 1, text: 'SELECT 1;\n' }]);
    expect(ownScripts('  \n')).toEqual([]);
    expect(ownScripts('-- about\n-- script: a@2\nSELECT 1;')).toEqual([{ name: 'a', weight: 2, text: 'SELECT 1;\n' }]);
    for (const text of [
      'SELECT 1;\n-- script: a\nSELECT 2;',
      '-- script: a\nSELECT 1;\n-- script: a\nSELECT 2;',
      '-- script: ../etc\nSELECT 1;',
      '-- script: empty\n\n',
      '-- script: heavy @1000001\nSELECT 1;',
    ])
      expect(() => ownScripts(text), text).toThrow(expect.objectContaining({ name: 'KneepointError' }));
  });

  it('that are invalid are refused', () => {
    for (const nothing of [
      { script: 'own' },
      { script: 'mix', 'tpcb-like-weight': 0, 'select-only-weight': 0 },
      { script: 'mix', 'own-weight': 1 },
    ])
      expect(() => plan(nothing)).toThrow(
        expect.objectContaining({ problem: expect.objectContaining({ code: 'experiment-invalid' }) }),
      );
  });
});

describe('connections', () => {
  const where = (facts: Partial<ConnectionFacts>) => plan({}, { kind: 'postgres', ...facts }).run;
  it('through a socket, without a password and with TLS are opened as libpq requires', () => {
    const run = where({ socket: '/run/pg/.s.PGSQL.5433', port: 5433, tls: 'verify', caFile: '/etc/ca.pem' });
    expect(run.argv.slice(-2)).toEqual(['--host=/run/pg', '--port=5433']);
    expect(run.argv[0]).toBe('pgbench');
    expect(run.env).toEqual({ LC_ALL: 'C', PGSSLMODE: 'verify-full', PGSSLROOTCERT: '/etc/ca.pem' });
    expect(where({ tls: 'preferred' }).env).toMatchObject({ PGSSLMODE: 'prefer', PGREQUIREAUTH: '!password' });
    expect(where({ tls: 'disabled', allowCleartextPassword: true }).env).toEqual({ LC_ALL: 'C', PGSSLMODE: 'disable' });
  });
  it('do not read an unusual database name as an option', () => {
    for (const [name, argument] of [
      ['--initialize', `dbname='--initialize'`],
      ['host=evil', `dbname='host=evil'`],
      [`o'brien`, `dbname='o\\'brien'`],
    ] as const)
      expect(where({ database: name }).argv.at(-1)).toBe(argument);
  });
  it('to anything but PostgreSQL are refused', () => {
    expect(() => plan({}, { kind: 'mysql' })).toThrow(/PostgreSQL target/);
  });
});
