import { existsSync, mkdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const ATTEMPTS = 100;

/** Control groups that can limit a device for some processes only. */
interface Groups {
  root: string;
  isThere(): boolean;
  /** Files of a group and their content. `device`: the kernel's device number. */
  limits(device: string, iops: number): Readonly<Record<string, string>>;
}

const SECOND = '/sys/fs/cgroup';
const FIRST = '/sys/fs/cgroup/blkio';
/** Whether groups of the second version may limit it. */
const handsOn = (what: string): boolean => {
  const file = join(SECOND, 'cgroup.subtree_control');
  return existsSync(file) && readFileSync(file, 'utf8').trim().split(' ').includes(what);
};
const VERSIONS: readonly Groups[] = [
  {
    root: SECOND,
    isThere: () => handsOn('io'),
    limits: (device, iops) => ({ 'io.max': `${device} riops=${iops} wiops=${iops}` }),
  },
  {
    root: FIRST,
    isThere: () => existsSync(join(FIRST, 'blkio.throttle.read_iops_device')),
    limits: (device, iops) => ({
      'blkio.throttle.read_iops_device': `${device} ${iops}`,
      'blkio.throttle.write_iops_device': `${device} ${iops}`,
    }),
  },
];
const groupsHere = (): Groups | undefined => VERSIONS.find((each) => each.isThere());

/** The kernel's number of the whole device of a folder; undefined if it is on none. */
function deviceOf(folder: string): string | undefined {
  const { dev } = statSync(folder);
  const own = `/sys/dev/block/${(dev >> 8) & 0xfff}:${(dev & 0xff) | ((dev >> 12) & 0xfff00)}`;
  const whole = existsSync(join(own, 'partition')) ? join(own, '..') : own;
  return existsSync(join(whole, 'dev')) ? readFileSync(join(whole, 'dev'), 'utf8').trim() : undefined;
}

export const canThrottle = (folder: string): boolean =>
  process.getuid?.() === 0 && groupsHere() !== undefined && deviceOf(folder) !== undefined;

/** Process id of the parent. */
const parentOf = (pid: number): number =>
  Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

/**
 * Limits sessions of an SSH server, the one that it serves next, and everything that they start from now on to `iops` reads and as many writes per
 * second on the device of a folder.
 */
export function throttle(sessions: readonly number[], folder: string, iops: number): { release(): Promise<void> } {
  const [groups, device] = [groupsHere(), deviceOf(folder)];
  if (!groups || device === undefined) throw new Error(`Nothing here can limit the device of ${folder}.`);
  return limited(groups.root, groups.limits(device, iops), [...sessions.map(parentOf), ...sessions]);
}

const FIRST_MEMORY = '/sys/fs/cgroup/memory';
const MEMORY = [
  { root: SECOND, file: 'memory.max', isThere: () => handsOn('memory') },
  { root: FIRST_MEMORY, file: 'memory.limit_in_bytes', isThere: () => existsSync(join(FIRST_MEMORY, 'tasks')) },
].find(({ isThere }) => isThere());

export const canLimitMemory = (): boolean => process.getuid?.() === 0 && MEMORY !== undefined;

/** Limits the joint memory of processes from now on; the rest is on swap. */
export function limitMemory(pids: readonly number[], bytes: number): { release(): Promise<void> } {
  if (!MEMORY) throw new Error('Nothing here can limit the memory of a process.');
  return limited(MEMORY.root, { [MEMORY.file]: String(bytes) }, pids);
}

const FIRST_CPU = '/sys/fs/cgroup/cpu';
/** Microseconds. */
const PERIOD = 100_000;
const PROCESSORS = [
  {
    root: SECOND,
    isThere: () => handsOn('cpu'),
    limits: (cores: number) => ({ 'cpu.max': `${cores * PERIOD} ${PERIOD}` }),
  },
  {
    root: FIRST_CPU,
    isThere: () => existsSync(join(FIRST_CPU, 'cpu.cfs_quota_us')),
    limits: (cores: number) => ({ 'cpu.cfs_quota_us': String(cores * PERIOD) }),
  },
].find(({ isThere }) => isThere());

export const canLimitCores = (): boolean => process.getuid?.() === 0 && PROCESSORS !== undefined;

/** Limits the joint CPU use of processes from now on, in each tenth of a second. */
export function limitCores(pids: readonly number[], cores: number): { release(): Promise<void> } {
  if (!PROCESSORS) throw new Error('Nothing here can limit the processors of a process.');
  return limited(PROCESSORS.root, PROCESSORS.limits(cores), pids);
}

function limited(root: string, limits: Readonly<Record<string, string>>, pids: readonly number[]) {
  const group = join(root, `kneepoint-test-${process.pid}`);
  mkdirSync(group);
  for (const [file, limit] of Object.entries(limits)) writeFileSync(join(group, file), limit);
  for (const pid of new Set(pids)) writeFileSync(join(group, 'cgroup.procs'), String(pid));
  return { release: () => emptied(group, root) };
}

/** Processes that are ending cannot be moved, and block the group until then. */
async function emptied(group: string, root: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const left = readFileSync(join(group, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean);
    try {
      for (const pid of left) writeFileSync(join(root, 'cgroup.procs'), pid);
      rmdirSync(group);
      return;
    } catch (error) {
      if (attempt >= ATTEMPTS) throw error;
      await delay(100);
    }
  }
}
