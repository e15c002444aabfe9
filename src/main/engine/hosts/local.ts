import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type NetConnectOpts } from 'node:net';
import { homedir } from 'node:os';
import type { Duplex } from 'node:stream';
import { LOCAL_HOST_NAME } from '../../../shared/model/host.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { isOutOfFiles, OUT_OF_FILES, OUT_OF_FILES_NEXT } from '../../../shared/util/virtual-disk.ts';
import { throwIfCancelled } from './cancel.ts';
import type { Machine } from './machine.ts';
import { keepRunning, runToEnd, type Shell, type ShellEnd } from './shell.ts';

/** This computer as a `Machine`. Needs /bin/sh; without it every call throws `unsupported`. */
export const createLocalMachine = (): Machine => {
  const since = Date.now();
  return {
    name: LOCAL_HOST_NAME,
    async exec(script, options = {}) {
      throwIfCancelled(LOCAL_HOST_NAME, options.signal);
      return runToEnd(LOCAL_HOST_NAME, await openShell(), script, options);
    },
    async spawn(script, options = {}) {
      throwIfCancelled(LOCAL_HOST_NAME, options.signal);
      return keepRunning(LOCAL_HOST_NAME, await openShell(), script, options.signal);
    },
    dial: (host, port) => dialLocal({ host, port, noDelay: true }, `${host}:${port}`),
    dialSocket: (path) => dialLocal({ path }, path),
    link: () => ({ host: LOCAL_HOST_NAME, state: 'up', since }),
    ready: async (signal) => throwIfCancelled(LOCAL_HOST_NAME, signal),
  };
};

function shellProblem(error: unknown): KneepointError {
  const none = isOutOfFiles(error);
  return new KneepointError(
    {
      code: none ? 'internal' : 'unsupported',
      host: LOCAL_HOST_NAME,
      message: none
        ? `Cannot start programs on this computer: ${OUT_OF_FILES}.`
        : `This computer cannot run /bin/sh: ${error instanceof Error ? error.message : String(error)}.`,
      safe: 'Nothing was started.',
      next: none ? OUT_OF_FILES_NEXT : 'Run the workload from an SSH host instead.',
    },
    { cause: error },
  );
}

/** If too many files are open, creating a child process fails and its streams are undefined. */
function spawnShell(): ChildProcessWithoutNullStreams {
  try {
    // In its own process group and session: signals to the terminal or to this process do not reach it, and TERM can reach all of it.
    return spawn('/bin/sh', ['-s'], { cwd: homedir(), detached: true, env: shellEnvironment(), stdio: 'pipe' });
  } catch (error) {
    throw shellProblem(error);
  }
}

async function openShell(): Promise<Shell> {
  const child = spawnShell();
  const ended = endOf(child);
  try {
    await once(child, 'spawn');
  } catch (error) {
    throw shellProblem(error);
  }
  // A script that ends before its input is read breaks the pipe; its exit status is reported instead.
  child.stdin.on('error', () => child.stdin.destroy());
  return {
    input: child.stdin,
    output: child.stdout,
    errors: child.stderr,
    preamble: '',
    ended,
    terminate() {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) killGroup(child.pid);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    },
  };
}

function endOf(child: ChildProcess): Promise<ShellEnd> {
  return new Promise((resolve) => {
    child.once('error', () => resolve({}));
    child.once('close', (code, signal) =>
      resolve({ ...(code === null ? {} : { code }), ...(signal === null ? {} : { signal }) }),
    );
  });
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGTERM');
  } catch (error) {
    // It ended between the check and the kill, as intended.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** The environment of a login, without the settings meant for this process alone. */
function shellEnvironment(): NodeJS.ProcessEnv {
  const own = /^(ELECTRON_|NODE_OPTIONS$|NODE_CHANNEL_|NODE_UNIQUE_ID$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
}

async function dialLocal(to: NetConnectOpts, words: string): Promise<Duplex> {
  const socket = connect(to);
  try {
    await once(socket, 'connect');
    return socket;
  } catch (error) {
    socket.destroy();
    throw new KneepointError(
      {
        code: 'target-unreachable',
        host: LOCAL_HOST_NAME,
        message: `Connection to ${words} failed from this computer: ${reasonOf(error)}.`,
        next: 'Check the address and that the server is running.',
      },
      { cause: error },
    );
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it was refused because nothing is listening there',
  ENOTFOUND: 'the name cannot be resolved',
  EAI_AGAIN: 'the name cannot be resolved at the moment',
  ETIMEDOUT: 'there was no response',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to its network',
  ENOENT: 'the socket does not exist',
  EACCES: 'permission denied',
};

/** Why a connection failed, a clause. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error));
}
