import { rmSync } from 'node:fs';
import { createEngine } from '../../../src/main/engine/index.ts';
import type { Outside } from '../../../src/main/engine/outside.ts';
import { type AppContract, contract } from '../../../src/shared/contract/index.ts';
import { connect } from '../../../src/shared/rpc/client.ts';
import type { Client } from '../../../src/shared/rpc/define.ts';
import { memoryTransports } from '../../../src/shared/rpc/transports.ts';
import { newLibraryFolder } from '../../testbed/library-folder.ts';
import { noteLibrary } from './libraries.ts';
import { quietOutside } from './quiet-outside.ts';

export interface TestEngine {
  client: Client<AppContract>;
  dataDir: string;
  /** Ends this engine and starts another one on the same library. */
  restart(options?: EngineOptions): Promise<void>;
  /** Ends it and keeps the library. */
  stop(): Promise<void>;
  /** Ends it and removes the library. */
  close(): Promise<void>;
}

export type EngineOptions = Pick<Outside, 'resumeSessions'>;

/** An engine with its own library, accessed only through the contract. */
export async function startEngine(
  dataDir = newLibraryFolder('engine'),
  { realVault, ...options }: EngineOptions & { realVault?: boolean } = {},
): Promise<TestEngine> {
  const open = async (options: EngineOptions = {}) => {
    const engine = await createEngine({ ...quietOutside(dataDir, realVault), ...options });
    const [near, far] = memoryTransports();
    engine.serve(far);
    const client = connect(contract, near);
    noteLibrary(dataDir, client);
    return { engine, near, client };
  };
  noteLibrary(dataDir, undefined);
  let current = await open(options);
  const stop = async (): Promise<void> => {
    noteLibrary(dataDir, undefined);
    current.near.close();
    await current.engine.close();
  };
  return {
    get client() {
      return current.client;
    },
    dataDir,
    async restart(options) {
      await stop();
      current = await open(options);
    },
    stop,
    async close() {
      await stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
