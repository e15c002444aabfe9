import { createHash, type Hash } from 'node:crypto';
import { checksumOf } from '../codec/integers.ts';
import type { Connection } from '../file/connection.ts';
import { isCorruption } from '../file/problems.ts';
import { TIME } from '../samples/metric-ids.ts';

const SELECT = 'SELECT feed.id, rows, sealed FROM feed';
const QUERIES = {
  ofRun: `${SELECT} JOIN source ON source.id = source_id
    WHERE run_id = ? AND feed.kind = 'samples' AND source.kind = 'generator' ORDER BY position`,
  ofSource: `${SELECT} WHERE source_id = ? AND run_id IS NULL AND kind = 'samples' ORDER BY id`,
  metric: `SELECT metric.id, feed_metric.chunks FROM feed_metric JOIN metric ON metric.id = metric_id
    WHERE feed_id = ? AND metric.name = ?`,
  chunks: 'SELECT first, count, checksum, data FROM chunk WHERE feed_id = ? AND metric_id = ? ORDER BY first',
};

interface Feed {
  id: number;
  rows: number;
  sealed: number;
}
interface Chunk {
  first: number;
  count: number;
  checksum: number | null;
  data: Uint8Array;
}

/** Enough digits to make collisions of different samples practically impossible. */
const DIGITS = 32;

/** Content of a column's blocks for a stamp. */
interface Taken {
  whole: boolean;
  found: number;
  rows: number;
  blocks: Float64Array;
}

/** See `SummaryRows.stamps`. Reading blocks without decoding them takes a tenth of the time of any calculation from them. */
export function stamper({ db }: Connection): (inputs: SummaryInputs) => (Stamp | undefined)[] {
  const ofRun = db.prepare<[number], Feed>(QUERIES.ofRun);
  const ofSource = db.prepare<[number], Feed>(QUERIES.ofSource);
  const metricOf = db.prepare<[number, string], { id: number; chunks: number }>(QUERIES.metric);
  const chunks = db.prepare<[number, number], Chunk>(QUERIES.chunks);

  const take = (feed: number, metric: number): Taken => {
    const seen: number[] = [];
    let [whole, rows] = [true, 0];
    for (const { first, count, checksum, data } of chunks.iterate(feed, metric)) {
      whole &&= checksum === checksumOf([feed, metric, first, count], data);
      if (first === rows) rows += count;
      seen.push(first, count, checksum ?? -1);
    }
    return { whole, found: seen.length / 3, rows, blocks: Float64Array.of(feed, metric, seen.length, ...seen) };
  };
  /** Times of a feed are part of the stamp of each of its metrics, and are read once for all. Undefined if some are unsealed or damaged. */
  const timesOf = ({ id, rows, sealed }: Feed): Taken | undefined => {
    if (rows > sealed) return undefined;
    const times = take(id, TIME);
    return times.whole && times.rows === sealed ? times : undefined;
  };
  /** Whether all blocks of these columns exist and match their checksums; adds them to the stamp. */
  const takeMetrics = (hash: Hash, feed: number, metrics: readonly string[]): boolean => {
    for (const name of metrics) {
      const metric = metricOf.get(feed, name);
      if (!metric) {
        hash.update(`without ${name}`);
        continue;
      }
      const column = take(feed, metric.id);
      hash.update(column.blocks);
      if (!column.whole || column.found !== metric.chunks) return false;
    }
    return true;
  };
  return ({ runs = [], sources = [], metrics }) => {
    try {
      const groups = [...runs.map((id) => ofRun.all(id)), ...sources.map((id) => ofSource.all(id))];
      const times = groups.map((feeds) => feeds.map(timesOf));
      if (times.flat().includes(undefined)) return metrics.map(() => undefined);
      const anchor = groups.flatMap((feeds) => feeds[0]?.id ?? [])[0];
      return metrics.map((each) => {
        const hash = createHash('sha256');
        for (const [index, feeds] of groups.entries()) {
          hash.update(Float64Array.of(feeds.length));
          for (const [place, { id }] of feeds.entries()) {
            hash.update(times[index]?.[place]?.blocks ?? NO_BLOCKS);
            if (!takeMetrics(hash, id, each)) return undefined;
          }
        }
        return { ...(anchor !== undefined && { feed: anchor }), stamp: hash.digest('hex').slice(0, DIGITS) };
      });
    } catch (error) {
      // Damage is reported when the samples themselves are read.
      if (isCorruption(error)) return metrics.map(() => undefined);
      throw error;
    }
  };
}

const NO_BLOCKS = new Float64Array(0);

/** Samples that a calculation used: metrics of runs, each over all of its generators, or counters of a source. */
interface SummaryInputs {
  readonly runs?: readonly number[];
  /** Sources of a session, without a run. */
  readonly sources?: readonly number[];
  /** Sets of metrics; each has its own stamp. */
  readonly metrics: readonly (readonly string[])[];
}

/** Key of a summary: `stamp` identifies the samples, `key` the calculation. */
export interface SummaryKey {
  /** The feed it is stored with, from `stamp`. */
  readonly feed: number;
  readonly stamp: string;
  readonly key: string;
}

export interface Summary extends SummaryKey {
  /** JSON that may contain columns of numbers. */
  readonly value: unknown;
}

export interface Stamp {
  readonly feed?: number;
  readonly stamp: string;
}

/**
 * Calculations from samples, stored with them. A summary is deleted with its samples: with the run, the session, and when a run is read
 * again. All of it can be calculated again.
 */
export interface SummaryRows {
  /**
   * Identifies samples by short texts that are equal only if each of their blocks is. The blocks themselves are read, and their checksums
   * verified. Undefined if some are not sealed yet, or damaged. `feed` is the first one's; undefined if there are no samples at all, so
   * there is nothing to store.
   */
  stamps(inputs: SummaryInputs): (Stamp | undefined)[];
  /**
   * Returns the summary of exactly these samples, equal bit for bit to the stored value. Undefined if there is none, or if it is damaged.
   */
  find(key: SummaryKey): unknown;
  /**
   * Replaces summaries with the same key; deletes the oldest ones of a feed. Does nothing in a read-only library, inside a transaction, or
   * for a value that would not be reproduced exactly.
   */
  keep(summaries: readonly Summary[]): void;
  /**
   * Records that everything named by `mark` was calculated from the samples of a session sealed by now, for feeds with at least this many
   * rows.
   */
  markPrecomputed(sessionId: number, mark: string, least: number): void;
  /** Sessions that are not executed and have sealed samples without this mark, newest first. */
  notPrecomputed(mark: string, least: number): number[];
}
