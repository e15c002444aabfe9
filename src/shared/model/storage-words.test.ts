import { expect, it } from 'vitest';
import type { StoragePlace, TargetFacts } from './session-snapshot.ts';
import { storageLines } from './storage-words.ts';

const place = (
  path: string,
  type: string,
  device: string,
  mount = path,
  options = ['rw', 'noatime'],
): StoragePlace => ({
  ...{ host: 'storage-1', path },
  fileSystem: { type, source: device, mount, options },
  device: { name: device.replace('/dev/', ''), below: [] },
});

it('lists the file system of each folder with device, mount and options', () => {
  const nvme = {
    ...place('/mnt/xfs', 'xfs', '/dev/nvme1n1'),
    device: { name: 'nvme1n1', model: 'PM9A3', below: ['sda', 'sdb'] },
  };
  expect(storageLines([place('/mnt/ext4', 'ext4', '/dev/sdb1'), nvme], [])).toEqual([
    '/mnt/ext4: ext4 on /dev/sdb1, mounted at /mnt/ext4 with rw, noatime',
    '/mnt/xfs: xfs on /dev/nvme1n1 (PM9A3, built of sda, sdb), mounted at /mnt/xfs with rw, noatime',
  ]);
});

it('groups folders on one file system', () => {
  const both = [
    place('/data/a', 'ext4', '/dev/sdb1', '/data'),
    { ...place('/b', 'ext4', '/dev/sdb1', '/data'), real: '/data/b' },
  ];
  expect(storageLines(both, [])).toEqual([
    '/data/a, /b (/data/b), all on one file system: ext4 on /dev/sdb1, mounted at /data with rw, noatime',
  ]);
});

it('separates the same path on two hosts, and states that nothing was reported', () => {
  const other = { host: 'storage-2', path: '/mnt/a' };
  expect(storageLines([place('/mnt/a', 'tmpfs', 'tmpfs'), other], [])).toEqual([
    'storage-1: /mnt/a: tmpfs (in memory: nothing survives a restart), mounted at /mnt/a with rw, noatime',
    'storage-2: /mnt/a: file system not reported',
  ]);
});

it('uses the folders of targets for older sessions', () => {
  const setting = (name: string, value: string) => ({ name, value, why: '' });
  const target = {
    ...{ name: 'disk', kind: 'storage', server: { host: 'db1', started: '' } },
    description: {
      ...{ product: 'Directory', version: 'xfs', location: { path: '/srv/x', mount: '/srv', writable: true } },
      settings: [setting('file system', 'xfs'), setting('mount options', 'rw,relatime'), setting('device', '/dev/sdc')],
    },
  } as unknown as TargetFacts;
  const server = { name: 'db', kind: 'mysql', description: { product: 'MariaDB' } } as unknown as TargetFacts;
  expect(storageLines(undefined, [target, server])).toEqual([
    '/srv/x: xfs on /dev/sdc, mounted at /srv with rw, relatime',
  ]);
});

it('describes a whole device, and the queue of the disk below a folder', () => {
  const device = { name: 'sdb', model: 'ST4000', below: [], scheduler: 'mq-deadline', rotational: true };
  const flash = { name: 'nvme0n1', below: [], scheduler: 'none', rotational: false };
  expect(
    storageLines(
      [
        { host: 'storage-1', path: '/dev/disk/by-id/x', real: '/dev/sdb', device },
        { host: 'storage-1', path: '/dev/vdb', device: { name: 'vdb', below: [] } },
        { ...place('/mnt/a', 'xfs', '/dev/nvme0n1p1'), device: flash },
      ],
      [],
    ),
  ).toEqual([
    '/dev/disk/by-id/x (/dev/sdb): block device (ST4000, scheduler mq-deadline, rotational)',
    '/dev/vdb: block device',
    '/mnt/a: xfs on /dev/nvme0n1p1 (scheduler none, non-rotational), mounted at /mnt/a with rw, noatime',
  ]);
});

it('names target and host of a data folder', () => {
  const data = { ...place('/var/lib/mysql', 'ext4', '/dev/sdb1', '/'), host: 'db1', target: 'shop' };
  expect(storageLines([data], [])).toEqual([
    'db1: /var/lib/mysql (data of shop): ext4 on /dev/sdb1, mounted at / with rw, noatime',
  ]);
  expect(
    storageLines([place('/mnt/a', 'tmpfs', 'tmpfs'), data, { host: 'db2', path: '/data', target: 'new' }], []),
  ).toEqual([
    'storage-1: /mnt/a: tmpfs (in memory: nothing survives a restart), mounted at /mnt/a with rw, noatime',
    'db1: /var/lib/mysql (data of shop): ext4 on /dev/sdb1, mounted at / with rw, noatime',
    'db2: /data (data of new): file system not reported',
  ]);
});
