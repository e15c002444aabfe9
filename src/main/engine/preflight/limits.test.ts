import { expect, it } from 'vitest';
import type { TargetFacts } from '../../../shared/model/session-snapshot.ts';
import { checkLimits } from './limits.ts';
import { stateOf } from './testing/states.ts';

const pooler = (settings: Readonly<Record<string, string>>): TargetFacts => ({
  name: 'db',
  kind: 'postgres',
  description: {
    product: 'PostgreSQL',
    version: '15',
    settings: [],
    middleware: {
      product: 'PgBouncer',
      settings: Object.entries(settings).map(([name, value]) => ({ name, value })),
    },
    readAt: 0,
  },
});
const found = (factors: string, settings: Readonly<Record<string, string>>) =>
  checkLimits(stateOf({ tool: 'pgbench', options: '{ client: 8 }', factors }), {
    name: 'db',
    facts: pooler(settings),
  }).map(({ code, evidence }) => [code, evidence]);

const WAITS = 'pool-smaller-than-clients';

it('judges a pooler by its settings and those of levels', () => {
  const session = { pool_mode: 'session', default_pool_size: '4', max_client_conn: '100' };
  expect(found('[]', session)).toEqual([[WAITS, 'pool_mode = session, default_pool_size = 4']]);
  expect(found('[]', { ...session, pool_mode: 'transaction' })).toEqual([]);
  expect(found('[]', {})).toEqual([]);
  const sizes = '[{ name: pool, kind: server-setting, setting: default_pool_size, levels: [8, 3] }]';
  expect(found(sizes, session)).toEqual([[WAITS, 'pool_mode = session, default_pool_size = 3']]);
  const modes = '[{ name: mode, kind: server-setting, setting: pool_mode, levels: [transaction] }]';
  expect(found(modes, session)).toEqual([]);
  const elsewhere = '[{ name: mode, kind: server-setting, on: other, setting: pool_mode, levels: [transaction] }]';
  expect(found(elsewhere, session)).toHaveLength(1);
  expect(found('[{ name: client, levels: [2, 101] }]', { ...session, default_pool_size: '0' })).toEqual([
    ['pooler-clients', 'max_client_conn = 100'],
  ]);
});

it('refuses a workload whose statements do not work in the pool mode of a cell', () => {
  const modes = '[{ name: mode, kind: server-setting, setting: pool_mode, levels: [session, transaction, statement] }]';
  const of = (tool: string, options: string, settings: Readonly<Record<string, string>> = {}, factors = modes) =>
    checkLimits(stateOf({ tool, options, factors }), {
      name: 'db',
      facts: pooler({ pool_mode: 'session', ...settings }),
    })
      .filter(({ code }) => code === 'pool-mode-unfit')
      .map(({ severity, message, evidence }) => [severity, evidence, /Cells: (.*)\./.exec(message)?.[1]]);
  const inStatement = [['block', 'pool_mode = statement', 'mode statement']];
  expect(of('pgbench', '{}')).toEqual(inStatement);
  expect(of('pgbench', '{ script: mix }')).toEqual(inStatement);
  expect(of('pgbench', '{ script: select-only }')).toEqual([]);
  expect(of('pgbench', '{ script: own, own-script: "BEGIN;\\nSELECT 1;\\nEND;" }')).toEqual(inStatement);
  expect(of('pgbench', '{ script: own, own-script: "SELECT 1;" }')).toEqual([]);
  expect(of('sysbench', '{ script: oltp_read_write, db-ps-mode: disable }')).toEqual(inStatement);
  expect(of('sysbench', '{ script: oltp_read_write, db-ps-mode: disable, skip-trx: true }')).toEqual([]);
  expect(of('sysbench', '{ script: tpcc }')).toEqual(inStatement);
  const prepared = ['block', 'pool_mode = transaction, max_prepared_statements = 0'];
  expect(of('sysbench', '{ script: oltp_point_select }')).toEqual([[...prepared, 'mode transaction, mode statement']]);
  expect(of('pgbench', '{ script: select-only, protocol: prepared }')).toEqual([
    [...prepared, 'mode transaction, mode statement'],
  ]);
  expect(of('ycsb', '{ binding: jdbc }')).toEqual([[...prepared, 'mode transaction, mode statement']]);
  expect(of('sysbench', '{ script: oltp_point_select }', { max_prepared_statements: '100' })).toEqual([]);
  // If all cells are affected, none is named.
  expect(of('pgbench', '{}', { pool_mode: 'statement' }, '[]')).toEqual([
    ['block', 'pool_mode = statement', undefined],
  ]);
  // Nothing is known about a custom Lua script.
  expect(of('sysbench', '{ script: own, script-text: "function event() end" }')).toEqual([]);
});
