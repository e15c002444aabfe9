import type { Connection } from '../file/connection.ts';

const QUERIES = {
  find: 'SELECT id FROM metric WHERE name = ?',
  add: 'INSERT INTO metric (name) VALUES (?)',
  names: `SELECT metric.id, metric.name, feed_metric.chunks FROM feed_metric JOIN metric ON metric.id = metric_id WHERE feed_id = ? ORDER BY position`,
  addToFeed: 'INSERT INTO feed_metric (feed_id, metric_id, position) VALUES (?, ?, ?)',
};

/** The time column of every feed. */
export const TIME = 0;

export interface FeedMetric {
  id: number;
  name: string;
  /** Number of chunks that it is stored in. */
  chunks: number;
}

/** Numbers metric names, and lists the metrics of each feed. */
export interface MetricIds {
  find(name: string): number | undefined;
  /** Returns the id, and records that the feed has this metric. Call inside a transaction. */
  use(feedId: number, name: string): number;
  ofFeed(feedId: number): FeedMetric[];
  /** Clears the cache, which may be wrong after a rollback. */
  forget(): void;
}

export function metricIds({ db }: Connection): MetricIds {
  const find = db.prepare<[string], { id: number }>(QUERIES.find);
  const add = db.prepare<[string]>(QUERIES.add);
  const names = db.prepare<[number], FeedMetric>(QUERIES.names);
  const addToFeed = db.prepare<[number, number, number]>(QUERIES.addToFeed);
  const ids = new Map<string, number>();
  const feeds = new Map<number, Map<string, number>>();

  const lookUp = (name: string): number | undefined => {
    const known = ids.get(name) ?? find.get(name)?.id;
    if (known !== undefined) ids.set(name, known);
    return known;
  };
  const knownOf = (feedId: number): Map<string, number> => {
    let known = feeds.get(feedId);
    if (known === undefined) {
      known = new Map(names.all(feedId).map((row) => [row.name, row.id]));
      feeds.set(feedId, known);
    }
    return known;
  };
  return {
    find: lookUp,
    use(feedId, name) {
      const known = knownOf(feedId);
      const seen = known.get(name);
      if (seen !== undefined) return seen;
      const id = lookUp(name) ?? Number(add.run(name).lastInsertRowid);
      addToFeed.run(feedId, id, known.size);
      ids.set(name, id);
      known.set(name, id);
      return id;
    },
    ofFeed: (feedId) => names.all(feedId),
    forget() {
      ids.clear();
      feeds.clear();
    },
  };
}
