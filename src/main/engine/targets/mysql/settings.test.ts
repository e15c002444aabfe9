import { describe, expect, test } from 'vitest';
import { mysqlDurability, mysqlFlavour } from './settings.ts';

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

  test('names each setting with what it alone amounts to', () => {
    expect(judge({ innodb_flush_log_at_trx_commit: '2', log_bin: 'ON', sync_binlog: '1' }).settings).toEqual([
      { name: 'innodb_flush_log_at_trx_commit', value: '2', level: 'relaxed' },
      { name: 'innodb_doublewrite', value: 'ON', level: 'safe' },
      { name: 'sync_binlog', value: '1', level: 'safe' },
    ]);
  });

  test('a redo log switched off is unsafe, an unknown engine unknown', () => {
    expect(judge({}, { Innodb_redo_log_enabled: 'OFF' }).level).toBe('unsafe');
    expect(mysqlDurability(new Map()).level).toBe('unknown');
  });
});

test.each([
  ['10.11.19-MariaDB-0+deb12u1', 'Debian 12', 'MariaDB'],
  ['8.0.36-28', 'Percona Server (GPL), Release 28', 'Percona Server'],
  ['8.0.12', 'MySQL Community Server - GPL', 'MySQL'],
])('%s with "%s" is %s', (version, comment, flavour) => {
  expect(mysqlFlavour(version, comment)).toBe(flavour);
});
