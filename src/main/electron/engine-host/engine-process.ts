import { type ChildProcess, fork } from 'node:child_process';
import { MessageChannelMain, type MessagePortMain, utilityProcess } from 'electron';
import { channels, join } from '../../../shared/rpc/channels.ts';
import type { Transport } from '../../../shared/rpc/define.ts';
import { ipcTransport, mainPortTransport } from '../../../shared/rpc/transports.ts';

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
  const child = fork(file, [], { execPath: node, execArgv: [], serialization: 'advanced' });
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
  let told = false;
  const tell = (code: number | null): void => {
    if (!told) listener(code);
    told = true;
  };
  child.on('exit', tell);
  child.on('error', () => tell(null));
}
