import { metricOf } from '../../../shared/metrics/index.ts';
import type { Levels } from '../../../shared/model/experiment.ts';
import type { RunRow, Store } from '../store/store.ts';
import { runValues } from './run-values.ts';

export interface Overview {
  /** Mean of each cell over all seconds of its complete runs, as in the table of results, in cell order; null: nothing yet. */
  sparkline: (number | null)[];
  best?: { value: number; levels: Levels };
}

interface Part {
  sum: number;
  seconds: number;
}

/** Cell means for lists of sessions. What an ended run measured never changes, so it is remembered. */
export class Overviews {
  readonly #store: Store;
  readonly #parts = new Map<string, Part>();

  constructor(store: Store) {
    this.#store = store;
  }

  of(cells: readonly { index: number; levels: Levels }[], runs: readonly RunRow[], metric: string): Overview {
    const sparkline = cells.map((cell) => {
      const complete = runs.filter((run) => run.cell === cell.index && run.state === 'done' && !run.partial);
      const parts = complete.map((run) => this.#partOf(run, metric));
      const seconds = parts.reduce((count, part) => count + part.seconds, 0);
      return seconds > 0 ? parts.reduce((sum, part) => sum + part.sum, 0) / seconds : null;
    });
    const sign = metricOf(metric).better === 'lower' ? -1 : 1;
    let best: Overview['best'];
    sparkline.forEach((value, index) => {
      const levels = cells[index]?.levels;
      if (value !== null && levels && (!best || (value - best.value) * sign > 0)) best = { value, levels };
    });
    return { sparkline, ...(best && { best }) };
  }

  #partOf(run: RunRow, metric: string): Part {
    const key = `${run.id} ${metric}`;
    const known = this.#parts.get(key);
    if (known) return known;
    const values = runValues(this.#store, run, metric, run.warmup);
    const part = { sum: values.reduce((sum, value) => sum + value, 0), seconds: values.length };
    this.#parts.set(key, part);
    return part;
  }
}
