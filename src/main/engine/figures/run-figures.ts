import {
  COUNTED_FROM,
  eventRate,
  isSize,
  LITTLE,
  latencyFamily,
  percentileIn,
  RECOVERY,
  rateOfLatency,
  STALLS,
  type Statistic,
  statisticOf,
  VARIATION,
} from '../../../shared/metrics/index.ts';
import type { SampleDamage } from '../../../shared/model/damage.ts';
import { LEAST_VARYING } from '../../../shared/model/experiment.ts';
import type { Spread } from '../../../shared/model/result.ts';
import {
  eventsBehind,
  eventsOf,
  type Histogram,
  percentileOf,
  recoveryFigures,
  resolutionOfAscending,
  type Stalls,
  stallsOf,
  weightedMean,
  weightedSpread,
} from '../../../shared/stats/index.ts';
import { sum } from '../../../shared/util/numbers.ts';
import type { RunRow, Store } from '../store/store.ts';
import type { CutRun, RunSeconds, Workings } from './workings.ts';

/** Statistics of a metric's seconds in one run: everything a figure needs of them. */
export interface RunFacts {
  /** Number of values after the cut, and in the whole run. */
  readonly count: number;
  readonly all: number;
  /** Seconds covered by the values after the cut. */
  readonly seconds: number;
  readonly spread?: Spread;
  /** Smallest step between values. */
  readonly resolution?: number;
  /** The largest second of a maximum, the smallest of a minimum. */
  readonly extreme?: number;
  /** The figure from seconds alone, and its weight among those of other runs. */
  readonly figure?: { readonly value: number; readonly weight: number };
  /** Only for a rate of events. */
  readonly stalls?: Stalls;
}

/** `pace`: the metric is the rate that this run's stalls are detected by. */
function runFacts(
  workings: Workings,
  asked: CutRun,
  metric: string,
  pace: boolean,
): { facts: RunFacts; damage: readonly SampleDamage[] } {
  let damage: readonly SampleDamage[] = [];
  const rate = rateOfEvents(workings, asked, metric);
  const metrics = rate === undefined ? [metric] : [metric, rate];
  const facts = workings.of({ kind: 'run', runs: [asked], metrics, given: [pace] }, () => {
    const seconds = workings.seconds(asked, metric);
    damage = seconds.damage;
    const counts = rate === undefined ? undefined : workings.seconds(asked, rate);
    return {
      value: factsOf(metric, seconds, counts, pace),
      isWhole: damage.length === 0 && (counts?.damage.length ?? 0) === 0,
    };
  });
  return { facts, damage };
}

/** The rate that counts the events behind each second of a mean latency. Undefined if the tool does not report one. */
const rateOfEvents = (workings: Workings, { run }: CutRun, metric: string): string | undefined =>
  statisticOf(metric) === 'mean' ? rateOfLatency(metric, workings.metrics(run.id)) : undefined;

function factsOf(metric: string, seconds: RunSeconds, rate: RunSeconds | undefined, pace: boolean): RunFacts {
  const { window, whole, ascending } = seconds;
  const { points, measured, from } = window;
  const count = measured.values.length;
  const known = { count, all: whole.t.length, seconds: measured.seconds };
  if (count === 0) return known;
  const statistic = statisticOf(metric);
  const spread = weightedSpread(measured, ascending);
  const resolution = resolutionOfAscending(ascending);
  const extreme = extremeOf(statistic, ascending);
  return {
    ...known,
    ...(spread && { spread }),
    ...(resolution !== undefined && { resolution }),
    ...(extreme !== undefined && { extreme }),
    figure: figureOf(statistic, seconds, { extreme, spread, rate }),
    ...(pace && { stalls: stallsOf(points, from, ascending) }),
  };
}

function figureOf(
  statistic: Statistic,
  { window: { measured, points } }: RunSeconds,
  known: { extreme: number | undefined; spread: Spread | undefined; rate: RunSeconds | undefined },
): { value: number; weight: number } {
  const { values, weights, seconds } = measured;
  if (known.extreme !== undefined) return { value: known.extreme, weight: seconds };
  if (statistic === 'percentile') return { value: known.spread?.median ?? Number.NaN, weight: seconds };
  if (statistic !== 'mean') return { value: weightedMean(values, weights), weight: seconds };
  // Without a rate, each value is an event of its own.
  const events = known.rate && eventsBySecond(points.t, known.rate);
  return { value: weightedMean(values, events), weight: (events && sum(events)) || values.length };
}

const extremeOf = (statistic: Statistic, ascending: Float64Array): number | undefined =>
  statistic === 'maximum' ? ascending.at(-1) : statistic === 'minimum' ? ascending[0] : undefined;

/** Number of events behind each of these seconds. */
function eventsBySecond(t: Float64Array, { window: { points, from } }: RunSeconds): Float64Array {
  const eventsAt = (index: number): number => {
    const before = index === 0 ? from : (points.t[index - 1] as number);
    return (points.v[index] as number) * Math.max(0, (points.t[index] as number) - before);
  };
  // Nearly always, both have the same seconds.
  if (areSame(t, points.t)) {
    const counts = new Float64Array(t.length);
    for (let index = 0; index < counts.length; index += 1) counts[index] = eventsAt(index);
    return counts;
  }
  const counts = new Map<number, number>();
  points.t.forEach((second, index) => {
    counts.set(second, eventsAt(index));
  });
  return t.map((second) => counts.get(second) ?? 0);
}

function areSame(one: Float64Array, other: Float64Array): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index += 1) if (one[index] !== other[index]) return false;
  return true;
}

/** A figure of one run. */
export interface RunFigure {
  readonly value: number;
  /** Weight among figures of other runs: seconds, or the number of events for a mean over events. */
  readonly weight: number;
  /** Events that a percentile was taken from. */
  readonly histogram?: Histogram;
}

/** Origin of a figure. `…/whole`: covers the whole run, including the warm-up. */
export type Source = 'computed' | 'histogram' | 'tool' | 'seconds' | 'histogram/whole' | 'tool/whole';

/** Everything known about a metric in one run. */
export interface RunFigures {
  readonly run: RunRow;
  readonly sources: ReadonlyMap<Source, RunFigure>;
  readonly cut: number;
  /** Statistics of its seconds; a metric of whole runs has none. */
  readonly facts: RunFacts;
  readonly damage: readonly SampleDamage[];
  /** Undefined if the run has no rate of events. */
  readonly stalls: Stalls | undefined;
  /** Events per second after the cut, and the number of seconds with a value. Undefined if the run has no rate of events. */
  readonly pace:
    | {
        readonly rate: number | undefined;
        readonly seconds: number;
        /** The metric is the latency of these events. */
        readonly isOfLatency: boolean;
      }
    | undefined;
  /** Clients ÷ throughput, ms. */
  readonly little: number | undefined;
}

export interface FigureQuery {
  readonly metric: string;
  /** Seconds left out at the start. */
  readonly cut: number;
  /** Clients that always have an event in progress. Undefined if unknown, or if they are throttled to a rate. */
  readonly clients?: number | undefined;
}

/** A percentile over all events comes first, then the tool's own figure, then the seconds, which hide how many events each had. */
const PERCENTILES: readonly Source[] = ['computed', 'histogram', 'tool', 'histogram/whole', 'tool/whole', 'seconds'];
/** The tool's own count if it covers the measured time, else the seconds, which follow the cut. */
const OTHERS: readonly Source[] = ['computed', 'tool', 'seconds', 'tool/whole'];

/** The best source that all of these runs have. Undefined if they have none in common. */
export const sourceOf = (metric: string, runs: readonly Pick<RunFigures, 'sources'>[]): Source | undefined =>
  runs.length === 0
    ? undefined
    : (statisticOf(metric) === 'percentile' ? PERCENTILES : OTHERS).find((source) =>
        runs.every(({ sources }) => figureFrom(sources, source) !== undefined),
      );

/** A figure of the window alone also counts as `/whole`, for when other runs have only that. */
export const figureFrom = (sources: RunFigures['sources'], source: Source): RunFigure | undefined =>
  sources.get(source) ?? sources.get(source.replace('/whole', '') as Source);

/** All figures of a metric in a run after the cut. */
export function figuresOfRun(workings: Workings, run: RunRow, { metric, cut, clients }: FigureQuery): RunFigures {
  const metrics = workings.metrics(run.id);
  const pace = eventRate(metrics);
  const asked = { run, cut };
  const { facts, damage } = runFacts(workings, asked, metric, pace === metric);
  const paced = pace === undefined || pace === metric ? facts : runFacts(workings, asked, pace, true).facts;
  const stalls = pace === undefined ? undefined : paced.stalls;
  const little = pace && clients ? littlesLatency(clients, rateOf(run, pace, cut, paced)) : undefined;
  const sources = new Map<Source, RunFigure>();
  if (damage.length === 0) {
    addHistogram(sources, workings.store, run, { metric, cut });
    // A metric whose seconds are all before the cut measured nothing that counts. The report of a run that was cut short does not count
    // either.
    const isWhole = run.state === 'done' && !run.partial;
    if (isWhole && !isSize(metric) && (facts.all === 0 || facts.count > 0))
      addTool(sources, run, { metric, cut }, facts);
    if (facts.figure) sources.set('seconds', facts.figure);
    const measure = workings.measures.of(run, metric);
    const value = measure
      ? workings.measures.value(run, cut, measure, (other) => figureIn(workings, run, { metric: other, cut, clients }))
      : isSize(metric)
        ? isWhole
          ? run.summary[metric]
          : undefined
        : computed(metric, { run, stalls, little, spread: pace === undefined ? undefined : paced.spread });
    if (value !== undefined) sources.set('computed', { value, weight: (measure && facts.seconds) || 1 });
  }
  const events =
    pace === undefined
      ? undefined
      : { rate: paced.figure?.value, seconds: paced.seconds, isOfLatency: rateOfLatency(metric, metrics) === pace };
  return { run, cut, sources, facts, damage, stalls, pace: events, little };
}

/** Figure of a metric in one run alone. Undefined if it has none. */
export function figureIn(workings: Workings, run: RunRow, query: FigureQuery): number | undefined {
  const { sources } = figuresOfRun(workings, run, query);
  const source = sourceOf(query.metric, [{ sources }]);
  return source && figureFrom(sources, source)?.value;
}

type Sources = Map<Source, RunFigure>;
type Asked = Pick<FigureQuery, 'metric' | 'cut'>;

function addHistogram(sources: Sources, store: Store, run: RunRow, { metric, cut }: Asked): void {
  const [percentile, family] = [percentileIn(metric), latencyFamily(metric)];
  const parts = percentile === undefined || family === undefined ? undefined : store.latencies.of(run.id, family);
  if (percentile === undefined || !parts) return;
  const { histogram, whole } = eventsBehind(parts, cut, run.warmup + run.duration + 1);
  const value = percentileOf(histogram, percentile);
  if (value !== undefined)
    sources.set(whole ? 'histogram/whole' : 'histogram', { value, weight: eventsOf(histogram), histogram });
}

/** A cut this close to where the tool's own figures begin counts as the same, seconds. */
const SAME_SECOND = 0.5;
/** Tolerance in seconds: a busy machine resets its counters at the end of the warm-up and prints that one second later. */
const PRINTED_LATE = 1.5;

function addTool(sources: Sources, run: RunRow, { metric, cut }: Asked, { extreme, seconds }: RunFacts): void {
  const value = run.summary[metric];
  if (value === undefined) return;
  const from = run.summary[COUNTED_FROM] ?? 0;
  const covers =
    Math.abs(from - cut) <= SAME_SECOND || (cut === run.warmup && from > cut && from - cut <= PRINTED_LATE);
  const statistic = statisticOf(metric);
  const figure = {
    value:
      extreme === undefined ? value : statistic === 'maximum' ? Math.max(value, extreme) : Math.min(value, extreme),
    weight: (statistic === 'mean' ? run.summary.events_total : undefined) ?? (seconds || run.duration),
  };
  sources.set(covers ? 'tool' : 'tool/whole', figure);
}

/** Events per second over the whole window: the tool's own count if it covers the window, else the time-weighted mean of the seconds. */
function rateOf(run: RunRow, metric: string, cut: number, facts: RunFacts): number | undefined {
  const sources: Sources = new Map();
  addTool(sources, run, { metric, cut }, facts);
  return (sources.get('tool') ?? facts.figure)?.value;
}

const littlesLatency = (clients: number, rate: number | undefined): number | undefined =>
  rate !== undefined && rate > 0 ? (clients / rate) * 1000 : undefined;

interface Known {
  readonly run: Pick<RunRow, 'findings'>;
  readonly stalls: Stalls | undefined;
  readonly little: number | undefined;
  /** Spread of the event rate. */
  readonly spread: Spread | undefined;
}

function computed(metric: string, { run, stalls, little, spread }: Known): number | undefined {
  switch (metric) {
    case RECOVERY.seconds:
      return recoveryFigures(run.findings).seconds;
    case RECOVERY.depth: {
      const { depth } = recoveryFigures(run.findings);
      return depth === undefined ? undefined : 100 * depth;
    }
    case VARIATION:
      return spread && spread.n >= LEAST_VARYING ? 100 * spread.cv : undefined;
    case LITTLE:
      return little;
    case STALLS.count:
      return stalls?.count;
    case STALLS.longest:
      return stalls?.longest;
    case STALLS.share:
      return stalls && (100 * stalls.stalled) / stalls.seconds;
    default:
      return undefined;
  }
}
