import { deflateSync, inflateSync } from 'node:zlib';
import type { HistogramPart } from '../../../../shared/stats/index.ts';
import { type Connection, guarded } from '../file/connection.ts';

/** Events of each family of latencies (`latency`, `read_latency`) by how long they took, one part of the run after the other. */
export type Latencies = Readonly<Record<string, readonly HistogramPart[]>>;

/** How many events of a run took how long. They go with their run. */
export interface LatencyRows {
  /** In place of all that is there. */
  set(runId: number, latencies: Latencies): void;
  /** Undefined where nothing was counted, or what is stored cannot be read. */
  of(runId: number, family: string): readonly HistogramPart[] | undefined;
}

const QUERIES = {
  clear: 'DELETE FROM latency WHERE run_id = ?',
  add: 'INSERT INTO latency (run_id, family, parts) VALUES (?, ?, ?)',
  of: 'SELECT parts FROM latency WHERE run_id = ? AND family = ?',
};

type Packed = [from: number, to: number, rows: [ms: number, count: number][]][];

/** The format has a checksum of its own (Adler-32), so that damage is found when it is read. */
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
    // Damaged: the percentile is then the tool's own, and reading the run again builds it again.
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
