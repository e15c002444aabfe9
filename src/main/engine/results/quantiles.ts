import { percentile } from '../../../shared/stats/index.ts';
import type { Store } from '../store/store.ts';
import { runMeasured } from './run-values.ts';

export interface QuantileQuery {
  /** Ids of runs; those that are not there have no values. */
  groups: readonly (readonly number[])[];
  metric: string;
  /** Seconds left out at the start of each run. */
  warmup: number;
}

const PERCENTILES = 100;

/** The measured seconds of each group together, ascending: all of them, or their percentiles from 0 to 100 where they are more. */
export async function runQuantiles(store: Store, { groups, metric, warmup }: QuantileQuery): Promise<Float64Array[]> {
  const answer: Float64Array[] = [];
  for (const group of groups) {
    const parts = group.flatMap((id) => {
      const run = store.runs.get(id);
      return run ? [runMeasured(store, run, metric, warmup).window.points.v] : [];
    });
    answer.push(thinned(joined(parts)));
    // Between two groups what else there is to do is done: trials may be running.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return answer;
}

function joined(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let filled = 0;
  for (const part of parts) {
    all.set(part, filled);
    filled += part.length;
  }
  return all.filter(Number.isFinite).sort();
}

const thinned = (ascending: Float64Array): Float64Array =>
  ascending.length <= PERCENTILES + 1
    ? ascending
    : Float64Array.from({ length: PERCENTILES + 1 }, (_, p) => percentile(ascending, p));
