import { metricOf } from '../../../shared/metrics/index.ts';
import type { CellResult, SessionResult, Spread } from '../../../shared/model/result.ts';
import type { SessionDetail } from '../../../shared/model/session.ts';
import { meanInterval, spreadOf } from '../../../shared/stats/index.ts';
import type { RunRow, Store } from '../store/store.ts';
import { generatorValues, runValues } from './run-values.ts';

export interface ResultQuery {
  sessionId: number;
  metric: string;
  /** Seconds left out at the start of each run; the run's own warm-up when absent. */
  warmup?: number;
}

type Context = Pick<SessionDetail, 'experiment' | 'plan'>;

/**
 * The one query behind every number of a session: screens, PDF, CSV and the command line all read this.
 * A cell's figures come from its complete runs; only when it has none, from its partial ones, and it says so.
 */
export function sessionResult(store: Store, context: Context, primary: string, query: ResultQuery): SessionResult {
  const runs = store.runs.ofSession(query.sessionId);
  const cells = context.plan.cells.map((cell) =>
    cellResult(
      store,
      runs.filter((run) => run.cell === cell.index),
      cell,
      query,
    ),
  );
  return {
    sessionId: query.sessionId,
    metric: query.metric,
    metrics: metricsOf(store, runs, primary),
    factors: context.experiment.factors.map(({ name, levels }) => ({ name, levels })),
    warmup: query.warmup ?? context.experiment.measure.warmup,
    cells,
    ...bestOf(cells, query.metric),
  };
}

function cellResult(
  store: Store,
  runs: RunRow[],
  cell: Pick<CellResult, 'levels'> & { index: number },
  query: ResultQuery,
): CellResult {
  const measured = runs.map((run) => {
    const values = runValues(store, run, query.metric, query.warmup ?? run.warmup);
    const spread = spreadOf(values);
    return { run, values, spread };
  });
  const withValues = measured.filter((entry) => entry.values.length > 0);
  const complete = withValues.filter(({ run }) => isSound(run));
  const used = complete.length > 0 ? complete : withValues;
  const spread = spreadOf(concatenate(used.map((entry) => entry.values)));
  const means = complete.map((entry) => (entry.spread as Spread).mean);
  const interval = meanInterval(means);
  const sound = runs.filter(isSound);
  const generators = generatorsOf(store, sound.length > 0 ? sound : runs, query);
  const errors = runs.reduce((sum, run) => sum + errorsOf(run), 0);
  return {
    cell: cell.index,
    levels: cell.levels,
    runs: measured.map(({ run, spread: own }) => ({
      runId: run.id,
      repeat: run.repeat,
      state: run.state,
      partial: run.partial,
      errors: errorsOf(run),
      ...(own && { spread: own }),
    })),
    ...(spread && { spread }),
    means,
    ...(generators.length > 0 && { generators }),
    ...(interval && { interval }),
    errors,
    partial: (complete.length === 0 && used.length > 0) || (sound.length === 0 && generators.length > 0),
  };
}

const isSound = (run: RunRow): boolean => run.state === 'done' && !run.partial;

/** Each generator's own seconds of these runs, in the order of the document. */
function generatorsOf(
  store: Store,
  runs: readonly RunRow[],
  query: ResultQuery,
): NonNullable<CellResult['generators']> {
  const values = runs.map((run) => generatorValues(store, run, query.metric, query.warmup ?? run.warmup));
  const hosts = runs.find((run) => run.jobs.length > 1)?.jobs.map(({ host }) => host) ?? [];
  return hosts.flatMap((host, index) => {
    const spread = spreadOf(concatenate(values.map((each) => each[index] ?? new Float64Array(0))));
    return spread ? [{ host, spread }] : [];
  });
}

/** Under which names the tools total what failed: embedded; sysbench (its old versions count deadlocks apart); pgbench; YCSB. */
const TOTALS_OF_ERRORS = [
  'errors_total',
  'ignored_errors_total',
  'deadlocks_total',
  'failed_total',
  'operations_failed_total',
] as const;

/** What the tool counted as errors; 0 when it counts none. */
const errorsOf = (run: RunRow): number => TOTALS_OF_ERRORS.reduce((sum, name) => sum + (run.summary[name] ?? 0), 0);

/** Best complete cell: highest or lowest mean, by what is better for the metric. */
function bestOf(cells: readonly CellResult[], metric: string): Pick<SessionResult, 'best'> {
  const sign = metricOf(metric).better === 'lower' ? -1 : 1;
  let best: { cell: number; value: number } | undefined;
  for (const cell of cells) {
    if (!cell.spread || cell.partial) continue;
    if (!best || (cell.spread.mean - best.value) * sign > 0) best = { cell: cell.cell, value: cell.spread.mean };
  }
  return best ? { best } : {};
}

function metricsOf(store: Store, runs: readonly RunRow[], primary: string): string[] {
  const seen = new Set<string>();
  for (const run of runs) for (const metric of store.samples.metrics(run.id)) seen.add(metric);
  const rest = [...seen].filter((metric) => metric !== primary);
  return seen.has(primary) ? [primary, ...rest] : rest;
}

function concatenate(parts: readonly Float64Array[]): Float64Array {
  const whole = new Float64Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
