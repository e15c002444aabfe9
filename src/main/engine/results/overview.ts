import { metricOf } from '../../../shared/metrics/index.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { CellTotal, RunRow, SessionOverview, SessionRow, Store } from '../store/store.ts';
import { figuresOfRun, sourceOf } from './run-figures.ts';

/** More than a line in a list can show. */
const MOST_POINTS = 240;

/**
 * The figure of each cell over its complete runs, as in the table of results. What was worked out is stored with the session
 * until another trial ends; in a library that cannot be written it is worked out each time.
 */
export class Overviews {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  of(session: SessionRow): SessionOverview {
    const overview = this.#workOut(session);
    try {
      this.#store.sessions.update(session.id, { overview });
    } catch (error) {
      if (!(error instanceof KneepointError)) throw error;
    }
    return overview;
  }

  #workOut({ id, cells, primaryMetric }: SessionRow): SessionOverview {
    const means = new Array<number | null>(cells).fill(null);
    for (const { cell, sum, seconds } of this.#totals(id, primaryMetric)) if (seconds > 0) means[cell] = sum / seconds;
    const { better } = metricOf(primaryMetric);
    if (better === 'neither') return { sparkline: thinned(means) };
    const sign = better === 'lower' ? -1 : 1;
    let bestCell: number | undefined;
    let best = 0;
    means.forEach((value, cell) => {
      if (value === null || (bestCell !== undefined && (value - best) * sign <= 0)) return;
      bestCell = cell;
      best = value;
    });
    const levels = bestCell === undefined ? undefined : this.#store.sessions.snapshot(id).plan.cells[bestCell]?.levels;
    return { sparkline: thinned(means), ...(levels && { best: { value: best, levels } }) };
  }

  #totals(sessionId: number, metric: string): CellTotal[] {
    return this.#store.runs.overview(sessionId, (run: RunRow) => {
      const { sources } = figuresOfRun(this.#store, run, { metric, cut: run.warmup });
      const source = sourceOf(metric, [{ sources }]);
      const { value = 0, weight = 0 } = (source && sources.get(source)) ?? {};
      return { sum: value * weight, seconds: weight };
    });
  }
}

/** Beyond these no line in a list differs, and a list of a thousand sessions takes twice as long to read and to send. */
const DIGITS = 5;
const short = (value: number | null): number | null => (value === null ? null : Number(value.toPrecision(DIGITS)));

/** At most as many points as can be shown, each the mean of neighbouring cells. */
function thinned(means: readonly (number | null)[]): (number | null)[] {
  const each = Math.ceil(means.length / MOST_POINTS);
  if (each <= 1) return means.map(short);
  return Array.from({ length: Math.ceil(means.length / each) }, (_, point) => {
    const values = means.slice(point * each, (point + 1) * each).filter((value) => value !== null);
    return values.length === 0 ? null : short(values.reduce((sum, value) => sum + value, 0) / values.length);
  });
}
