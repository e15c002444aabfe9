import { type Connection, guarded } from '../file/connection.ts';

/** A claim that a session has made on a host, or was about to make: `path` there, `owner` the session's uuid. */
export interface ClaimRow {
  readonly host: string;
  readonly path: string;
  readonly owner: string;
}

/** Claims outlive their session: each is on its host until it is known to be gone. */
export interface ClaimRows {
  /** Before it is made. */
  note(claim: ClaimRow): void;
  gone(claim: ClaimRow): void;
  /** Everywhere, or on one host. */
  list(host?: string): ClaimRow[];
}

const QUERIES = {
  note: 'INSERT OR IGNORE INTO claim (host, path, owner) VALUES (:host, :path, :owner)',
  gone: 'DELETE FROM claim WHERE host = :host AND path = :path AND owner = :owner',
  list: 'SELECT host, path, owner FROM claim ORDER BY id',
  on: 'SELECT host, path, owner FROM claim WHERE host = ? ORDER BY id',
};

export function claimRows(connection: Connection): ClaimRows {
  const { db, write } = connection;
  const note = db.prepare<[ClaimRow]>(QUERIES.note);
  const gone = db.prepare<[ClaimRow]>(QUERIES.gone);
  const list = db.prepare<[], ClaimRow>(QUERIES.list);
  const on = db.prepare<[string], ClaimRow>(QUERIES.on);
  return guarded<ClaimRows>(connection, {
    note: ({ host, path, owner }) => {
      write(() => note.run({ host, path, owner }));
    },
    gone: ({ host, path, owner }) => {
      write(() => gone.run({ host, path, owner }));
    },
    list: (host) => (host === undefined ? list.all() : on.all(host)),
  });
}
