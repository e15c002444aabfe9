import { LOADING_SESSION } from '../../../../shared/model/states.ts';
import type { Connection } from '../file/connection.ts';
import type { SummaryRows } from './summary-rows.ts';

const SEALED = `FROM feed JOIN source ON source.id = source_id WHERE feed.kind = 'samples' AND rows = sealed`;
const QUERIES = {
  feeds: `SELECT feed.id, rows ${SEALED} AND source.session_id = ? AND rows >= ?`,
  /** A note of fewer rows is of before more of them came. */
  without: `SELECT DISTINCT source.session_id ${SEALED} AND rows >= :rows
    AND NOT EXISTS (SELECT 1 FROM summary WHERE feed_id = feed.id AND key = :mark AND stamp = CAST(feed.rows AS TEXT))
    AND EXISTS (SELECT 1 FROM session WHERE session.id = source.session_id
      AND state NOT IN (${LOADING_SESSION.map((state) => `'${state}'`).join(', ')}))
    ORDER BY source.session_id DESC`,
};

/** Notes on what has been worked out ahead: a hint, which no figure rests on. */
export function marks({ db }: Connection, keep: SummaryRows['keep']): Pick<SummaryRows, 'worked' | 'unworked'> {
  const feeds = db.prepare<[number, number], { id: number; rows: number }>(QUERIES.feeds);
  const without = db.prepare<[{ mark: string; rows: number }], number>(QUERIES.without).pluck();
  return {
    worked: (sessionId, mark, least) =>
      keep(
        feeds.all(sessionId, least).map(({ id, rows }) => ({ feed: id, key: mark, stamp: String(rows), value: true })),
      ),
    unworked: (mark, least) => without.all({ mark, rows: least }),
  };
}
