import { curvesOf } from '../../../shared/chart-models/curves.ts';
import { metricOf, statisticOf } from '../../../shared/metrics/index.ts';
import type { FigureBound } from '../../../shared/model/analysis.ts';
import { canariesOf } from '../../../shared/model/canary.ts';
import { namedLevels } from '../../../shared/model/factor.ts';
import { type ChosenPick, picked, pickFor } from '../../../shared/model/pick.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { repeatsInterval } from '../../../shared/stats/index.ts';
import type { RunRow, RunTotal, SessionOverview, SessionRow, Store } from '../store/store.ts';
import { boundOfCell } from './bounded.ts';
import { figuresOfRun, type RunFigure, sourceOf } from './run-figures.ts';
import { Workings } from './workings.ts';

/** More than a line in a list can show. */
const MOST_POINTS = 240;

/** One more with each change of what is stored: what earlier rules stored is worked out anew. */
const OVERVIEW_VERSION = 1;

/**
 * The figure of each cell over its complete runs, as in the table of results. What was worked out is stored with the session
 * until another trial ends; in a library that cannot be written it is worked out each time.
 */
export class Overviews {
  readonly #store: Store;
  readonly #failuresOf: (tool: string) => readonly string[];

  /** `failuresOf`: keys of a tool's final figures that total what failed. */
  constructor(store: Store, failuresOf: (tool: string) => readonly string[] = () => []) {
    this.#store = store;
    this.#failuresOf = failuresOf;
  }

  /** As it is stored, if by these rules; else it is worked out. */
  known(session: SessionRow): SessionOverview {
    return session.overview?.version === OVERVIEW_VERSION ? session.overview : this.of(session);
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

  #workOut(session: SessionRow): SessionOverview {
    const { id, cells: count, primaryMetric } = session;
    const { experiment, plan } = this.#store.sessions.snapshot(id);
    const isCanary = canariesOf(plan);
    const totals = this.#totals(id, primaryMetric).filter((run) => run.seconds > 0 && !isCanary(run));
    const measure = metricOf(primaryMetric);
    const pick = pickFor(experiment.measure.pick, measure);
    const means = meansOf(totals, count);
    const figures = pick ? pickedOf(totals, count, (repeats) => picked(pick, repeats, measure)) : means;
    const curves = curvesOf(namedLevels(experiment.factors), plan.cells, means);
    const best = bestCell(figures, primaryMetric);
    const levels = best && plan.cells[best.cell]?.levels;
    return {
      version: OVERVIEW_VERSION,
      experiment: experiment.name,
      sparkline: thinned(means, MOST_POINTS),
      ...(curves.length > 1 && { curves: curves.map((curve) => thinned(curve, MOST_POINTS / curves.length)) }),
      ...(best &&
        levels && {
          best: { value: best.value, levels, ...this.#about(session, best.cell, totals, { isCanary, pick }) },
        }),
    };
  }

  /** How sure the figure of a cell is, and what failed beside it. */
  #about(
    { id, tool, primaryMetric }: SessionRow,
    cell: number,
    totals: readonly RunTotal[],
    { isCanary, pick }: { isCanary: ReturnType<typeof canariesOf>; pick: ChosenPick | undefined },
  ) {
    const repeats = totals.filter((run) => run.cell === cell).map(({ sum, seconds }) => sum / seconds);
    // As in the table of results: repeats of a percentile or a maximum are no sample of its mean, and an interval of the mean says nothing of a pick.
    const isMean = !['percentile', 'maximum', 'minimum'].includes(statisticOf(primaryMetric));
    const confidence = isMean && !pick ? repeatsInterval(repeats) : undefined;
    const keys = this.#failuresOf(tool);
    const errors = (keys.length === 0 ? [] : this.#store.runs.summaries(id, cell))
      .filter(({ repeat }) => !isCanary({ cell, repeat }))
      .flatMap(({ summary }) => keys.map((key) => summary[key] ?? 0))
      .reduce((sum, value) => sum + value, 0);
    const bound = this.#boundOf(id, cell, isCanary);
    return { ...(confidence && { confidence }), ...(errors > 0 && { errors }), ...(bound && { bound }) };
  }

  #boundOf(sessionId: number, cell: number, isCanary: ReturnType<typeof canariesOf>): FigureBound | undefined {
    const judged = this.#store.judgements
      .boundsOfCell(sessionId, cell)
      .filter(({ repeat }) => !isCanary({ cell, repeat }));
    const bound = boundOfCell(
      new Map(judged.map((run) => [run.runId, run])),
      judged.map(({ runId }) => runId),
    );
    return bound && { verdict: bound.verdict, sentence: bound.sentence };
  }

  #totals(sessionId: number, metric: string): RunTotal[] {
    const workings = new Workings(this.#store);
    const totals = this.#store.runs.overview(sessionId, (run: RunRow) => {
      const { value = 0, weight = 0 } = ownFigure(workings, run, metric) ?? {};
      return { sum: value * weight, seconds: weight };
    });
    workings.keep();
    return totals;
  }
}

/** What a run measured of a metric behind its warm-up; undefined: nothing. */
export function figureOfRun(store: Store, run: RunRow, metric: string): number | undefined {
  const workings = new Workings(store);
  const figure = ownFigure(workings, run, metric)?.value;
  workings.keep();
  return figure;
}

function ownFigure(workings: Workings, run: RunRow, metric: string): RunFigure | undefined {
  const { sources } = figuresOfRun(workings, run, { metric, cut: run.warmup });
  const source = sourceOf(metric, [{ sources }]);
  return source && sources.get(source);
}

function meansOf(totals: readonly RunTotal[], cells: number): (number | null)[] {
  const added = Array.from({ length: cells }, () => ({ sum: 0, seconds: 0 }));
  for (const { cell, sum, seconds } of totals) {
    const total = added[cell];
    if (!total) continue;
    total.sum += sum;
    total.seconds += seconds;
  }
  return added.map(({ sum, seconds }) => (seconds > 0 ? sum / seconds : null));
}

/** What a rule picks of the repeats of each cell. */
const pickedOf = (
  totals: readonly RunTotal[],
  cells: number,
  rule: (repeats: readonly number[]) => number | undefined,
): (number | null)[] =>
  Array.from({ length: cells }, (_, index) => {
    const repeats = totals.flatMap(({ cell, sum, seconds }) => (cell === index ? [sum / seconds] : []));
    return rule(repeats) ?? null;
  });

/** None of a metric that is neither good nor bad. */
function bestCell(means: readonly (number | null)[], metric: string): { cell: number; value: number } | undefined {
  const { better } = metricOf(metric);
  if (better === 'neither') return undefined;
  const sign = better === 'lower' ? -1 : 1;
  let best: { cell: number; value: number } | undefined;
  means.forEach((value, cell) => {
    if (value !== null && (!best || (value - best.value) * sign > 0)) best = { cell, value };
  });
  return best;
}

/** Beyond these no line in a list differs, and a list of a thousand sessions takes twice as long to read and to send. */
const DIGITS = 5;
const short = (value: number | null): number | null => (value === null ? null : Number(value.toPrecision(DIGITS)));

/** At most as many points as can be shown, each the mean of neighbouring cells. */
function thinned(means: readonly (number | null)[], most: number): (number | null)[] {
  const each = Math.ceil(means.length / most);
  if (each <= 1) return means.map(short);
  return Array.from({ length: Math.ceil(means.length / each) }, (_, point) => {
    const values = means.slice(point * each, (point + 1) * each).filter((value) => value !== null);
    return values.length === 0 ? null : short(values.reduce((sum, value) => sum + value, 0) / values.length);
  });
}
