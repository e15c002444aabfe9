import type { Session } from '../../../../shared/model/session.ts';
import { type Connection, guarded } from '../file/connection.ts';
import { fromJson, toJson } from './rows.ts';

/** Cell means of the metric that a step puts first: the figures that a list shows of a session, for its first measured step. */
export interface SessionOverview {
  /** The answer of the session, a sentence; with several measured steps one for each level, over all of them. Absent: there is no answer. */
  answer?: string;
  /** In cell order, null: nothing yet; of many cells the means of neighbours. */
  sparkline: (number | null)[];
  /** The same by load curve, each along its factor, where that is more than the line of all cells; dots of levels that are names stand between nulls. */
  curves?: (number | null)[][];
  best?: NonNullable<Session['best']>;
}

/** What was worked out of a session last. */
export interface Headline {
  /** Rules by which it was worked out. */
  version: number;
  /** What it follows from has changed since. */
  stale: boolean;
  overview: SessionOverview;
}

/** A row per session, which goes with it. All of it can be worked out again at any time. */
export interface HeadlineRows {
  get(sessionId: number): Headline | undefined;
  /** Those of all sessions that are archived, or of all others, by session. */
  listed(archived: boolean): Map<number, Headline>;
  /** In place of what is there. A power cut may take it back: it is worked out again then. */
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
 * The one way to say that what was worked out of a session no longer holds. To be called in the transaction that changes anything that it follows
 * from: runs, their figures and samples, what they are judged by, the plan.
 */
export function staleHeadline({ db }: Connection): (sessionId: number) => void {
  const stale = db.prepare<[number]>(QUERIES.stale);
  return (sessionId) => void stale.run(sessionId);
}

/** One that cannot be read is worked out again. */
function toHeadline({ version, stale, document }: HeadlineColumns): Headline | undefined {
  try {
    return { version, stale: stale === 1, overview: fromJson<SessionOverview>(document) };
  } catch {
    return undefined;
  }
}
