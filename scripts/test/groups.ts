import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface Used {
  /** CPU seconds, user and system. */
  readonly cpu: number;
  /** Seconds in which at least one of its processes waited for a core. */
  readonly waited: number;
}

/** Everything that a test process has started, even if detached. */
export interface Group {
  /** Totals so far; absent if this cannot be measured, undefined if the group is gone. */
  readonly used?: () => Used | undefined;
  /** May include the test process itself. */
  readonly pids: () => number[];
  readonly remove: () => void;
}

/** Mount points of Linux control groups of the second version; those of the first may exist as well. */
const ROOTS = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'];

/**
 * Groups of test processes. They are control groups if we may create some; otherwise processes are found by the state folder in their environment,
 * which misses those started by an SSH server.
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
    // It is removed with its process, which may end while the last file is still being checked.
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
    // A group with processes remains, which is harmless.
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
    // It has ended, or belongs to another user.
    return [];
  }
}
