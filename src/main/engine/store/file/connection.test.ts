import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/library.ts';
import { type Connection, openConnection, planned, type Together, together } from './connection.ts';

let folder: ReturnType<typeof temporaryFolder>;
let connection: Connection;
beforeEach(() => {
  folder = temporaryFolder();
  connection = openConnection(join(folder.path, 'library.db'));
  connection.write(() => connection.db.exec('CREATE TABLE line (id INTEGER PRIMARY KEY)'));
});
afterEach(() => {
  connection.db.close();
  folder.remove();
});

const NORMAL = 1;
const FULL = 2;
const synchronous = (): unknown => connection.db.pragma('synchronous', { simple: true });
const lines = (): unknown => connection.db.prepare('SELECT count(*) FROM line').pluck().get();
const add = (): void => {
  connection.db.prepare('INSERT INTO line DEFAULT VALUES').run();
};

it('waits for the disk at every commit except a relaxed one', () => {
  expect(synchronous()).toBe(FULL);
  connection.write(() => expect(synchronous()).toBe(FULL));
  connection.relaxed(() => expect(synchronous()).toBe(NORMAL));
  expect(synchronous()).toBe(FULL);
});

it('waits again after a failed relaxed commit, which stores nothing', () => {
  const failing = (): void =>
    connection.relaxed(() => {
      add();
      throw new Error('undone');
    });
  expect(failing).toThrow('undone');
  expect(synchronous()).toBe(FULL);
  expect(lines()).toBe(0);
});

it('makes relaxed writes inside a durable transaction durable', () => {
  connection.write(() => {
    connection.relaxed(() => {
      add();
      expect(synchronous()).toBe(FULL);
    });
  });
  expect(lines()).toBe(1);
});

it('keeps parameters out of the query plan without changing comparisons', () => {
  connection.write(() =>
    connection.db.exec("CREATE TABLE named (name TEXT, at REAL); INSERT INTO named VALUES ('7', 7)"),
  );
  const source = 'SELECT name, at FROM named WHERE name = ? AND at = :at ORDER BY name';
  expect(planned(source)).toContain('name = +? AND at = +:at');
  const select = connection.db.prepare(source);
  expect(select.all('7', { at: 7 })).toEqual([{ name: '7', at: 7 }]);
  expect(select.all('x', { at: 7 })).toEqual([]);
  connection.write(() => connection.db.prepare('UPDATE named SET name = ?, at = ?').run('8', null));
  expect(connection.db.prepare('SELECT name, at FROM named WHERE at IS ?').all(null)).toEqual([
    { name: '8', at: null },
  ]);
});

describe('gathered writes', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let connection: Connection;
  let gathered: Together;
  beforeEach(() => {
    folder = temporaryFolder();
    connection = openConnection(join(folder.path, 'library.db'));
    connection.write(() => connection.db.exec('CREATE TABLE line (id INTEGER PRIMARY KEY, word TEXT UNIQUE)'));
    gathered = together(connection);
  });
  afterEach(() => {
    gathered.close();
    connection.db.close();
    folder.remove();
  });

  const add = (word: string): void => {
    connection.db.prepare('INSERT INTO line (word) VALUES (?)').run(word);
  };
  const words = (): unknown[] => connection.db.prepare('SELECT word FROM line ORDER BY id').pluck().all();

  it('stores the writes of several callers in one transaction, in order', async () => {
    const seen: unknown[] = [];
    const works = ['a', 'b', 'c'].map((word) =>
      gathered.soon(() => {
        add(word);
        return words();
      }),
    );
    expect(words()).toEqual([]);
    for (const work of works) seen.push(await work);
    expect(seen).toEqual([['a'], ['a', 'b'], ['a', 'b', 'c']]);
    expect(words()).toEqual(['a', 'b', 'c']);
  });

  it('reverts a failed write with its caches and keeps the others', async () => {
    let undone = 0;
    connection.onUndone = () => {
      undone += 1;
    };
    const before = gathered.soon(() => add('before'));
    const failing = gathered.soon(() => {
      add('half');
      add('before');
    });
    const after = gathered.soon(() => add('after'));
    await expect(failing).rejects.toThrow('UNIQUE');
    await Promise.all([before, after]);
    expect(words()).toEqual(['before', 'after']);
    expect(undone).toBe(1);
  });

  it('rejects all writes and stores none if the commit fails', async () => {
    const works = [gathered.soon(() => add('a')), gathered.soon(() => add('b'))];
    connection.markDamaged('damaged');
    for (const result of await Promise.allSettled(works))
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'store-corrupt' } });
    expect(words()).toEqual([]);
  });

  it('rejects pending writes when it is closed, and stores none', async () => {
    const work = gathered.soon(() => add('a'));
    gathered.close();
    await expect(work).rejects.toMatchObject({ code: 'cancelled' });
    expect(words()).toEqual([]);
  });
});
