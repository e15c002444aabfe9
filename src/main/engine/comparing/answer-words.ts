import { inOrder } from '../../../shared/chart-models/index.ts';
import { metricOf, statisticOf, VARIATION } from '../../../shared/metrics/index.ts';
import type { AnswerPiece } from '../../../shared/model/answer.ts';
import { LEAST_VARYING, type Scalar } from '../../../shared/model/experiment.ts';
import type { ComparedCell, LoadLine, SessionResult, Verdict } from '../../../shared/model/result.ts';
import { hasFigure } from '../../../shared/model/result-words.ts';
import {
  cachedRepeats,
  isJudgeable,
  judgesSteadiness,
  levelAt,
  loadLimit,
  loadLimitWords,
  marginOf,
  mean,
  meanRatio,
} from '../../../shared/stats/index.ts';
import {
  formatCount,
  formatInterval,
  formatLevel,
  formatLevels,
  formatNumber,
  formatPercent,
  formatTimes,
  WIDEST_RATIO,
  withinSentence,
} from '../../../shared/util/format.ts';
import { sameLevel } from './pairs.ts';

export type Factor = SessionResult['factors'][number];
export type Measured = Pick<SessionResult, 'metric' | 'factors' | 'cells' | 'scaling' | 'steadiness'>;

/**
 * The kinds of sentence. least: the load was the limit of the better side alone, so the difference is at least as large. limited: it was the limit
 * otherwise, and the difference shows the load.
 */
type Kind = 'gain' | 'loss' | 'small' | 'timed' | 'open' | 'least' | 'limited';
export const KINDS: Readonly<Record<Verdict, Exclude<Kind, 'least' | 'limited'>>> = {
  ...{ better: 'gain', higher: 'gain', worse: 'loss', lower: 'loss', 'no-difference': 'small', 'too-small': 'small' },
  ...{ differ: 'timed', alike: 'timed', 'cannot-tell': 'open', 'too-few': 'open', missing: 'open' },
} as const;

export const kindOf = (cell: ComparedCell, metric: string): Kind => loadLimit(cell, metric) ?? KINDS[cell.verdict];

export const isLimited = (kind: Kind): boolean => kind === 'least' || kind === 'limited';

export interface Words {
  readonly metric: string;
  readonly name: string;
  readonly baseline: Scalar;
  /** Factors whose levels are the places at which two levels are compared. */
  readonly others: readonly Factor[];
  /** Only two levels are compared. */
  readonly isAlone: boolean;
}

/** One level against the baseline: the most frequent finding first. */
export function effectSentence(level: Scalar, cells: readonly ComparedCell[], words: Words): AnswerPiece[] {
  const kinds = Map.groupBy(cells, (cell) => kindOf(cell, words.metric));
  const order: Kind[] = ['gain', 'loss', 'least', 'limited', 'small', 'timed', 'open'];
  const groups = order.flatMap((kind) => {
    const own = kinds.get(kind);
    return own ? [{ kind, own }] : [];
  });
  // A significant effect comes first, however many places are open.
  groups.sort(
    (one, other) =>
      Number(isSignificant(other.kind)) - Number(isSignificant(one.kind)) || other.own.length - one.own.length,
  );
  const pieces = groups.flatMap(({ kind, own }, place): AnswerPiece[] => [
    ...(place > 0 ? [{ text: '; ' }] : []),
    ...clause(kind, own, { level, all: cells, isFirst: place === 0, words }),
  ]);
  return [...pieces, { text: '.' }];
}

const isSignificant = (kind: Kind): boolean => kind === 'gain' || kind === 'loss';

interface Clause {
  readonly level: Scalar;
  readonly all: readonly ComparedCell[];
  readonly isFirst: boolean;
  readonly words: Words;
}

function clause(kind: Kind, own: readonly ComparedCell[], { level, all, isFirst, words }: Clause): AnswerPiece[] {
  const { name, baseline, metric } = words;
  const places = { text: placeWords(own, all, words) };
  const subject = formatLevels({ [name]: level });
  const label = withinSentence(metricOf(metric).label);
  const limit = `±${formatPercent(marginOf(metric))}`;
  switch (kind) {
    case 'gain':
    case 'loss': {
      const { verb, word } = comparative(metric, kind);
      const tone = metricOf(metric).better === 'neither' ? {} : { tone: kind };
      const { text, interval } = ratioWords(own, all, words);
      return [
        ...(isFirst ? [{ text: `${subject} ${verb} ` }] : []),
        { text: word, ...tone },
        ...(isFirst ? [{ text: ` than ${formatLevel(baseline)}: ` }] : [{ text: ': ' }]),
        { text: `${text}${metric === VARIATION && isFirst ? ' the variation' : ''}`, ...tone },
        { text: interval, tone: 'interval' },
        places,
      ];
    }
    case 'least': {
      const { text, interval } = ratioWords(own, all, words);
      const most = own.every(({ verdict }) => KINDS[verdict] === 'loss');
      const start = `${isFirst ? (most ? 'At most' : 'At least') : most ? 'at most' : 'at least'} ${text}`;
      return [
        { text: start },
        { text: interval, tone: 'interval' },
        {
          text: `${isFirst ? ` with ${subject} vs. ${formatLevel(baseline)}` : ''}, because ${loadLimitWords(own)} was the limit`,
        },
        places,
      ];
    }
    case 'limited': {
      if (!isFirst) return [{ text: `undetermined, because ${loadLimitWords(own)} was the limit,` }, places];
      const { text, interval } = ratioWords(own, all, words);
      return [
        { text: `Undetermined, because ${loadLimitWords(own)} was the limit: ${text}` },
        { text: interval, tone: 'interval' },
        { text: ` measured with ${subject} vs. ${formatLevel(baseline)}` },
        places,
      ];
    }
    case 'small':
      return isFirst
        ? [
            {
              text: `No difference in ${label} beyond ${limit} between ${name} ${formatLevel(baseline)} and ${formatLevel(level)}`,
            },
            places,
          ]
        : [{ text: `no difference beyond ${limit}` }, places];
    case 'timed': {
      const start = isFirst
        ? `${subject} vs. ${formatLevel(baseline)}: ${ratioWords(own, all, words).text} the ${label}, but`
        : 'elsewhere';
      return [{ text: `${start} not interleaved, so time may be the cause` }, places];
    }
    case 'open': {
      if (!isFirst) return [{ text: 'inconclusive' }, places];
      const { text, interval } = openWords(own);
      return [
        { text: `Inconclusive: ${label} with ${subject} vs. ${formatLevel(baseline)}${text}` },
        { text: interval, tone: 'interval' },
        places,
      ];
    }
  }
}

/** `is faster`, `has lower latency`: the usual words for a rate that is better when higher. */
function comparative(metric: string, kind: 'gain' | 'loss'): { verb: string; word: string } {
  const { better, label } = metricOf(metric);
  const rises = better === 'lower' ? kind === 'loss' : kind === 'gain';
  if (metric === VARIATION) return { verb: 'is', word: rises ? 'less steady' : 'steadier' };
  if (better === 'higher' && statisticOf(metric) === 'rate') return { verb: 'is', word: rises ? 'faster' : 'slower' };
  return { verb: `has a ${rises ? 'higher' : 'lower'}`, word: withinSentence(label) };
}

/** One ratio with its interval if the places agree on it, else the range of theirs. */
function ratioWords(
  own: readonly ComparedCell[],
  all: readonly ComparedCell[],
  { isAlone }: Words,
): { text: string; interval: string } {
  const intervals = own.flatMap(({ interval }) => interval ?? []);
  const ratios = own.flatMap(({ ratio }) => ratio ?? []);
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
  const hull = {
    low: Math.min(...intervals.map(({ low }) => low)),
    high: Math.max(...intervals.map(({ high }) => high)),
  };
  if (own.length === 1)
    return { text: formatTimes(ratios[0]), interval: intervals.length > 0 ? ` (${rangeOf(hull)})` : '' };
  const overlap = Math.max(...intervals.map(({ low }) => low)) <= Math.min(...intervals.map(({ high }) => high));
  const together =
    overlap && isAlone && own.length === all.length && intervals.length === own.length
      ? meanRatio(repeatsOfPairs(own))
      : undefined;
  if (together) return { text: formatTimes(together.ratio), interval: ` (${rangeOf(together)})` };
  const range =
    formatTimes(least) === formatTimes(most) ? formatTimes(least) : `${formatTimes(least)} to ${formatTimes(most)}`;
  return { text: range, interval: intervals.length === own.length ? ` (all within ${rangeOf(hull)})` : '' };
}

function repeatsOfPairs(pairs: readonly ComparedCell[]) {
  const repeats = cachedRepeats();
  return pairs
    .flatMap(({ baseline, other }) =>
      baseline && other ? [{ baseline: repeats(baseline), other: repeats(other) }] : [],
    )
    .filter(({ baseline, other }) => isJudgeable(baseline) && isJudgeable(other));
}

const rangeOf = (range: { low: number; high: number }): string => formatInterval(range).replaceAll('×', '');

/** Ratios of inconclusive cells with their interval. They are never merged: a narrower interval of all would look like a verdict. */
function openWords(own: readonly ComparedCell[]): { text: string; interval: string } {
  const intervals = own.flatMap(({ interval }) => interval ?? []);
  const ratios = own.flatMap(({ ratio }) => ratio ?? []);
  if (intervals.length < own.length || ratios.length < own.length) return { text: '', interval: '' };
  const hull = {
    low: Math.min(...intervals.map(({ low }) => low)),
    high: Math.max(...intervals.map(({ high }) => high)),
  };
  const [least, most] = [formatTimes(Math.min(...ratios)), formatTimes(Math.max(...ratios))];
  const text = `: ${least === most ? least : `${least} to ${most}`}`;
  // An interval from a tenfold loss to a tenfold gain excludes nothing of interest.
  if (hull.low < 1 / WIDEST_RATIO && hull.high > WIDEST_RATIO) return { text: '', interval: '' };
  return { text, interval: ` (${own.length > 1 ? 'all within ' : ''}${rangeOf(hull)})` };
}

/** The best is 100 %, the others follow. */
export function ranking(
  groups: readonly { level: Scalar; cells: readonly ComparedCell[] }[],
  words: Words,
): AnswerPiece[] {
  const { metric, name, baseline } = words;
  const { better, label } = metricOf(metric);
  const isRate = better === 'higher' && statisticOf(metric) === 'rate';
  const hasSignificant = groups.some(({ cells }) => cells.some((cell) => isSignificant(kindOf(cell, metric))));
  const every = groups.flatMap(({ cells }) => cells);
  const ofKind = (kind: Kind): ComparedCell[] => every.filter((cell) => kindOf(cell, metric) === kind);
  const isUndetermined = ofKind('limited').length === every.length;
  const atLeast = ofKind('least');
  const first = isRate ? 'Fastest' : `${better === 'lower' ? 'Lowest' : 'Highest'} ${withinSentence(label)}`;
  const head = [
    {
      text: isUndetermined ? `Undetermined, because ${loadLimitWords(every)} was the limit. Measured: ` : `${first}: `,
    },
    { text: formatLevels({ [name]: baseline }), ...(hasSignificant && { tone: 'gain' as const }) },
    { text: atLeast.length > 0 ? ` (100 % or more, because ${loadLimitWords(atLeast)} was its limit)` : ' (100 %)' },
  ];
  const center = (cells: readonly ComparedCell[]): number =>
    mean(cells.flatMap(({ ratio }) => (ratio === undefined ? [] : [Math.log(ratio)])));
  const order = groups.toSorted((a, b) => (center(b.cells) - center(a.cells)) * (better === 'lower' ? -1 : 1));
  const rest = order.flatMap(({ level, cells }): AnswerPiece[] => {
    const ratios = cells.flatMap(({ ratio }) => ratio ?? []);
    const intervals = cells.flatMap(({ interval }) => interval ?? []);
    if (ratios.length === 0) return [{ text: `; ${formatLevel(level)} cannot be compared` }];
    const kinds = new Set(cells.map((cell) => kindOf(cell, metric)));
    const own = cells.filter((cell) => kindOf(cell, metric) === 'limited');
    const caveat = isUndetermined
      ? ''
      : own.length > 0
        ? `, ${own.length < cells.length ? 'partly ' : ''}limited by ${loadLimitWords(own)}`
        : kinds.size === 1
          ? CAVEATS[[...kinds][0] as Kind]
          : kinds.has('open') || kinds.has('timed')
            ? ', partly inconclusive'
            : '';
    const hull = [
      Math.min(...intervals.map(({ low }) => low)),
      Math.max(...intervals.map(({ high }) => high)),
    ] as const;
    return [
      { text: `; ${formatLevel(level)} ` },
      { text: share(Math.min(...ratios), Math.max(...ratios)) },
      ...(intervals.length === cells.length ? [{ text: ` (${share(...hull)})`, tone: 'interval' as const }] : []),
      { text: caveat },
    ];
  });
  return [...head, ...rest, { text: '.' }];
}

const CAVEATS: Readonly<Record<Kind, string>> = {
  ...{ gain: '', loss: '', small: ', no difference' },
  ...{ timed: ', not interleaved', open: ', may be chance', least: '', limited: '' },
};

function share(low: number, high: number): string {
  const percent = (value: number): string => formatNumber(value * 100, value < 0.0995 ? 1 : 0);
  const [from, to] = [percent(low), high > 10 ? 'over 1,000' : percent(high)];
  return from === to ? `${from} %` : `${from} – ${to} %`;
}

/** Where a finding holds: `at every level of threads`, `from threads 16 up`, `at threads 1`. */
function placeWords(own: readonly ComparedCell[], all: readonly ComparedCell[], { others }: Words): string {
  const [factor, ...more] = others;
  if (!factor || all.length === 1) return '';
  const isEverywhere = own.length === all.length;
  if (more.length > 0)
    return isEverywhere
      ? ` in all ${all.length} combinations of ${others.map(({ name }) => name).join(', ')}`
      : ` in ${own.length} of ${all.length} combinations of ${others.map(({ name }) => name).join(', ')}`;
  const { name, levels } = factor;
  if (isEverywhere) return ` at every level of ${name}`;
  const has = (cells: readonly ComparedCell[], level: Scalar): boolean =>
    cells.some((cell) => sameLevel(cell.levels[name], level));
  const measured = inOrder(levels).filter((level) => has(all, level));
  const at = measured.map((level) => has(own, level));
  const [first, last] = [at.indexOf(true), at.lastIndexOf(true)];
  const isNumeric = measured.every((level) => typeof level === 'number');
  const isContiguous = at.slice(first, last + 1).every(Boolean);
  if (isNumeric && isContiguous && own.length > 1) {
    if (last === at.length - 1) return ` from ${name} ${formatLevel(measured[first])} up`;
    if (first === 0) return ` up to ${name} ${formatLevel(measured[last])}`;
    return ` from ${name} ${formatLevel(measured[first])} to ${formatLevel(measured[last])}`;
  }
  const levelNames = measured.filter((_, place) => at[place]).map(formatLevel);
  if (levelNames.length > 4) return ` at ${levelNames.length} of ${measured.length} levels of ${name}`;
  const end = levelNames.pop() ?? '';
  return ` at ${name} ${levelNames.length > 0 ? `${levelNames.join(', ')} and ${end}` : end}`;
}

/** Stalls and regular dips of each level, in addition to the variation of its seconds. */
export function stillSentences({ cells, steadiness = [] }: Measured, { name, levels }: Factor): AnswerPiece[][] {
  const groups = levels.flatMap((level) => {
    const own = cells.filter((cell) => hasFigure(cell) && sameLevel(cell.levels[name], level));
    return own.length > 0 ? [{ level: formatLevel(level), own }] : [];
  });
  const stalls = groups.flatMap(({ level, own }) => {
    const known = own.flatMap((cell) => cell.stalls ?? []);
    const share = mean(known.map((each) => each.share));
    const longest = Math.max(...known.map((each) => each.longest));
    if (known.length < own.length) return [];
    return share > 0
      ? `${level} ${formatPercent(share, 1)} of the time, longest ${formatNumber(longest, 1)} s`
      : `${level} never`;
  });
  const dips = groups.flatMap(({ level, own }) => {
    const found = own.flatMap(({ cell }) => steadiness.find((each) => each.cell === cell)?.dips ?? []);
    const [first] = found.toSorted((one, other) => other.depth - one.depth);
    return first
      ? `${level} every ${formatNumber(first.period)} s, ${formatPercent(first.depth)} deep${own.length > 1 ? ` (${found.length} of ${formatCount(own.length, 'cell')})` : ''}`
      : [];
  });
  const isStill = stalls.every((words) => words.endsWith(' never'));
  return [
    ...(stalls.length < groups.length
      ? []
      : [isStill ? 'No stalls: no second passed without an event.' : `Stalled: ${stalls.join('; ')}.`]),
    ...(dips.length > 0 ? [`Regular dips: ${dips.join('; ')}.`] : []),
  ].map((text) => [{ text }]);
}

/** Where more load stops helping, over all lines. Undefined if a line leaves it open. */
export function loadSentence(scaling: readonly LoadLine[], factors: readonly Factor[]): string | undefined {
  const [first] = scaling;
  if (!first || scaling.some(({ knee }) => knee.verdict === 'unsure')) return undefined;
  const found = scaling.filter(({ knee }) => knee.verdict === 'found' && knee.load !== undefined);
  const rising = scaling.length - found.length;
  if (found.length === 0)
    return scaling.length === 1
      ? `Throughput has no knee in the measured range of ${first.factor}.`
      : `None of the ${scaling.length} lines has a knee in the measured range of ${first.factor}.`;
  const lines = rising > 0 ? ` in ${found.length} of ${formatCount(scaling.length, 'line')}` : '';
  return `Throughput stops rising beyond ${first.factor} ${loads(found, factors)}${lines}.`;
}

function loads(found: readonly LoadLine[], factors: readonly Factor[]): string {
  const all = found.map(({ knee }) => knee.load ?? 0);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const along = factors.find(({ name }) => name === found[0]?.factor);
  const words = (value: number): string => (along?.values ? formatLevel(levelAt(along, value)) : formatNumber(value));
  return least === most ? words(least) : `${words(least)} to ${words(most)}, depending on the line`;
}

/** A rate answers in place of the steadiness that the document asks for. */
export const shortSentence = (metric: string, seconds: number | undefined): string | undefined =>
  seconds === undefined || !judgesSteadiness(metric)
    ? undefined
    : `Answered by throughput instead of steadiness: ${seconds} s is too short to show how much it varies. Measure ${LEAST_VARYING} s or longer.`;

/** The next step if the load was the limit. */
export function moreLoad(cells: readonly ComparedCell[]): string {
  const limits = loadLimitWords(cells);
  const generators = limits.includes('generator') ? ['more or larger generators'] : [];
  const network = limits.includes('network') ? ['a faster network'] : [];
  return `Repeat with ${[...generators, ...network].join(' and ')} to see what ${cells.length === 1 ? 'this cell does' : 'these cells do'} beyond that.`;
}
