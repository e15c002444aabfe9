import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ConnectionFacts } from '../../../../../shared/model/target.ts';
import { shownCommand } from '../../secret.ts';
import type { Command } from '../../tool.ts';
import { ycsbTool } from '../index.ts';
import { YcsbOptions } from '../options/index.ts';

const MYSQL: ConnectionFacts = {
  kind: 'mysql',
  host: 'db1',
  port: 3306,
  user: 'bench',
  database: 'app',
  password: 'p w:=#\\é',
};
const POSTGRES: ConnectionFacts = { ...MYSQL, kind: 'postgres', port: 5432 };

function plan(options: Record<string, unknown>, connection: ConnectionFacts = { kind: 'host' }) {
  const parsed = YcsbOptions.parse(options);
  const paths = { nodePath: '/n/node', assetsDir: '/a' };
  const steps = ycsbTool.plan({ options: parsed, connection, warmup: 5, duration: 20.5, seed: 1, ...paths });
  return { ...steps, data: ycsbTool.data?.(parsed, connection.kind) };
}
const file = (command: Command | undefined, name: string): string =>
  command?.files.find((each) => each.name === name)?.content ?? '';
const properties = (command: Command | undefined, name = 'workload.properties'): Record<string, string> =>
  Object.fromEntries(
    file(command, name)
      .trimEnd()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
const refusal = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    expect(error).toMatchObject({ name: 'KneepointError', problem: { code: 'experiment-invalid' } });
    return (error as Error).message;
  }
  throw new Error('not refused');
};

describe('a plan', () => {
  it('runs for warm-up and measured time, with a line per second', () => {
    const { run, prepare } = plan({ workload: 'B', threads: 4, target: 1000 });
    expect(run.plannedSeconds).toBe(26);
    expect(properties(run)).toMatchObject({
      maxexecutiontime: '26',
      'status.interval': '1',
      threadcount: '4',
      target: '1000',
      operationcount: '2147483647',
      readproportion: '0.95',
      updateproportion: '0.05',
      requestdistribution: 'zipfian',
      measurementtype: 'hdrhistogram',
    });
    expect(shownCommand(run)).toContain('-- -t -s -P workload.properties');
    // The basic binding stores nothing.
    expect(prepare).toBeUndefined();
  });

  it('logs latencies of every measured second, unless turned off or not supported by the histogram', () => {
    const logged = (options: Record<string, unknown>) => plan(options).run.argv.includes('--latencies');
    expect(logged({})).toBe(true);
    expect(logged({ measurementtype: 'hdrhistogram+raw' })).toBe(true);
    expect(logged({ 'hdrhistogram.fileoutput': false })).toBe(false);
    expect(logged({ measurementtype: 'raw' })).toBe(false);
    expect(plan({ db: 'site.ycsb.BasicDB' }).prepare?.argv).not.toContain('--latencies');
  });

  it('has the mixes and distributions of the core workloads', () => {
    const of = (workload: string) => properties(plan({ workload }).run);
    expect(of('A')).toMatchObject({ readproportion: '0.5', updateproportion: '0.5', insertproportion: '0' });
    expect(of('C')).toMatchObject({ readproportion: '1', requestdistribution: 'zipfian' });
    expect(of('D')).toMatchObject({ readproportion: '0.95', insertproportion: '0.05', requestdistribution: 'latest' });
    expect(of('E')).toMatchObject({ scanproportion: '0.95', maxscanlength: '100', scanlengthdistribution: 'uniform' });
    expect(of('F')).toMatchObject({ readproportion: '0.5', readmodifywriteproportion: '0.5' });
  });

  it('spreads zipfian popularity over no more new records than a run can add', () => {
    expect(properties(plan({ workload: 'E' }).run).operationcount).toBe(String(26 * 50_000));
    expect(properties(plan({ workload: 'E', operationcount: 7 }).run).operationcount).toBe('7');
    expect(properties(plan({ workload: 'D' }).run).operationcount).toBe('2147483647');
  });

  it('accepts custom shares only if they add up to 1', () => {
    const own = (shares: Record<string, number>) => () => plan({ workload: 'own', ...shares });
    expect(own({})).not.toThrow();
    expect(own({ readproportion: 0.7, updateproportion: 0.1, scanproportion: 0.2 })).not.toThrow();
    expect(refusal(own({ readproportion: 0.5 }))).toContain('add up to 0.55, not 1');
    expect(refusal(own({ readproportion: 1, insertproportion: 0.1 }))).toContain('add up to 1.15');
  });

  it('loads other bindings once for cells with the same records', () => {
    const prepared = (options: Record<string, unknown>) => plan({ binding: 'couchbase2', ...options }).prepare;
    const first = prepared({ threads: 1 });
    expect(first?.argv).toEqual(prepared({ threads: 64, workload: 'C', target: 100 })?.argv);
    expect(first?.argv).not.toEqual(prepared({ recordcount: 5 })?.argv);
    expect(first?.argv).toContain('recordcount=100000');
    expect(properties(first)).toMatchObject({ threadcount: '8' });
    expect(properties(first)).not.toHaveProperty('maxexecutiontime');
  });

  it('puts a custom workload file first, so that options override it', () => {
    const { run } = plan({
      properties: 'redis.host=db1\nworkload = my.Workload\n',
      binding: 'redis',
      'properties-file': '/etc/y',
    });
    expect(file(run, 'workload.properties').startsWith('redis.host=db1\nworkload = my.Workload\nrecordcount=')).toBe(
      true,
    );
    expect(shownCommand(run)).toContain('--binding redis --workload my.Workload');
    expect(shownCommand(run)).toContain('-P /etc/y -P workload.properties');
  });
});

describe('on a database', () => {
  it('creates, loads, counts and drops the table', () => {
    const { prepare, run, cleanup, data } = plan(
      { binding: 'jdbc', recordcount: 5000, fieldcount: 2, table: 'bench' },
      MYSQL,
    );
    expect(shownCommand(prepare as Command)).toContain(
      `--create 'CREATE TABLE bench (YCSB_KEY VARCHAR(255) PRIMARY KEY, FIELD0 TEXT, FIELD1 TEXT)' -- -load -s`,
    );
    expect(shownCommand(run)).not.toMatch(/--create|--drop/);
    expect(shownCommand(cleanup as Command)).toContain(`--drop 'DROP TABLE IF EXISTS bench' --`);
    expect(data).toMatchObject({
      title: expect.stringMatching(/^5,000 records of 2 fields of 100 bytes, about /),
      tables: [{ name: 'bench', rows: 5000 }],
      written: true,
    });
    expect(plan({ binding: 'jdbc', workload: 'C' }, MYSQL).data?.written).toBe(false);
  });

  it('starts each run that adds records with a new table', () => {
    for (const options of [{ workload: 'D' }, { workload: 'E' }, { phase: 'load' }]) {
      const { prepare, run, data } = plan({ binding: 'jdbc', ...options }, POSTGRES);
      expect(shownCommand(prepare as Command)).not.toContain('-load');
      expect(shownCommand(run)).toMatch(/--drop '.*' --create '/);
      expect(run.argv.includes('--fill')).toBe(options.phase === undefined);
      expect(data?.tables).toEqual([{ name: 'usertable', rows: 0 }]);
    }
  });

  it('keeps address and password in a separate file', () => {
    const { run } = plan(
      { binding: 'jdbc', 'jdbc-parameters': 'useServerPrepStmts=true' },
      { ...MYSQL, tls: 'required' },
    );
    expect(run.files.find(({ name }) => name === 'connection.properties')).toMatchObject({ mode: 0o600, secret: true });
    expect(properties(run, 'connection.properties')).toEqual({
      'db.driver': 'com.mysql.cj.jdbc.Driver',
      'db.url': 'jdbc:mysql://db1:3306/app?sslMode=REQUIRED&useServerPrepStmts=true',
      'db.user': 'bench',
      'db.passwd': 'p w:=#\\\\\\u00e9',
    });
    expect(JSON.stringify(run.argv)).not.toContain('db1');
  });

  it('uses the properties of each driver', () => {
    const url = (connection: ConnectionFacts, driver = 'auto') =>
      properties(plan({ binding: 'jdbc', 'jdbc-driver': driver }, connection).run, 'connection.properties')['db.url'];
    expect(url({ ...POSTGRES, tls: 'verify', caFile: '/etc/ca 1.pem' })).toBe(
      'jdbc:postgresql://db1:5432/app?sslmode=verify-full&sslrootcert=%2Fetc%2Fca%201.pem',
    );
    expect(url({ ...POSTGRES, tls: 'preferred' })).toBe(
      'jdbc:postgresql://db1:5432/app?sslmode=prefer&requireAuth=!password',
    );
    expect(url({ ...MYSQL, host: '::1', tls: 'disabled' })).toBe('jdbc:mysql://[::1]:3306/app?sslMode=DISABLED');
    expect(url({ ...MYSQL, tls: 'required' }, 'mariadb')).toBe(
      'jdbc:mariadb://db1:3306/app?useSsl=true&trustServerCertificate=true',
    );
    expect(url(MYSQL, 'mariadb')).toBe('jdbc:mariadb://db1:3306/app');
    expect(url({ ...MYSQL, tls: 'preferred' }, 'mariadb')).toBe('jdbc:mariadb://db1:3306/app');
  });

  it('never lets a driver accept a key from an unencrypted server and send the password', () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const serverKey = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const planned = (change: Partial<ConnectionFacts>, driver = 'mysql') =>
      plan({ binding: 'jdbc', 'jdbc-driver': driver }, { ...MYSQL, tls: 'preferred', ...change });
    const url = (...input: Parameters<typeof planned>) =>
      properties(planned(...input).run, 'connection.properties')['db.url'];
    expect(url({})).toBe('jdbc:mysql://db1:3306/app?sslMode=PREFERRED');
    expect(url({ serverKey })).toMatch(/sslMode=PREFERRED&serverRSAPublicKeyFile=server-key\.pem$/);
    expect(url({ serverKey }, 'mariadb')).toMatch(/\?serverRsaPublicKeyFile=server-key\.pem$/);
    const { prepare, run, cleanup } = planned({ serverKey });
    for (const step of [prepare, run, cleanup])
      expect(step?.files.find(({ name }) => name === 'server-key.pem')?.content).toBe(serverKey);
    for (const driver of ['mysql', 'mariadb'])
      for (const change of [{ allowCleartextPassword: true }, { endsOnServerHost: true }] as const) {
        expect(url(change, driver)).toMatch(/allowPublicKeyRetrieval=true$/);
        expect(url({ ...change, tls: 'required' }, driver)).not.toContain('PublicKey');
      }
    expect(url({ endsOnServerHost: true, serverKey })).not.toContain('allowPublicKeyRetrieval');
    const open = { ...POSTGRES, tls: 'preferred', allowCleartextPassword: true } as const;
    expect(JSON.stringify(plan({ binding: 'jdbc' }, open).run.files)).not.toContain('requireAuth');
  });

  it('refuses unsupported connections', () => {
    expect(refusal(() => plan({ binding: 'jdbc' }))).toContain('needs a MySQL or PostgreSQL target');
    expect(refusal(() => plan({ binding: 'jdbc', 'jdbc-driver': 'postgresql' }, MYSQL))).toContain('does not speak');
    expect(refusal(() => plan({ binding: 'jdbc' }, { kind: 'mysql', socket: '/run/s' }))).toContain('only TCP');
  });

  it('creates wider columns for long fields', () => {
    const { prepare } = plan({ binding: 'jdbc', fieldlength: 100_000, fieldcount: 1 }, MYSQL);
    expect(shownCommand(prepare as Command)).toContain('FIELD0 MEDIUMTEXT');
  });
});

describe('on MongoDB', () => {
  const MONGO: ConnectionFacts = {
    kind: 'mongodb',
    url: 'mongodb://db1:27017,db2/?replicaSet=rs0&w=majority',
    host: 'db1',
    port: 27_017,
    user: 'bench@x',
    authSource: 'admin',
    password: 'p/w:@',
    database: 'app',
    tls: 'disabled',
  };
  const url = (options: Record<string, unknown>, change: Partial<ConnectionFacts> = {}): string | undefined =>
    properties(plan({ binding: 'mongodb', ...options }, { ...MONGO, ...change }).run, 'connection.properties')[
      'mongodb.url'
    ];

  it('passes one URL to the binding in a separate file', () => {
    expect(url({})).toBe(
      'mongodb://bench%40x:p%2Fw%3A%40@db1:27017,db2/app?replicaSet=rs0&w=majority&authSource=admin',
    );
    const bare = { url: 'mongodb://[::1]:27018/elsewhere', user: '', password: '' };
    expect(url({}, bare)).toBe('mongodb://[::1]:27018/app');
    const { run } = plan({ binding: 'mongodb' }, MONGO);
    expect(run.files.find(({ name }) => name === 'connection.properties')).toMatchObject({ mode: 0o600, secret: true });
    expect(JSON.stringify([run.argv, run.env])).not.toContain('db1');
  });

  it('has a connection for each thread', () => {
    expect(url({ threads: 200 })).toMatch(/&maxPoolSize=200$/);
    expect(url({ threads: 200 }, { url: 'mongodb://db1/?maxPoolSize=20' })).toContain('?maxPoolSize=20&authSource');
    expect(url({ threads: 100 })).not.toContain('maxPoolSize');
  });

  it('checks certificates or refuses to continue', () => {
    const verified = { tls: 'verify', caFile: '/etc/ca.pem' } as const;
    expect(url({}, verified)).toMatch(/&ssl=true$/);
    expect(shownCommand(plan({ binding: 'mongodb' }, { ...MONGO, ...verified }).run)).toContain('--ca /etc/ca.pem');
    expect(refusal(() => url({}, { tls: 'required' }))).toContain('always checks the server’s certificate');
  });

  it('refuses a target of another kind and a socket', () => {
    expect(refusal(() => plan({ binding: 'mongodb' }, MYSQL))).toContain('needs a MongoDB target');
    expect(refusal(() => plan({ binding: 'mongodb' }, { kind: 'mongodb', socket: '/run/s' }))).toContain('only TCP');
  });

  it('needs as many documents as records, and none for a measured load', () => {
    const of = (options: Record<string, unknown>) => plan({ binding: 'mongodb', ...options }, MONGO).data;
    expect(of({ recordcount: 5000 })).toMatchObject({ tables: [{ name: 'usertable', rows: 5000 }], written: true });
    expect(of({ phase: 'load' })?.tables).toEqual([{ name: 'usertable', rows: 0 }]);
  });
});

describe('one of several generators', () => {
  const part = (options: Record<string, unknown>, index = 1) => {
    const whole = YcsbOptions.parse({ binding: 'jdbc', threads: 4, recordcount: 1000, ...options });
    const input = { connection: MYSQL, warmup: 0, duration: 10, seed: 1, nodePath: '/n/node', assetsDir: '/a' };
    const place = { index, count: 2 };
    const own = ycsbTool.load?.divide?.(whole, place) ?? whole;
    return {
      ...ycsbTool.plan({ ...input, options: whole, generators: 2 }),
      run: ycsbTool.plan({ ...input, options: own, part: place, generators: 2 }).run,
      data: ycsbTool.data?.(whole, 'mysql', 2),
    };
  };

  it('uses a table loaded before each trial, and reads only its records', () => {
    const { prepare, run, cleanup, data } = part({ workload: 'E' });
    expect(shownCommand(prepare as Command)).toMatch(/--create .* -load .* recordcount=1000/);
    expect(shownCommand(cleanup as Command)).toContain('--drop');
    expect(shownCommand(run)).toContain('--beside others --');
    expect(shownCommand(run)).not.toMatch(/--drop|--create|--fill/);
    expect(properties(run)).toMatchObject({
      recordcount: '1073742323',
      // Zipfian popularity covers one more record than specified.
      insertstart: '0',
      insertcount: String(999 - 107_374_182),
      operationcount: '1073741823',
      threadcount: '2',
    });
    expect(data).toMatchObject({ tables: [{ name: 'usertable', rows: 1000 }], written: true, eachTrial: true });
    expect(data?.shape).not.toBe(part({ workload: 'A' }).data?.shape);
    expect(part({ workload: 'A' }).data?.eachTrial).toBeUndefined();
    expect(part({ phase: 'load' }).data).toMatchObject({ tables: [{ rows: 0 }], eachTrial: true });
  });

  it('compensates for inserts that YCSB expects', () => {
    const keys = (options: Record<string, unknown>) => {
      const { insertcount, operationcount } = properties(part({ workload: 'E', ...options }).run);
      return [insertcount, operationcount];
    };
    expect(keys({ requestdistribution: 'uniform' })).toEqual(['1000', '1073741823']);
    expect(keys({ operationcount: 2000 })).toEqual(['899', '1000']);
    expect(keys({ operationcount: 40_000 })).toEqual(['-1001', '20000']);
  });
});

describe('a load of part of the keys', () => {
  it('keeps the existing table', () => {
    const part = { phase: 'load', recordcount: 1000, insertstart: 500, insertcount: 250 };
    const { prepare, run } = plan({ binding: 'jdbc', ...part }, MYSQL);
    expect(shownCommand(prepare as Command)).toContain('--create');
    expect(shownCommand(run)).not.toMatch(/--drop|--create/);
    expect(properties(run)).toMatchObject({ recordcount: '1000', insertstart: '500', insertcount: '250' });
    expect(properties(plan({ phase: 'load' }).run)).not.toHaveProperty('insertcount');
    expect(refusal(() => plan({ ...part, insertcount: 501 }))).toContain('exceeds the total of 1000 records');
  });
});

describe('the probe', () => {
  it('reports Java, and YCSB with its bindings if it is in its folder', () => {
    const java = 'openjdk version "17.0.15" 2025-04-15\nOpenJDK Runtime Environment\n';
    expect(ycsbTool.probe?.version(java)).toBe('Java 17.0.15');
    expect(ycsbTool.probe?.version(`${java}jdbc-binding\nlib/core-0.17.0.jar\nmongodb-binding\n`)).toBe(
      'Java 17.0.15, YCSB 0.17.0 (basic, jdbc, mongodb)',
    );
    expect(ycsbTool.probe?.version(`${java}core/lib/core-0.1.4.jar\n`)).toBe('Java 17.0.15, YCSB 0.1.4 (basic)');
    expect(ycsbTool.probe?.version('lib/core-0.17.0.jar\n')).toBeUndefined();
  });
});

describe('further properties', () => {
  const problem = (properties: string): string | undefined =>
    YcsbOptions.safeParse({ properties }).error?.issues[0]?.message;
  it('may be comments, blank lines and anything that Kneepoint does not set', () => {
    expect(
      problem('# a\n! b\n\n  redis.host = h\nmongodb.upsert: true\nzeropadding 3\nlong=a\\\n  b\n'),
    ).toBeUndefined();
  });
  it.each([
    ['recordcount=5', 'has its own option'],
    [' threadcount : 5', 'set the option “threads”'],
    ['a=b\\\n c\nexportfile=/tmp/x', 'relies on it'],
    ['db.passwd=x', 'looks like a secret'],
    ['mongodb.url=mongodb://h/db', 'relies on it'],
    ['cassandra.url=cassandra://u:p@h/db', 'looks like a secret'],
    ['r\\u0065cordcount=5', 'has its own option'],
    ['a%b=5', 'is not a property name'],
    ['record\\count=5', 'has its own option'],
  ])('%s are refused', (text, words) => {
    expect(problem(text)).toContain(words);
  });
});
