import { rateOfLatency, type Statistic, statisticOf } from '../../../shared/metrics/index.ts';
import type { SampleDamage } from '../../../shared/model/damage.ts';
import type { Spread } from '../../../shared/model/result.ts';
import {
  resolutionOfAscending,
  type Stalls,
  stallsOf,
  weightedMean,
  weightedSpread,
} from '../../../shared/stats/index.ts';
import type { CutRun, RunSeconds, Workings } from './workings.ts';

/** What the seconds of a metric in a run say: all that a figure needs of them. */
export interface RunFacts {
  /** Values behind the cut, and in the whole run. */
  readonly count: number;
  readonly all: number;
  /** Seconds that the values behind the cut stand for. */
  readonly seconds: number;
  readonly spread?: Spread;
  /** Smallest step between values. */
  readonly resolution?: number;
  /** Of a maximum or a minimum the largest or smallest second. */
  readonly extreme?: number;
  /** The figure by the seconds alone, and how much it counts beside those of other runs. */
  readonly figure?: { readonly value: number; readonly weight: number };
  /** Of a rate of events. */
  readonly stalls?: Stalls;
}

/** `pace`: the metric is the rate by which stalls of this run are told. */
export function runFacts(
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

/** The rate that tells how many events each second of a mean latency is of; undefined where the tool does not tell. */
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
  // Of executions that are told one by one each is an event.
  const events = known.rate && eventsBySecond(points.t, known.rate);
  return { value: weightedMean(values, events), weight: (events && sumOf(events)) || values.length };
}

const extremeOf = (statistic: Statistic, ascending: Float64Array): number | undefined =>
  statistic === 'maximum' ? ascending.at(-1) : statistic === 'minimum' ? ascending[0] : undefined;

/** How many events each of these seconds is of. */
function eventsBySecond(t: Float64Array, { window: { points, from } }: RunSeconds): Float64Array {
  const eventsAt = (index: number): number => {
    const before = index === 0 ? from : (points.t[index - 1] as number);
    return (points.v[index] as number) * Math.max(0, (points.t[index] as number) - before);
  };
  // As nearly always: both are of the same seconds.
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

function sumOf(values: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < values.length; index += 1) sum += values[index] as number;
  return sum;
}
