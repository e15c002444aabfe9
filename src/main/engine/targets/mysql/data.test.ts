import { describe, expect, test } from 'vitest';
import { engineDurability } from './data.ts';

const SAFE = { innodb_flush_log_at_trx_commit: '1', innodb_doublewrite: 'ON', log_bin: 'OFF' };
const judge = (engine: string, variables: Record<string, string> = {}) =>
  engineDurability(engine, new Map(Object.entries({ ...SAFE, ...variables })));

describe('durability by the storage engine', () => {
  test.each([
    ['InnoDB', {}, 'safe'],
    ['innodb', { innodb_flush_log_at_trx_commit: '2' }, 'relaxed'],
    ['MyISAM', {}, 'unsafe'],
    ['MEMORY', {}, 'unsafe'],
    ['ROCKSDB', {}, 'unknown'],
    ['ROCKSDB', { rocksdb_flush_log_at_trx_commit: '1' }, 'safe'],
    ['ROCKSDB', { rocksdb_flush_log_at_trx_commit: '0' }, 'relaxed'],
    ['ROCKSDB', { rocksdb_flush_log_at_trx_commit: '1', log_bin: 'ON', sync_binlog: '0' }, 'relaxed'],
    ['ROCKSDB', { rocksdb_flush_log_at_trx_commit: '1', innodb_doublewrite: 'OFF' }, 'safe'],
    ['TokuDB', { tokudb_commit_sync: 'ON', tokudb_fsync_log_period: '0' }, 'safe'],
    ['TokuDB', { tokudb_commit_sync: 'ON', tokudb_fsync_log_period: '1000' }, 'relaxed'],
    ['TokuDB', { tokudb_commit_sync: 'OFF', tokudb_fsync_log_period: '0' }, 'relaxed'],
    ['TokuDB', {}, 'unknown'],
    ['Aria', {}, 'unknown'],
    ['Spider', {}, 'unknown'],
  ])('%s with %o is %s', (engine, variables, level) => {
    const found = judge(engine, variables);
    expect(found.level).toBe(level);
    expect(found.why).toMatch(/\.$/);
  });
});
