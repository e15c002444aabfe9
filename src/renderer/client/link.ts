import type { AppContract } from '../../shared/contract/index.ts';
import { STREAMS } from '../../shared/contract/streams.ts';
import { connectBy } from '../../shared/rpc/client.ts';
import type { Client, Transport } from '../../shared/rpc/define.ts';
import type { Obstacle } from './access.ts';
import type { EngineConnector } from './connector.ts';
import { withEnd } from './transport.ts';

/**
 * `times`: number of connections made so far; more than one means that the engine was restarted or reconnected. `obstacle`: why there is
 * none, if only the user can fix it.
 */
export interface LinkStatus {
  readonly state: 'connecting' | 'up' | 'lost';
  readonly times: number;
  readonly obstacle?: Obstacle;
}

/** The page's only connection to the engine, renewed when it is lost. */
export class EngineLink {
  #status: LinkStatus = { state: 'connecting', times: 0 };
  #client: Client<AppContract> | undefined;
  #end: (() => void) | undefined;
  #watchers = new Set<() => void>();
  #close: () => void;

  constructor(connector: EngineConnector) {
    this.#close = connector(
      (transport) => this.#onConnected(transport),
      (obstacle) => this.#set({ state: this.#status.state, times: this.#status.times, obstacle }),
    );
  }

  readonly status = (): LinkStatus => this.#status;

  readonly onChanged = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  /** The client of the current connection; waits for one if there is none. Rejects only if the signal aborts. */
  async client(signal?: AbortSignal): Promise<Client<AppContract>> {
    while (!this.#client) await this.#nextChange(signal);
    return this.#client;
  }

  close(): void {
    this.#close();
    this.#end?.();
  }

  #onConnected(received: Transport): void {
    // Pending requests of the old connection will not be answered any more.
    this.#end?.();
    const { transport, end } = withEnd(received);
    this.#end = end;
    const client = connectBy<AppContract>(STREAMS, transport);
    this.#client = client;
    transport.onClose(() => {
      if (this.#client !== client) return;
      this.#client = undefined;
      this.#set({ state: 'lost', times: this.#status.times });
    });
    this.#set({ state: 'up', times: this.#status.times + 1 });
  }

  #set(status: LinkStatus): void {
    this.#status = status;
    for (const watcher of [...this.#watchers]) watcher();
  }

  #nextChange(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        unsubscribe();
        signal?.removeEventListener('abort', abort);
      };
      const abort = (): void => {
        stop();
        reject(signal?.reason);
      };
      const unsubscribe = this.onChanged(() => {
        stop();
        resolve();
      });
      signal?.addEventListener('abort', abort);
      if (signal?.aborted) abort();
    });
  }
}
