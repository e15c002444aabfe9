import type { HostRole, SeriesRule } from '../../../../shared/model/monitored.ts';
import { type Connection, guarded } from '../file/connection.ts';
import { notFound } from '../file/problems.ts';
import { fromJson, toJson } from './rows.ts';

/** Description of a monitored source, stored with its samples so they can be read without anything else. */
export interface SourceAbout {
  roles?: HostRole[];
  /** Host on which it was read. Undefined if read over Kneepoint's own connection. */
  host?: string;
  /** For a host: process names of the tool and the server there. */
  programs?: { tool: readonly string[]; server: readonly string[] };
  /** Kind of target, which defines the rules of its series. */
  target?: string;
  /** Host of the server, if known. */
  place?: string;
  /** For a server that is read on its host: what it does not report, a sentence. */
  untold?: string;
  /** Why a server is read over Kneepoint's own connection although its host could be asked, a sentence. */
  direct?: string;
  /** Rules of a custom command or statement. */
  rules?: SeriesRule[];
}

/** Origin of a session's samples and output. `position`: for a generator, its index in document order. */
export interface NewSource {
  kind: 'generator' | 'host' | 'server' | 'own';
  /** For a generator, the name of its host. */
  name: string;
  position: number;
}

export interface Source extends NewSource {
  id: number;
  sessionId: number;
  /** Offset to add to its host's clock, its accuracy in milliseconds, and when it was read. */
  clock?: { offsetMs: number; errorMs: number; at: number };
  /** Only for a monitored source. */
  about?: SourceAbout;
  /** Why it has no data, or no more data, a sentence. */
  problem?: string;
}

/** A reading of a source's clock: at its second `t`, `offsetMs` had to be added, accurate to `errorMs`. */
export interface ClockReading {
  t: number;
  offsetMs: number;
  errorMs: number;
}

/** They are deleted with their session. */
export interface SourceRows {
  /** Returns the existing source, or creates it. */
  ensure(sessionId: number, source: NewSource): Source;
  /** By kind, then by position and name. */
  ofSession(sessionId: number): Source[];
  setClock(id: number, clock: { offsetMs: number; errorMs: number; at: number }): void;
  setAbout(id: number, about: SourceAbout): void;
  /** Undefined removes it. */
  setProblem(id: number, problem: string | undefined): void;
  addClock(id: number, reading: ClockReading): void;
  /** By time. */
  clocks(id: number): ClockReading[];
}

const QUERIES = {
  find: 'SELECT * FROM source WHERE session_id = ? AND kind = ? AND name = ? AND position = ?',
  add: 'INSERT INTO source (session_id, kind, name, position) VALUES (?, ?, ?, ?) RETURNING *',
  ofSession: 'SELECT * FROM source WHERE session_id = ? ORDER BY kind, position, name',
  setAbout: 'UPDATE source SET about = ? WHERE id = ?',
  setProblem: 'UPDATE source SET problem = ? WHERE id = ?',
  addClock: 'INSERT OR REPLACE INTO source_clock (source_id, t, offset_ms, error_ms) VALUES (?, ?, ?, ?)',
  clocks: 'SELECT t, offset_ms AS offsetMs, error_ms AS errorMs FROM source_clock WHERE source_id = ? ORDER BY t',
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
  about: string | null;
  problem: string | null;
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
  ...(row.about !== null && { about: fromJson<SourceAbout>(row.about) }),
  ...(row.problem !== null && { problem: row.problem }),
});

export function sourceRows(connection: Connection): SourceRows {
  const { db, write } = connection;
  const find = db.prepare<Key, Row>(QUERIES.find);
  const add = db.prepare<Key, Row>(QUERIES.add);
  const ofSession = db.prepare<[number], Row>(QUERIES.ofSession);
  const setClock = db.prepare<[number, number, number, number]>(QUERIES.setClock);
  const setAbout = db.prepare<[string, number]>(QUERIES.setAbout);
  const setProblem = db.prepare<[string | null, number]>(QUERIES.setProblem);
  const addClock = db.prepare<[number, number, number, number]>(QUERIES.addClock);
  const clocks = db.prepare<[number], ClockReading>(QUERIES.clocks);
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
    setAbout(id, about) {
      write(() => setAbout.run(toJson(about), id));
    },
    setProblem(id, problem) {
      write(() => setProblem.run(problem ?? null, id));
    },
    addClock(id, { t, offsetMs, errorMs }) {
      write(() => addClock.run(id, t, offsetMs, errorMs));
    },
    clocks: (id) => clocks.all(id),
  });
}
