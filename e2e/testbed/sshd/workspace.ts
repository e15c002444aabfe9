import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Private folders and names of one test process. They carry its pid, so that a later run can tell what a crashed one left
 * behind, and never touches what a living one owns.
 */
const ROOT = join(tmpdir(), `kneepoint-testbed-${process.getuid?.() ?? 0}`);
const NAME = /^(\d+)-/;

/** A fresh private folder, reachable for every account (sshd and databases drop their rights) but writable for ours alone. */
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

/** Pids of processes whose command line or environment names a folder of ours: every login has its home there. */
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

/** Name of the program that a process runs; empty when it has ended. */
export const programOf = (pid: number): string => readText(`/proc/${pid}/comm`).trim();

/** When a process was started, in the kernel's ticks: with its number, this names it for good. Empty when it has ended. */
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

/** Removes what test processes that are gone have left: their servers, namespaces, bridges and folders. */
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

/** Milliseconds that the kernel, or another test process, may take to end what it has begun to remove. */
const REMOVAL_LIMIT = 10_000;

/**
 * Interfaces go by themselves with the namespace of their other end, at a moment of the kernel's choosing; and what a crashed test left
 * is removed by whichever test looks first. Returns when it is gone.
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

/** Fields of /proc/PID/stat after the name, which stands in parentheses and may hold anything; none when the process has ended. */
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

/** Entries of a folder; none when it is not there. */
function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

const NOT_OURS: readonly unknown[] = ['ENOENT', 'ESRCH', 'EACCES'];

/** Text of a /proc file; empty when its process has ended or belongs to somebody else. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && NOT_OURS.includes(error.code)) return '';
    throw error;
  }
}
