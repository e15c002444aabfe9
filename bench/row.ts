/**
 * One measured figure; its `name` is unique in its bench. `limit` is the figure of the bare layer below in the same run, `ratio` = value / limit,
 * `goal` the target.
 */
export interface BenchRow {
  name: string;
  value: number;
  unit: string;
  limit?: number;
  ratio?: number;
  goal?: string;
  /** Describes the limit, or the uncertainty of the figure. */
  note?: string;
}
