import { metricOf } from '../metrics/index.ts';
import { rankable } from '../model/figure.ts';
import type { CellResult, LoadLine, SessionResult } from '../model/result.ts';
import {
  formatCount,
  formatInterval,
  formatLevel,
  formatLevels,
  formatNumber,
  withinSentence,
} from '../util/format.ts';
import { repeatsOfCell } from './cell-repeats.ts';
import { isJudgeable, type Judgement, judge } from './judge.ts';
import { loadFactorOf } from './load-lines.ts';
import { inTurns } from './order.ts';

type Factor = SessionResult['factors'][number];
type Level = Factor['levels'][number];

/** Two levels of a factor that meet while everything else is equal. */
interface Meeting {
  readonly factor: Factor;
  readonly from: Level;
  readonly to: Level;
  readonly baseline: CellResult;
  readonly other: CellResult;
}

/** Levels of a factor beyond which its effect is a curve, and no sentence on one level against another. */
const MOST_LEVELS = 8;
/** From here on a rise is told in times, not per cent. */
const IN_TIMES = 3;

/**
 * What a session answers, in at most two sentences: what the worst level of a factor costs against the best one, and how far more load
 * helps. Each factor is judged over all combinations of the others, and told only where all of them agree: complete repeats measured in
 * turns, every interval on the same side of 1, among all pairs of levels (Bonferroni). Its range holds all intervals, so that all true
 * effects lie within it with 95 %. Of a single factor with two levels, which is a question of yes or no, also that it is open. Empty where
 * nothing of this can be said.
 */
export function answerSentences(result: SessionResult): string[] {
  return [effectSentence(result) ?? openSentence(result), loadSentence(result)].filter(
    (sentence) => sentence !== undefined,
  );
}

interface Effect {
  readonly factor: Factor;
  readonly best: Level;
  readonly worst: Level;
  /** Ratio of the worst level to the best, hull of the intervals of all combinations. */
  readonly low: number;
  readonly high: number;
}

function effectSentence(result: SessionResult): string | undefined {
  const metric = metricOf(result.metric);
  if (metric.better === 'neither') return undefined;
  const [effect] = effectsOf(result).sort(
    (one, other) => Math.abs(Math.log(other.low * other.high)) - Math.abs(Math.log(one.low * one.high)),
  );
  if (!effect) return undefined;
  const { factor, best, worst, low, high } = effect;
  const label = withinSentence(metric.label);
  const against = `against ${formatLevel(best)}`;
  const level = formatLevels({ [factor.name]: worst });
  if (metric.better === 'higher') return `${level} costs ${range(1 - high, 1 - low)} of ${label} ${against}.`;
  if (high >= IN_TIMES) {
    const times = [Math.floor(low * 10) / 10, Math.ceil(high * 10) / 10].map((each) => formatNumber(each, 1));
    return `${level} raises ${label} to ${times.join('–')} times that of ${formatLevel(best)}.`;
  }
  return `${level} raises ${label} by ${range(low - 1, high - 1)} ${against}.`;
}

/** Shares as `97–98 %`, rounded outward so that the range does not promise more than the interval. */
function range(low: number, high: number): string {
  const digits = high < 0.1 ? 1 : 0;
  const step = 10 ** (digits + 2);
  const [from, to] = [Math.floor(low * step), Math.ceil(high * step)].map((each) =>
    formatNumber((each * 100) / step, digits),
  );
  return from === to ? `${to} %` : `${from}–${to} %`;
}

/** That two levels cannot be told apart, how far apart they may be, and what would tell. */
function openSentence(result: SessionResult): string | undefined {
  const metric = metricOf(result.metric);
  const [factor, ...more] = variedOf(result);
  if (metric.better === 'neither' || !factor || more.length > 0 || factor.levels.length !== 2) return undefined;
  const judgements = judgedOf(result, [factor]).map(({ judgement }) => judgement);
  if (judgements.length === 0 || judgements.some(({ low, high }) => low > 1 || high < 1)) return undefined;
  const [from, to] = factor.levels.map(formatLevel);
  const interval = formatInterval({
    low: Math.min(...judgements.map(({ low }) => low)),
    high: Math.max(...judgements.map(({ high }) => high)),
  });
  return `No difference between ${factor.name} ${from} and ${to} can be told: ${to} has ${interval} the ${withinSentence(metric.label)} of ${from} (95 % interval). More repeats would narrow that.`;
}

/** Factors whose levels are judged: all but the load. */
function variedOf({ factors }: SessionResult): Factor[] {
  const ladder = loadFactorOf(factors);
  return factors.filter(
    (factor) => factor !== ladder && factor.levels.length > 1 && factor.levels.length <= MOST_LEVELS,
  );
}

/** Every two cells that differ in one of these factors alone; none where a cell is partial, stalled or measured once. */
function judgedOf(result: SessionResult, factors: readonly Factor[]): Judged[] {
  const usable = rankable(result.cells);
  if (usable.length < result.cells.length) return [];
  const repeats = new Map(usable.map((cell) => [cell, repeatsOfCell(cell)]));
  if ([...repeats.values()].some((each) => !isJudgeable(each))) return [];
  const meetings = factors.flatMap((factor) => meetingsOf(factor, usable));
  const judgements = judge(
    meetings.map(({ baseline, other }) => ({
      baseline: repeats.get(baseline) ?? { values: [] },
      other: repeats.get(other) ?? { values: [] },
    })),
  );
  return meetings.flatMap((meeting, index) => {
    const judgement = judgements[index];
    return judgement ? [{ ...meeting, judgement }] : [];
  });
}

/** Of each factor that is not the load, its worst level against its best, where all combinations agree on both. */
function effectsOf(result: SessionResult): Effect[] {
  const factors = variedOf(result);
  const judged = judgedOf(result, factors);
  return factors.flatMap((factor) => effectOf(factor, judged, metricOf(result.metric).better === 'higher'));
}

/** All pairs of cells that differ in this factor alone, in the order of its levels. */
function meetingsOf(factor: Factor, cells: readonly CellResult[]): Meeting[] {
  const others = (cell: CellResult): string => JSON.stringify({ ...cell.levels, [factor.name]: null });
  return factor.levels.flatMap((from, place) =>
    factor.levels.slice(place + 1).flatMap((to) =>
      cells.flatMap((baseline) => {
        const other = cells.find((cell) => cell.levels[factor.name] === to && others(cell) === others(baseline));
        return baseline.levels[factor.name] === from && other ? [{ factor, from, to, baseline, other }] : [];
      }),
    ),
  );
}

type Judged = Meeting & { readonly judgement: Judgement };

function effectOf(factor: Factor, judged: readonly Judged[], higherIsBetter: boolean): Effect[] {
  const pairs = factor.levels.flatMap((from, place) =>
    factor.levels.slice(place + 1).flatMap((to) => {
      const own = judged.filter((each) => each.factor === factor && each.from === from && each.to === to);
      const low = Math.min(...own.map(({ judgement }) => judgement.low));
      const high = Math.max(...own.map(({ judgement }) => judgement.high));
      const isSure = own.length > 0 && own.every(wereInTurns) && (low > 1 || high < 1);
      if (!isSure) return [];
      const isToBetter = high < 1 !== higherIsBetter;
      return isToBetter
        ? [{ factor, best: to, worst: from, low: 1 / high, high: 1 / low }]
        : [{ factor, best: from, worst: to, low, high }];
    }),
  );
  // The two ends: of several levels those that lie farthest apart.
  const size = ({ low, high }: Effect): number => Math.abs(Math.log(low * high));
  return pairs.sort((one, other) => size(other) - size(one)).slice(0, 1);
}

const wereInTurns = ({ baseline, other }: Meeting): boolean =>
  baseline.trials !== undefined && other.trials !== undefined && inTurns(baseline.trials, other.trials);

/** Where more load stops helping, over all lines; undefined where a line does not tell. */
function loadSentence({ scaling = [] }: SessionResult): string | undefined {
  const [first] = scaling;
  if (!first || scaling.some(({ knee }) => knee.verdict === 'unsure')) return undefined;
  const found = scaling.filter(({ knee }) => knee.verdict === 'found' && knee.load !== undefined);
  const rising = scaling.length - found.length;
  if (found.length === 0)
    return scaling.length === 1
      ? `Throughput has no knee in the range of ${first.factor} measured.`
      : `None of the ${scaling.length} lines has a knee in the range of ${first.factor} measured.`;
  const lines = rising > 0 ? ` in ${found.length} of ${formatCount(scaling.length, 'line')}` : '';
  return `Raising ${first.factor} does not help beyond ${loads(found)}${lines}.`;
}

function loads(found: readonly LoadLine[]): string {
  const all = found.map(({ knee }) => knee.load ?? 0);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  return least === most
    ? formatNumber(least)
    : `${formatNumber(least)} to ${formatNumber(most)}, depending on the line`;
}
