import { metricOf } from '../metrics/index.ts';
import type { Levels, Scalar } from '../model/experiment.ts';
import { rankable } from '../model/figure.ts';
import type { CellResult, Crossing, FactorRatios, SessionResult, Verdict } from '../model/result.ts';
import { formatInterval, formatLevel, formatLevels, formatTimes, named } from '../util/format.ts';
import { type Judgement, judge } from './judge.ts';
import { loadFactorOf } from './load-lines.ts';
import { cachedRepeats } from './noise.ts';
import { areInterleaved } from './order.ts';

type Measured = Pick<SessionResult, 'metric' | 'factors' | 'cells'>;
type Factor = SessionResult['factors'][number];

/** With more levels, each level of a factor is compared with only one of them, the baseline or the first, not with all others. */
const MOST_LEVELS = 4;

/** Two lines of a factor at one place of the factor along which they run. */
interface Meeting {
  readonly line: string;
  readonly factor: string;
  readonly levels: Levels;
  readonly one: Scalar;
  readonly other: Scalar;
  readonly at: number;
  readonly baseline: CellResult;
  readonly compared: CellResult;
}

type Judged = Meeting & { readonly judgement: Judgement; readonly isSignificant: boolean };

/**
 * Where two levels of a factor change their order along a numeric factor: the load, or else the last factor of numbers. `baselines`: levels
 * that others are compared with, by factor. All pairs of all lines are tested together (Holm), and a crossing is reported only between two
 * places at which the lines differ significantly, interleaved, in opposite directions. `ratios`: comparisons that the answer and its tables show;
 * a difference that is not significant there is not significant here.
 */
export function crossingsOf(
  { metric, factors, cells }: Measured,
  baselines: Levels = {},
  ratios: readonly FactorRatios[] = [],
): Crossing[] {
  const along = loadFactorOf(factors) ?? factors.filter(isNumeric).at(-1);
  if (!along) return [];
  const usable = rankable(cells).filter(({ means }) => means.length > 1);
  const meetings = factors
    .filter((factor) => factor !== along && factor.levels.length > 1)
    .flatMap((factor) => pairsOf(factor, baselines).flatMap((pair) => meetingsOf(usable, along, factor, pair)));
  const of = cachedRepeats();
  const judgements = judge(meetings.map(({ baseline, compared }) => ({ baseline: of(baseline), other: of(compared) })));
  const lines = new Map<string, Judged[]>();
  const verdicts = new Map(
    ratios.flatMap(({ cells: compared }) =>
      compared.map(({ cell, baseline, verdict }) => [pairOf(cell, baseline), verdict]),
    ),
  );
  meetings.forEach((meeting, index) => {
    const judgement = judgements[index];
    if (!judgement) return;
    const { baseline, compared } = meeting;
    const verdict = verdicts.get(pairOf(baseline.cell, compared.cell));
    const isSignificant =
      judgement.differs &&
      areInterleaved(baseline.trials ?? [], compared.trials ?? []) &&
      (verdict === undefined || SIGNIFICANT.includes(verdict));
    lines.set(meeting.line, [...(lines.get(meeting.line) ?? []), { ...meeting, judgement, isSignificant }]);
  });
  const constant = factors.filter(({ levels, sparse }) => levels.length === 1 && !sparse).map(({ name }) => name);
  return [...lines.values()].flatMap((line) => crossingOf(along, line, metric, constant));
}

const SIGNIFICANT: readonly Verdict[] = ['better', 'worse', 'higher', 'lower'];

const pairOf = (one: number, other: number): string => `${Math.min(one, other)} ${Math.max(one, other)}`;

const isNumeric = ({ levels }: Factor): boolean =>
  levels.length > 1 && levels.every((level) => typeof level === 'number');

function pairsOf({ name, levels }: Factor, baselines: Levels): [Scalar, Scalar][] {
  const [first] = levels;
  const base = levels.find((level) => level === baselines[name]) ?? (levels.length > MOST_LEVELS ? first : undefined);
  return base === undefined
    ? levels.flatMap((one, place) => levels.slice(place + 1).map((other): [Scalar, Scalar] => [one, other]))
    : levels.filter((level) => level !== base).map((other) => [base, other]);
}

function meetingsOf(
  cells: readonly CellResult[],
  along: Factor,
  { name }: Factor,
  [one, other]: readonly [Scalar, Scalar],
): Meeting[] {
  const restOf = ({ levels }: CellResult): string => JSON.stringify({ ...levels, [name]: null });
  const others = new Map(cells.filter(({ levels }) => levels[name] === other).map((cell) => [restOf(cell), cell]));
  return cells.flatMap((baseline): Meeting[] => {
    const compared = others.get(restOf(baseline));
    const at = baseline.levels[along.name];
    if (baseline.levels[name] !== one || !compared || typeof at !== 'number') return [];
    const levels = Object.fromEntries(
      Object.entries(baseline.levels).filter(([factor]) => factor !== name && factor !== along.name),
    );
    const line = JSON.stringify([name, one, other, levels]);
    return [{ line, factor: name, levels, one, other, at, baseline, compared }];
  });
}

/** None for a line with a single measured place. `constant`: factors whose level all cells have, which sentences do not name. */
function crossingOf(
  along: Factor,
  unordered: readonly Judged[],
  metric: string,
  constant: readonly string[],
): Crossing[] {
  const line = [...unordered].sort((one, other) => one.at - other.at);
  const [first, last] = [line[0], line.at(-1)];
  if (!first || !last || line.length < 2) return [];
  const significant = line.filter(({ isSignificant }) => isSignificant);
  const turns = significant.flatMap((to, index): [Judged, Judged][] => {
    const from = significant[index - 1];
    return from && isAbove(from) !== isAbove(to) ? [[from, to]] : [];
  });
  const verdict = turns.length > 0 ? 'crosses' : significant.length === line.length ? 'none' : 'unsure';
  const { factor, one, other, levels } = first;
  const about = { along: along.name, factor, levels, one, other, verdict } as const;
  const varied = Object.fromEntries(Object.entries(levels).filter(([name]) => !constant.includes(name)));
  return [
    {
      ...about,
      between: turns.map(([from, to]) => ({ from: from.at, to: to.at })),
      ...(line.some((each) => isAbove(each) !== isAbove(first)) && { seen: true as const }),
      sentence: sentenceOf({ ...about, levels: varied }, { line, turns, significant }, metric),
    },
  ];
}

const isAbove = ({ judgement }: Judged): boolean => judgement.ratio > 1;

function sentenceOf(
  { along, factor, levels, one, other, verdict }: Omit<Crossing, 'between' | 'sentence' | 'seen'>,
  {
    line,
    turns,
    significant,
  }: { line: readonly Judged[]; turns: readonly (readonly [Judged, Judged])[]; significant: readonly Judged[] },
  metric: string,
): string {
  const of = Object.keys(levels).length > 0 ? `${formatLevels(levels)}: ` : '';
  const both = `${factor} ${formatLevel(one)} and ${formatLevel(other)}`;
  const at = (place: number): string => formatLevels({ [along]: place });
  const { better } = metricOf(metric);
  const isOther = (each: Judged): boolean => isAbove(each) !== (better === 'lower');
  const leader = (each: Judged): string => formatLevel(isOther(each) ? other : one);
  const word = better === 'neither' ? 'higher' : 'better';
  if (verdict === 'crosses') {
    const parts = turns.map(
      ([from, to]) =>
        `${leader(from)} is ${word} at ${at(from.at)} (${sizeOf(from, isOther(from))}), ${leader(to)} at ${at(to.at)} (${sizeOf(to, isOther(to))})`,
    );
    const where = turns.map(([from, to]) => `${at(from.at)} and ${formatLevel(to.at)}`).join(', and between ');
    return `${of}${both} change their order between ${where}: ${parts.join('; ')}.`;
  }
  const ends = `${at(line[0]?.at ?? 0)} and ${formatLevel(line.at(-1)?.at)}`;
  if (verdict === 'none' && line[0])
    return `${of}${both} do not cross between ${ends}: ${leader(line[0])} is ${word} at every level measured.`;
  const [found] = significant;
  if (found) {
    const places = (all: readonly Judged[]): string =>
      `${along} ${named(all.map(({ at: place }) => formatLevel(place)))}`;
    const others = line.filter((each) => !significant.includes(each));
    return `${of}Whether ${both} cross between ${ends} is undecided: ${leader(found)} is ${word} at ${places(significant)}, but the difference is not significant at ${places(others)}.`;
  }
  return `${of}Whether ${both} cross between ${ends} is undecided: that needs significant differences on both sides, in interleaved cells.`;
}

/** Figure of the leader as a multiple of that of the other level. */
function sizeOf({ judgement: { ratio, low, high } }: Judged, isOther: boolean): string {
  const [value, from, to] = isOther ? [ratio, low, high] : [1 / ratio, 1 / high, 1 / low];
  return `${formatTimes(value)}, 95 % interval ${formatInterval({ low: from, high: to })}`;
}

/** Maximum number of sentences shown by default; with more, only those on lines that change their order, as far as measured. */
const MOST_LISTED = 6;

export function crossingSentences({ crossings = [] }: Pick<SessionResult, 'crossings'>): string[] {
  const listed = crossings.length > MOST_LISTED ? crossings.filter(({ seen }) => seen) : crossings;
  return listed.map(({ sentence }) => sentence);
}
