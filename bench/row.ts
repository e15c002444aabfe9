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
