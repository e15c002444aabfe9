import { describe, expect, it } from 'vitest';
import { type FileNeed, foldersOf } from '../tool.ts';
import { fioTool } from './index.ts';
import { FioOptions } from './options/index.ts';

const need = (options: Record<string, unknown>, path?: string) =>
  fioTool.files?.(FioOptions.parse({ directory: '/mnt/disk/', ...options }), path);

it('names the device that a run uses as a whole, from its options or its target', () => {
  const devices = (options: Record<string, unknown>, path?: string) =>
    fioTool.devices?.(FioOptions.parse(options), path);
  expect(devices({ device: '/dev/sdb' })).toEqual(['/dev/sdb']);
  expect(devices({}, '/dev/nvme1n1')).toEqual(['/dev/nvme1n1']);
  expect(devices({ directory: '/mnt/disk' }, '/dev/nvme1n1')).toEqual([]);
  expect(devices({}, '/dev/shm')).toEqual([]);
  expect(devices({})).toEqual([]);
});

describe('the files of a run', () => {
  it('are listed for each job with size and folder', () => {
    expect(need({ numjobs: 2, size: '16MiB' })).toEqual({
      title: '2 files of fio, 32.0 MiB',
      base: '/mnt/disk',
      directory: '/mnt/disk/kneepoint-fio',
      files: [0, 1].map((job) => ({ name: `kneepoint-fio.${job}.0`, bytes: 16 * 1024 * 1024 })),
      written: false,
    });
    expect(need({ directory: undefined }, '/srv')).toMatchObject({ base: '/srv', directory: '/srv/kneepoint-fio' });
    expect(need({ directory: '/' })).toMatchObject({ base: '/', directory: '/kneepoint-fio' });
    for (const rw of ['write', 'randwrite', 'rw', 'randrw']) expect(need({ rw })?.written).toBe(true);
  });

  it('of a job file are those of each job, including [global]', () => {
    const text = '[global]\nsize=4m\n[log]\nrw=write\nnumjobs=2\n[global]\nsize=8m\n[pages]\nrw=randread\n';
    expect(need({ source: 'job-file', 'job-file': text })).toMatchObject({
      files: [
        { name: 'kneepoint-fio.log.0.0', bytes: 4 * 1024 * 1024 },
        { name: 'kneepoint-fio.log.1.0', bytes: 4 * 1024 * 1024 },
        { name: 'kneepoint-fio.pages.0.0', bytes: 8 * 1024 * 1024 },
      ],
      written: true,
    });
  });

  it('of several directories are those of each, below the folder that contains all of them', () => {
    const several = need({ directory: undefined, directories: '/mnt/a, /mnt/b/c', numjobs: 2, size: '1m' });
    expect(several).toEqual({
      title: '4 files of fio, 4.00 MiB',
      directory: '/mnt',
      files: ['a', 'b/c'].flatMap((folder) =>
        [0, 1].map((job) => ({ name: `${folder}/kneepoint-fio/kneepoint-fio.${job}.0`, bytes: 1024 * 1024 })),
      ),
      written: false,
    });
    expect(foldersOf(several as FileNeed)).toEqual(['/mnt/a/kneepoint-fio', '/mnt/b/c/kneepoint-fio']);
    const apart = need({ directory: '/srv', directories: '/mnt/b' });
    expect([apart?.directory, apart?.files.map(({ name }) => name)]).toEqual([
      '/',
      ['srv/kneepoint-fio/kneepoint-fio.0.0', 'mnt/b/kneepoint-fio/kneepoint-fio.0.0'],
    ]);
    expect(need({ directory: undefined, devices: '/dev/sdb, /dev/sdc' })).toBeUndefined();
  });

  it('are unknown if only fio knows them, and absent for a device', () => {
    expect(need({ source: 'job-file', 'job-file': '[a]\nrw=read\nsize=4m\nnrfiles=2\n' })).toBeUndefined();
    expect(need({ source: 'job-file', 'job-file': '[a]\nrw=read\n' })).toBeUndefined();
    expect(need({ directory: undefined, device: '/dev/sdb' })).toBeUndefined();
    expect(need({ directory: undefined }, '/dev/sdb')).toBeUndefined();
    expect(need({ directory: undefined })).toBeUndefined();
  });
});
