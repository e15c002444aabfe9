import type { SeriesRule } from '../../../../../shared/model/monitored.ts';
import { MIB } from './units.ts';

/** Sectors of the kernel's disk figures, independent of those of the device. */
const SECTOR = 512 * MIB;

type DiskRule = Omit<SeriesRule, 'lane'>;
/** Their I/O is counted again on the disk below, or stays in memory; a host with snaps has dozens of loop devices. */
const NO_DISKS = ['loop', 'ram', 'zram', 'sr', 'fd'];
const disk = (id: string, rule: Omit<DiskRule, 'id'>): SeriesRule => ({
  id: `disk.*.${id}`,
  lane: 'disk',
  aside: NO_DISKS,
  ...rule,
});

export const DISKS: readonly SeriesRule[] = [
  disk('utilisation', {
    label: 'Disk busy',
    unit: '%',
    digits: 1,
    main: true,
    limit: { value: 100, words: 'always a request in flight' },
    reading: { kind: 'rate', of: ['disk.*.busy_ms'], scale: 0.1 },
  }),
  disk('iops', {
    label: 'Disk operations',
    unit: 'IOPS',
    digits: 0,
    main: true,
    reading: { kind: 'rate', of: ['disk.*.read_ios', 'disk.*.write_ios'] },
  }),
  disk('read_iops', { label: 'Reads', unit: 'IOPS', digits: 0, reading: { kind: 'rate', of: ['disk.*.read_ios'] } }),
  disk('write_iops', { label: 'Writes', unit: 'IOPS', digits: 0, reading: { kind: 'rate', of: ['disk.*.write_ios'] } }),
  disk('read_mib_s', {
    label: 'Read from disk',
    unit: 'MiB/s',
    digits: 2,
    main: true,
    reading: { kind: 'rate', of: ['disk.*.read_sectors'], scale: SECTOR },
  }),
  disk('write_mib_s', {
    label: 'Written to disk',
    unit: 'MiB/s',
    digits: 2,
    main: true,
    reading: { kind: 'rate', of: ['disk.*.write_sectors'], scale: SECTOR },
  }),
  disk('await_ms', {
    label: 'I/O latency (await)',
    unit: 'ms',
    digits: 2,
    main: true,
    reading: {
      kind: 'per',
      of: ['disk.*.read_ms', 'disk.*.write_ms'],
      by: ['disk.*.read_ios', 'disk.*.write_ios'],
    },
  }),
  disk('read_await_ms', {
    label: 'Read latency (await)',
    unit: 'ms',
    digits: 2,
    reading: { kind: 'per', of: ['disk.*.read_ms'], by: ['disk.*.read_ios'] },
  }),
  disk('write_await_ms', {
    label: 'Write latency (await)',
    unit: 'ms',
    digits: 2,
    reading: { kind: 'per', of: ['disk.*.write_ms'], by: ['disk.*.write_ios'] },
  }),
  disk('flush_await_ms', {
    label: 'Flush latency',
    unit: 'ms',
    digits: 2,
    reading: { kind: 'per', of: ['disk.*.flush_ms'], by: ['disk.*.flush_ios'] },
  }),
  disk('queue', {
    label: 'Requests in flight, mean',
    unit: 'requests',
    digits: 2,
    reading: { kind: 'rate', of: ['disk.*.queue_ms'], scale: 1e-3 },
  }),
];
