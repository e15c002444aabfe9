import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { startSshd, type TestSshd } from '../../../../../e2e/testbed/sshd/index.ts';
import { signalProcess } from '../../../../../e2e/testbed/sshd/workspace.ts';
import { byDay } from '../../../../shared/util/testing/depth.ts';
import type { Machine } from '../../hosts/machine.ts';
import { createTestLibrary, specOf } from '../../hosts/testing/library.ts';
import { createJobs, type JobsOptions } from '../index.ts';
import type { JobChunk, JobSpec, JobStatus, JobStream, Jobs } from '../job.ts';
import { createShellMachine } from './shell-machine.ts';

/** Exactly the programs that the scripts require. */
const NEEDED = 'cat chmod date dd grep id ls mkdir mv rm rmdir sleep tail tr';

/**
 * The kinds of host under test: shell, and the programs in the PATH (all of the system if undefined). The last one is reached through a
 * real SSH server, whose logins print a lot of noise first.
 */
export const KINDS: readonly Kind[] = [
  { kind: 'dash', shell: '/bin/dash', programs: undefined },
  { kind: 'bash as sh', shell: '/bin/bash', programs: undefined },
  { kind: 'busybox', shell: '/bin/busybox', programs: 'busybox' },
  { kind: 'dash without setsid, perl, ps', shell: '/bin/dash', programs: NEEDED },
  { kind: 'ssh', shell: '/bin/sh', programs: undefined, server: '/usr/sbin/sshd' },
].filter(({ shell, server }) => existsSync(shell) && (server === undefined || existsSync(server)));

export interface Kind {
  kind: string;
  shell: string;
  programs: string | undefined;
  server?: string;
}

/** All kinds at night; by day only the given one. Each file uses another one, so every kind is covered. */
export const kindsByDay = (daily: string): readonly Kind[] => byDay(KINDS, ({ kind }) => kind === daily);

/** Milliseconds between two scans of all processes of the machine. */
const LOOK_AT_ALL = 250;

/** A host of one kind with its own state folder, and its jobs. */
export interface JobBed {
  machine: Machine;
  jobs: Jobs;
  state: string;
  /** The environment of the host's shell; a change applies from the next script on. Not for a host behind SSH. */
  env: { PATH: string; HOME: string; XDG_STATE_HOME: string };
  /** The SSH server, if there is one. */
  server: TestSshd | undefined;
  spec(script: string, more?: Partial<JobSpec>): JobSpec;
  /** Directory of a job. */
  directory(id: string): string;
  /** Waits until the job is in a state. */
  reach<State extends JobStatus['state']>(id: string, state: State): Promise<Extract<JobStatus, { state: State }>>;
  /** Starts a job and waits for its end. */
  run(spec: JobSpec): Promise<Extract<JobStatus, { state: 'ended' }>>;
  read(id: string, stream: JobStream): Buffer;
  /** Waits until no process of the bed is left, then removes its folders. */
  close(): Promise<void>;
  /** Kills remaining processes and removes the folders, after a failed test. */
  abandon(): Promise<void>;
}

export async function openJobBed(kind: Kind, options: JobsOptions = {}, stateFolder?: string): Promise<JobBed> {
  const root = mkdtempSync(join(tmpdir(), 'kneepoint-jobs-'));
  const state = stateFolder ?? join(root, "state with blanks and 'quotes'");
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const shell = join(root, 'sh');
  symlinkSync(kind.shell, shell);
  const env = { PATH: pathFor(kind, root), HOME: root, XDG_STATE_HOME: state };
  const behind = kind.server === undefined ? undefined : await openServer(kind, env);
  const machine = behind?.machine ?? createShellMachine(kind.kind, shell, env);
  const jobs = createJobs({ pollMs: 200, ...options });
  const directory = (id: string) => join(state, 'kneepoint', 'jobs', id);
  const bed: JobBed = {
    machine,
    jobs,
    state,
    env,
    server: behind?.server,
    directory,
    spec: (script, more = {}) => ({
      id: randomUUID(),
      argv: ['/bin/sh', '-c', script],
      env: {},
      files: [],
      limitSeconds: 60,
      ...more,
    }),
    async reach(id, wanted) {
      return until(async () => {
        // Polling the status starts programs on the host.
        if (wanted === 'ended' && !existsSync(join(directory(id), 'end'))) return undefined;
        const status = await jobs.status(machine, id);
        return isIn(status, wanted) ? status : undefined;
      });
    },
    async run(spec) {
      await jobs.launch(machine, spec);
      return bed.reach(spec.id, 'ended');
    },
    read: (id, stream) => readFileSync(join(directory(id), stream)),
    async close() {
      try {
        await until(() => (processesIn(root, state).length === 0 ? true : undefined), LOOK_AT_ALL);
      } catch {
        expect(processesIn(root, state)).toEqual([]);
      } finally {
        await bed.abandon();
      }
    },
    async abandon() {
      for (const { pid } of processesIn(root, state)) signalProcess(pid, 'SIGKILL');
      await behind?.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
  return bed;
}

async function openServer(kind: Kind, env: JobBed['env']) {
  const noise = 'i=0; while [ $i -lt 300 ]; do i=$((i + 1)); echo "Welcome to this host, please mind line $i."; done\n';
  writeFileSync(join(env.HOME, '.bashrc'), noise);
  const settings = { SetEnv: `HOME=${env.HOME} "XDG_STATE_HOME=${env.XDG_STATE_HOME}"` };
  const server = await startSshd({ settings });
  const library = createTestLibrary();
  library.save(specOf(kind.kind, server));
  library.trustServer(server);
  const close = async () => {
    await library.machines.close();
    await server.close();
  };
  return { server, machine: library.machines.get(kind.kind), close };
}

function isIn<State extends JobStatus['state']>(
  status: JobStatus,
  state: State,
): status is Extract<JobStatus, { state: State }> {
  return status.state === state;
}

function pathFor(kind: Kind, root: string): string {
  if (kind.programs === undefined) return process.env.PATH ?? '/usr/bin:/bin';
  const folder = join(root, 'bin');
  mkdirSync(folder);
  const busybox = kind.programs === 'busybox';
  const programs = busybox ? execFileSync(kind.shell, ['--list'], { encoding: 'utf8' }) : kind.programs;
  for (const program of programs.split(/\s+/).filter(Boolean)) {
    symlinkSync(busybox ? kind.shell : systemPath(program), join(folder, program));
  }
  chmodSync(folder, 0o755);
  return folder;
}

const systemPath = (program: string): string =>
  execFileSync('/bin/sh', ['-c', 'command -v "$1"', 'sh', program], { encoding: 'utf8' }).trim();

/** Polls with this pause in milliseconds until there is a value; fails after 50 s, before the test's own timeout. */
export async function until<Value>(
  look: () => Promise<Value | undefined> | Value | undefined,
  pause = 50,
): Promise<Value> {
  const end = performance.now() + 50_000;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error(`Waited 50 s in vain for: ${look}`);
    await delay(pause);
  }
}

/**
 * Removes the directory of a running job. Its supervisor may write a file again between the last removal and that of the directory itself.
 */
export const removeWrittenTo = (directory: string): void => rmSync(directory, { recursive: true, maxRetries: 20 });

/** Processes that work in one of the folders, or belong to a job in it, without zombies. */
export function processesIn(...folders: string[]): { pid: number; command: string }[] {
  const ids = folders.flatMap((folder) => jobIds(join(folder, 'kneepoint', 'jobs')));
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        if (!worksIn(name, folders) && !belongsTo(name, ids)) return [];
        const command = readFileSync(`/proc/${name}/cmdline`, 'latin1').replaceAll('\0', ' ').slice(0, 200);
        return command !== '' ? [{ pid: Number(name), command }] : [];
      } catch (error) {
        // The process has ended meanwhile.
        if (error instanceof Error && 'code' in error) return [];
        throw error;
      }
    });
}

const worksIn = (pid: string, folders: readonly string[]): boolean => {
  const where = readlinkSync(`/proc/${pid}/cwd`);
  return folders.some((folder) => where.startsWith(folder));
};
const belongsTo = (pid: string, ids: readonly string[]): boolean => {
  const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
  return ids.some((id) => environment.includes(`KNEEPOINT_JOB=${id}\0`));
};

const jobIds = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

/** Collects everything that follow delivers, and checks that it has no gap or repetition. */
export async function collect(chunks: AsyncIterable<JobChunk>, offset = 0): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let position = offset;
  for await (const chunk of chunks) {
    expect(chunk.offset).toBe(position);
    parts.push(chunk.bytes);
    position += chunk.bytes.length;
  }
  return Buffer.concat(parts);
}
