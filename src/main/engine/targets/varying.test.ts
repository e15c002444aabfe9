import { describe, expect, it } from 'vitest';
import { targetByKind } from './index.ts';

const known = (kind: string) => {
  const { settings } = targetByKind(kind);
  if (!settings) throw new Error(`Nothing is known of settings of ${kind}.`);
  return settings;
};

describe('settings known without asking a server', () => {
  it.each([
    ['mysql', 'sync_binlog', 'live'],
    ['mysql', 'innodb_flush_method', 'restart'],
    // Dynamic since 8.0.30, not before.
    ['mysql', 'innodb_doublewrite', 'restart'],
    ['mysql', 'version_compile_os', 'fixed'],
    ['mysql', 'aria_pagecache_buffer_size', undefined],
    ['postgres', 'work_mem', 'reload'],
    ['postgres', 'TimeZone', 'reload'],
    ['postgres', 'shared_buffers', 'restart'],
    ['postgres', 'block_size', 'fixed'],
    ['postgres', 'pool_mode', 'live'],
    ['postgres', 'pg_stat_statements.max', undefined],
  ])('%s: %s takes %s', (kind, name, effect) => {
    expect(known(kind).effectOf(name)).toBe(effect);
  });

  it('write the binary log as two options, never as a file named OFF', () => {
    const { lines } = known('mysql');
    expect(lines?.('log_bin', 'OFF')).toEqual({ log_bin: undefined, skip_log_bin: '1' });
    expect(lines?.('log_bin', 'on')).toEqual({ log_bin: 'binlog', skip_log_bin: undefined });
    expect(lines?.('log_bin', '/logs/bin')).toEqual({ log_bin: '/logs/bin', skip_log_bin: undefined });
    expect(lines?.('back_log', '77')).toEqual({ back_log: '77' });
  });

  it('are restored in the file of the server only if its path is known, with the path quoted', () => {
    const script = known('postgres').restoreScript;
    expect(script?.([{ name: 'shared_buffers', undo: {} }])).toBeUndefined();
    const text = script?.([
      { name: 'shared_buffers', undo: { autoFile: "/data/it's/postgresql.auto.conf", before: "1'GB" } },
    ]);
    expect(text).toContain("file='/data/it'\\''s/postgresql.auto.conf'");
    expect(text).toContain("1''GB".replaceAll("'", "'\\''"));
  });
});
