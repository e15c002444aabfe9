import { describe, expect, test } from 'vitest';
import { clickhouseTarget } from './index.ts';
import { clickhouseOnHost } from './monitoring/on-host.ts';
import { clickhouseDurability } from './settings.ts';

const DEFAULTS = {
  'merge_tree_settings.fsync_after_insert': '0',
  'merge_tree_settings.fsync_part_directory': '0',
  'merge_tree_settings.min_rows_to_fsync_after_merge': '0',
  'merge_tree_settings.min_compressed_bytes_to_fsync_after_merge': '0',
  'merge_tree_settings.old_parts_lifetime': '480',
  fsync_metadata: '1',
  async_insert: '0',
  wait_for_async_insert: '1',
};
const SYNCED = {
  'merge_tree_settings.fsync_after_insert': '1',
  'merge_tree_settings.fsync_part_directory': '1',
};
const judge = (changes: Record<string, string>) =>
  clickhouseDurability(new Map(Object.entries({ ...DEFAULTS, ...changes })));

describe('durability', () => {
  test.each([
    [{}, 'relaxed'],
    [SYNCED, 'safe'],
    [{ 'merge_tree_settings.fsync_after_insert': '1' }, 'relaxed'],
    [{ ...SYNCED, async_insert: '1' }, 'safe'],
    [{ ...SYNCED, async_insert: '1', wait_for_async_insert: '0' }, 'relaxed'],
    [{ ...SYNCED, wait_for_async_insert: '0' }, 'safe'],
    [{ ...SYNCED, fsync_metadata: '0' }, 'unsafe'],
    [{ ...SYNCED, 'merge_tree_settings.old_parts_lifetime': '60' }, 'relaxed'],
    [{ 'merge_tree_settings.old_parts_lifetime': '5' }, 'unsafe'],
    [
      { 'merge_tree_settings.old_parts_lifetime': '5', 'merge_tree_settings.min_rows_to_fsync_after_merge': '1' },
      'relaxed',
    ],
  ])('%o is %s', (changes, level) => {
    const found = judge(changes);
    expect(found.level).toBe(level);
    expect(found.why).toMatch(/\.$/);
  });

  test('lists each setting with its own level', () => {
    expect(judge({ ...SYNCED, async_insert: '1', wait_for_async_insert: '0' })).toMatchObject({
      why: 'A power cut can lose the last acknowledged inserts: wait_for_async_insert = 0.',
      settings: expect.arrayContaining([
        { name: 'wait_for_async_insert', value: '0', level: 'relaxed' },
        { name: 'merge_tree_settings.fsync_after_insert', value: '1', level: 'safe' },
      ]),
    });
  });

  test('is unknown if the server does not report it', () => {
    expect(clickhouseDurability(new Map()).level).toBe('unknown');
  });
});

const UUID = '5f0a9c3e-0000-4000-8000-00000000abcd';
/** A server's values by expression. Unknown ones cause a ClickHouse error. */
const server = (values: Readonly<Record<string, unknown>>) => ({
  query: async (sql: string): Promise<unknown[][]> => {
    const expression = sql.replace(/^SELECT /, '');
    if (expression in values) return [[values[expression]]];
    if (sql.includes('system.')) return [];
    throw Object.assign(new Error('There is nothing of that name.'), { errno: 46, sqlState: 'HY000' });
  },
});
const OWN = { "getServerPort('mysql_port')": 9004, 'tcpPort()': 9000, 'toString(serverUUID())': UUID };
const config = (port = 9004) => ({
  ...clickhouseTarget.config.parse({ address: '127.0.0.1', port, user: 'bench', database: 'bench', tls: 'disabled' }),
  socket: '',
});
const contentOf = async (values: Readonly<Record<string, unknown>>, name: string, port?: number) =>
  (await clickhouseOnHost(server(values), config(port), 'secret'))?.files.find((file) => file.name === name)?.content;

test('the client gets the password if the app uses the actual port of the server', async () => {
  expect(await contentOf(OWN, 'client.xml')).toContain('<port>9000</port>');
});

test('no client logs in if ports are mapped or unknown', async () => {
  expect(await clickhouseOnHost(server(OWN), config(19_004), 'secret')).toBeUndefined();
  const { "getServerPort('mysql_port')": _, ...older } = OWN;
  expect(await clickhouseOnHost(server(older), config(), 'secret')).toBeUndefined();
});

test.each([
  [OWN, `if(toString(serverUUID()) = '${UUID}', `],
  [
    { ...OWN, 'toString(serverUUID())': '00000000-0000-0000-0000-000000000000', 'hostName()': 'db1' },
    "if(hostName() = 'db1', ",
  ],
  [{ ...OWN, 'toString(serverUUID())': undefined, 'hostName()': "d'b\\" }, "if(hostName() = 'd\\'b\\\\', "],
])('each query first verifies the identity of the server: %o', async (values, condition) => {
  expect(await contentOf(values, 'question')).toContain(condition);
});
