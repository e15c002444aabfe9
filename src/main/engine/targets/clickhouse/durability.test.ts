import { describe, expect, test } from 'vitest';
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
