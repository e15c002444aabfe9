import v8 from 'node:v8';
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
  holdYoungGeneration();
  return {
    serve: (transport) => serve(contract, api.implementation, transport),
    close: () => api.close(),
  };
}

/**
 * Keeps V8's young generation at the size that it has once everything is loaded (at most 32 MiB). By itself it doubles, to as much as
 * 128 MiB, when much garbage is made however little of it survives, and the buffers that wait for its next collection grow with it: a
 * tool that floods its output would cost that memory. Collections come more often instead, and each is as short as before.
 */
function holdYoungGeneration(): void {
  // V8 reads it each time it is about to grow. The documented --max-semi-space-size counts only on a process's command line.
  v8.setFlagsFromString('--semi-space-growth-factor=1');
}
