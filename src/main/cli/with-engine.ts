import { type AppContract, contract } from '../../shared/contract/index.ts';
import { connect } from '../../shared/rpc/client.ts';
import type { Client } from '../../shared/rpc/define.ts';
import { memoryTransports } from '../../shared/rpc/transports.ts';
import { outsideOf } from '../computer/index.ts';
import type { Engine } from '../engine/index.ts';
import { UsageError } from './exit.ts';
import { readSecret } from './files.ts';
import { printStatus, terminal } from './terminal.ts';

export type EngineClient = Client<AppContract>;

export interface Common {
  data?: string;
  json?: boolean;
  /** File that contains the vault's passphrase. */
  passphraseFile?: string;
}

/** The engine with this library, a client of its contract, the folder with `assets/`, `workloads/` and the page, and that of the library. */
export interface OpenEngine {
  engine: Engine;
  client: EngineClient;
  appDir: string;
  dataDir: string;
}

/** Opens the library, runs `work`, and always closes the library. Only the page (`serve`) continues sessions automatically. */
export async function withEngine<T>(common: Common, work: (client: EngineClient) => Promise<T>): Promise<T> {
  return withOpenEngine(common, 'cli', ({ client }) => work(client));
}

/** Like `withEngine`, for read-only commands: they can read while another Kneepoint has the library open. */
export async function withReader<T>(common: Common, work: (client: EngineClient) => Promise<T>): Promise<T> {
  return withOpenEngine(common, 'cli', ({ client }) => work(client), true);
}

export async function withOpenEngine<T>(
  common: Common,
  mode: 'cli' | 'browser',
  work: (open: OpenEngine) => Promise<T>,
  shared = false,
): Promise<T> {
  const passphrase = passphraseOf(common);
  const outside = outsideOf({ mode, dataDir: common.data ?? terminal().env.KNEEPOINT_DATA });
  // Help and usage errors do not load the engine.
  const { createEngine } = await import('../engine/index.ts');
  const engine = await createEngine({ ...outside, shared, resumeSessions: mode === 'browser' });
  const [near, far] = memoryTransports();
  engine.serve(far);
  try {
    const client = connect(contract, near);
    const readOnly = shared && (await client.app.info({})).readOnly !== undefined;
    if (passphrase !== undefined && !readOnly) await unlock(client, passphrase);
    return await work({ engine, client, appDir: outside.assetsDir, dataDir: outside.dataDir });
  } finally {
    near.close();
    await engine.close();
  }
}

const SHORTEST_PASSPHRASE = 8;

function passphraseOf(common: Common): string | undefined {
  const file = common.passphraseFile ?? terminal().env.KNEEPOINT_PASSPHRASE_FILE;
  if (file === undefined) return undefined;
  const passphrase = readSecret(file);
  if (passphrase.length < SHORTEST_PASSPHRASE)
    throw new UsageError(`The passphrase in ${file} is too short; it needs ${SHORTEST_PASSPHRASE} characters or more.`);
  return passphrase;
}

/** Unlocks the vault, or creates one with this passphrase. */
async function unlock(client: EngineClient, passphrase: string): Promise<void> {
  const { keeper, vaultExists } = await client.app.secrets({});
  if (keeper === 'keychain') return;
  await client.app.unlockVault({ passphrase });
  if (!vaultExists)
    printStatus('Created a vault for passwords with this passphrase. The vault cannot be opened without it.');
}

/** Refuses to store a password if it would be kept only until this process ends, as every run would ask for it again. */
export async function requireKeeper(client: EngineClient): Promise<void> {
  const { keeper } = await client.app.secrets({});
  if (keeper === 'launch')
    throw new UsageError(
      'Passwords are stored in a vault, and there is none yet. Create one: pass --passphrase-file FILE here and with every command that connects.',
    );
}
