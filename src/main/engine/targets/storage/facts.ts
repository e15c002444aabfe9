import type { Durability, TargetDescription } from '../../../../shared/model/target.ts';
import { durabilityOf, type Judged } from '../durability.ts';
import { settingsFrom, type Wanted } from '../server-facts.ts';
import type { StorageReading } from './reading.ts';

const WANTED: readonly Wanted[] = [
  { name: 'file system', why: 'Journaling, copy-on-write and caching differ.' },
  { name: 'mount options', why: 'Barriers, journal mode and access times change the cost of a write.' },
  { name: 'size', unit: 'bytes', why: 'A nearly full file system or flash disk is slower.' },
  { name: 'free', unit: 'bytes', why: 'Test files must fit.' },
  { name: 'free inodes', why: 'Each file takes one.' },
  { name: 'device', why: 'Device under the file system.' },
  { name: 'built of', why: 'Intermediate layers: LVM, RAID or encryption.' },
  { name: 'model', why: 'The model matters more than any setting.' },
  { name: 'rotational', why: '1: rotating disk; 0: flash, or a virtual disk that reports so.' },
  { name: 'scheduler', why: 'Orders requests; none suits fast flash.' },
  { name: 'write_cache', why: 'write back: a write is durable only after a flush.' },
  { name: 'read_ahead_kb', unit: 'KiB', why: 'Size of sequential read requests.' },
  { name: 'nr_requests', why: 'Longest request queue.' },
  { name: 'logical_block_size', unit: 'bytes', why: 'Direct reads and writes must be a multiple of it.' },
  { name: 'physical_block_size', unit: 'bytes', why: 'Smaller writes need read-modify-write.' },
];

/** In-memory file systems: nothing is on disk. */
const MEMORY = new Set(['tmpfs', 'ramfs']);
/** The remote side decides the effect of a flush. */
const REMOTE = /^(nfs|cifs|smb|9p|fuse|ceph|gluster|lustre|afs)/;
/** Mount options that weaken a flush, and the resulting level. */
const OPTIONS: ReadonlyMap<string, Judged['level']> = new Map([
  ['nobarrier', 'unsafe'],
  ['barrier=0', 'unsafe'],
  ['sync=disabled', 'unsafe'],
  ['data=writeback', 'relaxed'],
  ['volatile', 'unsafe'],
]);

/** Durability of data that a program has flushed. */
function durability({ filesystem, mountOptions }: StorageReading): Durability {
  if (!filesystem) return { level: 'unknown', why: 'Without a file system, the device decides what a flush does.' };
  const { type } = filesystem;
  if (REMOTE.test(type)) return { level: 'unknown', why: `The server behind ${type} decides what a flush does.` };
  const judged: Judged[] = mountOptions.flatMap((value) => {
    const level = OPTIONS.get(value);
    return level === undefined ? [] : [{ name: 'mount option', value, level }];
  });
  judged.push({ name: 'file system', value: type, level: MEMORY.has(type) ? 'unsafe' : 'safe' });
  const found = durabilityOf(judged);
  return found.level === 'safe'
    ? { ...found, why: `A flush reaches the device: ${type} without options that prevent it.` }
    : found;
}

export function describeStorage(reading: StorageReading, path: string, readAt: number): TargetDescription {
  const { filesystem, device, kind } = reading;
  const facts = new Map(reading.queue.map(({ name, value }) => [name, chosen(value)]));
  const add = (name: string, value: string | number | undefined): void => {
    if (value !== undefined && value !== '') facts.set(name, String(value));
  };
  add('file system', filesystem?.type);
  add('mount options', reading.mountOptions.join(','));
  add('size', filesystem?.sizeBytes ?? device?.sizeBytes);
  add('free', filesystem?.freeBytes);
  add('free inodes', filesystem?.freeInodes);
  add('device', device ? `/dev/${device.name}` : filesystem?.source);
  add('built of', device?.below.join(', '));
  add('model', device?.model);
  const real = reading.real === path ? '' : `, which is ${reading.real}`;
  return {
    product: kind === 'device' ? 'Block device' : 'Directory',
    version: filesystem?.type ?? device?.name ?? '',
    flavour: [
      `${path}${real}`,
      filesystem && `on ${filesystem.mount}`,
      reading.writable ? '' : 'not writable for this user',
    ]
      .filter(Boolean)
      .join(', '),
    location: {
      path: `${path}${real}`,
      ...(filesystem && { mount: filesystem.mount }),
      writable: reading.writable,
    },
    settings: settingsFrom(facts, WANTED),
    durability: durability(reading),
    readAt,
  };
}

/** The kernel lists all choices and brackets the active one: `[mq-deadline] none`. */
export const chosen = (value: string): string => /\[([^\]]+)\]/.exec(value)?.[1] ?? value;
