import { describe, expect, test } from 'vitest';
import { managedMySql } from './managed.ts';
import { isPlainMySql, mysqlDurability, mysqlFlavour, mysqlSettings } from './settings.ts';

const judge = (variables: Record<string, string>, status: Record<string, string> = {}) =>
  mysqlDurability(
    new Map(
      Object.entries({ innodb_flush_log_at_trx_commit: '1', innodb_doublewrite: 'ON', log_bin: 'OFF', ...variables }),
    ),
    new Map(Object.entries(status)),
  );

describe('durability', () => {
  test.each([
    [{}, 'safe'],
    [{ log_bin: 'ON', sync_binlog: '1' }, 'safe'],
    [{ log_bin: 'ON', sync_binlog: '0' }, 'relaxed'],
    [{ log_bin: 'OFF', sync_binlog: '0' }, 'safe'],
    [{ innodb_flush_log_at_trx_commit: '2' }, 'relaxed'],
    [{ innodb_flush_log_at_trx_commit: '0' }, 'relaxed'],
    [{ innodb_flush_log_at_trx_commit: '3' }, 'safe'],
    [{ innodb_doublewrite: 'OFF' }, 'unsafe'],
    [{ innodb_doublewrite: 'DETECT_ONLY' }, 'unsafe'],
    [{ innodb_doublewrite: 'fast' }, 'safe'],
    [{ innodb_flush_method: 'O_DIRECT_NO_FSYNC' }, 'safe'],
    [{ innodb_flush_method: 'nosync' }, 'unsafe'],
    [{ debug_no_sync: 'ON' }, 'unsafe'],
    [{ innodb_flush_log_at_trx_commit: '2', innodb_doublewrite: 'OFF' }, 'unsafe'],
  ])('%o is %s', (variables, level) => {
    const found = judge(variables);
    expect(found.level).toBe(level);
    expect(found.why).toMatch(/\.$/);
  });

  test('lists each setting with its own level', () => {
    expect(judge({ innodb_flush_log_at_trx_commit: '2', log_bin: 'ON', sync_binlog: '1' }).settings).toEqual([
      { name: 'innodb_flush_log_at_trx_commit', value: '2', level: 'relaxed' },
      { name: 'innodb_doublewrite', value: 'ON', level: 'safe' },
      { name: 'sync_binlog', value: '1', level: 'safe' },
    ]);
  });

  test('is unsafe with the redo log turned off, and unknown for an unknown engine', () => {
    expect(judge({}, { Innodb_redo_log_enabled: 'OFF' }).level).toBe('unsafe');
    expect(mysqlDurability(new Map()).level).toBe('unknown');
  });
});

test.each([
  ['10.11.19-MariaDB-0+deb12u1', 'Debian 12', 'MariaDB', false],
  ['5.5.5-10.3.39-MariaDB-log', 'Source distribution', 'MariaDB', false],
  ['11.4.5-MariaDB', 'MariaDB Server', 'MariaDB', false],
  ['5.6.51-91.0-log', 'Percona Server (GPL), Release 91.0, Revision b59139e', 'Percona Server', false],
  ['8.0.36-28', 'Percona Server (GPL), Release 28, Revision 47601f19', 'Percona Server', false],
  [
    '8.4.3-3.1',
    'Percona XtraDB Cluster (GPL), Release rel3, Revision 4c1dd2f, WSREP version 26',
    'Percona Server',
    false,
  ],
  ['5.6.24', 'MySQL Community Server (GPL)', 'MySQL', true],
  ['8.0.12', 'MySQL Community Server - GPL', 'MySQL', true],
  ['8.0.45-0ubuntu0.24.04.1', '(Ubuntu)', 'MySQL', true],
  ['9.4.0-commercial', 'MySQL Enterprise - Commercial', 'MySQL', true],
  ['8.0.mysql_aurora.3.08.0', 'Source distribution', 'MySQL', false],
  ['8.0.11-TiDB-v8.5.0', 'TiDB Server (Apache License 2.0) Community Edition', 'MySQL', false],
])('%s with "%s" is %s, and an official build or not: %s', (version, comment, flavour, plain) => {
  expect(mysqlFlavour(version, comment)).toBe(flavour);
  expect(isPlainMySql(version, comment)).toBe(plain);
});

test('a setting with two names is shown once, by the new name if available', () => {
  const shown = (variables: Record<string, string>, status: Record<string, string> = {}) =>
    mysqlSettings(new Map(Object.entries(variables)), new Map(Object.entries(status))).map(({ name }) => name);
  const [now, before] = [{ transaction_isolation: 'SERIALIZABLE' }, { tx_isolation: 'SERIALIZABLE' }];
  expect(shown({ ...before, ...now })).toEqual(['transaction_isolation']);
  expect(shown(before)).toEqual(['tx_isolation']);
  expect(shown(now, { Innodb_redo_log_capacity_resized: '33554432' })).toEqual([
    'Innodb_redo_log_capacity_resized',
    'transaction_isolation',
  ]);
});

test('settings include the conditions of their effect', () => {
  const variables = { innodb_flush_neighbors: '1', sync_binlog: '1', max_connections: '151' };
  const settings = mysqlSettings(new Map(Object.entries(variables)), new Map());
  expect(settings.map(({ name, needs }) => [name, needs])).toEqual([
    ['sync_binlog', 'writes'],
    ['innodb_flush_neighbors', 'rotating'],
    ['max_connections', undefined],
  ]);
});

describe('accounts of a managed server', () => {
  const config = {
    ...{ address: '127.0.0.1', port: 3306, socket: '', user: 'bench', database: 'bench', caFile: '' },
    allowCleartextPassword: false,
  };
  const planned = (version: string, tls: 'disabled' | 'preferred') =>
    managedMySql.plan(
      { config: { ...config, tls }, password: 'pw', settings: {} },
      { folder: '/srv/db', program: '/usr/sbin/mysqld', version, root: false },
    );

  test('can log in without encryption if the target has none', () => {
    const of = (version: string, tls: 'disabled' | 'preferred' = 'disabled') => {
      const { accounts, files } = planned(version, tls);
      return [
        accounts?.includes("'bench'@'%' IDENTIFIED WITH mysql_native_password BY 'pw'"),
        files[0]?.content.includes('mysql_native_password'),
      ];
    };
    expect(of('mysqld  Ver 8.0.33 for Linux on x86_64')).toEqual([true, false]);
    expect(of('mysqld  Ver 8.4.3 for Linux on x86_64')).toEqual([true, true]);
    expect(of('mysqld  Ver 8.0.33 for Linux on x86_64', 'preferred')).toEqual([false, false]);
    expect(of('mysqld  Ver 5.7.22 for Linux on x86_64')).toEqual([false, false]);
    expect(of('mariadbd  Ver 10.11.6-MariaDB for debian-linux-gnu')).toEqual([false, false]);
    expect(() => of('mysqld  Ver 9.1.0 for Linux on x86_64')).toThrow('cannot log in without encryption');
    expect(of('mysqld  Ver 9.1.0 for Linux on x86_64', 'preferred')).toEqual([false, false]);
  });
});
