import { describe, expect, it } from 'vitest';
import { FioOptions } from './index.ts';
import { endsAfter, ioOf, jobsOf, rateOf, syncsOf } from './load.ts';

const form = (options: object): FioOptions => FioOptions.parse(options);

describe('the load of a job', () => {
  it('is read from sessions of versions without lists of places and passes', () => {
    const {
      directories: _folders,
      devices: _devices,
      passes: _passes,
      ...stored
    } = form({ directory: '/d', numjobs: 3 });
    const options = stored as FioOptions;
    expect([jobsOf(options), endsAfter(options), ioOf(options)]).toEqual([3, undefined, { queueDepth: 3 }]);
  });

  it.each([
    [{}, { queueDepth: 1 }],
    [{ numjobs: 4 }, { queueDepth: 4 }],
    [{ iodepth: 32 }, { queueDepth: 32, asynchronous: true }],
    [
      { iodepth: 8, numjobs: 2, ioengine: 'io_uring' },
      { queueDepth: 16, asynchronous: true },
    ],
    [{ iodepth: 32, ioengine: 'psync', numjobs: 2 }, { queueDepth: 2 }],
    [{ iodepth: 32, direct: false }, { queueDepth: 1 }],
    [
      { iodepth: 32, direct: false, ioengine: 'io_uring' },
      { queueDepth: 32, asynchronous: true },
    ],
    [{ source: 'job-file', iodepth: 32 }, undefined],
  ])('keeps a number of I/Os in flight: %j', (options, io) => {
    expect(ioOf(form(options))).toEqual(io);
  });

  it.each([
    [{ rw: 'write' }, false],
    [{ rw: 'write', fsync: 1 }, true],
    [{ rw: 'randrw', fdatasync: 32 }, true],
    [{ rw: 'randread', fsync: 1 }, false],
    [{ source: 'job-file', fsync: 1, 'job-file': '[log]\nrw=write\nfsync=0' }, false],
    [{ source: 'job-file', 'job-file': '[log]\nrw=write\nfdatasync = 1' }, true],
    [{ source: 'job-file', 'job-file': '[log]\nrw=write\nend_fsync=1\n# fsync=1' }, false],
  ])('syncs after its writes: %j', (options, syncs) => {
    expect(syncsOf(form(options))).toBe(syncs);
  });

  it.each([
    [{}, undefined],
    [{ 'rate-iops': 500 }, 500],
    [{ 'rate-iops': 500, numjobs: 3 }, 1500],
    [{ rate: '4m', bs: '16k' }, 256],
    [{ rate: '4m', bs: '16k', 'rate-iops': 100 }, 100],
    [{ rw: 'randrw', 'rate-iops': 500 }, undefined],
    [{ source: 'job-file', 'rate-iops': 500 }, undefined],
  ])('holds a rate: %j', (options, rate) => {
    expect(rateOf(form(options))).toBe(rate);
  });
});
