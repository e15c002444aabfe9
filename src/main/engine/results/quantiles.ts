import type { Store } from '../store/store.ts';
import { groupFacts } from './group-facts.ts';
import { Workings } from './workings.ts';

export interface QuantileQuery {
  /** Ids of runs; those that are not there have no values. */
  groups: readonly (readonly number[])[];
  metric: string;
  /** Seconds left out at the start of each run. */
  warmup: number;
}

/** The measured seconds of each group together, ascending: all of them, or their percentiles from 0 to 100 where they are more. */
export async function runQuantiles(store: Store, { groups, metric, warmup }: QuantileQuery): Promise<Float64Array[]> {
  const workings = new Workings(store);
  const answer: Float64Array[] = [];
  for (const group of groups) {
    const runs = group.flatMap((id) => {
      const run = store.runs.get(id);
      return run ? [{ run, cut: warmup }] : [];
    });
    answer.push(groupFacts(workings, runs, metric).quantiles);
    await workings.pause();
  }
  workings.keep();
  return answer;
}
