import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { type AppContract, contract } from '../../../src/shared/contract/index.ts';
import { connect } from '../../../src/shared/rpc/client.ts';
import type { Client } from '../../../src/shared/rpc/define.ts';
import { ipcTransport } from '../../../src/shared/rpc/transports.ts';
import { noteLibrary } from './libraries.ts';

/** An engine in a separate process that can be killed at any time. */
export interface KillableEngine {
  client: Client<AppContract>;
  pid: number | undefined;
  /** Sends SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** Output of the process before it ended by itself; empty while it is running. */
  lastWords(): string;
}

/** `flags`: for V8. */
export function startKillable(dataDir: string, flags: readonly string[] = []): KillableEngine {
  const child = fork(path.join(import.meta.dirname, 'engine-process.ts'), [dataDir], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: ['--unhandled-rejections=strict', ...flags],
  });
  const client = connect(contract, ipcTransport(child));
  noteLibrary(dataDir, client);
  const exited = once(child, 'exit').then(() => noteLibrary(dataDir, undefined));
  let words = '';
  child.stderr?.on('data', (chunk) => {
    words += chunk;
  });
  return {
    client,
    pid: child.pid,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    lastWords: () => (child.exitCode === null ? '' : `exit ${child.exitCode}: ${words}`),
  };
}
