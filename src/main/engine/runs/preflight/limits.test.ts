import { expect, it } from 'vitest';
import type { TargetFacts } from '../../../../shared/model/session-snapshot.ts';
import { lookAtLimits } from './limits.ts';
import { knowledgeOf } from './testing/knowledge.ts';

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
  lookAtLimits(knowledgeOf({ tool: 'pgbench', options: '{ client: 8 }', factors }), {
    name: 'db',
    facts: pooler(settings),
  }).map(({ code, evidence }) => [code, evidence]);

const WAITS = 'pool-smaller-than-clients';

it('judges a pooler by its settings, and by those that levels give it', () => {
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
