import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface Used {
  /** Seconds of CPU, user and system. */
  readonly cpu: number;
  /** Seconds in which at least one of its processes waited for a core. */
  readonly waited: number;
}

/** What a test process has started, however that detached itself. */
export interface Group {
  /** So far, of all of them; absent where this cannot be measured, undefined when the group is gone. */
  readonly used?: () => Used | undefined;
  /** The test process itself may be among them. */
  readonly pids: () => number[];
  readonly remove: () => void;
}

/** Where Linux has control groups of the second version; those of the first may be there as well. */
const ROOTS = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'];

/**
 * Groups of test processes. They are control groups where we may make some; elsewhere processes are found by the state folder in their environment,
 * which misses those that an SSH server has started.
 */
export function groupMaker(): (pid: number, states: string) => Group {
  const root = ROOTS.find((folder) => existsSync(path.join(folder, 'cgroup.procs')));
  const own = path.join(root ?? '', `kneepoint-tests-${process.pid}`);
  if (root === undefined || process.getuid?.() !== 0 || !canMake(own)) return (_, states) => byEnvironment(states);
  process.on('exit', () => removeFolder(own));
  return (pid) => controlGroup(path.join(own, String(pid)), pid);
}

function canMake(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

function controlGroup(folder: string, pid: number): Group {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'cgroup.procs'), String(pid));
  const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
  const seconds = (file: string, value: RegExp): number => Number(value.exec(read(file))?.[1] ?? 0) / 1e6;
  const hasPressure = existsSync(path.join(folder, 'cpu.pressure'));
  return {
    used: () =>
      existsSync(folder)
        ? {
            cpu: seconds('cpu.stat', /^usage_usec (\d+)/m),
            waited: hasPressure ? seconds('cpu.pressure', /^some .*total=(\d+)/m) : 0,
          }
        : undefined,
    // It is removed with its process, which may end while the last file is still being looked at.
    pids: () => (existsSync(folder) ? read('cgroup.procs').split('\n').filter(Boolean).map(Number) : []),
    remove: () => removeFolder(folder),
  };
}

function removeFolder(folder: string): void {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) removeFolder(path.join(folder, entry.name));
  try {
    rmdirSync(folder);
  } catch {
    // A group with processes stays: it disturbs nobody.
  }
}

function byEnvironment(states: string): Group {
  const pids = (): number[] =>
    process.platform === 'linux'
      ? readdirSync('/proc')
          .map(Number)
          .filter((pid) => pid > 0 && environmentOf(pid).some((each) => each.startsWith(`XDG_STATE_HOME=${states}/`)))
      : [];
  return { pids, remove: () => {} };
}

function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
  } catch {
    // It has ended, or belongs to somebody else.
    return [];
  }
}
