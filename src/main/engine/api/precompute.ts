import {
  firstLanes,
  heatColumns,
  lanePoints,
  latenciesOf,
  MOST_HEAT_ROWS,
  MOST_LANE_RUNS,
} from '../../../shared/metrics/first-look.ts';
import { headlineStep } from '../../../shared/model/plan.ts';
import { canariesOf } from '../../../shared/model/repeats.ts';
import { ENDED_RUN } from '../../../shared/model/session.ts';
import { loadFactorOf } from '../../../shared/stats/index.ts';
import { runBuckets, seriesOfRuns } from '../figures/index.ts';
import { LONG_SECONDS, type PrecomputeTasks, precomputeMonitored } from '../judging/index.ts';
import { runWindows } from '../monitored/index.ts';
import type { RunRow } from '../store/store.ts';
import type { ApiContext } from './context.ts';
import { rulesOf } from './monitors.ts';
import { resultOf, resultSteps } from './result-of.ts';

/** Version of the answers prepared in a library; raised when pages ask for something else first. */
export const PRECOMPUTED_MARK = 'ahead 1';

/** Prepares the first queries of the tabs of a session's results, one after the other, then the same for every other metric. */
export function precomputeTasks(context: ApiContext): PrecomputeTasks {
  const { store } = context;
  return {
    *steps(sessionId) {
      const { steps, experiment } = store.sessions.snapshot(sessionId);
      const metric = steps[headlineStep(steps)]?.metric ?? null;
      const { warmup, duration } = experiment.measure;
      if (metric === null) yield () => resultOf(context, sessionId);
      // Figures of shorter runs are read at once, and there may be thousands of these runs. Hosts were monitored for long regardless.
      const isLong = warmup + duration >= LONG_SECONDS;
      const others = metric !== null && isLong ? yield* ofTool(context, sessionId, metric) : [];
      yield* precomputeMonitored(store, sessionId, rulesOf);
      // Figures of a cell depend on all runs: while some are to come, they would be calculated in vain.
      if (store.runs.ofSession(sessionId).every(({ state }) => ENDED_RUN.includes(state)))
        yield* ofOthers(context, sessionId, others);
    },
    done: (sessionId) => store.summaries.markPrecomputed(sessionId, PRECOMPUTED_MARK, LONG_SECONDS),
    remaining: () => store.summaries.notPrecomputed(PRECOMPUTED_MARK, LONG_SECONDS),
    failed: (error, session) =>
      context.outside.log.warn('The figures for a page could not be calculated in advance.', {
        session,
        error: String(error),
      }),
  };
}

/** Returns the metrics that were omitted. */
function* ofTool(context: ApiContext, sessionId: number, metric: string): Generator<() => unknown, string[]> {
  const { store } = context;
  let latency: string | undefined;
  let others: readonly string[] = [];
  let lanes: readonly string[] = [];
  // Overview, and the spreads and percentiles of Distribution.
  for (const step of resultSteps(context, sessionId, metric))
    yield () => {
      const result = step();
      if (!result) return;
      if (loadFactorOf(result.factors)) [latency] = latenciesOf(result.metrics);
      lanes = firstLanes(metric, result.metrics);
      others = result.metrics;
    };
  yield () => heatMap(context, sessionId, metric);
  // Efficiency.
  if (latency !== undefined) yield* resultSteps(context, sessionId, latency);
  // Hosts.
  const windows = runWindows(store, sessionId).slice(0, MOST_LANE_RUNS);
  const points = lanePoints(
    windows.length,
    windows.reduce((sum, { zero, to }) => sum + (to - zero) / 1000, 0),
  );
  if (points !== undefined)
    for (const lane of lanes)
      yield () => seriesOfRuns(store, { runIds: windows.map(({ runId }) => runId), metrics: [lane], points }, rulesOf);
  return others.filter((other) => other !== metric);
}

function* ofOthers(context: ApiContext, sessionId: number, metrics: readonly string[]): Generator<() => unknown> {
  for (const metric of metrics) {
    yield* resultSteps(context, sessionId, metric);
    yield () => heatMap(context, sessionId, metric);
  }
}

/** Timeline. */
function heatMap({ store }: ApiContext, sessionId: number, metric: string): Promise<unknown> {
  const { plan, steps } = store.sessions.snapshot(sessionId);
  const runs = store.runs.ofSession(sessionId).filter(({ step }) => step === headlineStep(steps));
  const groups = heatRows(runs, canariesOf(plan));
  return runBuckets(store, { groups, metric, points: heatColumns(groups.length) }, rulesOf);
}

/** Rows of a session's heat map: its runs, or its cells if there are too many runs. */
function heatRows(all: readonly RunRow[], isCanary: (run: RunRow) => boolean): number[][] {
  const runs = all.filter((run) => !isCanary(run) && !run.excluded).sort((one, other) => one.repeat - other.repeat);
  if (runs.length <= MOST_HEAT_ROWS) return runs.map(({ id }) => [id]);
  return [...Map.groupBy(runs, ({ cell }) => cell).values()].map((group) => group.map(({ id }) => id));
}
