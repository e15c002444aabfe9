import { type AppContract, contract } from '../../../../shared/contract/index.ts';
import { connect } from '../../../../shared/rpc/client.ts';
import type { Client } from '../../../../shared/rpc/define.ts';
import { serve } from '../../../../shared/rpc/server.ts';
import { memoryTransports } from '../../../../shared/rpc/transports.ts';
import { createApi } from '../index.ts';

export interface OpenApi {
  /** A page of its own on the engine, and a function that closes it. */
  page(): { client: Client<AppContract>; kill(): void };
  close(): Promise<void>;
}

/** The contract on a library, with a clock that stays at 0. */
export async function openApi(dataDir: string, { shared = false } = {}): Promise<OpenApi> {
  const engine = await createApi({
    dataDir,
    assetsDir: '.',
    nodePath: process.execPath,
    version: '0',
    mode: 'test',
    resumeSessions: false,
    shared,
    clock: { now: () => 0, monotonic: () => 0 },
    log: { info: () => {}, warn: () => {}, error: () => {} },
  });
  return {
    page() {
      const [near, far] = memoryTransports();
      serve(contract, engine.implementation, far);
      return { client: connect(contract, near), kill: () => near.close() };
    },
    close: () => engine.close(),
  };
}
