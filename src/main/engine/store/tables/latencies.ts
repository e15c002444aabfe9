import { deflateSync, inflateSync } from 'node:zlib';
import type { HistogramPart } from '../../../../shared/stats/index.ts';
import { type Connection, guarded } from '../file/connection.ts';

/** Event durations of each family of latencies (`latency`, `read_latency`), by consecutive parts of the run. */
export type Latencies = Readonly<Record<string, readonly HistogramPart[]>>;

/** Histograms of event durations per run. Deleted with the run. */
export interface LatencyRows {
  /** Replaces all stored ones. */
  set(runId: number, latencies: Latencies): void;
  /** Undefined if nothing was counted, or if it cannot be read. */
  of(runId: number, family: string): readonly HistogramPart[] | undefined;
}

const QUERIES = {
  clear: 'DELETE FROM latency WHERE run_id = ?',
  add: 'INSERT INTO latency (run_id, family, parts) VALUES (?, ?, ?)',
  of: 'SELECT parts FROM latency WHERE run_id = ? AND family = ?',
};

type Packed = [from: number, to: number, rows: [ms: number, count: number][]][];

/** The format has its own checksum (Adler-32), so damage is detected on reading. */
const packed = (parts: readonly HistogramPart[]): Buffer =>
  deflateSync(
    JSON.stringify(
      parts.map(({ from, to, histogram }) => [from, to, histogram.map(({ ms, count }) => [ms, count])]) as Packed,
    ),
  );

function unpacked(bytes: Uint8Array): readonly HistogramPart[] | undefined {
  try {
    const parts = JSON.parse(inflateSync(bytes).toString()) as Packed;
    return parts.map(([from, to, rows]) => ({ from, to, histogram: rows.map(([ms, count]) => ({ ms, count })) }));
  } catch {
    // If it is damaged, the tool's own percentile is used, and reading the run again creates it again.
    return undefined;
  }
}

export function latencyRows(connection: Connection): LatencyRows {
  const { db, write } = connection;
  const clear = db.prepare<[number]>(QUERIES.clear);
  const add = db.prepare<[number, string, Buffer]>(QUERIES.add);
  const of = db.prepare<[number, string], { parts: Buffer }>(QUERIES.of);
  return guarded<LatencyRows>(connection, {
    set: (runId, latencies) =>
      write(() => {
        clear.run(runId);
        for (const [family, parts] of Object.entries(latencies)) add.run(runId, family, packed(parts));
      }),
    of: (runId, family) => {
      const row = of.get(runId, family);
      return row && unpacked(row.parts);
    },
  });
}
