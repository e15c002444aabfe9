import { type Connection, guarded } from '../file/connection.ts';

/** Sealed bytes by owner: `host:3`, `target:7`. */
export interface SecretRows {
  get(owner: string): Uint8Array | undefined;
  set(owner: string, sealed: Uint8Array): void;
  remove(owner: string): void;
}

const QUERIES = {
  get: 'SELECT sealed FROM secret WHERE owner = ?',
  set: 'INSERT OR REPLACE INTO secret (owner, sealed) VALUES (?, ?)',
  remove: 'DELETE FROM secret WHERE owner = ?',
};

export function secretRows(connection: Connection): SecretRows {
  const { db, write } = connection;
  const get = db.prepare<[string], { sealed: Buffer }>(QUERIES.get);
  const set = db.prepare<[string, Uint8Array]>(QUERIES.set);
  const remove = db.prepare<[string]>(QUERIES.remove);
  return guarded<SecretRows>(connection, {
    get: (owner) => get.get(owner)?.sealed,
    set: (owner, sealed) => {
      write(() => set.run(owner, sealed));
    },
    remove: (owner) => {
      write(() => remove.run(owner));
    },
  });
}
