import { describe, expect, it } from 'vitest';
import type { TargetFacts } from '../../../shared/model/session-snapshot.ts';
import { stateOf } from './testing/states.ts';
import { checkCachedReads, checkIdleSettings } from './without-effect.ts';

const server = (kind: string, settings: Readonly<Record<string, string>>): TargetFacts => ({
  name: 'db',
  kind,
  settings: Object.entries(settings).map(([name, value]) => ({ name, value })),
});
const setting = (name: string, levels: string, more = '') =>
  `{ name: ${name}, kind: server-setting, setting: ${name}, levels: ${levels}${more} }`;

describe('settings without an effect', () => {
  const found = (kind: string, factors: string, settings: Readonly<Record<string, string>>, typed: string[] = []) =>
    checkIdleSettings(
      { ...stateOf({ tool: kind === 'mysql' ? 'sysbench' : 'pgbench', factors }), typed },
      { name: 'db', facts: server(kind, settings) },
    ).map(({ severity, message, evidence, confirm }) => [
      severity,
      evidence,
      /: (\d+) cells/.exec(message)?.[1],
      confirm,
    ]);
  const sync = setting('sync_binlog', '[0, 1, 100]');
  const confirm = 'db:sync_binlog without effect';

  it('are refused if cells differ in nothing else: sync_binlog without a binary log', () => {
    expect(found('mysql', `[${sync}]`, { log_bin: 'OFF' })).toEqual([['block', 'log_bin = OFF', '3', confirm]]);
    expect(found('mysql', `[${sync}]`, { log_bin: 'ON' })).toEqual([]);
    // A setting that the server does not report is not assumed to be off.
    expect(found('mysql', `[${sync}]`, {})).toEqual([]);
    // Threads multiply the cells, and none of them is useful.
    expect(found('mysql', `[${sync}, { name: threads, levels: [1, 8] }]`, { log_bin: 'OFF' })).toEqual([
      ['block', 'log_bin = OFF', '6', confirm],
    ]);
  });

  it('are accepted if a condition limits them to relevant cells, or another setting changes with them', () => {
    const log = setting('log_bin', '[OFF, ON]');
    expect(found('mysql', `[${log}, ${sync}]`, { log_bin: 'ON' })).toEqual([['block', 'log_bin = OFF', '3', confirm]]);
    const only = setting('sync_binlog', '[0, 1, 100]', ', when: { log_bin: ON }');
    expect(found('mysql', `[${log}, ${only}]`, { log_bin: 'OFF' })).toEqual([]);
    const sets =
      '[{ name: durability, kind: server-setting, levels: [{ name: safe, set: { innodb_flush_log_at_trx_commit: 1, sync_binlog: 1 } }, { name: relaxed, set: { innodb_flush_log_at_trx_commit: 2, sync_binlog: 0 } }] }]';
    expect(found('mysql', sets, { log_bin: 'OFF' })).toEqual([]);
  });

  it('are a warning and measured if confirmed', () => {
    expect(found('mysql', `[${sync}]`, { log_bin: '0' }, [confirm])).toEqual([['warn', 'log_bin = 0', '3', undefined]]);
  });

  it.each([
    ['mysql', 'query_cache_size', '[1048576, 8388608]', { query_cache_type: 'OFF' }],
    ['mysql', 'thread_pool_size', '[2, 8]', { thread_handling: 'one-thread-per-connection' }],
    ['mysql', 'innodb_adaptive_hash_index_parts', '[1, 8]', { innodb_adaptive_hash_index: 'OFF' }],
    ['postgres', 'commit_siblings', '[1, 5]', { commit_delay: '0' }],
    ['postgres', 'wal_sync_method', '[fdatasync, fsync]', { fsync: 'off' }],
    ['postgres', 'jit_above_cost', '[0, 100000]', { jit: 'off' }],
    ['postgres', 'huge_page_size', '[2MB, 1GB]', { huge_pages: 'off' }],
  ] as const)('are known for %s: %s', (kind, name, levels, settings) => {
    const factors = `[${setting(name, levels)}]`;
    expect(found(kind, factors, settings)).toHaveLength(1);
    const on = { ...settings, [Object.keys(settings)[0] ?? '']: name === 'thread_pool_size' ? 'pool-of-threads' : '1' };
    expect(found(kind, factors, on)).toEqual([]);
  });
});

describe('reads from a query cache', () => {
  const found = (
    tool: string,
    kind: string,
    options: string,
    settings: Readonly<Record<string, string>>,
    factors = '[]',
  ) => checkCachedReads(stateOf({ tool, options, factors }), { name: 'db', facts: server(kind, settings) });
  const on = { query_cache_type: 'ON', query_cache_size: '1048576' };

  it('are reported if the cache is on in any cell, in more detail inside transactions', () => {
    expect(found('sysbench', 'mysql', '{ script: oltp_point_select }', { ...on, query_cache_type: 'OFF' })).toEqual([]);
    expect(found('sysbench', 'mysql', '{ script: oltp_point_select }', { ...on, query_cache_size: '0' })).toEqual([]);
    expect(found('sysbench', 'mysql', '{ script: oltp_point_select }', { ...on, query_cache_type: 'DEMAND' })).toEqual(
      [],
    );
    const [apart] = found('sysbench', 'mysql', '{ script: oltp_point_select }', on);
    expect(apart).toMatchObject({
      ...{ code: 'results-cached', severity: 'warn', evidence: 'query_cache_type = ON, query_cache_size = 1048576' },
      next: 'Turn the cache off, unless it is under test.',
    });
    expect(apart?.message).not.toMatch(/transactions|older/);
    expect(found('sysbench', 'mysql', '{ script: oltp_read_only }', on)[0]?.message).toMatch(
      /reads inside transactions/,
    );
    expect(found('sysbench', 'mysql', '{ script: oltp_read_only, skip-trx: true }', on)[0]?.message).not.toMatch(
      /inside transactions/,
    );
    const varied = `[${setting('query_cache_type', '[OFF, ON]')}]`;
    expect(
      found('sysbench', 'mysql', '{ script: reads_outside }', { ...on, query_cache_type: 'OFF' }, varied)[0]?.next,
    ).toMatch(/unless it is under test/);
  });

  it('are reported as stale if entries expire by time', () => {
    expect(found('queries', 'clickhouse', '{}', { use_query_cache: '0' })).toEqual([]);
    expect(found('queries', 'clickhouse', '{}', { use_query_cache: '1' })[0]?.message).toMatch(/may be stale/);
  });
});
