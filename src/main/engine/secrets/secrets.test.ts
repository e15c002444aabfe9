import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KneepointError } from '../../../shared/model/problem.ts';
import { createRedactor } from '../../../shared/util/redact.ts';
import { createSecrets as createRealSecrets, type SealedPlaces, type SecretsOptions } from './index.ts';
import type { SecretKeeper } from './vault.ts';

const CANARY = 'canary-5f2e "quoted" ü 9b';
const PASSPHRASE = 'correct horse battery';
/** A thousandth of the usual cost of a guess. */
const CHEAP = { N: 2 ** 7, r: 8, p: 1 };
const createSecrets = (options: SecretsOptions) => createRealSecrets({ guessCost: CHEAP, ...options });
let dataDir: string;
let db: Database.Database;
let rows: SealedPlaces;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'kneepoint-secrets-'));
  db = new Database(join(dataDir, 'rows.db'));
  db.pragma('journal_mode = WAL');
  db.exec('CREATE TABLE secret (owner TEXT PRIMARY KEY, sealed BLOB NOT NULL)');
  rows = {
    get: (owner) =>
      db.prepare<[string], { sealed: Buffer }>('SELECT sealed FROM secret WHERE owner = ?').get(owner)?.sealed,
    set: (owner, sealed) => db.prepare('INSERT OR REPLACE INTO secret VALUES (?, ?)').run(owner, sealed),
    remove: (owner) => db.prepare('DELETE FROM secret WHERE owner = ?').run(owner),
  };
});
afterEach(() => {
  db.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** The redactor knows every form of a secret, so a text that it would change contains one. */
function filesWith(text: string): string[] {
  const redactor = createRedactor();
  redactor.add(text);
  return readdirSync(dataDir).filter((name) => {
    const content = readFileSync(join(dataDir, name));
    return [content.toString('utf8'), content.toString('latin1')].some((form) => redactor.redact(form) !== form);
  });
}

const codeFrom = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof KneepointError ? error.code : `no problem: ${String(error)}`;
};

/** Replaces the operating system's keychain: another key, stored outside of the data folder. */
function keychain(): SecretKeeper {
  const kept: string[] = [];
  return {
    seal: async (text) => Buffer.from(`ticket ${kept.push(text) - 1}`),
    open: async (bytes) => kept[Number(Buffer.from(bytes).toString().slice(7))] ?? '',
  };
}

describe('without keychain and vault', () => {
  it('keeps a secret for this launch only, and reports that', async () => {
    const secrets = createSecrets({ dataDir, rows });
    expect(secrets.status()).toMatchObject({ keeper: 'launch', vaultExists: false, unlocked: false });
    expect(secrets.status().message).toMatch(/in memory/);
    await secrets.set('host:1', CANARY);
    expect(secrets.has('host:1')).toBe(true);
    expect(await secrets.get('host:1')).toBe(CANARY);
    expect(filesWith(CANARY)).toEqual([]);
    const later = createSecrets({ dataDir, rows });
    expect(later.has('host:1')).toBe(false);
    await expect(later.get('host:1')).rejects.toMatchObject({ code: 'secret-missing' });
    expect(await later.get('host:2')).toBeUndefined();
    await later.set('host:1', null);
    expect(await later.get('host:1')).toBeUndefined();
  });
});

describe('the vault', () => {
  it('keeps secrets across launches, protected by its passphrase', async () => {
    const first = createSecrets({ dataDir, rows });
    await first.set('host:1', 'typed before the vault');
    await first.unlock(PASSPHRASE);
    await first.set('host:2', CANARY);
    expect(first.status()).toMatchObject({ keeper: 'vault', vaultExists: true, unlocked: true });

    const second = createSecrets({ dataDir, rows });
    expect(second.status()).toMatchObject({ keeper: 'vault', unlocked: false });
    expect(second.status().message).toMatch(/locked/);
    expect(second.has('host:2')).toBe(true);
    expect(await codeFrom(second.get('host:2'))).toBe('vault-locked');
    expect(await codeFrom(second.set('host:3', 'x'))).toBe('vault-locked');
    expect(await codeFrom(second.unlock(`${PASSPHRASE}!`))).toBe('vault-locked');
    expect(second.status().unlocked).toBe(false);
    await second.unlock(PASSPHRASE);
    expect(await second.get('host:1')).toBe('typed before the vault');
    expect(await second.get('host:2')).toBe(CANARY);
    await second.set('host:2', null);
    expect(second.has('host:2')).toBe(false);
    expect(await second.get('host:2')).toBeUndefined();
  });

  it('writes no cleartext to any file, and its own file only for its user', async () => {
    const secrets = createSecrets({ dataDir, rows });
    await secrets.set('host:1', CANARY);
    await secrets.unlock(PASSPHRASE);
    await secrets.set('target:1', `${CANARY} and more`);
    expect(readdirSync(dataDir)).toEqual(expect.arrayContaining(['rows.db', 'rows.db-wal', 'vault.json']));
    for (const text of [CANARY, PASSPHRASE]) expect(filesWith(text)).toEqual([]);
    writeFileSync(join(dataDir, 'leak.txt'), `password=${CANARY}`);
    expect(filesWith(CANARY)).toEqual(['leak.txt']);
    expect(statSync(join(dataDir, 'vault.json')).mode & 0o777).toBe(0o600);
  });

  it('returns a secret only to its owner', async () => {
    const secrets = createSecrets({ dataDir, rows });
    await secrets.unlock(PASSPHRASE);
    await secrets.set('host:1', CANARY);
    rows.set('host:2', rows.get('host:1') ?? new Uint8Array());
    expect(await codeFrom(secrets.get('host:2'))).toBe('secret-missing');
  });

  it('detects a changed bit in a secret and in its own file', async () => {
    const secrets = createSecrets({ dataDir, rows });
    await secrets.unlock(PASSPHRASE);
    await secrets.set('host:1', CANARY);
    const bytes = Buffer.from(rows.get('host:1') ?? []);
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    rows.set('host:1', bytes);
    expect(await codeFrom(secrets.get('host:1'))).toBe('secret-missing');
  });

  it('makes each guess cost half a second, and refuses a file with weaker parameters', async () => {
    await createRealSecrets({ dataDir, rows }).unlock(PASSPHRASE);
    const path = join(dataDir, 'vault.json');
    const file = readFileSync(path, 'utf8');
    expect(JSON.parse(file)).toMatchObject({ kdf: 'scrypt', N: 131_072, r: 8, p: 1 });
    const reopened = createRealSecrets({ dataDir, rows });
    await reopened.unlock(PASSPHRASE);
    expect(reopened.status().unlocked).toBe(true);
    writeFileSync(path, file.replace('131072', '65536'));
    expect(await codeFrom(createRealSecrets({ dataDir, rows }).unlock(PASSPHRASE))).toBe('vault-locked');
    rmSync(path);
    await createSecrets({ dataDir, rows }).unlock(PASSPHRASE);
    expect(await codeFrom(createRealSecrets({ dataDir, rows }).unlock(PASSPHRASE))).toBe('vault-locked');
  });
});

describe('the keychain', () => {
  it('is preferred, and is required for its own secrets', async () => {
    const known: string[] = [];
    const secrets = createSecrets({ dataDir, rows, keychain: keychain(), known: (text) => known.push(text) });
    await secrets.set('host:1', CANARY);
    expect(secrets.status()).toMatchObject({ keeper: 'keychain', vaultExists: false });
    expect(await secrets.get('host:1')).toBe(CANARY);
    expect(known).toContain(CANARY);
    expect(filesWith(CANARY)).toEqual([]);
    expect(await codeFrom(secrets.unlock(PASSPHRASE))).toBe('bad-request');
    expect(await codeFrom(createSecrets({ dataDir, rows }).get('host:1'))).toBe('secret-missing');
  });
});
