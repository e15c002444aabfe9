import type { SecretStatus } from '../../../shared/model/app.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { type GuessCost, type SecretKeeper, vaultIn } from './vault.ts';

/** Storage of sealed bytes by owner (`host:3`, `target:7`). */
export interface SealedPlaces {
  get(owner: string): Uint8Array | undefined;
  set(owner: string, sealed: Uint8Array): void;
  remove(owner: string): void;
}

export interface SecretsOptions {
  /** Folder of the vault file. */
  dataDir: string;
  rows: SealedPlaces;
  /** Cost of a guess at the vault's passphrase; lower in tests to save time. */
  guessCost?: GuessCost;
  keychain?: SecretKeeper;
  /** Called with every secret that passes through, so the log's redactor knows it. */
  known?: (text: string) => void;
}

export interface Secrets {
  status(): SecretStatus;
  /** Creates the vault with this passphrase if there is none, else opens it. Secrets kept in memory move into it. Throws `vault-locked`. */
  unlock(passphrase: string): Promise<void>;
  /** Undefined if none is stored. Throws `vault-locked`, or `secret-missing` if it is stored but can no longer be opened. */
  get(owner: string): Promise<string | undefined>;
  /** null removes it. Throws `vault-locked`. */
  set(owner: string, text: string | null): Promise<void>;
  has(owner: string): boolean;
  /** Whether one is stored that cannot be read before the vault is opened. */
  isLocked(owner: string): boolean;
}

/** First byte of stored bytes: the keeper that sealed them. */
const SEALED_BY = { keychain: 1, vault: 2 } as const;
/** Stored instead of a secret that was only in memory, so later starts know that there was one. It has no part of the secret. */
const WAS_IN_MEMORY = Uint8Array.of(3);
type Sealer = keyof typeof SEALED_BY;

/**
 * Passwords and passphrases. Stored in the keychain if there is one, else in the vault if there is one, else in memory until the process
 * ends.
 */
export function createSecrets({ dataDir, rows, guessCost, keychain, known }: SecretsOptions): Secrets {
  const vault = vaultIn(dataDir, guessCost);
  const launch = new Map<string, string>();
  const keeperOf: Record<Sealer, SecretKeeper | undefined> = { keychain, vault };
  const kept = (): SecretStatus['keeper'] => {
    if (keychain !== undefined) return 'keychain';
    return vault.exists() ? 'vault' : 'launch';
  };
  const store = async (owner: string, text: string, by: Sealer): Promise<void> => {
    const sealed = await keeperOf[by]?.seal(bound(owner, text));
    if (sealed === undefined) throw unknownSealer(owner);
    rows.set(owner, Buffer.concat([Uint8Array.of(SEALED_BY[by]), sealed]));
    launch.delete(owner);
  };

  return {
    status: () => statusOf(kept(), vault.exists(), vault.unlocked),
    async unlock(passphrase) {
      if (keychain !== undefined && !vault.exists()) {
        throw new KneepointError({
          code: 'bad-request',
          message: 'Passwords are stored in the keychain of this computer: a vault is not needed.',
        });
      }
      known?.(passphrase);
      await vault.unlock(passphrase);
      for (const [owner, text] of [...launch]) await store(owner, text, 'vault');
    },
    async get(owner) {
      const remembered = launch.get(owner);
      if (remembered !== undefined) return remembered;
      const bytes = rows.get(owner);
      if (bytes === undefined) return undefined;
      if (isGone(bytes)) throw gone(owner);
      const text = await open(owner, bytes, keeperOf);
      known?.(text);
      return text;
    },
    async set(owner, text) {
      if (text === null) {
        launch.delete(owner);
        rows.remove(owner);
        return;
      }
      known?.(text);
      const by = kept();
      if (by !== 'launch') {
        await store(owner, text, by);
        return;
      }
      rows.set(owner, WAS_IN_MEMORY);
      launch.set(owner, text);
    },
    has: (owner) => {
      const bytes = rows.get(owner);
      return launch.has(owner) || (bytes !== undefined && !isGone(bytes));
    },
    isLocked: (owner) => !launch.has(owner) && rows.get(owner)?.[0] === SEALED_BY.vault && !vault.unlocked,
  };
}

async function open(
  owner: string,
  bytes: Uint8Array,
  keeperOf: Record<Sealer, SecretKeeper | undefined>,
): Promise<string> {
  const by = (Object.keys(SEALED_BY) as Sealer[]).find((sealer) => SEALED_BY[sealer] === bytes[0]);
  const keeper = by && keeperOf[by];
  if (keeper === undefined) throw unknownSealer(owner);
  const text = await keeper.open(bytes.subarray(1));
  const start = bound(owner, '');
  if (!text.startsWith(start)) throw unknownSealer(owner);
  return text.slice(start.length);
}

/** The owner is sealed with it: bytes moved to another row of the library do not send a password to another host. */
const bound = (owner: string, text: string): string => `${owner}\n${text}`;

const isGone = (bytes: Uint8Array): boolean => bytes[0] === WAS_IN_MEMORY[0];

const gone = (owner: string): KneepointError =>
  new KneepointError({
    code: 'secret-missing',
    message: `The password of this ${owner.split(':')[0]} was kept in memory only, until Kneepoint ended.`,
    safe: 'Nothing was sent.',
    next: 'Enter it again. To store it, set a vault passphrase in the settings.',
  });

const unknownSealer = (owner: string): KneepointError =>
  new KneepointError({
    code: 'secret-missing',
    message: `The password stored for ${owner} cannot be opened here: it was encrypted by a keychain that is unavailable now, or for another purpose.`,
    safe: 'It was not changed.',
    next: 'Start Kneepoint the same way as when the password was stored, or enter the password again.',
  });

const MESSAGES = {
  keychain: 'Passwords are stored in the keychain of this computer.',
  open: 'Passwords are stored in a vault, sealed with your passphrase.',
  locked: 'The vault is locked: enter its passphrase to use the passwords in it.',
  launch: 'No keychain here: passwords are kept in memory until Kneepoint ends. Set a vault passphrase to store them.',
};

function statusOf(keeper: SecretStatus['keeper'], vaultExists: boolean, unlocked: boolean): SecretStatus {
  const vaultMessage = unlocked ? MESSAGES.open : MESSAGES.locked;
  return { keeper, unlocked, vaultExists, message: keeper === 'vault' ? vaultMessage : MESSAGES[keeper] };
}
