import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { KneepointError } from '../../../../shared/model/problem.ts';
import type { Durability, TargetDescription } from '../../../../shared/model/target.ts';
import { durabilityOf, type Judged } from '../durability.ts';
import { bySettingName, numbersFrom, settingOf, settingsFrom, type Wanted } from '../server-facts.ts';
import { defineTarget, type Reach, type TargetSession } from '../target.ts';
import { pathField } from '../wording.ts';
import { chosen, parseStorage, type StorageReading, storageScript } from './reading.ts';

const config = z.strictObject({
  path: pathField('Path', 'Folder for test files, or a block device. Runs execute on its host; Kneepoint only reads.', {
    folder: true,
  }).min(1),
});

/** Names of the kernel's fields, in its order. */
const STAT = [
  'read_ios',
  'read_merges',
  'read_sectors',
  'read_ms',
  'write_ios',
  'write_merges',
  'write_sectors',
  'write_ms',
  'in_flight',
  'io_ms',
  'queue_ms',
  'discard_ios',
  'discard_merges',
  'discard_sectors',
  'discard_ms',
  'flush_ios',
  'flush_ms',
];

/** Throws `target-unreachable` for a path that is missing, or is neither directory nor block device. */
async function read(reach: Reach, path: string, signal: AbortSignal | undefined): Promise<StorageReading> {
  const nonce = randomBytes(8).toString('hex');
  const { stdout } = await reach.exec(storageScript(nonce, path), signal);
  const reading = parseStorage(stdout, nonce);
  const refuse = (message: string, next: string): never => {
    throw new KneepointError({ code: 'target-unreachable', message, safe: 'Nothing was written there.', next });
  };
  if (!reading)
    return refuse(`The host stopped responding while Kneepoint checked ${path}.`, 'Test the host, then try again.');
  if (reading.kind === 'missing') {
    return refuse(`${path} was not found on its host.`, 'Create the folder, or correct path and host.');
  }
  if (reading.kind === 'other') {
    return refuse(`${path} is neither a folder nor a block device.`, 'Choose a folder for test files, or a device.');
  }
  return reading;
}

async function open(reach: Reach, path: string, signal: AbortSignal | undefined): Promise<TargetSession> {
  await read(reach, path, signal);
  return {
    ping: async () => {
      const start = performance.now();
      await reach.exec('exit 0', signal);
      return performance.now() - start;
    },
    describe: async () => describeStorage(await read(reach, path, signal), path, Date.now()),
    counters: async () => {
      const { device } = await read(reach, path, signal);
      return numbersFrom(
        (device?.stat ?? []).map((value, index) => [STAT[index] ?? `field ${index + 1}`, value] as const),
      );
    },
    settings: async () =>
      (await read(reach, path, signal)).queue
        .map(({ name, value, writable }) =>
          settingOf(name, chosen(value), { change: writable ? 'dynamic' : 'fixed', source: 'kernel' }),
        )
        .sort(bySettingName),
    countRows: async () => undefined,
    close: async () => undefined,
  };
}

/** A directory or block device of a host: the subject of storage benchmarks. */
export const storageTarget = defineTarget({
  kind: 'storage',
  title: 'Storage path',
  family: 'storage',
  example: { name: 'data disk of db-bench-01', config: { path: '/srv/data' } },
  config,
  takesSecret: false,
  via: 'place',
  describes: ['settings', 'counters'],
  facts: ({ path }) => ({ kind: 'storage', path }),
  open: async ({ path }, _secret, reach, signal) => open(reach, path, signal),
});

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
  { name: 'scheduler', why: 'Orders requests; “none” suits fast flash.' },
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

function describeStorage(reading: StorageReading, path: string, readAt: number): TargetDescription {
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
      reading.writable ? '' : 'not writable for this account',
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
