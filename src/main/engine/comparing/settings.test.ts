import { describe, expect, it } from 'vitest';
import type { SessionDetail } from '../../../shared/model/session.ts';
import type { TargetDescription } from '../../../shared/model/target.ts';
import type { ServerSetting } from '../../../shared/model/target-details.ts';
import { settingDifferences } from './differences.ts';

type Target = NonNullable<SessionDetail['target']>;

/** A target with these values in its list; those of the description include why they matter. */
function target(
  kind: string,
  settings: readonly ServerSetting[] | undefined,
  described: TargetDescription['settings'],
  middleware?: TargetDescription['middleware'],
): Target {
  return {
    name: 'db',
    kind,
    description: { product: kind, version: '1', settings: described, readAt: 0, ...(middleware && { middleware }) },
    ...(settings && { settings: [...settings] }),
  };
}

const mariadb = (values: Readonly<Record<string, string>>): Target => {
  const flush = values.innodb_flush_log_at_trx_commit ?? '1';
  const pool = values.innodb_buffer_pool_size ?? '134217728';
  return target(
    'mysql',
    Object.entries({ innodb_flush_log_at_trx_commit: flush, innodb_buffer_pool_size: pool, ...values }).map(
      ([name, value]) => ({ name, value }),
    ),
    [
      { name: 'innodb_buffer_pool_size', value: pool, unit: 'bytes', why: 'Data beyond it is read from the disk.' },
      { name: 'innodb_flush_log_at_trx_commit', value: flush, why: '1 waits for the disk at each commit.' },
    ],
  );
};

const linesOf = (a: Target, b: Target): string[] =>
  settingDifferences(a, b).map(({ name, baseline, other, rank }) => `${rank}: ${name}: ${baseline} → ${other}`);

describe('settings of two targets', () => {
  it('are listed if they differ: important ones, then the others, then those specific to each start', () => {
    const common = { sync_binlog: '0', character_set_server: 'utf8mb4', ssl_ca: '' };
    const a = mariadb({
      ...common,
      ...{ port: '3306', pid_file: '/run/mysqld/mysqld.pid', hostname: 'db-a', server_uid: 'AzZ=', datadir: '/srv/a/' },
      ...{ thread_cache_size: '151', innodb_purge_threads: '4', explicit_defaults_for_timestamp: 'ON' },
      ...{ innodb_data_home_dir: '', aria_log_dir_path: '/srv/a/', innodb_undo_log_truncate: 'ON' },
    });
    const b = mariadb({
      ...common,
      ...{ innodb_flush_log_at_trx_commit: '2', innodb_buffer_pool_size: '4294967296' },
      ...{ port: '3307', pid_file: '/run/b.pid', hostname: 'db-b', server_uid: 'BxY=', datadir: '/srv/b/' },
      ...{ thread_cache_size: '256', innodb_purge_threads: '4', explicit_defaults_for_timestamp: 'OFF' },
      ...{ innodb_data_home_dir: '/fast', aria_log_dir_path: '/srv/b/' },
    });
    expect(linesOf(a, b)).toEqual([
      'matters: innodb_buffer_pool_size: 128 MiB → 4.00 GiB',
      'matters: innodb_flush_log_at_trx_commit: 1 → 2',
      'other: explicit_defaults_for_timestamp: ON → OFF',
      'other: innodb_data_home_dir: empty → /fast',
      'other: innodb_undo_log_truncate: ON → –',
      'other: thread_cache_size: 151 → 256',
      'start: aria_log_dir_path: /srv/a/ → /srv/b/',
      'start: datadir: /srv/a/ → /srv/b/',
      'start: hostname: db-a → db-b',
      'start: pid_file: /run/mysqld/mysqld.pid → /run/b.pid',
      'start: port: 3306 → 3307',
      'start: server_uid: AzZ= → BxY=',
    ]);
    expect(settingDifferences(a, b)[1]?.why).toBe('1 waits for the disk at each commit.');
    expect(settingDifferences(a, a)).toEqual([]);
  });

  it('are compared in the same notation on both sides, even if one list was not stored', () => {
    const described = [{ name: 'shared_buffers', value: '128MB', why: 'Data beyond it is read from the disk.' }];
    const list = [
      { name: 'shared_buffers', value: '134217728', unit: 'bytes' },
      { name: 'work_mem', value: '4194304', unit: 'bytes' },
      { name: 'data_directory', value: '/var/lib/postgresql/17/main' },
    ];
    const kept = target('postgres', list, described);
    expect(linesOf(kept, target('postgres', undefined, described))).toEqual([]);
    const larger = list.map((setting) => ({ ...setting, ...(setting.unit && { value: '268435456' }) }));
    expect(
      linesOf(kept, target('postgres', larger, [{ ...described[0], name: 'shared_buffers', value: '256MB' }])),
    ).toEqual(['matters: shared_buffers: 128 MiB → 256 MiB', 'other: work_mem: 4.00 MiB → 256 MiB']);
  });

  it('are exact where rounded figures would be equal', () => {
    const pool = (bytes: string): Target => mariadb({ innodb_buffer_pool_size: bytes });
    expect(linesOf(pool('4294967296'), pool('4294967297'))).toEqual([
      'matters: innodb_buffer_pool_size: 4294967296 bytes → 4294967297 bytes',
    ]);
  });

  it('of different kinds are only the important ones', () => {
    const postgres = target('postgres', [{ name: 'work_mem', value: '4194304' }], [{ name: 'fsync', value: 'on' }]);
    expect(linesOf(mariadb({ thread_cache_size: '151' }), postgres)).toEqual([
      'matters: innodb_buffer_pool_size: 128 MiB → –',
      'matters: innodb_flush_log_at_trx_commit: 1 → –',
      'matters: fsync: – → on',
    ]);
    expect(linesOf(postgres, postgres)).toEqual([]);
    expect(settingDifferences(undefined, undefined)).toEqual([]);
  });

  it('include those of the proxy in front of the server, under its name', () => {
    const pooled = (mode: string): Target =>
      target('postgres', [], [], { product: 'PgBouncer', settings: [{ name: 'pool_mode', value: mode }] });
    expect(linesOf(pooled('session'), pooled('transaction'))).toEqual([
      'matters: PgBouncer pool_mode: session → transaction',
    ]);
  });

  it('include a measured device among the important ones, even though it is a path', () => {
    const disk = (device: string, free: string): Target =>
      target(
        'storage',
        [],
        [
          { name: 'free', value: free, unit: 'bytes', why: 'Test files must fit.' },
          { name: 'device', value: device, why: 'Device under the file system.' },
        ],
      );
    expect(linesOf(disk('/dev/sda1', '1073741824'), disk('/dev/nvme0n1p2', '2147483648'))).toEqual([
      'matters: device: /dev/sda1 → /dev/nvme0n1p2',
      'start: free: 1.00 GiB → 2.00 GiB',
    ]);
  });
});
