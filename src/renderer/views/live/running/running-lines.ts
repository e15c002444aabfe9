import { inOrder, type Painter, type TimelineLine } from '../../../../shared/chart-models/index.ts';
import { latencyFamily, metricOf, percentileIn } from '../../../../shared/metrics/index.ts';
import type { Scalar } from '../../../../shared/model/experiment.ts';
import type { LinkState } from '../../../../shared/model/host.ts';
import { isCounted } from '../../../../shared/model/repeats.ts';
import type { SeriesData } from '../../../../shared/model/result.ts';
import { EACH_GENERATOR, generatorWords } from '../../../../shared/model/result-words.ts';
import { OPEN_RUN, type Run } from '../../../../shared/model/session.ts';
import {
  alignedSeconds,
  bucketSeconds,
  LEAST_VALUES,
  type Points,
  steadinessOf,
  timeBuckets,
  wholeOf,
} from '../../../../shared/stats/index.ts';
import {
  formatChange,
  formatDuration,
  formatLevel,
  formatPercent,
  formatTimeOfDay,
} from '../../../../shared/util/format.ts';
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
  const seconds = bucketSeconds(repeats, MOST_POINTS);
  const { t, median, low, high } = timeBuckets(repeats, seconds);
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
    const isSecondary = whole && generator !== null;
    return {
      key: `run ${run.id}/${generator ?? 'all'}`,
      name: isSecondary ? `${name}, ${EACH_GENERATOR}` : name,
      label: `${label}${generatorWords(generator, several)}`,
      ...paint(run.levels),
      t,
      v,
      weight: isSecondary ? 'part' : several && !whole && weight === 'bold' ? 'normal' : weight,
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
  const whole = totalOfGenerators(run, samples, metric);
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
export function totalOfGenerators(run: Run, samples: readonly LiveSamples[], metric: string): Points | undefined {
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

const MOST_TILES = 4;
const LAST = ['latency_max_ms', 'errors_per_s'];
/** The latencies of fsyncs, which those of writes exclude. */
const SYNC = 'sync_latency';

/** The 95th percentile of a latency, or the one that the tool was configured to print instead. */
const percentileOf = (family: string, present: readonly string[]): string[] =>
  present.includes(`${family}_p95_ms`)
    ? [`${family}_p95_ms`]
    : present.filter((name) => latencyFamily(name) === family && percentileIn(name) !== undefined).slice(0, 1);

/**
 * The metrics worth a tile: the primary one, the progress of a load with an end, latencies and errors; filled up with others. If each write
 * waits for an fsync, the latencies of fsyncs come first.
 */
export const headlines = (primary: string, present: readonly string[]): string[] =>
  [
    ...new Set([
      ...[primary, 'progress_pct'],
      ...[...percentileOf(SYNC, present), `${SYNC}_max_ms`],
      ...[...percentileOf('latency', present), ...LAST, ...present],
    ]),
  ]
    .filter((name) => present.includes(name))
    .slice(0, MOST_TILES);

/** Positions of the tiles: a tile keeps its position, and a new one takes that of a tile that is no longer wanted. */
export function placed(shown: readonly string[], wanted: readonly string[]): string[] {
  const places = [...shown];
  for (const name of wanted.filter((each) => !shown.includes(each))) {
    const free = places.findIndex((each) => !wanted.includes(each));
    if (free >= 0) places[free] = name;
    else places.push(name);
  }
  return places.slice(0, MOST_TILES);
}

/** Maximum runs drawn behind the running one. */
const MOST = 20;

/** Finished runs of the same step that differ from this one only in the ladder's factor or the repeat, oldest first. */
export const earlierOfLadder = (run: Run, runs: readonly Run[], factor: string | undefined): Run[] =>
  runs
    .filter((other) => other.id !== run.id && other.step === run.step && isCounted(other))
    .filter((other) =>
      Object.entries(run.levels).every(([name, level]) => name === factor || other.levels[name] === level),
    )
    .sort((one, other) => one.trial - other.trial)
    .slice(-MOST);

/** Data of a running trial does not arrive because a connection is broken. The tool continues. */
interface Interruption {
  /** Start of the interruption, epoch milliseconds. */
  since: number;
  /** The unreachable hosts; empty: the engine. */
  hosts: readonly string[];
}

interface Connections {
  engineLost: boolean;
  links: readonly LinkState[];
  /** Names of the hosts that send the samples. */
  generators: readonly string[];
  /** Arrival of the newest samples, epoch milliseconds. */
  lastEventAt: number | undefined;
}

/** Why the seconds of a running trial do not arrive; undefined while they do, and without a running trial. `now`: epoch milliseconds. */
export function interruptionOf(
  run: Run | undefined,
  { engineLost, links, generators, lastEventAt }: Connections,
  now: number,
): Interruption | undefined {
  if (run?.state !== 'running') return undefined;
  const cut = links.filter(
    ({ host, state }) => generators.includes(host) && (state === 'down' || state === 'connecting'),
  );
  if (!engineLost && cut.length === 0) return undefined;
  const since = lastEventAt ?? Math.min(now, ...cut.map((link) => link.since));
  return { since, hosts: engineLost ? [] : cut.map(({ host }) => host) };
}

/** `No data from load1 since 14:03:12 (42 s). The trial goes on; …` */
export function interruptionWords({ since, hosts }: Interruption, now: number): string {
  const length = formatDuration(Math.max(0, Math.round((now - since) / 1000)));
  const from = hosts.length > 0 ? hosts.join(', ') : 'the engine';
  return `No data from ${from} since ${formatTimeOfDay(since)} (${length}). The trial continues; the gap will be back-filled.`;
}

/** The missing span of the time axis: from the last second that arrived, for the duration of the interruption. Seconds of the run. */
export function gapOf(
  run: Run,
  samples: readonly LiveSamples[],
  interruption: Interruption,
  now: number,
): { from: number; to: number } | undefined {
  const lasts = samples.flatMap(({ t }) => t.at(-1) ?? []);
  if (lasts.length === 0 || !OPEN_RUN.includes(run.state)) return undefined;
  const from = Math.min(...lasts);
  return { from, to: Math.min(run.warmup + run.duration, from + Math.max(0, now - interruption.since) / 1000) };
}

/** State of the running trial's warm-up so far; undefined for a metric that is not a throughput, and before the first second. */
export function settlingWords(run: Run, samples: readonly LiveSamples[], metric: string): string | undefined {
  const points = metricOf(metric).better === 'higher' ? pointsOf(run, samples, metric) : undefined;
  const now = points?.t.at(-1);
  if (!points || now === undefined) return undefined;
  if (now <= run.warmup) return `Warming up: second ${Math.round(now)} of ${run.warmup}.`;
  const steady = steadinessOf([points], run.warmup);
  if (steady.verdict === 'settled') return 'Settled so far: no change of 10 % or more since the warm-up.';
  if (steady.verdict === 'trend')
    return `Not settled: throughput has changed by ${formatChange(steady.change)} since the warm-up.`;
  if (steady.verdict === 'step')
    return `Not at one level: throughput changed by ${formatChange(steady.change)} at second ${Math.round(steady.at)}.`;
  if (steady.verdict === 'uneven')
    return `Not steady: from second ${Math.round(steady.at)} to ${Math.round(steady.until)}, throughput was ${formatPercent(Math.abs(steady.change))} ${steady.change < 0 ? 'below' : 'above'} its usual level.`;
  return steady.seconds < LEAST_VALUES
    ? `Steady state: needs ${LEAST_VALUES} samples, ${steady.seconds} so far.`
    : 'Steady state: unclear, throughput varies too much.';
}

function pointsOf(run: Run, samples: readonly LiveSamples[], metric: string): Points | undefined {
  const whole = totalOfGenerators(run, samples, metric);
  if (whole || samples.length !== 1) return whole;
  const v = samples[0]?.columns[metric];
  return v && samples[0] && { t: samples[0].t, v };
}
