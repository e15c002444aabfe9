import { type ChildProcess, fork } from 'node:child_process';
import { MessageChannelMain, type MessagePortMain, utilityProcess } from 'electron';
import { channels, join } from '../../../shared/rpc/channels.ts';
import type { Transport } from '../../../shared/rpc/define.ts';
import { ipcTransport, mainPortTransport } from '../../../shared/rpc/transports.ts';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 30_000;
/** An engine that ran this long did not fail immediately: the wait time is reset. */
const HEALTHY_MS = 60_000;
/** Slightly longer than the engine's own limit (`computer/index.ts`). */
const END_LIMIT_MS = 6500;

export interface Supervision {
  start(): EngineProcess;
  /** Called when a new engine is ready for pages. */
  up(): void;
  /** Called when the engine ended unexpectedly; another one is being started. */
  lost(): void;
}

/** Keeps one engine running: starts it, restarts it with increasing delays when it ends, and ends it with the app. */
export class Supervisor {
  #plan: Supervision;
  #engine: EngineProcess | undefined;
  #ready = false;
  #ending = false;
  #failures = 0;

  constructor(plan: Supervision) {
    this.#plan = plan;
    this.#start();
  }

  get pid(): number | undefined {
    return this.#engine?.pid;
  }

  /** Connects a page if the engine is ready; otherwise `up` will be called when it is. */
  connect(port: MessagePortMain): boolean {
    if (!this.#ready || !this.#engine) return false;
    this.#engine.connect(port);
    return true;
  }

  get ready(): boolean {
    return this.#ready;
  }

  /** Resolves when the engine has ended, by itself or killed after the time limit. */
  end(): Promise<void> {
    const engine = this.#engine;
    this.#ending = true;
    if (!engine) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => engine.kill(), END_LIMIT_MS);
      engine.onExit(() => {
        clearTimeout(timer);
        resolve();
      });
      engine.end();
    });
  }

  #start(): void {
    if (this.#ending) return;
    const engine = this.#plan.start();
    const began = Date.now();
    this.#engine = engine;
    engine.onReady(() => {
      this.#ready = true;
      this.#plan.up();
    });
    engine.onExit((code) => {
      this.#engine = undefined;
      this.#ready = false;
      if (this.#ending) return;
      if (Date.now() - began > HEALTHY_MS) this.#failures = 0;
      const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures++);
      process.stderr.write(`kneepoint: the engine ended (code ${code}); restarting it in ${wait} ms.\n`);
      this.#plan.lost();
      setTimeout(() => this.#start(), wait);
    });
  }
}

/** A running engine, in either kind of process. */
export interface EngineProcess {
  readonly pid: number | undefined;
  /** The engine's calls to the shell. */
  readonly native: Transport;
  /** Passes the far end of a page's port to the engine. */
  connect(port: MessagePortMain): void;
  onReady(listener: () => void): void;
  onExit(listener: (code: number | null) => void): void;
  /** Requests it to close its store and end. */
  end(): void;
  kill(): void;
}

/** Electron's utility process: pages communicate with it without passing through the shell. */
export function utilityEngine(file: string): EngineProcess {
  const child = utilityProcess.fork(file, [], { serviceName: 'Kneepoint engine', stdio: 'inherit' });
  const { port1, port2 } = new MessageChannelMain();
  child.postMessage('native', [port1]);
  return {
    get pid() {
      return child.pid;
    },
    native: mainPortTransport(port2),
    connect: (port) => child.postMessage('page', [port]),
    onReady: (listener) => {
      child.on('message', (message) => {
        if (message === 'ready') listener();
      });
    },
    onExit: (listener) => {
      child.on('exit', listener);
    },
    end: () => child.postMessage('end'),
    kill: () => {
      child.kill();
    },
  };
}

/** A child process under another Node, for Electron versions whose own Node cannot run the engine. The shell relays the messages. */
export function childEngine(file: string, node: string): EngineProcess {
  // As in `scripts/with-node.sh`.
  const execArgv = ['--min-semi-space-size=16'];
  const child = fork(file, [], { execPath: node, execArgv, serialization: 'advanced' });
  const talk = channels(ipcTransport(child));
  let pages = 0;
  return {
    get pid() {
      return child.pid;
    },
    native: talk.open('native'),
    connect: (port) => join(mainPortTransport(port), talk.open(`page ${++pages}`)),
    onReady: (listener) => talk.onOpen((name) => name === 'ready' && listener()),
    onExit: (listener) => once(child, listener),
    end: () => child.disconnect(),
    kill: () => {
      child.kill('SIGKILL');
    },
  };
}

/** A child that could not be started emits an error but no exit. */
function once(child: ChildProcess, listener: (code: number | null) => void): void {
  let isNotified = false;
  const notify = (code: number | null): void => {
    if (!isNotified) listener(code);
    isNotified = true;
  };
  child.on('exit', notify);
  child.on('error', () => notify(null));
}
