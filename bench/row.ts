/** One measured figure; its `name` is the only one of that name in its bench. `limit` is what the bare layer below did in the same run, `ratio` = value / limit, `goal` the figure to hold. */
export interface BenchRow {
  name: string;
  value: number;
  unit: string;
  limit?: number;
  ratio?: number;
  goal?: string;
  /** What the limit is, how sure the figure is. */
  note?: string;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}
