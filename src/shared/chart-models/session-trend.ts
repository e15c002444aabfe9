import { extremeWord, metricOf } from '../metrics/index.ts';
import { caveatWords, type Figured, warningsOf } from '../model/figure.ts';
import type { Session } from '../model/session.ts';
import { formatChange, formatCount, formatDateTime, formatNumber, formatValue } from '../util/format.ts';

type Listed = Pick<
  Session,
  'id' | 'name' | 'tool' | 'target' | 'targets' | 'generators' | 'createdAt' | 'primaryMetric' | 'best'
>;

export interface TrendPoint extends Figured {
  readonly id: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly value: number;
  /** 95 % interval over the repeats of the best cell; absent with fewer than two. */
  readonly low?: number;
  readonly high?: number;
  /** Measured on the same target from the same hosts as the latest one. */
  readonly alike: boolean;
}

/**
 * The best figure of an experiment from session to session. Its caveats: those of the newest point with a warning, among the points that
 * the words describe.
 */
export interface SessionTrend extends Figured {
  readonly metric: string;
  /** The oldest first; excludes those in another metric. */
  readonly points: readonly TrendPoint[];
  /** For narrow places, and in full. */
  readonly short: string;
  readonly words: string;
}

const placeOf = ({ target, targets, generators }: Listed): string => JSON.stringify([targets ?? target, generators]);

/** Undefined if no session has a best cell. */
export function sessionTrend(sessions: readonly Listed[]): SessionTrend | undefined {
  const withBest = sessions
    .filter(({ best }) => best !== undefined)
    .sort((a, b) => a.createdAt - b.createdAt || a.id - b.id);
  const latest = withBest.at(-1);
  if (!latest || latest.primaryMetric === null) return undefined;
  const { primaryMetric: metric, tool } = latest;
  const points = withBest
    .filter((session) => session.primaryMetric === metric && session.tool === tool)
    .map((session): TrendPoint => {
      const { value = 0, confidence, caveats } = session.best ?? {};
      const alike = placeOf(session) === placeOf(latest);
      return { id: session.id, at: session.createdAt, value, alike, ...confidence, ...(caveats && { caveats }) };
    });
  const { short, words } = wordsOf(points, metric);
  const warned = lastComparable(points)
    .filter((point) => warningsOf(point).length > 0)
    .at(-1);
  const { low, high } = rangeOf(points);
  const measure = metricOf(metric);
  const axis = `Drawn from ${formatNumber(low, measure.digits)} to ${formatValue(high, measure)}.`;
  const warning = warned ? ` ${formatDateTime(warned.at)}: ${caveatWords('list', warned)}.` : '';
  return { metric, points, short, words: `${words}${warning} ${axis}`, caveats: warned?.caveats };
}

/** The last two on the same target: the words describe these. */
const lastComparable = (points: readonly TrendPoint[]): TrendPoint[] => points.filter(({ alike }) => alike).slice(-2);

/**
 * Words for the last two on the same target. Intervals over repeats do not include differences between sessions, such as another load on
 * the host.
 */
function wordsOf(points: readonly TrendPoint[], metric: string): Pick<SessionTrend, 'short' | 'words'> {
  const [before, latest] =
    lastComparable(points).length > 1 ? lastComparable(points) : [undefined, lastComparable(points)[0]];
  const extreme = extremeWord(metricOf(metric));
  const figureOf = (point: TrendPoint): string => formatValue(point.value, metricOf(metric));
  const others = points.filter(({ alike }) => !alike).length;
  const othersWords = others > 0 ? ` ${formatCount(others, 'session')} with another target or other hosts.` : '';
  if (!latest) return { short: '', words: '' };
  if (!before) return { short: '', words: `${extreme}: ${figureOf(latest)}.${othersWords}` };
  const both = `${extreme}: ${figureOf(latest)}, before ${figureOf(before)} (${formatDateTime(before.at)}).`;
  if (latest.low === undefined || latest.high === undefined || before.low === undefined || before.high === undefined)
    return {
      short: 'Last two: too few repeats',
      words: `${both} Too few repeats to show a change.${othersWords}`,
    };
  if (latest.low <= before.high && before.low <= latest.high)
    return {
      short: 'No significant change',
      words: `${both} Their 95 % intervals overlap: no significant change.${othersWords}`,
    };
  const change = formatChange(latest.value / before.value - 1);
  return {
    short: `Last two: ${change}`,
    words: `${both} ${change}; their 95 % intervals do not overlap. Compare the two to see what differs.${othersWords}`,
  };
}

/** A picture of the points, as SVG coordinates in a box of `width` × `height`. Does not start at zero, see `rangeOf`. */
export interface TrendPicture {
  readonly dots: readonly {
    readonly x: number;
    readonly y: number;
    readonly alike: boolean;
    /** Its figure has a warning. */
    readonly warns: boolean;
    readonly id: number;
  }[];
  /** Path of the intervals, and of the line through the sessions on the latest one's target. */
  readonly intervals: string;
  readonly line: string;
}

/** Minimum range, so that noise of a few percent does not fill the picture. */
const LEAST_RANGE = 0.2;

/** Ends of the picture: the lowest and the highest end of an interval, at least a fifth of the highest apart. */
function rangeOf(points: readonly TrendPoint[]): { low: number; high: number } {
  const low = Math.min(...points.map((point) => Math.min(point.value, point.low ?? point.value)));
  const high = Math.max(...points.map((point) => Math.max(point.value, point.high ?? point.value)));
  const missing = Math.max(0, Math.abs(high) * LEAST_RANGE - (high - low)) / 2;
  return high === low && high === 0 ? { low: 0, high: 1 } : { low: low - missing, high: high + missing };
}

export function trendPicture(points: readonly TrendPoint[], width: number, height: number): TrendPicture {
  const times = points.map(({ at }) => at);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const range = rangeOf(points);
  const xOf = ({ at }: TrendPoint): number => round(last > first ? ((at - first) / (last - first)) * width : width / 2);
  const yOf = (value: number): number => round(height - ((value - range.low) / (range.high - range.low)) * height);
  return {
    dots: points.map((point) => ({
      ...{ x: xOf(point), y: yOf(point.value), alike: point.alike, warns: warningsOf(point).length > 0, id: point.id },
    })),
    intervals: points
      .flatMap((point) =>
        point.low === undefined || point.high === undefined
          ? []
          : [`M${xOf(point)} ${yOf(point.low)}V${yOf(point.high)}`],
      )
      .join(''),
    line: points
      .filter(({ alike }) => alike)
      .map((point, index) => `${index === 0 ? 'M' : 'L'}${xOf(point)} ${yOf(point.value)}`)
      .join(''),
  };
}

const round = (value: number): number => Math.round(value * 10) / 10;
