import { type AppContract, contract } from '../../shared/contract/index.ts';
import { connect } from '../../shared/rpc/client.ts';
import type { Client } from '../../shared/rpc/define.ts';
import { memoryTransports } from '../../shared/rpc/transports.ts';
import { outsideOf } from '../computer/index.ts';
import type { Engine } from '../engine/index.ts';
import { UsageError } from './exit.ts';
import { readSecret } from './files.ts';
import { say } from './output.ts';

export type EngineClient = Client<AppContract>;

export interface Common {
  data?: string;
  json?: boolean;
  /** File that holds the vault's passphrase. */
  passphraseFile?: string;
}

/** The engine on this library, the contract to speak to it, and the folder with `assets/`, `workloads/` and the page. */
export interface OpenEngine {
  engine: Engine;
  client: EngineClient;
  appDir: string;
}

/** Opens the library, does the work, and closes again whatever happened. Only the page (`serve`) continues sessions by itself. */
export async function withEngine<T>(common: Common, work: (client: EngineClient) => Promise<T>): Promise<T> {
  return withOpenEngine(common, 'cli', ({ client }) => work(client));
}

export async function withOpenEngine<T>(
  common: Common,
  mode: 'cli' | 'browser',
  work: (open: OpenEngine) => Promise<T>,
): Promise<T> {
  const passphrase = passphraseOf(common);
  const outside = outsideOf({ mode, dataDir: common.data });
  // Help and wrong use answer without loading the engine.
  const { createEngine } = await import('../engine/index.ts');
  const engine = await createEngine({ ...outside, resumeSessions: mode === 'browser' });
  const [near, far] = memoryTransports();
  engine.serve(far);
  try {
    const client = connect(contract, near);
    if (passphrase !== undefined) await unlock(client, passphrase);
    return await work({ engine, client, appDir: outside.assetsDir });
  } finally {
    near.close();
    await engine.close();
  }
}

const SHORTEST_PASSPHRASE = 8;

function passphraseOf(common: Common): string | undefined {
  const file = common.passphraseFile ?? process.env.KNEEPOINT_PASSPHRASE_FILE;
  if (file === undefined) return undefined;
  const passphrase = readSecret(file);
  if (passphrase.length < SHORTEST_PASSPHRASE)
    throw new UsageError(`The passphrase in ${file} is too short; it needs ${SHORTEST_PASSPHRASE} characters or more.`);
  return passphrase;
}

/** Opens the vault, and makes it with this passphrase if there is none. */
async function unlock(client: EngineClient, passphrase: string): Promise<void> {
  const { keeper, vaultExists } = await client.app.secrets({});
  if (keeper === 'keychain') return;
  await client.app.unlockVault({ passphrase });
  if (!vaultExists) say('Made a vault for passwords with this passphrase. Without the passphrase it cannot be opened.');
}

/** A password given to a library that could only forget it at once would be asked for again by every run. */
export async function requireKeeper(client: EngineClient): Promise<void> {
  const { keeper } = await client.app.secrets({});
  if (keeper === 'launch')
    throw new UsageError(
      'A password can only be kept in the vault, and there is none yet. Make one: give --passphrase-file FILE here and with every command that connects.',
    );
}
