import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { type Channels, channels, join } from '../../src/shared/rpc/channels.ts';
import type { Transport } from '../../src/shared/rpc/define.ts';
import { ipcTransport } from '../../src/shared/rpc/transports.ts';
import { buildStale } from '../build.ts';
import { printStatus } from '../lib/terminal.ts';

const ENGINE = path.join(import.meta.dirname, 'engine.ts');

/** An engine that can be replaced by one with newer sources. Connected pages lose their connection and reconnect. */
export class EngineHost {
  #child: ChildProcess | undefined;
  #talk: Channels | undefined;
  #pages = 0;
  #turn: Promise<void> = Promise.resolve();

  /** Connects a page; if no engine is ready, closes the connection, and the page retries. */
  serve(transport: Transport): void {
    if (this.#talk) join(transport, this.#talk.open(`page ${++this.#pages}`));
    else transport.close();
  }

  /** Ends the running engine, then starts one on the same library; resolves when that is ready or has ended. */
  restart(): Promise<void> {
    this.#turn = this.#turn.then(() => this.#end()).then(() => this.#start());
    return this.#turn;
  }

  end(): Promise<void> {
    this.#turn = this.#turn.then(() => this.#end());
    return this.#turn;
  }

  async #start(): Promise<void> {
    // Programs that the engine sends to hosts are built from sources that may have changed too.
    await buildStale(['programs']).catch((error: unknown) =>
      printStatus(`the programs for hosts were not built: ${error}`),
    );
    const child = fork(ENGINE, [], { execArgv: [], serialization: 'advanced' });
    this.#child = child;
    const talk = channels(ipcTransport(child));
    await new Promise<void>((resolve) => {
      talk.onOpen((name) => {
        if (name !== 'ready') return;
        this.#talk = talk;
        printStatus('the engine is ready.');
        resolve();
      });
      child.once('exit', (code) => {
        if (this.#child === child) this.#lost(code);
        resolve();
      });
    });
  }

  async #end(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    this.#talk = undefined;
    if (!child) return;
    const gone = once(child, 'exit');
    child.disconnect();
    await gone;
  }

  #lost(code: number | null): void {
    this.#child = undefined;
    this.#talk = undefined;
    printStatus(`the engine ended (code ${code}); it is started again when a source of it changes.`);
  }
}
