import { isDeepStrictEqual } from 'node:util';
import { curvesOf } from '../../../shared/chart-models/sparkline.ts';
import { metricOf, VARIATION } from '../../../shared/metrics/index.ts';
import type { FigureBound } from '../../../shared/model/analysis.ts';
import { answerSentences } from '../../../shared/model/answer.ts';
import { asksSteadiness, type Experiment } from '../../../shared/model/experiment.ts';
import { type ChosenPick, pickFor } from '../../../shared/model/measure.ts';
import { headlineStep, type Plan } from '../../../shared/model/plan.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { canariesOf, isCounted } from '../../../shared/model/repeats.ts';
import type { CellResult, SessionResult } from '../../../shared/model/result.ts';
import { bestCell, judgesSteadiness } from '../../../shared/stats/index.ts';
import { sum } from '../../../shared/util/numbers.ts';
import { type Asked, answerOf, askedOf } from '../comparing/index.ts';
import { figureIn, measuredCell, Workings } from '../figures/index.ts';
import { boundOfCell } from '../judging/index.ts';
import type { RulesOf } from '../monitored/index.ts';
import type { Headline, RunRow, SessionOverview, SessionRow, Store } from '../store/store.ts';
import { answeredRatios, type ToolFigures, withLoads } from './session-result.ts';
import { stepsTable } from './steps-table.ts';

/** More points than a sparkline in a list can show. */
const MOST_POINTS = 240;

/** Raised with each change of the calculation, so that stored results of earlier rules are renewed. */
const HEADLINE_VERSION = 10;
/** Figures since this version are still valid and are shown until the rest has been calculated; caveats and the answer are missing. */
const FIGURES_SINCE = 3;

/** Duration of one step of calculating cells, milliseconds; other work runs between steps. */
const STEP_MS = 20;

function untilNextStep(): () => boolean {
  const until = performance.now() + STEP_MS;
  return () => performance.now() < until;
}

/** Summary of a session without reading its samples. `follow`: its figures are missing or outdated, and still to be calculated. */
export interface Figures {
  overview: SessionOverview;
  follow: boolean;
}

/** Knowledge of a session's tool about its figures. */
type KnownOf = (
  tool: string,
  experiment: Experiment,
) => Pick<ToolFigures, 'failures' | 'longest' | 'loads' | 'rulesOf'>;

const NONE: SessionOverview = { sparkline: [] };

/**
 * The figure of each cell over its complete runs, as in the table of results. Stored until an input changes; cached in memory if the
 * library is read-only.
 */
export class Overviews {
  readonly #store: Store;
  readonly #knownOf: KnownOf;
  /** For a read-only library, by session and its revision. */
  readonly #unstored = new Map<number, { revision: number; overview: SessionOverview }>();
  /** Why figures could not be calculated, by session and its revision. */
  readonly #failed = new Map<number, { revision: number; error: unknown }>();

  constructor(store: Store, knownOf: KnownOf = () => ({ failures: [] })) {
    this.#store = store;
    this.#knownOf = knownOf;
  }

  /**
   * Returns the stored summary. `headline` is the stored row, null if there is none. Throws `store-corrupt` if the calculation has met
   * damage.
   */
  kept(session: SessionRow, headline = this.#store.headlines.get(session.id) ?? null): Figures {
    const current = this.#current(session, headline);
    if (current) return { overview: current, follow: false };
    const failed = this.#failed.get(session.id);
    if (failed?.revision !== session.revision)
      return {
        overview: (headline?.version ?? 0) >= FIGURES_SINCE ? (headline?.overview ?? NONE) : NONE,
        follow: true,
      };
    if (isDamage(failed.error)) throw failed.error;
    return { overview: NONE, follow: false };
  }

  /** Returns the stored summary, else calculates it. */
  known(session: SessionRow): SessionOverview {
    return this.#current(session, this.#store.headlines.get(session.id) ?? null) ?? this.of(session);
  }

  of(session: SessionRow): SessionOverview {
    const cells = this.#measuredCells(session);
    for (const step of cells) step.take(() => true);
    return this.#keep(session, cells);
  }

  /** Like `known`, for any step of its trials. Only the step shown in lists is stored. */
  ofStep(session: SessionRow, place: number): SessionOverview {
    if (place === headlineStep(session.steps)) return this.known(session);
    const cells = new CellFigures(this.#store, session, this.#knownOf, place);
    cells.take(() => true);
    return overviewOf([cells]);
  }

  /** Like `known`, cell by cell for a waiting caller. Throws like `known`. */
  *calculate(session: SessionRow): Generator<{ done: number; of: number }> {
    if (!this.kept(session).follow) return;
    const cells = this.#measuredCells(session);
    const of = sum(cells.map(({ plan }) => plan.cells.length));
    for (const step of cells)
      while (!step.isDone) {
        step.take(untilNextStep());
        yield { done: sum(cells.map((each) => each.figures.length)), of };
      }
    // If the session has changed meanwhile, the caller calculates it again.
    if (this.#store.sessions.get(session.id)?.revision === session.revision) this.#keep(session, cells);
  }

  /** Calculates a missing summary, a few cells at a time. */
  *steps(sessionId: number): Generator<() => void> {
    const session = (): SessionRow | undefined => this.#store.sessions.get(sessionId);
    const row = session();
    if (!row || !this.kept(row).follow) return;
    const cells = this.#measuredCells(row);
    for (const step of cells)
      while (!step.isDone)
        yield () => {
          step.take(untilNextStep());
        };
    yield () => {
      const now = session();
      if (!now || !this.kept(now).follow) return;
      if (now.revision === row.revision) this.#keep(now, cells);
      else this.of(now);
    };
  }

  failed(sessionId: number, error: unknown): void {
    const revision = this.#store.sessions.get(sessionId)?.revision;
    if (revision !== undefined) this.#failed.set(sessionId, { revision, error });
  }

  #current({ id, revision }: SessionRow, headline: Headline | null): SessionOverview | undefined {
    if (headline?.version === HEADLINE_VERSION && !headline.stale) return headline.overview;
    const unstored = this.#unstored.get(id);
    return unstored?.revision === revision ? unstored.overview : undefined;
  }

  /** One for each measured step, the one shown in lists first. */
  #measuredCells(session: SessionRow): CellFigures[] {
    const first = headlineStep(session.steps);
    const others = session.steps.flatMap(({ measured, metric }, place) =>
      measured === false || metric === null || place === first ? [] : [place],
    );
    return [first, ...others].map((place) => new CellFigures(this.#store, session, this.#knownOf, place));
  }

  #keep(session: SessionRow, cells: readonly CellFigures[]): SessionOverview {
    const overview = overviewOf(cells);
    const isKept = unlessReadOnly(() => this.#store.headlines.keep(session.id, HEADLINE_VERSION, overview));
    if (!isKept) this.#unstored.set(session.id, { revision: session.revision, overview });
    return overview;
  }
}

/** The figures of the first of these steps, and the answer of all of them. */
function overviewOf(steps: readonly CellFigures[]): SessionOverview {
  const [first] = steps;
  if (!first) return NONE;
  const { asked, figures, plan, factors, pick, metric } = first;
  const values = figures.map(({ value }) => value ?? null);
  const curves = curvesOf(factors, plan.cells, values);
  const best = metric === null || asked.mechanics ? undefined : bestCell(metric, figures);
  const levels = best && plan.cells[best.cell]?.levels;
  const answer = answerTogether(steps);
  return {
    ...(answer !== undefined && { answer }),
    sparkline: thinned(values, MOST_POINTS),
    ...(!isDeepStrictEqual(curves, [values]) && {
      curves: curves.map((curve) => thinned(curve, MOST_POINTS / curves.length)),
    }),
    ...(best &&
      levels && {
        best: {
          ...{ value: best.value, levels },
          // The interval does not apply to a pick.
          ...(best.interval && !pick && { confidence: best.interval }),
          ...(best.bound && { bound: best.bound }),
          ...(best.caveats && { caveats: best.caveats }),
        },
      }),
  };
}

/** The answer of one step; for several, the sentences of their table, which judge all of them together. */
function answerTogether(steps: readonly CellFigures[]): string | undefined {
  const answered = steps.flatMap(({ answering, metric, factors, asked, place, later }) => {
    if (metric === null) return [];
    const cells = answering.figures.map(({ bound: _, ...cell }) => cell);
    const measured = { metric: answering.metric ?? '', factors, cells };
    const answer = answerOf(measured, asked);
    return [{ place, measured, answer, asked, later }];
  });
  const [first, ...more] = answered;
  if (!first) return undefined;
  if (more.length === 0) return answerSentences({ answer: first.answer })[0];
  const lines = answered
    .toSorted((one, other) => one.place - other.place)
    .map(({ place, measured, answer, asked }) => ({
      ...{ step: place, name: '' },
      result: { ...measured, answer, ratios: answeredRatios(measured, answer, asked).ratios },
    }));
  const { sentences } = stepsTable(lines, first.later);
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

type CellFigure = Omit<CellResult, 'bound'> & { bound?: FigureBound };

/** Figures of one step in the cells of a session, as in results, calculated cell by cell. */
class CellFigures {
  readonly figures: CellFigure[] = [];
  /** Figures of another metric that the session's answer is based on. Undefined if `figures` are used. */
  readonly #answering: CellFigure[] | undefined;
  readonly plan: Plan;
  readonly asked: Asked;
  /** Place in the trial. */
  readonly place: number;
  /** First trials of the session's later parts. */
  readonly later: readonly number[];
  readonly factors: SessionResult['factors'];
  readonly pick: ChosenPick | undefined;
  /** null if the tool only monitors, and no cell has a figure. */
  readonly metric: string | null;
  readonly #store: Store;
  readonly #known: ReturnType<KnownOf>;
  readonly #bounds: ReturnType<Store['judgements']['bounds']>;
  readonly #runs: ReadonlyMap<number, RunRow[]>;

  constructor(store: Store, { id, steps, tested }: SessionRow, knownOf: KnownOf, place = headlineStep(steps)) {
    const snapshot = store.sessions.snapshot(id);
    const { experiment, plan } = snapshot;
    const { tool, metric } = steps[place] ?? { tool: '', metric: null };
    this.metric = metric;
    this.place = place;
    this.later = (snapshot.later ?? []).map(({ from }) => from);
    this.plan = plan;
    const known = knownOf(tool, experiment);
    this.factors = withLoads(experiment, known);
    this.asked = askedOf(snapshot, { tested, step: place });
    this.pick = metric === null ? undefined : pickFor(experiment.measure.pick, metricOf(metric));
    this.#answering = metric !== null && judgesSteadiness(metric) && asksSteadiness(experiment, place) ? [] : undefined;
    const isCanary = canariesOf(plan);
    this.#store = store;
    this.#known = known;
    this.#bounds = store.judgements.bounds(id);
    this.#runs = Map.groupBy(
      store.runs.ofSession(id).filter((run) => run.step === place && !isCanary(run)),
      ({ cell }) => cell,
    );
  }

  get answering(): { metric: string | null; figures: readonly CellFigure[] } {
    return this.#answering
      ? { metric: VARIATION, figures: this.#answering }
      : { metric: this.metric, figures: this.figures };
  }

  get isDone(): boolean {
    return this.figures.length === this.plan.cells.length;
  }

  /** Calculates the next cells as long as there is time, at least one. */
  take(isTime: () => boolean): void {
    const workings = new Workings(this.#store, this.#known.rulesOf);
    do {
      const next = this.plan.cells[this.figures.length];
      if (!next) break;
      if (this.metric === null) {
        const none = { runs: [], means: [], trials: [], errors: 0, partial: false };
        this.figures.push({ cell: next.index, levels: next.levels, ...none });
        continue;
      }
      const runs = this.#runs.get(next.index) ?? [];
      const of = boundOfCell(
        this.#bounds,
        runs.filter(isCounted).map(({ id }) => id),
      );
      const bound = of && { verdict: of.verdict, sentence: of.sentence };
      const figureOf = (metric: string): CellFigure => {
        const {
          runs: _,
          complete,
          used: __,
          ...figure
        } = measuredCell(workings, runs, {
          ...{ metric, pick: this.pick, bound, completeOnly: true },
          ...{ failures: this.#known.failures, longest: this.#known.longest },
        });
        return {
          ...{ cell: next.index, levels: next.levels, runs: [], ...figure },
          trials: complete.map(({ run }) => run.trial),
          ...(bound && { bound }),
        };
      };
      this.#answering?.push(figureOf(VARIATION));
      this.figures.push(figureOf(this.metric));
    } while (isTime());
    workings.keep();
  }
}

const isDamage = (error: unknown): boolean => error instanceof KneepointError && error.code === 'store-corrupt';

/** Whether it could be written. */
function unlessReadOnly(write: () => void): boolean {
  try {
    write();
    return true;
  } catch (error) {
    if (!(error instanceof KneepointError)) throw error;
    return false;
  }
}

/** A run's figure of a metric after its warm-up. Undefined if it has none. */
export function figureOfRun(store: Store, run: RunRow, metric: string, rulesOf?: RulesOf): number | undefined {
  const workings = new Workings(store, rulesOf);
  const value = figureIn(workings, run, { metric, cut: run.warmup });
  workings.keep();
  return value;
}

/** More digits make no visible difference in a list, and a list of a thousand sessions would take twice as long to read and send. */
const DIGITS = 5;
const short = (value: number | null): number | null => (value === null ? null : Number(value.toPrecision(DIGITS)));

/** Reduces to the number of points that can be shown, each the mean of neighbouring cells. */
function thinned(means: readonly (number | null)[], most: number): (number | null)[] {
  const each = Math.ceil(means.length / most);
  if (each <= 1) return means.map(short);
  return Array.from({ length: Math.ceil(means.length / each) }, (_, point) => {
    const values = means.slice(point * each, (point + 1) * each).filter((value) => value !== null);
    return values.length === 0 ? null : short(values.reduce((sum, value) => sum + value, 0) / values.length);
  });
}
