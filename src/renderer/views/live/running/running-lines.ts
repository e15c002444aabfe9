import { inOrder, type Painter, type TimelineLine } from '../../../../shared/chart-models/index.ts';
import { metricOf } from '../../../../shared/metrics/index.ts';
import type { Scalar } from '../../../../shared/model/experiment.ts';
import type { SeriesData } from '../../../../shared/model/result.ts';
import { EACH_GENERATOR, generatorWords } from '../../../../shared/model/result-words.ts';
import type { Run } from '../../../../shared/model/session.ts';
import { alignedSeconds, type Points, stretches, stretchOf, wholeOf } from '../../../../shared/stats/index.ts';
import { formatDuration, formatLevel } from '../../../../shared/util/format.ts';
import type { LiveSamples } from '../stream/live-store.ts';

/** Tools report their first second a little late. */
const FIRST_SECONDS = 2;

/** Data of the live chart. */
interface RunningData {
  run: Run | undefined;
  earlier: readonly Run[];
  /** From the store: finished runs, and the run itself when it has ended. */
  stored: readonly SeriesData[];
  /** From the stream: the run in progress. */
  samples: readonly LiveSamples[];
  metric: string;
  factor: string | undefined;
  paint: Painter;
}

/** Names of all lines of a ladder, in order: they have their positions from the start, so that nothing moves when one is added. */
export const plannedNames = (
  factors: readonly { name: string; levels: readonly Scalar[] }[],
  factor: string | undefined,
  repeats: number,
): string[] => {
  const ladder = factors.find(({ name }) => name === factor);
  return ladder
    ? inOrder(ladder.levels).map((level) => `${ladder.name} ${formatLevel(level)}`)
    : Array.from({ length: repeats }, (_, repeat) => `repeat ${repeat + 1}`);
};

/** Within a ladder, only the level and the repeat distinguish runs. */
const wordsOf = (run: Run, factor: string | undefined): Required<Pick<TimelineLine, 'name' | 'label'>> => {
  const repeat = `repeat ${run.repeat + 1}`;
  const name = factor ? `${factor} ${formatLevel(run.levels[factor])}` : repeat;
  return { name, label: factor ? `${name}, ${repeat}` : name };
};

/** One series of a run: of one generator, or of all together. */
type Part = Points & Pick<SeriesData, 'generator'>;

/**
 * The run in bold over the earlier ones of its ladder: those of its own cell as a band, each other cell as one thin line, the median of its
 * repeats. Several generators are one line together, with a faint line for each.
 */
export function runningLines(data: RunningData): TimelineLine[] {
  const { run, earlier, stored, samples, metric } = data;
  const storedOf = ({ id }: Run): SeriesData[] =>
    stored.filter((series) => series.runId === id && series.metric === metric);
  const now = run && samples.length > 0 ? liveParts(run, samples, storedOf(run), metric) : undefined;
  return alongLadder(run ? [...earlier, run] : earlier, data.factor).flatMap((each, _, all) => {
    if (each === run) return linesOf(data, each, now ?? storedOf(each), 'bold');
    const repeats = all.filter(({ id, cell }) => id !== run?.id && cell === each.cell);
    const lines = repeats.map((repeat) => linesOf(data, repeat, storedOf(repeat), 'thin'));
    // Figures of single generators cannot be combined with repeats.
    if (lines.length < 2 || lines.some(({ length }) => length > 1)) return lines[repeats.indexOf(each)] ?? [];
    return repeats[0] === each ? cellLine(lines.flat(), each.cell === run?.cell) : [];
  });
}

/** Maximum points of a line of several repeats. */
const MOST_POINTS = 600;

/** Repeats of a cell as one line, their median; `isOwn`: with the range that contains all of them. */
function cellLine(repeats: readonly TimelineLine[], isOwn: boolean): TimelineLine[] {
  const [first] = repeats;
  if (!first) return [];
  const seconds = stretchOf(repeats, MOST_POINTS);
  const { t, median, low, high } = stretches(repeats, seconds);
  const label = `${first.name}, ${isOwn ? 'earlier repeats' : `median of ${repeats.length} repeats`}`;
  // A second of a tool ends at its number.
  const line = { ...first, label, t: t.map((start) => start + seconds), v: median };
  return [isOwn ? { ...line, band: { low, high } } : line];
}

/** In the order of the ladder's levels if these are numbers: the legend then reads 1, 2, 4, 8 whatever was measured first. */
function alongLadder(runs: readonly Run[], factor: string | undefined): readonly Run[] {
  const levelOf = (run: Run): number => {
    const level = factor === undefined ? undefined : run.levels[factor];
    return typeof level === 'number' ? level : Number.NaN;
  };
  return runs.some((run) => Number.isNaN(levelOf(run)))
    ? runs
    : [...runs].sort((one, other) => levelOf(one) - levelOf(other));
}

function linesOf(
  { factor, paint }: RunningData,
  run: Run,
  parts: readonly Part[],
  weight: 'bold' | 'thin',
): TimelineLine[] {
  const { name, label } = wordsOf(run, factor);
  const whole = parts.some(({ generator }) => generator === null);
  const several = parts.length > 1;
  // Single generators of earlier trials would clutter the chart behind the running one.
  const drawn = whole && weight === 'thin' ? parts.filter(({ generator }) => generator === null) : parts;
  return drawn.map(({ generator, t, v }) => {
    const beside = whole && generator !== null;
    return {
      key: `run ${run.id}/${generator ?? 'all'}`,
      name: beside ? `${name}, ${EACH_GENERATOR}` : name,
      label: `${label}${generatorWords(generator, several)}`,
      ...paint(run.levels),
      t,
      v,
      weight: beside ? 'part' : several && !whole && weight === 'bold' ? 'normal' : weight,
    };
  });
}

/**
 * The stream's data of a running trial, with earlier data from the store. The line of all generators ends at the last second that all have.
 */
function liveParts(
  run: Run,
  samples: readonly LiveSamples[],
  stored: readonly SeriesData[],
  metric: string,
): readonly Part[] {
  const parts = samples.flatMap((entry) => {
    const v = entry.columns[metric];
    return v ? [{ generator: entry.generator, t: entry.t, v }] : [];
  });
  const whole = wholeOfLive(run, samples, metric);
  return [...(whole ? [{ generator: null, ...whole }] : []), ...parts].map((part) => ({
    ...part,
    ...joined(
      stored.find(({ generator }) => generator === part.generator),
      part,
    ),
  }));
}

/**
 * All generators of a running trial combined, as far as the stream has delivered them: it ends with the last second that every generator
 * has reported, so that a late one does not look like a drop. Undefined for a single one, and for metrics that cannot be combined.
 */
export function wholeOfLive(run: Run, samples: readonly LiveSamples[], metric: string): Points | undefined {
  const { generators = [] } = run;
  if (generators.length < 2) return undefined;
  const starts = generators.map(({ startedAt }) => startedAt);
  const all = samples.flatMap(({ generator, t, columns }) => {
    const v = columns[metric];
    return v ? [{ t: alignedSeconds(t, starts[generator], starts), v }] : [];
  });
  return wholeOf(metric, all, generators.length);
}

/** Output takes a second or two to arrive: longer delays are reported. */
const LATE_SECONDS = 3;

/** Explains the lines of the chart, unless it is one line of one run, and their delay. */
export const lineWords = (earlier: number, generators: number, metric: string, lag = 0): string =>
  [
    earlier > 0 && 'vs. earlier trials: band, repeats of its cell; thin lines, other cells',
    generators > 1 && togetherWords(generators, metric),
    lag >= LATE_SECONDS && `arrives ${formatDuration(Math.round(lag))} late`,
  ]
    .filter(Boolean)
    .join(' · ');

const TOGETHER = { sum: 'sum of', max: 'highest of' } as const;

function togetherWords(generators: number, metric: string): string {
  const { combine } = metricOf(metric);
  return combine === 'none'
    ? 'one line per generator'
    : `${TOGETHER[combine]} ${generators} generators, and each generator`;
}

/** The store's data before the first second of the stream, then the stream's. */
function joined(head: Points | undefined, live: Points): Points {
  const from = live.t[0] ?? 0;
  const count = head ? head.t.filter((second) => second < from).length : 0;
  if (!head || count === 0) return live;
  const join = (before: Float64Array, after: Float64Array): Float64Array => {
    const all = new Float64Array(count + after.length);
    all.set(before.subarray(0, count));
    all.set(after, count);
    return all;
  };
  return { t: join(head.t, live.t), v: join(head.v, live.v) };
}

/** Whether the stream has delivered less than the run has: it begins with the newest seconds only. */
export const lacksHead = (run: Run, samples: readonly LiveSamples[]): boolean =>
  run.seconds > 0 && (samples.length === 0 || samples.some((entry) => (entry.t[0] ?? 0) > FIRST_SECONDS));

/** Available metrics, the primary one first. */
export const metricsOf = (primary: string, present: readonly string[]): string[] =>
  [...new Set([primary, ...present])].filter((name) => present.includes(name));
