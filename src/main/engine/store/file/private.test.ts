import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KneepointError } from '../../../../shared/model/problem.ts';
import { MIGRATIONS } from '../migrations/index.ts';
import { openStore } from '../open.ts';
import { temporaryFolder } from '../testing/library.ts';
import { migrate } from './migrate.ts';

let folder: ReturnType<typeof temporaryFolder>;
let dataDir: string;
let umask: number;
beforeEach(() => {
  folder = temporaryFolder();
  dataDir = join(folder.path, 'data');
  umask = process.umask(0);
});
afterEach(() => {
  process.umask(umask);
  folder.remove();
});
const modeOf = (...names: string[]): number => statSync(join(dataDir, ...names)).mode & 0o7777;
const corrections = (): string[] => {
  const sentences: string[] = [];
  openStore(dataDir, { onCorrected: (sentence) => sentences.push(sentence) }).close();
  return sentences;
};

describe.skipIf(process.platform === 'win32')('the library is private to its user', () => {
  it('from the start, whatever the umask', () => {
    const store = openStore(dataDir);
    store.experiments.insert('a', '', 1);
    const names = readdirSync(dataDir).sort();
    expect(names).toEqual(
      expect.arrayContaining(['holder.json', 'library.db', 'library.db-shm', 'library.db-wal', 'lock.db']),
    );
    expect(modeOf()).toBe(0o700);
    for (const name of names) expect([name, modeOf(name)]).toEqual([name, 0o600]);
    store.close();
  });

  it('including its backups', () => {
    mkdirSync(dataDir, { mode: 0o700 });
    const path = join(dataDir, 'library.db');
    const db = new Database(path);
    migrate(db, path, MIGRATIONS.slice(0, 1), 0);
    db.close();
    corrections();
    expect(modeOf('backups')).toBe(0o700);
    for (const name of readdirSync(join(dataDir, 'backups'))) expect(modeOf('backups', name)).toBe(0o600);
  });

  it('and permissions are corrected, with a message, if they were open to others', () => {
    corrections();
    writeFileSync(join(dataDir, 'vault.json'), '{}');
    chmodSync(dataDir, 0o777);
    for (const name of ['library.db', 'lock.db', 'vault.json']) chmodSync(join(dataDir, name), 0o666);
    const sentences = corrections();
    expect(modeOf()).toBe(0o700);
    for (const name of ['library.db', 'lock.db', 'vault.json']) expect([name, modeOf(name)]).toEqual([name, 0o600]);
    expect(sentences).toHaveLength(4);
    expect(sentences[0]).toContain('private now');
    expect(corrections()).toEqual([]);
  });

  it('but a folder with other files stays readable', () => {
    mkdirSync(dataDir, { mode: 0o777 });
    writeFileSync(join(dataDir, 'notes.txt'), '');
    corrections();
    expect(modeOf()).toBe(0o755);
    expect(modeOf('library.db')).toBe(0o600);
  });

  it('and a folder shared by all is refused', () => {
    mkdirSync(dataDir);
    chmodSync(dataDir, 0o1777);
    expect(() => corrections()).toThrow(/shared with all users/);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it.skipIf(process.getuid?.() !== 0)('and a folder of another user is refused', () => {
    corrections();
    chownSync(join(dataDir, 'library.db'), 12345, 12345);
    expect(() => corrections()).toThrow(KneepointError);
    expect(() => corrections()).toThrow(/library.db belongs to another user/);
    chownSync(join(dataDir, 'library.db'), 0, 0);
    chownSync(dataDir, 12345, 12345);
    expect(() => corrections()).toThrow(/data belongs to another user/);
  });
});
