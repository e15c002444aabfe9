import { metricOf } from '../../../shared/metrics/index.ts';
import type { SampleDamage } from '../../../shared/model/damage.ts';
import type { CellResult, SessionResult, Spread } from '../../../shared/model/result.ts';
import type { SessionDetail } from '../../../shared/model/session.ts';
import type { LoadKind } from '../../../shared/model/tool.ts';
import {
  type CellRuns,
  loadLines,
  repeatsInterval,
  resolutionOf,
  spreadOf,
  steadyCells,
  trendOf,
} from '../../../shared/stats/index.ts';
import type { RunRow, Store } from '../store/store.ts';
import { generatorValues, runMeasured } from './run-values.ts';

export interface ResultQuery {
  sessionId: number;
  metric: string;
  /** Seconds left out at the start of each run; the run's own warm-up when absent. */
  warmup?: number;
}

/** What the session's tool says of its figures: the metric to name first, and the final figures that total what failed. */
export interface ToolFigures {
  primary: string;
  failures: readonly string[];
  /** Factors that raise the load, by name. */
  loads?: Readonly<Record<string, LoadKind>>;
  /** The rate at which the document holds the load of every cell; absent or 0: as fast as it goes. */
  heldRate?: number;
}

type Context = Pick<SessionDetail, 'experiment' | 'plan'>;

/**
 * The one query behind every number of a session: screens, PDF, CSV and the command line all read this.
 * A cell's figures come from its complete runs; only when it has none, from its partial ones, and it says so.
 */
export function sessionResult(store: Store, context: Context, figures: ToolFigures, query: ResultQuery): SessionResult {
  const runs = store.runs.ofSession(query.sessionId);
  const damage: SampleDamage[] = [];
  const wholes: CellRuns[] = [];
  const cells = context.plan.cells.map((cell) => {
    const ofCell = runs.filter((run) => run.cell === cell.index);
    return cellResult(store, ofCell, cell, figures, query, {
      damage: (entries) => damage.push(...entries),
      complete: (whole) => wholes.push(whole),
    });
  });
  const trend = trendOf(cells.map(({ means, trials = [] }) => ({ means, trials })));
  const factors = context.experiment.factors.map(({ name, levels }) => {
    const load = figures.loads?.[name];
    return { name, levels, ...(load && { load }) };
  });
  const scaling = loadLines({ metric: query.metric, factors, cells }, figures.heldRate);
  return {
    sessionId: query.sessionId,
    metric: query.metric,
    metrics: metricsOf(store, runs, figures.primary),
    factors,
    warmup: query.warmup ?? context.experiment.measure.warmup,
    cells,
    ...bestOf(cells, query.metric),
    ...(trend && { trend }),
    ...(scaling.length > 0 && { scaling }),
    ...steadyCells(query.metric, wholes),
    ...(damage.length > 0 && { damage }),
  };
}

function cellResult(
  store: Store,
  runs: RunRow[],
  cell: Pick<CellResult, 'levels'> & { index: number },
  figures: ToolFigures,
  query: ResultQuery,
  on: { damage(entries: SampleDamage[]): void; complete(runs: CellRuns): void },
): CellResult {
  const measured = runs.map((run) => {
    const { values, whole, damage } = runMeasured(store, run, query.metric, query.warmup ?? run.warmup);
    on.damage(damage);
    const spread = spreadOf(values);
    return { run, values, whole, spread };
  });
  const withValues = measured.filter((entry) => entry.values.length > 0);
  const complete = withValues.filter(({ run }) => isSound(run));
  on.complete({
    cell: cell.index,
    levels: cell.levels,
    runs: complete.map(({ whole }) => whole),
    cut: query.warmup ?? complete[0]?.run.warmup ?? 0,
  });
  const used = complete.length > 0 ? complete : withValues;
  const spread = spreadOf(concatenate(used.map((entry) => entry.values)));
  const means = complete.map((entry) => (entry.spread as Spread).mean);
  const interval = repeatsInterval(means);
  const resolution = resolutionOf(concatenate(complete.map((entry) => entry.values)));
  const sound = runs.filter(isSound);
  const generators = generatorsOf(store, sound.length > 0 ? sound : runs, query);
  const errors = runs.reduce((sum, run) => sum + errorsOf(run, figures), 0);
  return {
    cell: cell.index,
    levels: cell.levels,
    runs: measured.map(({ run, spread: own }) => ({
      runId: run.id,
      repeat: run.repeat,
      state: run.state,
      partial: run.partial,
      errors: errorsOf(run, figures),
      ...(own && { spread: own }),
    })),
    ...(spread && { spread }),
    means,
    trials: complete.map(({ run }) => run.trial),
    ...(resolution !== undefined && { resolution }),
    ...(generators.length > 0 && { generators }),
    ...(interval && { interval }),
    errors,
    ...(figures.failures.length > 0 && {
      failures: sound.map((run) => ({ events: errorsOf(run, figures), seconds: run.warmup + run.duration })),
    }),
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

/** What the tool counted as errors; 0 when it counts none. */
const errorsOf = (run: RunRow, { failures }: ToolFigures): number =>
  failures.reduce((sum, key) => sum + (run.summary[key] ?? 0), 0);

/** Best complete cell: highest or lowest mean, by what is better for the metric; none where neither is. */
function bestOf(cells: readonly CellResult[], metric: string): Pick<SessionResult, 'best'> {
  const { better } = metricOf(metric);
  if (better === 'neither') return {};
  const sign = better === 'lower' ? -1 : 1;
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
