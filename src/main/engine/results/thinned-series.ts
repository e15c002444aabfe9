import type { SeriesData } from '../../../shared/model/result.ts';
import type { RunRow, Store } from '../store/store.ts';
import { runSeries } from './combine.ts';
import { endOf } from './run-values.ts';
import { thin } from './thin.ts';
import { Workings } from './workings.ts';

export interface SeriesQuery {
  runIds: readonly number[];
  metrics: readonly string[];
  /** Of a series, about; absent: all. */
  points?: number | undefined;
}

/** Of a run with fewer seconds for a point its samples are read each time: what would be kept is not much less than they are. */
const LEAST_FOR_A_POINT = 64;

/** Series of runs, those that are not there left out. Strongly thinned ones are kept. Between two runs what else there is to do is done. */
export async function seriesOfRuns(store: Store, { runIds, metrics, points }: SeriesQuery): Promise<SeriesData[]> {
  const workings = new Workings(store);
  const answer: SeriesData[] = [];
  for (const runId of runIds) {
    const run = store.runs.get(runId);
    if (!run) continue;
    for (const metric of metrics) answer.push(...seriesOf(workings, run, metric, points));
    await workings.pause();
  }
  workings.keep();
  return answer;
}

type Thinned = Pick<SeriesData, 'generator' | 't' | 'v'>;

function seriesOf(workings: Workings, run: RunRow, metric: string, points: number | undefined): SeriesData[] {
  if (points === undefined) return runSeries(workings.store, run, metric);
  const work = (): SeriesData[] => runSeries(workings.store, run, metric).map((series) => thin(series, points));
  if (endOf(run) < points * LEAST_FOR_A_POINT) return work();
  const question = { kind: 'thinned', runs: [{ run, cut: 0 }], metrics: [metric], given: [points] };
  const kept = workings.of<Thinned[]>(question, () => ({
    value: work().map(({ generator, t, v }) => ({ generator, t, v })),
    isWhole: true,
  }));
  return kept.map(({ generator, t, v }) => ({ runId: run.id, generator, metric, t, v }));
}
