import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Private folders and names of one test process. They contain its pid, so that a later run can identify leftovers of a crashed one, and never
 * touches those of a living one.
 */
const ROOT = join(tmpdir(), `kneepoint-testbed-${process.getuid?.() ?? 0}`);
const NAME = /^(\d+)-/;

/** A new private folder, accessible for every account (sshd and databases drop their privileges) but writable only for ours. */
export function makeFolder(what: string): string {
  sweep();
  mkdirSync(ROOT, { recursive: true, mode: 0o755 });
  const folder = mkdtempSync(join(ROOT, `${process.pid}-${what}-`));
  chmodSync(folder, 0o755);
  return folder;
}

export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** Short prefix for network names of this process: interface names may have 15 characters. */
export const networkPrefix = (): string => `kpn${process.pid.toString(36)}`;

export const isRoot = (): boolean => process.getuid?.() === 0;

/** Pids of processes whose command line or environment contains a folder of ours: every login has its home there. */
export function processesOf(folder: string): number[] {
  return numericEntries('/proc').filter((pid) =>
    ['cmdline', 'environ'].some((file) => readText(`/proc/${pid}/${file}`).includes(folder)),
  );
}

/** Direct and indirect children of a process, from /proc. */
export function descendantsOf(pid: number): number[] {
  const children = numericEntries('/proc').filter((each) => parentOf(each) === pid);
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

/** Name of the program that a process runs; empty if it has ended. */
export const programOf = (pid: number): string => readText(`/proc/${pid}/comm`).trim();

/** Start time of a process, in the kernel's ticks: with its pid, a unique id. Empty if it has ended. */
export const startOf = (pid: number): string => statOf(pid)[19] ?? '';

/** Signals a process that may have ended meanwhile. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

let swept = false;

/** Removes leftovers of ended test processes: their servers, namespaces, bridges and folders. */
function sweep(): void {
  if (swept) return;
  swept = true;
  for (const name of listFolder(ROOT)) {
    const owner = Number(NAME.exec(name)?.[1] ?? process.pid);
    if (isAlive(owner)) continue;
    for (const pid of processesOf(join(ROOT, name))) signalProcess(pid, 'SIGKILL');
    removeFolder(join(ROOT, name));
  }
  if (isRoot()) sweepNetwork();
}

function sweepNetwork(): void {
  const stale = (name: string) => {
    const owner = /^kpn([0-9a-z]+)-\d+[bhv]\d*$/.exec(name)?.[1];
    return owner !== undefined && !isAlive(Number.parseInt(owner, 36));
  };
  for (const name of listFolder('/run/netns').filter(stale)) removeNamespace(name);
  for (const name of listFolder('/sys/class/net').filter(stale)) removeInterface(name);
}

export const removeNamespace = (name: string): void => removeUnlessGone(`/run/netns/${name}`, 'netns', 'delete', name);

export const removeInterface = (name: string): void =>
  removeUnlessGone(`/sys/class/net/${name}`, 'link', 'delete', name);

/** Milliseconds that the kernel, or another test process, may take to finish a removal. */
const REMOVAL_LIMIT = 10_000;

/**
 * The kernel removes an interface with the namespace of its other end, at some later time; and the first test to look removes the leftovers of a
 * crashed one. Returns when it is gone.
 */
function removeUnlessGone(path: string, ...command: string[]): void {
  const { status, stderr } = spawnSync('ip', command, { encoding: 'utf8' });
  const limit = performance.now() + REMOVAL_LIMIT;
  while (existsSync(path)) {
    if (performance.now() > limit) throw new Error(`ip ${command.join(' ')} (exit ${status}): ${stderr}`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  }
}

function isAlive(pid: number): boolean {
  return readText(`/proc/${pid}/stat`) !== '';
}

/** Fields of /proc/PID/stat after the name, which is in parentheses and may contain anything; empty if the process has ended. */
function statOf(pid: number): string[] {
  const stat = readText(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function parentOf(pid: number): number | undefined {
  const parent = statOf(pid)[1];
  return parent === undefined ? undefined : Number(parent);
}

const numericEntries = (folder: string): number[] =>
  listFolder(folder)
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

/** Entries of a folder; empty if it does not exist. */
function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

const NOT_OURS: readonly unknown[] = ['ENOENT', 'ESRCH', 'EACCES'];

/** Text of a /proc file; empty if its process has ended or belongs to another user. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && NOT_OURS.includes(error.code)) return '';
    throw error;
  }
}
