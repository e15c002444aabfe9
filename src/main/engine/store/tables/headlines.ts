import type { Session } from '../../../../shared/model/session.ts';
import { type Connection, guarded } from '../file/connection.ts';
import { fromJson, toJson } from './rows.ts';

/** Cell means of a step's primary metric: the figures that lists show for a session's first measured step. */
export interface SessionOverview {
  /** The session's answer, a sentence; with several measured steps, one for each level over all of them. Undefined if there is none. */
  answer?: string;
  /** In cell order, null without a value; with many cells, means of neighbours. */
  sparkline: (number | null)[];
  /**
   * The same by load curve, each along its factor, if there is more than one curve; dots for levels that are names are separated by nulls.
   */
  curves?: (number | null)[][];
  best?: NonNullable<Session['best']>;
}

/** Latest calculated summary of a session for lists. */
export interface Headline {
  /** Version of the rules used to calculate it. */
  version: number;
  /** Its inputs have changed since. */
  stale: boolean;
  overview: SessionOverview;
}

/** A row per session, deleted with it. All of it can be calculated again. */
export interface HeadlineRows {
  get(sessionId: number): Headline | undefined;
  /** Headlines of all archived sessions, or of all others, by session. */
  listed(archived: boolean): Map<number, Headline>;
  /** Replaces the stored one. A power failure may lose it; it is calculated again then. */
  keep(sessionId: number, version: number, overview: SessionOverview): void;
}

interface HeadlineColumns {
  id: number;
  version: number;
  stale: number;
  document: string;
}

const COLUMNS = 'session_id AS id, version, stale, document FROM headline';
const QUERIES = {
  get: `SELECT ${COLUMNS} WHERE session_id = ?`,
  listed: `SELECT ${COLUMNS} WHERE session_id IN (SELECT id FROM session WHERE archived = ?)`,
  keep: 'INSERT OR REPLACE INTO headline (session_id, version, stale, document) VALUES (?, ?, 0, ?)',
  stale: 'UPDATE headline SET stale = 1 WHERE session_id = ?',
};

export function headlineRows(connection: Connection): HeadlineRows {
  const { db, relaxed } = connection;
  const get = db.prepare<[number], HeadlineColumns>(QUERIES.get);
  const listed = db.prepare<[number], HeadlineColumns>(QUERIES.listed);
  const keep = db.prepare<[number, number, string]>(QUERIES.keep);
  return guarded<HeadlineRows>(connection, {
    get: (sessionId) => {
      const row = get.get(sessionId);
      return row && toHeadline(row);
    },
    listed(archived) {
      const found = new Map<number, Headline>();
      for (const row of listed.all(archived ? 1 : 0)) {
        const headline = toHeadline(row);
        if (headline) found.set(row.id, headline);
      }
      return found;
    },
    keep: (sessionId, version, overview) => void relaxed(() => keep.run(sessionId, version, toJson(overview))),
  });
}

/**
 * The only way to mark a session's headline as outdated. Call it in the transaction that changes any input: runs, their figures and
 * samples, their judgements, the plan.
 */
export function staleHeadline({ db }: Connection): (sessionId: number) => void {
  const stale = db.prepare<[number]>(QUERIES.stale);
  return (sessionId) => void stale.run(sessionId);
}

/** An unreadable one is calculated again. */
function toHeadline({ version, stale, document }: HeadlineColumns): Headline | undefined {
  try {
    return { version, stale: stale === 1, overview: fromJson<SessionOverview>(document) };
  } catch {
    return undefined;
  }
}
