import { metricOf, rateOfLatency } from '../../../shared/metrics/index.ts';
import type { SampleDamage } from '../../../shared/model/damage.ts';
import type { DerivedMeasure } from '../../../shared/model/derived.ts';
import type { SeriesData } from '../../../shared/model/result.ts';
import { ascendingOf, type Points } from '../../../shared/stats/index.ts';
import type { RulesOf } from '../monitored/index.ts';
import type { RunRow, Stamp, Store, Summary, SummaryKey } from '../store/store.ts';
import { RunMeasures } from './measures.ts';
import { endOf, measuredOf, runMeasured, runSeries, type Window } from './run-series.ts';

/**
 * Raised with each change to how figures are calculated from samples, so stored figures of older versions are not used. `summaries.test.ts`
 * fails if figures change and this does not.
 */
const FIGURES = 3;

/** Seconds of a run in memory. */
export interface RunSeconds {
  readonly window: Window;
  readonly whole: Points;
  readonly damage: readonly SampleDamage[];
  /** Values of the window, ascending. */
  readonly ascending: Float64Array;
}

/** A run, and the cut after which it is evaluated. */
export interface CutRun {
  readonly run: RunRow;
  /** Seconds left out at the start. */
  readonly cut: number;
}

export interface Question {
  /** Kind of calculation. */
  readonly kind: string;
  readonly runs: readonly CutRun[];
  /** All metrics that are read for it. */
  readonly metrics: readonly string[];
  /** Other inputs that the result depends on. */
  readonly given?: readonly (string | number | boolean)[];
}

/** Number of values kept in memory, enough for a few long runs: the runs of a cell are read several times, one cell after the other. */
const MOST_VALUES = 1_000_000;

/** Calculations from samples for one answer. Reuses results stored for the same samples; otherwise calculates and stores them. */
export class Workings {
  readonly store: Store;
  readonly measures: RunMeasures;
  readonly #stamps = new Map<string, Stamp | undefined>();
  readonly #metrics = new Map<number, string[]>();
  readonly #seconds = new Map<string, RunSeconds>();
  readonly #series = new Map<string, readonly SeriesData[]>();
  readonly #made: Summary[] = [];

  /**
   * `rulesOf` defines how counters of hosts and servers are read; without it, measures of these have no figure. `lent` are measures of
   * other sessions.
   */
  constructor(store: Store, rulesOf?: RulesOf, lent?: readonly DerivedMeasure[]) {
    this.store = store;
    this.measures = new RunMeasures({ store, rulesOf, lent, metrics: (runId) => this.metrics(runId) });
  }

  /** Metrics that a run has. */
  metrics(runId: number): string[] {
    const known = this.#metrics.get(runId) ?? this.store.samples.metrics(runId);
    this.#metrics.set(runId, known);
    return known;
  }

  /**
   * Returns the stored result of `work`, or calls it. A result is stored only if `isWhole`; with damaged or unsealed samples `work` is
   * called each time.
   */
  of<T>(question: Question, work: () => { value: T; isWhole: boolean }): T {
    const place = this.#placeOf(question);
    if (!place) return work().value;
    const known = this.store.summaries.find(place);
    if (known !== undefined) return known as T;
    const { value, isWhole } = work();
    if (isWhole) this.#made.push({ ...place, value });
    return value;
  }

  /** Yields to other work, as trials may be running. Samples are read again after it. */
  async pause(): Promise<void> {
    this.#stamps.clear();
    this.#metrics.clear();
    this.#seconds.clear();
    this.#series.clear();
    this.measures.forget();
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Stores the results calculated for this answer, once it is complete. */
  keep(): void {
    this.store.summaries.keep(this.#made.splice(0));
  }

  /** Latencies without a matching rate are reported one by one, as for single queries: each counts once, whenever it occurred. */
  isOfEvents(run: RunRow, metric: string): boolean {
    return metricOf(metric).latency === true && rateOfLatency(metric, this.metrics(run.id)) === undefined;
  }

  /** Like the function `runSeries`, but cached until the next pause. */
  series(run: RunRow, metric: string): readonly SeriesData[] {
    const key = `${run.id} ${metric}`;
    const known = this.#series.get(key) ?? this.#read(run, metric);
    this.#series.set(key, known);
    return known;
  }

  /** A measure has one series: of the generator, of all generators together, or of another source. */
  #read(run: RunRow, metric: string): readonly SeriesData[] {
    const measure = this.measures.of(run, metric);
    if (!measure) return runSeries(this.store, run, metric);
    const { t, v } = this.measures.points(run, measure);
    const isOfGenerator = run.jobs.length === 1 && measure.series?.source === undefined;
    return t.length > 0 ? [{ runId: run.id, generator: isOfGenerator ? 0 : null, metric, t, v }] : [];
  }

  seconds({ run, cut }: CutRun, metric: string): RunSeconds {
    const key = `${run.id} ${cut} ${metric}`;
    const known = this.#seconds.get(key);
    if (known) return known;
    const asked = { run, metric, cut, ofEvents: this.isOfEvents(run, metric) };
    const measure = this.measures.of(run, metric);
    const points = measure && this.measures.points(run, measure);
    const measured = points ? { ...measuredOf(points, asked), damage: points.damage } : runMeasured(this.store, asked);
    let ascending: Float64Array | undefined;
    const seconds: RunSeconds = {
      ...measured,
      get ascending() {
        ascending ??= ascendingOf(measured.window.points.v);
        return ascending;
      },
    };
    this.#seconds.set(key, seconds);
    let held = 0;
    for (const [, { whole }] of this.#seconds) held += whole.v.length;
    for (const [oldest, { whole }] of this.#seconds) {
      if (held <= MOST_VALUES || oldest === key) break;
      this.#seconds.delete(oldest);
      held -= whole.v.length;
    }
    return seconds;
  }

  /** The stamp of several runs consists of the stamps of each, which were read for its own figures already. */
  #placeOf({ kind, runs, metrics: asked, given = [] }: Question): SummaryKey | undefined {
    const behind = this.#metricsBehind(runs, asked);
    if (!behind) return undefined;
    const { metrics, definitions } = behind;
    // Metrics that no run has per second are cheap to calculate.
    if (!runs.some(({ run }) => this.metrics(run.id).includes(metrics[0] ?? ''))) return undefined;
    const stamps = runs.flatMap(({ run }) => metrics.map((metric) => this.#stampOf(run.id, metric)));
    const feed = stamps.find((stamp) => stamp?.feed !== undefined)?.feed;
    if (feed === undefined || stamps.some((stamp) => !stamp)) return undefined;
    const of = runs.map(({ run, cut }) => [
      ...[run.id, cut, endOf(run), ...startsOf(run)],
      this.isOfEvents(run, metrics[0] ?? ''),
    ]);
    return {
      feed,
      key: JSON.stringify([FIGURES, kind, metrics, given, of, ...definitions]),
      stamp: stamps.map((stamp) => stamp?.stamp).join(' '),
    };
  }

  /**
   * Replaces measures by the stored metrics they are calculated from, and adds their definitions. Undefined if they need more than the
   * runs' stored samples.
   */
  #metricsBehind(
    runs: readonly CutRun[],
    asked: readonly string[],
  ): { metrics: readonly string[]; definitions: unknown[] } | undefined {
    const [first] = runs;
    const measures = first ? asked.flatMap((metric) => this.measures.of(first.run, metric) ?? []) : [];
    if (!first || measures.length === 0) return { metrics: asked, definitions: [] };
    const behind = measures.map((measure) => this.measures.metricsBehind(first.run, measure));
    if (behind.some((metrics) => metrics === undefined || metrics.length === 0)) return undefined;
    const stored = asked.filter((metric) => !this.measures.of(first.run, metric));
    return {
      metrics: [...new Set([...behind.flatMap((metrics) => metrics ?? []), ...stored])],
      definitions: [asked, this.measures.definitions(runs.map(({ run }) => run))],
    };
  }

  #stampOf(runId: number, metric: string): Stamp | undefined {
    const key = `${runId} ${metric}`;
    if (!this.#stamps.has(key))
      this.#stamps.set(key, this.store.summaries.stamps({ runs: [runId], metrics: [[metric]] })[0]);
    return this.#stamps.get(key);
  }
}

/** Start times, which align the seconds of several generators on one axis. */
const startsOf = ({ jobs }: RunRow): number[] =>
  jobs.length > 1 ? [jobs.length, ...jobs.map(({ startedAt }) => startedAt ?? -1)] : [jobs.length];
