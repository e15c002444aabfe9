import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fault, whenFileEnds } from '../left.ts';
import { yielding } from '../yielding.ts';
import type { Folder } from './folders.ts';
import { allGone, familyOf, STOP_LIMIT, signalFamily } from './processes.ts';

export { freePort } from '../ports.ts';

/** Options of every test database; all of them are optional. */
export interface DatabaseOptions {
  /** Address to listen on; default 127.0.0.1. */
  address?: string;
  /** Default: a free one. */
  port?: number;
  /** Server settings by the server's own names, on top of small defaults. */
  settings?: Readonly<Record<string, string | number>>;
  /** With certificates of its own CA; `tls` of the result names them. */
  tls?: boolean;
  /** Names in the certificate; default: the address. */
  tlsNames?: readonly string[];
  /** Prefix of the command, e.g. `['ip', 'netns', 'exec', name]`. */
  prefix?: readonly string[];
  /** Stores its data on a disk, for tests in which the disk matters; otherwise it may be in memory. */
  onDisk?: boolean;
}

/** A database server that belongs to the test that started it. */
export interface DatabaseServer {
  readonly product: 'mariadb' | 'mysql' | 'postgres';
  readonly address: string;
  readonly port: number;
  /** An owner of `database` with all privileges. */
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly socket: string;
  readonly logFile: string;
  readonly tls: { caFile: string } | undefined;
  /** MySQL 5.7 and later: the public key (PEM) that passwords are encrypted with. */
  readonly serverKey?: string;
  /** Process id of the server's main process; changes with `restart`. */
  pid(): number;
  /** Ends it and removes its data. Safe to call twice. */
  stop(): Promise<void>;
  /** Sends a signal to the main process and, for a fatal one, waits for its end. The data stays. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Starts it with the same data on the same port, after `kill` or while it runs. */
  restart(): Promise<void>;
  /** Suspends every process of the server; `thaw` continues them. */
  freeze(): void;
  thaw(): void;
}

/** Differences between products. */
export interface Launch {
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
  folder: Folder;
  logFile: string;
  /** Throws until the server responds. */
  ping(): Promise<void>;
  /** The server's signal for an orderly shutdown. */
  stopSignal: NodeJS.Signals;
  /** Ends it if its data is no longer needed; default `stopSignal`. */
  endSignal?: NodeJS.Signals;
}

const START_LIMIT = 120_000;
const RETRY_EVERY = 40;
/** Signals that end a process. */
const DEADLY: readonly NodeJS.Signals[] = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGQUIT', 'SIGABRT', 'SIGSEGV'];

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;
const tailOf = (file: string): string => readFileSync(file, 'utf8').split('\n').slice(-15).join('\n');

/** Starts the process and waits until it responds. */
async function startProcess(launch: Launch): Promise<ChildProcess> {
  const [program = '', ...rest] = [...yielding(), ...launch.argv];
  const log = openSync(launch.logFile, 'a');
  const child = spawn(program, rest, {
    env: { ...process.env, ...launch.env },
    stdio: ['ignore', log, log],
    cwd: launch.folder.path,
  });
  closeSync(log);
  const broken: Error[] = [];
  child.on('error', (error) => broken.push(error));
  const limit = performance.now() + START_LIMIT;
  for (;;) {
    const refused = await launch.ping().then(
      () => undefined,
      (error: unknown) => error,
    );
    if (refused === undefined) break;
    if (broken[0]) throw broken[0];
    if (hasEnded(child)) throw new Error(`${launch.argv.join(' ')} ended at once:\n${tailOf(launch.logFile)}`);
    if (performance.now() > limit) {
      child.kill('SIGKILL');
      throw new Error(`${launch.argv.join(' ')} does not answer:\n${tailOf(launch.logFile)}`, { cause: refused });
    }
    await delay(RETRY_EVERY);
  }
  if (child.pid === undefined) throw new Error(`${program} has no process id.`);
  launch.folder.remember(child.pid);
  return child;
}

/** Resolves when the process is gone; kills it after a while. */
async function ended(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT);
  await once(child, 'exit');
  clearTimeout(timer);
}

type Controls = Pick<DatabaseServer, 'pid' | 'stop' | 'kill' | 'restart' | 'freeze' | 'thaw'>;

/** Starts a server and returns its controls. */
export async function startServer(launch: Launch): Promise<Controls> {
  let child = await startProcess(launch);
  const pid = (): number => child.pid ?? 0;
  const thaw = (): void => {
    frozen.ended();
    signalFamily(pid(), 'SIGCONT');
  };
  const frozen = fault(`The server of ${launch.logFile} was frozen.`, thaw);
  const halt = async (signal: NodeJS.Signals): Promise<void> => {
    frozen.ended();
    if (hasEnded(child)) return;
    signalFamily(pid(), 'SIGCONT');
    child.kill(signal);
    await ended(child);
  };
  const stop = async (): Promise<void> => {
    stopped();
    await halt(launch.endSignal ?? launch.stopSignal);
    launch.folder.remove();
  };
  const stopped = whenFileEnds(stop);
  return {
    pid,
    stop,
    kill: async (signal) => {
      const members = familyOf(pid());
      child.kill(signal);
      if (!DEADLY.includes(signal)) return;
      frozen.ended();
      await ended(child);
      await allGone(members);
    },
    restart: async () => {
      await halt(launch.stopSignal);
      child = await startProcess(launch);
    },
    freeze: () => {
      frozen.begun();
      signalFamily(pid(), 'SIGSTOP');
    },
    thaw,
  };
}
