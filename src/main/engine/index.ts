import { contract } from '../../shared/contract/index.ts';
import type { Transport } from '../../shared/rpc/define.ts';
import { serve } from '../../shared/rpc/server.ts';
import { createApi } from './api/index.ts';
import type { Outside } from './outside.ts';

/** A running engine. It knows neither windows nor networks: whoever made it hands it transports. */
export interface Engine {
  /** Answers the contract on this transport until it closes. */
  serve(transport: Transport): void;
  /** Stops watching (jobs on hosts go on), commits, closes the library. */
  close(): Promise<void>;
}

/**
 * Opens the library and, unless told otherwise, continues every session that was under way when the app last ended.
 * A library that cannot be written is opened for reading, and `app.info` says why.
 * Throws store-busy, store-newer, store-corrupt, disk-full, read-only.
 */
export async function createEngine(outside: Outside): Promise<Engine> {
  const api = await createApi(outside);
  return {
    serve: (transport) => serve(contract, api.implementation, transport),
    close: () => api.close(),
  };
}
