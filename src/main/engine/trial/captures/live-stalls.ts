import { eventNow } from '../../../../shared/analysis/index.ts';
import { metricOf } from '../../../../shared/metrics/index.ts';
import { metricOfRun } from '../../runs/index.ts';
import type { RunRow, Store } from '../../store/store.ts';
import type { TrialContext } from '../context.ts';

/** Number of values that determine the usual rate: the last ones of a longer run. */
const MOST_KEPT = 700;

/** Detects stalls and dips of a run while they last, in the first metric of its tool, by generator: their sum is known only later. */
export class LiveStalls {
  readonly #store: Store;
  readonly #run: RunRow;
  readonly #warmup: number;
  readonly #metric: string | undefined;
  readonly #lines = new Map<number, { rows: number; t: number[]; v: number[] }>();
  /** By generator, the last second of the latest stall or dip. */
  readonly #until = new Map<number, number>();

  constructor({ store }: Pick<TrialContext, 'store'>, run: RunRow, warmup: number) {
    this.#store = store;
    this.#run = run;
    this.#warmup = warmup;
    const metric = metricOfRun(store.sessions.snapshot(run.sessionId), run);
    this.#metric = metric !== null && metricOf(metric).better === 'higher' ? metric : undefined;
  }

  /** Whether the tool reports no rate that could show a stall. */
  get isBlind(): boolean {
    return this.#metric === undefined;
  }

  /** Whether a stall or dip has begun since the last look. `now`: second of the run. */
  begins(now: number): boolean {
    const metric = this.#metric;
    if (metric === undefined) return false;
    const { samples } = this.#store;
    for (const { generator, rows } of samples.progress(this.#run.id)) {
      const line = this.#lines.get(generator) ?? { rows: Math.max(0, rows - MOST_KEPT), t: [], v: [] };
      this.#lines.set(generator, line);
      if (rows <= line.rows) continue;
      const { t, columns } = samples.rows(this.#run.id, generator, line.rows);
      const values = columns[metric];
      line.rows += t.length;
      t.forEach((second, index) => {
        const value = values?.[index] ?? Number.NaN;
        if (Number.isNaN(value)) return;
        line.t.push(second);
        line.v.push(value);
      });
      line.t.splice(0, line.t.length - MOST_KEPT);
      line.v.splice(0, line.v.length - MOST_KEPT);
    }
    const begun = [...this.#lines].filter(([generator, { t, v }]) => {
      const points = { t: Float64Array.from(t), v: Float64Array.from(v) };
      const event = eventNow(points, { now, warmup: this.#warmup });
      if (!event) return false;
      const until = this.#until.get(generator) ?? Number.NEGATIVE_INFINITY;
      this.#until.set(generator, Math.max(until, event.to));
      // A server that works for a second before it stalls again is in the same stall.
      return event.from > until;
    });
    return begun.length > 0;
  }
}
