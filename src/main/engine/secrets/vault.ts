import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { KneepointError } from '../../../shared/model/problem.ts';

/** Turns a secret into bytes that are safe on disk, and back. Implementations: keychain (from the shell), vault, launch-only memory. */
export interface SecretKeeper {
  seal(text: string): Promise<Uint8Array>;
  /** Throws `secret-missing` or `vault-locked`. */
  open(bytes: Uint8Array): Promise<string>;
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Cost of a guess at the passphrase: parameters of scrypt. */
export interface GuessCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}
/** 128 MiB and about half a second per guess (OWASP password storage: scrypt N=2^17, r=8, p=1). */
const GUESS_COST: GuessCost = { N: 2 ** 17, r: 8, p: 1 };
/** Memory limit for parameters from a file: enough for stronger ones later, not enough to exhaust memory. */
const MOST_MEMORY = 1024 ** 3;

const VaultFile = z.object({
  version: z.literal(1),
  kdf: z.literal('scrypt'),
  N: z.number().int(),
  r: z.number().int().min(8).max(64),
  p: z.number().int().min(1).max(16),
  salt: z.base64(),
  /** The key that seals secrets, itself sealed with the key made from the passphrase. */
  key: z.base64(),
});
type VaultFile = z.infer<typeof VaultFile>;

/**
 * Seals secrets with a passphrase that is stored nowhere. `vault.json` holds a random key, encrypted (AES-256-GCM) with a key that scrypt
 * derives from the passphrase; that random key seals each secret.
 */
export interface Vault extends SecretKeeper {
  exists(): boolean;
  readonly unlocked: boolean;
  /** Creates the file if there is none, else opens it. Throws `vault-locked` for a wrong passphrase. */
  unlock(passphrase: string): Promise<void>;
}

/** Refuses a file that makes guessing cheaper than `cost`. */
export function vaultIn(dataDir: string, cost: GuessCost = GUESS_COST): Vault {
  const path = join(dataDir, 'vault.json');
  let key: Buffer | undefined;
  const unlockedKey = (): Buffer => {
    if (key !== undefined) return key;
    throw new KneepointError({
      code: 'vault-locked',
      message: 'The vault that holds the passwords is locked.',
      safe: 'Stored passwords are untouched.',
      next: 'Enter its passphrase.',
    });
  };
  return {
    exists: () => existsSync(path),
    get unlocked() {
      return key !== undefined;
    },
    async unlock(passphrase) {
      key = existsSync(path)
        ? await openKey(readVault(path, cost), passphrase)
        : await createVault(path, passphrase, cost);
    },
    seal: async (text) => encrypt(unlockedKey(), Buffer.from(text, 'utf8')),
    async open(bytes) {
      const secret = decrypt(unlockedKey(), bytes);
      if (secret !== undefined) return secret.toString('utf8');
      throw new KneepointError({
        code: 'secret-missing',
        message: 'A stored password cannot be opened with this vault: it was damaged, or sealed by another vault.',
        next: 'Enter the password again.',
      });
    },
  };
}

async function createVault(path: string, passphrase: string, cost: GuessCost): Promise<Buffer> {
  const salt = randomBytes(16);
  const key = randomBytes(KEY_BYTES);
  const sealed = encrypt(await derive(passphrase, salt, cost), key);
  const file: VaultFile = {
    version: 1,
    kdf: 'scrypt',
    ...cost,
    salt: salt.toString('base64'),
    key: Buffer.from(sealed).toString('base64'),
  };
  writeNew(path, `${JSON.stringify(file, null, 2)}\n`);
  return key;
}

async function openKey(file: VaultFile, passphrase: string): Promise<Buffer> {
  const derived = await derive(passphrase, Buffer.from(file.salt, 'base64'), { N: file.N, r: file.r, p: file.p });
  const key = decrypt(derived, Buffer.from(file.key, 'base64'));
  if (key !== undefined) return key;
  throw new KneepointError({
    code: 'vault-locked',
    message: 'This passphrase does not open the vault.',
    safe: 'Stored passwords are untouched.',
    next: 'Check Caps Lock and the keyboard layout, then try again.',
  });
}

function readVault(path: string, cost: GuessCost): VaultFile {
  try {
    return VaultFile.refine(({ N }) => N >= cost.N).parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new KneepointError(
      {
        code: 'vault-locked',
        message: `The vault file ${path} cannot be read: it is damaged or of a later version.`,
        safe: 'The file was not changed.',
        next: 'Restore it from a backup, or move it away and enter the passwords again.',
      },
      { cause: error },
    );
  }
}

/** Writes the file atomically, readable by this user only. */
function writeNew(path: string, text: string): void {
  const half = `${path}.new`;
  rmSync(half, { force: true });
  const file = openSync(half, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(half, path);
}

function derive(passphrase: string, salt: Buffer, { N, r, p }: GuessCost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // NFKC: the same passphrase typed on another keyboard may have different code points.
    scrypt(passphrase.normalize('NFKC'), salt, KEY_BYTES, { N, r, p, maxmem: MOST_MEMORY }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}

/** Nonce, tag, ciphertext. */
function encrypt(key: Buffer, plain: Buffer): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

/** Undefined if the key is wrong or a bit was changed. */
function decrypt(key: Buffer, sealed: Uint8Array): Buffer | undefined {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const body = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([body, decipher.final()]);
  } catch {
    return undefined;
  }
}
