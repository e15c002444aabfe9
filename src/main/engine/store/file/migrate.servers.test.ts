import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectSame } from '../../../../../scripts/test/recorded.ts';
import { atDepth } from '../../../../shared/util/testing/depth.ts';
import { checksumOf } from '../codec/integers.ts';
import { MIGRATIONS } from '../migrations/index.ts';
import { decodeTail } from '../samples/feeds.ts';
import { damagePage } from '../testing/damage.ts';
import { makeFormat6, narrowTail } from '../testing/format-6.ts';
import { temporaryFolder } from '../testing/library.ts';
import { ROWS, TEST_MIGRATIONS } from '../testing/migrations.ts';
import { isAtLeast, networkDisk, refuseNetworkDisk } from './check.ts';
import { APPLICATION_ID, inspect, migrate, migrateCopy } from './migrate.ts';

const FIRST = TEST_MIGRATIONS.slice(0, 1);
let folder: ReturnType<typeof temporaryFolder>;
let path: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder.path, 'library.db');
});
afterEach(() => folder.remove());

function withFile<T>(file: string, work: (db: Database.Database) => T): T {
  const db = new Database(file);
  try {
    db.pragma('journal_mode = WAL');
    return work(db);
  } finally {
    db.close();
  }
}
const bring = (migrations: typeof TEST_MIGRATIONS): void => withFile(path, (db) => migrate(db, path, migrations, 0));
const countOf = (db: Database.Database, table: string): number =>
  db.prepare<[], { n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? -1;

describe('migrations', () => {
  it('are numbered without gaps', () => {
    expect(MIGRATIONS.map((migration) => migration.version)).toEqual(MIGRATIONS.map((_, index) => index + 1));
  });

  it('mark a new file as a library and need no backup', () => {
    bring(FIRST);
    expect(inspect(path, 1)).toBe(1);
    withFile(path, (db) => expect(db.pragma('application_id', { simple: true })).toBe(APPLICATION_ID));
    expect(existsSync(join(folder.path, 'backups'))).toBe(false);
  });

  it('back up the file completely before they change it', () => {
    bring(FIRST);
    bring(TEST_MIGRATIONS);
    withFile(path, (db) => expectSame('rows', countOf(db, 'new'), ROWS));
    const backups = readdirSync(join(folder.path, 'backups')).filter((name) => name.endsWith('.db'));
    expect(backups).toEqual(['library-format-1-1970-01-01T00-00-00-000Z.db']);
    withFile(join(folder.path, 'backups', backups[0] ?? ''), (db) => {
      expect(db.pragma('user_version', { simple: true })).toBe(1);
      expect(countOf(db, 'old')).toBe(ROWS);
    });
  });

  it('report their progress only if the file is large', () => {
    bring(FIRST);
    const reports: string[] = [];
    const report = (sentence: string): number => reports.push(sentence);
    withFile(path, (db) => migrate(db, path, FIRST, 0, { report, long: 0 }));
    expect(reports).toEqual([]);
    withFile(path, (db) => migrate(db, path, TEST_MIGRATIONS, 0, { report, long: 1 }));
    expect(reports).toEqual([
      expect.stringMatching(
        /^Converting the library \(\d.* [KM]iB\) to the format of this version: creating a backup first\.$/,
      ),
      ...TEST_MIGRATIONS.slice(1).map((_, at, all) => `Converting the library: step ${at + 1} of ${all.length}.`),
    ]);
  });

  it('keep the old format if one fails', () => {
    bring(FIRST);
    const failing = {
      version: 2,
      up: (db: Database.Database): void => {
        db.exec('DELETE FROM old; SELECT * FROM missing');
      },
    };
    expect(() => bring([...FIRST, failing])).toThrow(/missing/);
    withFile(path, (db) => {
      expect(db.pragma('user_version', { simple: true })).toBe(1);
      expect(countOf(db, 'old')).toBe(ROWS);
    });
  });

  it('keep a new file unchanged if one fails', () => {
    const failing = { version: 2, up: (db: Database.Database) => db.exec('SELECT * FROM missing') };
    expect(() => bring([...FIRST, failing])).toThrow(/missing/);
    withFile(path, (db) => {
      expect(db.pragma('user_version', { simple: true })).toBe(0);
      expect(countOf(db, 'sqlite_schema')).toBe(0);
    });
  });

  it('refuse to leave a dangling reference', () => {
    bring(FIRST);
    const orphaning = {
      version: 2,
      up: (db: Database.Database) => {
        db.exec(
          'CREATE TABLE parent (id INTEGER PRIMARY KEY); CREATE TABLE child (parent INTEGER REFERENCES parent(id)); INSERT INTO child VALUES (5)',
        );
      },
    };
    withFile(path, (db) => {
      db.pragma('foreign_keys = OFF');
      expect(() => migrate(db, path, [...FIRST, orphaning], 0)).toThrow();
      expect(db.pragma('user_version', { simple: true })).toBe(1);
    });
  });

  const KILLS = atDepth(16, 6);
  it(`killed at any time leave the old format or the new one, never a mixture (${KILLS} kills)`, async () => {
    const original = join(folder.path, 'original.db');
    withFile(original, (db) => migrate(db, original, FIRST, 0));
    const outcomes = new Set<string>();
    for (let round = 0; round < KILLS; round += 1) {
      const file = join(folder.path, `round-${round}.db`);
      copyFileSync(original, file);
      // Ends one of them halfway, independent of the computer's speed.
      const killed = await (round === 0
        ? killedMigration(file, 60_000, ROWS / 2)
        : killedMigration(file, ((round - 1) * 240) / KILLS));
      withFile(file, (db) => {
        const version = db.pragma('user_version', { simple: true });
        expectSame('check of the file', db.pragma('integrity_check', { simple: true }), 'ok');
        expectSame('rows', countOf(db, version === 1 ? 'old' : 'new'), ROWS);
        outcomes.add(`${version} ${killed}`);
        migrate(db, file, TEST_MIGRATIONS, 0);
        expectSame('rows', countOf(db, 'new'), ROWS);
      });
    }
    expect(outcomes).toContain('1 killed');
  });

  // The migration of sources replaces tables, with foreign keys off.
  it.each([
    ['between two tables', `db.exec(sql.slice(0, sql.indexOf('DROP TABLE stream'))); kill()`],
    ['before the commit', 'db.exec(sql); kill()'],
  ])('that replace tables, killed %s, keep every row that refers to them', (_, exec) => {
    makeFormat6(path);
    const rowsOf = (db: Database.Database): unknown[] =>
      ['feed_metric', 'tail', 'chunk', 'raw'].map((table) => db.prepare(`SELECT * FROM ${table}`).all());
    const before = withFile(path, rowsOf);
    const code = `
      import Database from 'better-sqlite3';
      import { migrate } from ${JSON.stringify(new URL('./migrate.ts', import.meta.url).href)};
      import { sources } from ${JSON.stringify(new URL('../migrations/0007-sources.ts', import.meta.url).href)};
      const kill = () => process.kill(process.pid, 'SIGKILL');
      const up = (db) => sources.up({ exec: (sql) => { ${exec}; } });
      migrate(new Database(${JSON.stringify(path)}), ${JSON.stringify(path)}, [{ ...sources, up }], 0);`;
    const { signal } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' });
    expect(signal).toBe('SIGKILL');
    withFile(path, (db) => {
      expect(db.pragma('user_version', { simple: true })).toBe(6);
      expectSame('check of the file', db.pragma('integrity_check', { simple: true }), 'ok');
      expectSame('rows', rowsOf(db), before);
      // Format 15 changes the encoding of rows in `tail`.
      migrate(db, path, MIGRATIONS.slice(0, 14), 0);
      expectSame('rows', rowsOf(db), before);
    });
  });
});

describe('the migration to wide ids', () => {
  it('of a copy with a damaged page never reads a row as another one', () => {
    const COUNT = 900;
    makeFormat6(path);
    withFile(path, (db) => {
      migrate(db, path, MIGRATIONS.slice(0, 14), 0);
      db.exec(`UPDATE feed SET rows = ${COUNT} WHERE id = 1`);
      const add = db.prepare('INSERT INTO tail VALUES (1, ?, ?, ?, ?)');
      for (let row = 1; row < COUNT; row += 1) {
        const data = narrowTail(1, row);
        add.run(row, row + 1, data, checksumOf([1, row, row + 1, 0], data));
      }
      db.pragma('wal_checkpoint(TRUNCATE)');
    });
    // One of several pages, and not the last: later rows are on other pages.
    damagePage(path, 'tail', 2);
    withFile(path, (db) => {
      migrateCopy(db, MIGRATIONS);
      const find = db.prepare<[number], { t: number; data: Uint8Array; checksum: number | null }>(
        'SELECT t, data, checksum FROM tail WHERE feed_id = 1 AND row = ?',
      );
      const seen = { whole: 0, lost: 0 };
      for (let row = 0; row < COUNT; row += 1) {
        const found = orDamage(() => find.get(row));
        if (!found || found.checksum !== checksumOf([1, row, found.t, 0], found.data)) seen.lost += 1;
        else {
          expect(decodeTail(found.t, found.data)).toEqual({ t: row + 1, ids: [1], values: [row === 0 ? 1 : row] });
          seen.whole += 1;
        }
      }
      expect(seen.lost).toBeGreaterThan(0);
      expect(seen.whole).toBeGreaterThan(COUNT / 2);
    });
  });
});

function orDamage<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    expect(error).toMatchObject({ code: expect.stringContaining('SQLITE_CORRUPT') });
    return undefined;
  }
}

/** Kills the process some milliseconds after it reports its start, unless it kills itself at a row. The moment of the kill varies. */
async function killedMigration(file: string, afterMs: number, row?: number): Promise<'killed' | 'done'> {
  const script = new URL('../testing/migrate-process.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, file, String(row)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  await once(child.stdout, 'data');
  const timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
  const [code] = await closed;
  clearTimeout(timer);
  return code === 0 ? 'done' : 'killed';
}

describe('the requirements of a library', () => {
  it('include a local disk', () => {
    expect(networkDisk(0x6969)).toBe('NFS');
    expect(networkDisk(0xef53)).toBeUndefined();
    expect(() => refuseNetworkDisk(folder.path)).not.toThrow();
  });

  it('include SQLite without the WAL-reset bug', () => {
    const oldest = [3, 51, 3];
    expect(['3.51.2', '3.50.9', '2.99.99', '3.51'].map((version) => isAtLeast(version, oldest))).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(['3.51.3', '3.51.10', '3.54.1', '4.0.0'].map((version) => isAtLeast(version, oldest))).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });
});
