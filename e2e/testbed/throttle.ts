import { existsSync, mkdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Control groups of the first version, in which a device can be limited for some processes alone. */
const ROOT = '/sys/fs/cgroup/blkio';
const ATTEMPTS = 100;
const LIMITS = ['read_iops_device', 'write_iops_device'];

/** The whole device that a folder lies on, as the kernel numbers it; undefined where it lies on none. */
function deviceOf(folder: string): string | undefined {
  const { dev } = statSync(folder);
  const own = `/sys/dev/block/${(dev >> 8) & 0xfff}:${(dev & 0xff) | ((dev >> 12) & 0xfff00)}`;
  const whole = existsSync(join(own, 'partition')) ? join(own, '..') : own;
  return existsSync(join(whole, 'dev')) ? readFileSync(join(whole, 'dev'), 'utf8').trim() : undefined;
}

export const canThrottle = (folder: string): boolean =>
  process.getuid?.() === 0 && existsSync(join(ROOT, `blkio.throttle.${LIMITS[0]}`)) && deviceOf(folder) !== undefined;

/** The process that has started another. */
const parentOf = (pid: number): number =>
  Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

/** Sessions of an SSH server and whom it serves next, with all that they start from now on, do at most so many reads and as many writes a second on the device of a folder. */
export function throttle(sessions: readonly number[], folder: string, iops: number): { release(): Promise<void> } {
  const group = join(ROOT, `kneepoint-test-${process.pid}`);
  mkdirSync(group);
  for (const limit of LIMITS) writeFileSync(join(group, `blkio.throttle.${limit}`), `${deviceOf(folder)} ${iops}`);
  for (const pid of new Set([...sessions.map(parentOf), ...sessions]))
    writeFileSync(join(group, 'cgroup.procs'), String(pid));
  return { release: () => emptied(group) };
}

/** Processes that are ending cannot be moved, and hold the group until they have. */
async function emptied(group: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const left = readFileSync(join(group, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean);
    try {
      for (const pid of left) writeFileSync(join(ROOT, 'cgroup.procs'), pid);
      rmdirSync(group);
      return;
    } catch (error) {
      if (attempt >= ATTEMPTS) throw error;
      await delay(100);
    }
  }
}
