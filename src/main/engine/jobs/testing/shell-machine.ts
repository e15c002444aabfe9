import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Machine } from '../../hosts/machine.ts';
import { keepRunning, runToEnd, type Shell, type ShellEnd } from '../../hosts/shell.ts';

/** This computer as a `Machine` with the given shell and environment, as hosts differ in both. For tests only. */
export function createShellMachine(name: string, shell: string, env: Record<string, string>): Machine {
  const open = () => openShell(shell, env);
  const notOffered = () => Promise.reject(new Error('This machine only runs scripts.'));
  return {
    name,
    exec: async (script, options = {}) => runToEnd(name, await open(), script, options),
    spawn: async (script, options = {}) => keepRunning(name, await open(), script, options.signal),
    dial: notOffered,
    dialSocket: notOffered,
    link: () => ({ host: name, state: 'up', since: 0 }),
    ready: () => Promise.resolve(),
  };
}

async function openShell(shell: string, env: Record<string, string>): Promise<Shell> {
  const child = spawn(shell, ['-s'], { cwd: '/', detached: true, env, stdio: 'pipe' });
  const ended = endOf(child);
  await once(child, 'spawn');
  child.stdin.on('error', () => child.stdin.destroy());
  return {
    input: child.stdin,
    output: child.stdout,
    errors: child.stderr,
    preamble: '',
    ended,
    terminate() {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
        process.kill(-child.pid, 'SIGTERM');
      }
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    },
  };
}

const endOf = (child: ChildProcess): Promise<ShellEnd> =>
  new Promise((resolve) => {
    child.once('close', (code, signal) =>
      resolve({ ...(code === null ? {} : { code }), ...(signal === null ? {} : { signal }) }),
    );
  });
