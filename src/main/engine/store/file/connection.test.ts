import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/library.ts';
import { type Connection, openConnection, planned } from './connection.ts';

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
