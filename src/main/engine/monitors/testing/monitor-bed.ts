import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { MonitorProgram, MonitorRow } from '../monitor.ts';

/** A host as a monitor sees it: its shell, and the only programs on its PATH, some under the name of another. */
export interface Kind {
  kind: string;
  shell: string;
  programs: Readonly<Record<string, string>>;
}

const system = (...names: string[]): Record<string, string> => Object.fromEntries(names.map((name) => [name, name]));
const TOOLS = system('date', 'sleep', 'getconf', 'cat', 'echo');
const busybox = Object.fromEntries(['awk', 'date', 'sleep', 'cat', 'echo'].map((name) => [name, 'busybox']));

/**
 * Every awk with the shells that wait in their own way: bash and BusyBox by themselves, dash by a program. The tests' set-up installs them, and lists
 * those that it could not (`scripts/test/needs.ts`); those are omitted here.
 */
export const KINDS: readonly Kind[] = [
  { kind: 'bash and mawk', shell: 'bash', programs: { ...TOOLS, ...system('bash', 'mawk') } },
  { kind: 'dash and mawk', shell: 'dash', programs: { ...TOOLS, ...system('mawk') } },
  { kind: 'dash, perl and mawk', shell: 'dash', programs: { ...TOOLS, ...system('perl', 'mawk') } },
  { kind: 'dash and gawk', shell: 'dash', programs: { ...TOOLS, awk: 'gawk' } },
  { kind: 'dash and the original awk', shell: 'dash', programs: { ...TOOLS, awk: 'original-awk' } },
  { kind: 'BusyBox', shell: 'busybox', programs: busybox },
].filter(({ shell, programs }) => [shell, ...Object.values(programs)].every((name) => pathOf(name) !== undefined));

function pathOf(program: string): string | undefined {
  return ['/usr/bin', '/bin', '/usr/sbin', '/sbin'].map((folder) => join(folder, program)).find(existsSync);
}

/** A monitor that runs without a job, and its output. */
export interface RunningMonitor {
  process: ChildProcess;
  /** Folder of its files. */
  folder: string;
  rows: MonitorRow[];
  lines: string[];
  errors(): string;
  unread(): number;
  /** Waits until it has printed this many rows. */
  reach(rows: number): Promise<void>;
  /** Ends its whole group, as a job does, and removes its folder. */
  end(): Promise<void>;
}

/** `arguments`: replace the arguments of its argv that begin with a slash, in order. `uid`: the user to run as; only root may choose. */
export function startMonitor(
  program: MonitorProgram,
  kind: Kind,
  more: { arguments?: readonly string[]; uid?: number } = {},
): RunningMonitor {
  const folder = mkdtempSync(join(tmpdir(), 'kneepoint-monitor-'));
  chmodSync(folder, 0o755);
  for (const { name, content } of program.job.files) writeFileSync(join(folder, name), content, { mode: 0o644 });
  const [, ...words] = program.job.argv.map((word) =>
    word.replaceAll(/@([\w.-]+)@/g, (_, name: string) => join(folder, name)),
  );
  const roots = [...(more.arguments ?? [])];
  const argv = words.map((word) => (word === '/proc' || word === '/sys' ? (roots.shift() ?? word) : word));
  const child = spawn(join(binOf(kind, folder), 'sh'), argv, {
    cwd: folder,
    // A clock that bash and BusyBox replace with their own; to other shells it is any variable.
    env: { PATH: join(folder, 'bin'), EPOCHREALTIME: '1000000000.000000', ...program.job.env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(more.uid !== undefined && { uid: more.uid, gid: more.uid }),
  });
  return watched(program, child, folder);
}

function watched(program: MonitorProgram, child: ChildProcess, folder: string): RunningMonitor {
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error('The monitor was started without pipes.');
  const parser = program.parser();
  const [rows, lines]: [MonitorRow[], string[]] = [[], []];
  let errors = '';
  stderr.on('data', (bytes) => {
    errors += String(bytes);
  });
  const reader = createInterface({ input: stdout });
  const closed = once(child, 'close');
  let wake: () => void = () => undefined;
  reader.on('line', (line) => {
    lines.push(line);
    const row = parser.line(line);
    if (row) rows.push(row);
    wake();
  });
  void closed.then(() => wake());
  return {
    process: child,
    folder,
    rows,
    lines,
    errors: () => errors,
    unread: () => parser.unread,
    async reach(count) {
      while (rows.length < count) {
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`The monitor ended after ${rows.length} rows: ${errors}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    async end() {
      if (child.pid !== undefined && isGroupAlive(child.pid)) process.kill(-child.pid, 'SIGKILL');
      await closed;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Whether any process of a group is left. */
export function isGroupAlive(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
}

function binOf({ shell, programs }: Kind, folder: string): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const [name, program] of Object.entries({ ...programs, sh: shell }))
    symlinkSync(pathOf(program) ?? program, join(bin, name));
  return bin;
}

/** Copy of a shell under a name of its own, that runs for ever. */
export function busyProgram(folder: string, name: string): string {
  const path = join(folder, name);
  execFileSync('cp', [pathOf('dash') ?? '/bin/sh', path]);
  chmodSync(path, 0o755);
  return path;
}
