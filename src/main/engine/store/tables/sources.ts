import { type Connection, guarded } from '../file/connection.ts';
import { notFound } from '../file/problems.ts';

/** What samples and output of a session come from. `position`: of a generator its place in the order of the document. */
export interface NewSource {
  kind: 'generator' | 'host' | 'server' | 'command';
  /** Of a generator, the name of its host. */
  name: string;
  position: number;
}

export interface Source extends NewSource {
  id: number;
  sessionId: number;
  /** What its host's clock was off, milliseconds to be added to it, how exactly that is known, and when it was read. */
  clock?: { offsetMs: number; errorMs: number; at: number };
}

/** They go with their session. */
export interface SourceRows {
  /** The one that is there, else a new one. */
  ensure(sessionId: number, source: NewSource): Source;
  /** By kind, then in their order. */
  ofSession(sessionId: number): Source[];
  setClock(id: number, clock: { offsetMs: number; errorMs: number; at: number }): void;
}

const QUERIES = {
  find: 'SELECT * FROM source WHERE session_id = ? AND kind = ? AND name = ? AND position = ?',
  add: 'INSERT INTO source (session_id, kind, name, position) VALUES (?, ?, ?, ?) RETURNING *',
  ofSession: 'SELECT * FROM source WHERE session_id = ? ORDER BY kind, position, name',
  setClock: 'UPDATE source SET clock_offset_ms = ?, clock_error_ms = ?, clock_at = ? WHERE id = ?',
};

interface Row {
  id: number;
  session_id: number;
  kind: string;
  name: string;
  position: number;
  clock_offset_ms: number | null;
  clock_error_ms: number | null;
  clock_at: number | null;
}
type Key = [sessionId: number, kind: string, name: string, position: number];

const toSource = (row: Row): Source => ({
  id: row.id,
  sessionId: row.session_id,
  kind: row.kind as Source['kind'],
  name: row.name,
  position: row.position,
  ...(row.clock_offset_ms !== null && {
    clock: { offsetMs: row.clock_offset_ms, errorMs: row.clock_error_ms ?? 0, at: row.clock_at ?? 0 },
  }),
});

export function sourceRows(connection: Connection): SourceRows {
  const { db, write } = connection;
  const find = db.prepare<Key, Row>(QUERIES.find);
  const add = db.prepare<Key, Row>(QUERIES.add);
  const ofSession = db.prepare<[number], Row>(QUERIES.ofSession);
  const setClock = db.prepare<[number, number, number, number]>(QUERIES.setClock);
  return guarded<SourceRows>(connection, {
    ensure(sessionId, { kind, name, position }) {
      const key: Key = [sessionId, kind, name, position];
      return toSource(find.get(...key) ?? write(() => add.get(...key) as Row));
    },
    ofSession: (sessionId) => ofSession.all(sessionId).map(toSource),
    setClock(id, { offsetMs, errorMs, at }) {
      write(() => {
        if (setClock.run(offsetMs, errorMs, Math.round(at), id).changes === 0) throw notFound('source', id);
      });
    },
  });
}
