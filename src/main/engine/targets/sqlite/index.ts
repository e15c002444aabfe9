import { existsSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import Database from 'better-sqlite3';
import { z } from 'zod';
import { KneepointError } from '../../../../shared/model/problem.ts';
import type { TargetDescription } from '../../../../shared/model/target.ts';
import type { ServerSetting, SettingChange } from '../../../../shared/model/target-details.ts';
import { bySettingName, numbersFrom, settingOf } from '../server-facts.ts';
import { defineTarget, type StoredSize, type TargetSession } from '../target.ts';
import { pathField } from '../wording.ts';

const config = z.strictObject({
  path: pathField(
    'File',
    'Database file on this computer for the embedded benchmark. It is created if missing; a file with other data is never written to.',
  ).min(1),
});

/** Bytes of a block in `stat`, whatever the file system's block size. */
const BLOCK_BYTES = 512;

/** Pragmas worth showing, and why. They are read from the file, never set. */
const PRAGMAS: readonly { name: string; why: string; unit?: string }[] = [
  { name: 'journal_mode', why: 'wal lets readers continue while one connection writes.' },
  { name: 'page_size', why: 'Unit of reading and writing.', unit: 'bytes' },
  { name: 'page_count', why: 'Size of the file in pages.' },
  { name: 'freelist_count', why: 'Free pages: a file that has grown and been emptied is slower than a new one.' },
  { name: 'auto_vacuum', why: 'Moves pages at commits when it is on.' },
  { name: 'encoding', why: 'How text is stored.' },
];

function unreadable(path: string, error: unknown): KneepointError {
  const words = error instanceof Error ? error.message : String(error);
  return new KneepointError(
    {
      code: 'target-unreachable',
      message: `${path} cannot be opened as an SQLite database: ${words}.`,
      safe: 'The file was not changed.',
      next: 'Enter the path of an SQLite file, or of a new file.',
    },
    { cause: error },
  );
}

/** Read-only, and without executing anything that a foreign file could make SQLite run. */
function openReadOnly(path: string): Database.Database {
  const database = new Database(path, { readonly: true, fileMustExist: true, timeout: 5000 });
  database.pragma('trusted_schema = OFF');
  database.pragma('cell_size_check = ON');
  database.prepare('SELECT count(*) FROM sqlite_schema').get();
  return database;
}

const descriptionOf = (database: Database.Database, path: string, exists: boolean): TargetDescription => {
  const settings: TargetDescription['settings'] = exists
    ? PRAGMAS.map(({ name, why, unit }) => {
        const value = String(database.pragma(name, { simple: true }));
        return { name, value, why, ...(unit === undefined ? {} : { unit }) };
      })
    : [{ name: 'file', value: 'does not exist yet', why: 'The first run creates it.' }];
  return {
    product: 'SQLite',
    version: String(database.prepare('SELECT sqlite_version()').pluck().get()),
    settings,
    durability: {
      level: 'unknown',
      why: 'Each connection chooses its own “synchronous”; the benchmark sets it as an option.',
    },
    dataBytes: exists ? statSync(path).size : 0,
    readAt: Date.now(),
  };
};

/** Additional pragmas stored in the file. Those of a connection are up to each program. */
const KEPT: Readonly<Record<string, SettingChange>> = {
  journal_mode: 'dynamic',
  page_size: 'fixed',
  auto_vacuum: 'fixed',
  encoding: 'fixed',
  application_id: 'dynamic',
  user_version: 'dynamic',
};

/** Settings stored in the file, and build options of the library that the app itself uses. */
function settingsOf(database: Database.Database, exists: boolean): ServerSetting[] {
  const kept = Object.entries(exists ? KEPT : {}).map(([name, change]) =>
    settingOf(name, String(database.pragma(name, { simple: true })), { change, source: 'file' }),
  );
  const built = (database.pragma('compile_options') as { compile_options: string }[]).map((row) => {
    const [name = '', ...value] = row.compile_options.split('=');
    return settingOf(name, value.join('=') || 'on', { change: 'fixed', source: 'built into this app' });
  });
  return [...kept, ...built].sort(bySettingName);
}

/** Bytes allocated by the file system, and the length of the file. Empty if the file does not exist. */
function sizesOf(what: 'data' | 'log', file: string): StoredSize[] {
  const { size, blocks } = statSync(file, { throwIfNoEntry: false }) ?? {};
  if (size === undefined) return [];
  const source = `${basename(file)} on this computer`;
  return [
    // Not every file system counts blocks.
    ...(blocks !== undefined && blocks > 0
      ? [{ what: `${what} files` as const, value: blocks * BLOCK_BYTES, source: `${source}, allocated` }]
      : []),
    { what: `${what} files, length`, value: size, source: `${source}, length` },
  ];
}

function sessionOf(database: Database.Database, path: string, exists: boolean): TargetSession {
  return {
    ping: async () => {
      const start = performance.now();
      database.prepare('SELECT 1').get();
      return performance.now() - start;
    },
    describe: async () => descriptionOf(database, path, exists),
    counters: async () =>
      numbersFrom(
        ['page_count', 'freelist_count'].map((name) => [name, database.pragma(name, { simple: true })] as const),
      ),
    settings: async () => settingsOf(database, exists),
    countRows: async (table) => {
      const known = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table);
      if (known === undefined) return undefined;
      return Number(
        database
          .prepare(`SELECT count(*) FROM "${table.replaceAll('"', '""')}"`)
          .pluck()
          .get(),
      );
    },
    stored: async () => ({
      sizes: [...sizesOf('data', path), ...sizesOf('log', `${path}-wal`)],
      places: [],
    }),
    close: async () => {
      database.close();
    },
  };
}

/** A database file on this computer, for the embedded benchmark. */
export const sqliteTarget = defineTarget({
  kind: 'sqlite',
  title: 'SQLite',
  family: 'SQLite',
  example: { name: 'SQLite on the second disk', config: { path: '/srv/bench/kneepoint.sqlite' } },
  withoutTarget: 'own',
  config,
  takesSecret: false,
  describes: ['settings', 'counters'],
  facts: ({ path }) => ({ kind: 'sqlite', path }),
  open: async ({ path }) => {
    const folder = dirname(path);
    if (!existsSync(folder)) {
      throw new KneepointError({
        code: 'target-unreachable',
        message: `The folder ${folder} does not exist on this computer.`,
        next: 'Create it, or choose another path for the database file.',
      });
    }
    const exists = existsSync(path);
    try {
      return sessionOf(exists ? openReadOnly(path) : new Database(':memory:'), path, exists);
    } catch (error) {
      throw unreadable(path, error);
    }
  },
});
