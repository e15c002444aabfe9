import { type Connection, guarded } from '../file/connection.ts';
import { notFound } from '../file/problems.ts';
import { fromJson, toJson } from './rows.ts';

/** How a change to a host or server is undone. The engine can carry out each kind. */
export type Undo =
  | { kind: 'remove-secret-files'; jobId: string }
  /** The state before the first change; `value` is null if it was not set. `changer` interprets the rest (`engine/factors/change.ts`). */
  | {
      kind: 'put-back';
      changer: string;
      how?: Readonly<Record<string, string>>;
      first: { value: string | null; how?: Readonly<Record<string, string>> };
      /** No level set it: it moved when these were changed. */
      by?: readonly string[];
      /** It was moved, and is now set by a level itself. */
      wished?: true;
      /** A change is in progress: the settings that it may move, with their values before it, and the settings it changes. */
      watched?: { by: readonly string[]; beside: readonly AffectedSetting[] };
    };

/** Another setting that a change may move, as in `engine/factors/change.ts`. */
interface AffectedSetting {
  readonly what: string;
  readonly value: string;
  readonly how?: Readonly<Record<string, string>>;
  readonly undo?: Readonly<Record<string, string>>;
  readonly stuck?: string;
}

/**
 * planned: written before the change. applied: changed, not yet read back. verified: read back as wanted. differs: read back otherwise.
 * restored: undone and read back. given-up: the user accepts the current state. Password files go from planned to restored. A setting has
 * one entry while a session changes it, however often, with the first value to restore.
 */
export type JournalState = 'planned' | 'applied' | 'verified' | 'differs' | 'restored' | 'given-up';

/**
 * Identifies a machine or server by its own properties: “machine id” → “4c4c…”. Empty if it has none. Compared before anything is restored
 * (`world/identity.ts`).
 */
export type Identity = Readonly<Record<string, string>>;

/** One change of Kneepoint to a host or server, with everything needed to undo it. */
export interface JournalEntry {
  id: number;
  sessionId: number | null;
  runId: number | null;
  /** Name of a host or a target. */
  place: { kind: 'host' | 'server'; name: string };
  what: string;
  oldValue: string | null;
  wanted: string | null;
  readBack: string | null;
  state: JournalState;
  undo: Undo;
  /** Identity of the place at the time of the change; null if it was not read, as by earlier versions. */
  identity: Identity | null;
  message: string | null;
  writtenAt: number;
  /** Time since which nothing is left to undo. */
  closedAt: number | null;
}

/** Entries outlive their session, because changes have to be undone anyway. */
export interface JournalRows {
  /** Throws `not-found`. */
  get(id: number): JournalEntry;
  /** Call before the change. */
  write(
    entry: Omit<JournalEntry, 'id' | 'identity' | 'readBack' | 'state' | 'message' | 'closedAt'> & {
      identity?: Identity;
    },
  ): JournalEntry;
  note(
    id: number,
    change: Partial<Pick<JournalEntry, 'runId' | 'wanted' | 'readBack' | 'state' | 'identity' | 'message' | 'undo'>>,
  ): JournalEntry;
  close(id: number, state: 'restored' | 'given-up', at: number): void;
  /** Changes to undo, everywhere or at one place, newest first: they are undone in reverse. */
  open(place?: JournalEntry['place']): JournalEntry[];
  ofSession(sessionId: number): JournalEntry[];
}

const QUERIES = {
  get: 'SELECT * FROM journal WHERE id = ?',
  write: `INSERT INTO journal (session_id, run_id, place_kind, place, what, old_value, wanted, state, undo, identity, written_at)
    VALUES (:session_id, :run_id, :place_kind, :place, :what, :old_value, :wanted, 'planned', :undo, :identity, :written_at)`,
  note: `UPDATE journal SET run_id = :run_id, wanted = :wanted, read_back = :read_back, state = :state, identity = :identity, message = :message,
    undo = :undo WHERE id = :id`,
  close: 'UPDATE journal SET state = ?, closed_at = ? WHERE id = ?',
  open: 'SELECT * FROM journal WHERE closed_at IS NULL ORDER BY id DESC',
  openAt: 'SELECT * FROM journal WHERE closed_at IS NULL AND place_kind = ? AND place = ? ORDER BY id DESC',
  ofSession: 'SELECT * FROM journal WHERE session_id = ? ORDER BY id',
};

interface NewRow {
  session_id: number | null;
  run_id: number | null;
  place_kind: string;
  place: string;
  what: string;
  old_value: string | null;
  wanted: string | null;
  undo: string;
  identity: string | null;
  written_at: number;
}
interface Row extends NewRow {
  id: number;
  read_back: string | null;
  state: string;
  message: string | null;
  closed_at: number | null;
}

const toEntry = (row: Row): JournalEntry => ({
  id: row.id,
  sessionId: row.session_id,
  runId: row.run_id,
  place: { kind: row.place_kind as JournalEntry['place']['kind'], name: row.place },
  what: row.what,
  oldValue: row.old_value,
  wanted: row.wanted,
  readBack: row.read_back,
  state: row.state as JournalState,
  undo: fromJson<Undo>(row.undo),
  identity: row.identity === null ? null : fromJson<Identity>(row.identity),
  message: row.message,
  writtenAt: row.written_at,
  closedAt: row.closed_at,
});

export function journalRows(connection: Connection): JournalRows {
  const { db, write } = connection;
  const get = db.prepare<[number], Row>(QUERIES.get);
  const add = db.prepare<[NewRow]>(QUERIES.write);
  const note = db.prepare<
    [Pick<Row, 'id' | 'run_id' | 'wanted' | 'read_back' | 'state' | 'identity' | 'message' | 'undo'>]
  >(QUERIES.note);
  const close = db.prepare<[string, number, number]>(QUERIES.close);
  const open = db.prepare<[], Row>(QUERIES.open);
  const openAt = db.prepare<[string, string], Row>(QUERIES.openAt);
  const ofSession = db.prepare<[number], Row>(QUERIES.ofSession);
  const existing = (id: number): JournalEntry => {
    const row = get.get(id);
    if (row === undefined) throw notFound('journal entry', id);
    return toEntry(row);
  };
  return guarded<JournalRows>(connection, {
    get: existing,
    write: (entry) =>
      write(() => {
        const { lastInsertRowid } = add.run({
          session_id: entry.sessionId,
          run_id: entry.runId,
          place_kind: entry.place.kind,
          place: entry.place.name,
          what: entry.what,
          old_value: entry.oldValue,
          wanted: entry.wanted,
          undo: toJson(entry.undo),
          identity: entry.identity === undefined ? null : toJson(entry.identity),
          written_at: entry.writtenAt,
        });
        return existing(Number(lastInsertRowid));
      }),
    note: (id, change) =>
      write(() => {
        const { runId, wanted, readBack, state, identity, message, undo } = { ...existing(id), ...change };
        const identityJson = identity === null ? null : toJson(identity);
        note.run({
          id,
          run_id: runId,
          wanted,
          read_back: readBack,
          state,
          identity: identityJson,
          message,
          undo: toJson(undo),
        });
        return existing(id);
      }),
    close(id, state, at) {
      if (write(() => close.run(state, at, id)).changes === 0) throw notFound('journal entry', id);
    },
    open: (place) => (place ? openAt.all(place.kind, place.name) : open.all()).map(toEntry),
    ofSession: (sessionId) => ofSession.all(sessionId).map(toEntry),
  });
}

/** A claim that a session has placed on a host, or was about to: its `path` there; `owner` is the session's uuid. */
export interface ClaimRow {
  readonly host: string;
  readonly path: string;
  readonly owner: string;
}

/** Claims outlive their session: each exists until it is known to be removed from its host. */
export interface ClaimRows {
  /** Call before placing it. */
  note(claim: ClaimRow): void;
  gone(claim: ClaimRow): void;
  /** Claims everywhere, or on one host. */
  list(host?: string): ClaimRow[];
}

const CLAIM_QUERIES = {
  note: 'INSERT OR IGNORE INTO claim (host, path, owner) VALUES (:host, :path, :owner)',
  gone: 'DELETE FROM claim WHERE host = :host AND path = :path AND owner = :owner',
  list: 'SELECT host, path, owner FROM claim ORDER BY id',
  on: 'SELECT host, path, owner FROM claim WHERE host = ? ORDER BY id',
};

export function claimRows(connection: Connection): ClaimRows {
  const { db, write } = connection;
  const note = db.prepare<[ClaimRow]>(CLAIM_QUERIES.note);
  const gone = db.prepare<[ClaimRow]>(CLAIM_QUERIES.gone);
  const list = db.prepare<[], ClaimRow>(CLAIM_QUERIES.list);
  const on = db.prepare<[string], ClaimRow>(CLAIM_QUERIES.on);
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
