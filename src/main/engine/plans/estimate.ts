import { type Experiment, type Levels, type Measure, pausesAlike, pausesOf } from '../../../shared/model/experiment.ts';
import type { BeforeTrial } from '../../../shared/model/measure.ts';
import { turnsOf } from '../../../shared/model/parallel-steps.ts';
import type { Changes, Estimate } from '../../../shared/model/plan.ts';
import { wholeSteps } from '../../../shared/model/step.ts';

/** Data to be made before trials. */
export interface DataWork {
  /** Equal titles mean the same data: “4 tables × 10,000 rows, about 10 MiB”. */
  readonly title: string;
  readonly kind: 'tables' | 'files' | 'unseen';
  readonly bytes?: number;
  /** It exists and is used as it is. */
  readonly there: boolean;
  /** Whether it is made before the first trial, and how many times again later. */
  readonly first: boolean;
  readonly again: number;
}

/** Data made by an earlier session. */
export interface Prepared {
  readonly title: string;
  readonly bytes?: number;
  readonly seconds: number;
}

/** Durations of an earlier session, seconds. */
export interface PastSession {
  readonly id: number;
  /** From its start to its first trial, without the time to make data. */
  readonly start?: number;
  /** Time of each trial in addition to load and pause. */
  readonly overheads: readonly number[];
  readonly prepared: readonly Prepared[];
  /** Operations per second of runs that ended after a number of operations. */
  readonly rates: readonly number[];
  /** Durations of its steps that end by themselves, by name. */
  readonly acts?: readonly { readonly name: string; readonly seconds: number }[];
  /** Actions before each trial; the overheads include their time. Undefined if there were none. */
  readonly before?: BeforeTrial;
}

/** Default seconds for a server's restart and for a reload of its files. */
const RESTART_SECONDS = 15;
const RELOAD_SECONDS = 2;
/** Seconds to write back and drop a host's caches. */
const CACHES_SECONDS = 3;

/** Seconds of a trial in addition to its load: connecting, launching, collecting. Measured on loopback and in a LAN. */
const OVERHEAD_SECONDS = 3;
/** Amount of work: trials, runs of all their steps, and sequential runs, with parallel steps counted as one. */
export interface Count {
  readonly trials: number;
  readonly runs: number;
  readonly turns: number;
  /** Total seconds of pauses between trials. Undefined if each has the length set in `measure`. */
  readonly pauses?: number | undefined;
}

export const countOf = ({ steps = [] }: Pick<Experiment, 'steps'>, trials: number, pauses?: number): Count => {
  const whole = wholeSteps(steps);
  return {
    trials,
    runs: trials * Math.max(1, whole.length),
    turns: trials * Math.max(1, turnsOf(whole).length),
    pauses,
  };
};

/**
 * Total seconds of pauses between trials in this order, each given by the position of its cell. Undefined if all pauses have the length set
 * in `measure`.
 */
export const ownPauses = (
  experiment: Experiment,
  cells: readonly { readonly levels: Levels }[],
  trials: () => readonly { readonly cell: number }[],
): number | undefined =>
  pausesAlike(experiment)
    ? undefined
    : pausesOf(
        experiment,
        trials().map(({ cell }) => cells[cell]?.levels ?? {}),
      );

const pauseSeconds = ({ trials, pauses }: Count, { pause }: Pick<Measure, 'pause'>): number =>
  pauses ?? Math.max(0, trials - 1) * pause;

/** Without anything before the first trial. `load`: total seconds of all runs; by default they are equally long. */
export function estimateSeconds(
  count: Count,
  measure: Measure,
  load = count.turns * (measure.warmup + measure.duration),
): number {
  return load + count.turns * OVERHEAD_SECONDS + pauseSeconds(count, measure);
}

/** Seconds to read the facts of hosts and target. */
const START_SECONDS = 2;
/** Default bytes per second at which data is made: by loading single rows, or writing files sequentially. */
const DEFAULT_RATE: Readonly<Record<DataWork['kind'], number | undefined>> = {
  tables: 10_000_000,
  files: 200_000_000,
  unseen: undefined,
};
/** Minimum seconds of a step with little data: it has to be launched and its end detected. */
const SHORTEST_PREPARE = 2;

/** The median; undefined if there are no values. */
function median(figures: readonly number[]): number | undefined {
  const sorted = [...figures].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const [low, high] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
}

/** Earlier times of the same data, whatever its size; else the rate of the data nearest in size. */
function learnedSeconds(
  { title, bytes }: Pick<DataWork, 'title' | 'bytes'>,
  prepared: readonly Prepared[],
): number | undefined {
  const same = median(prepared.filter((past) => past.title === title).map(({ seconds }) => seconds));
  if (same !== undefined || bytes === undefined) return same;
  const distance = (past: Prepared): number => Math.abs(Math.log((past.bytes ?? 0) / bytes));
  const [nearest] = prepared.filter((past) => (past.bytes ?? 0) > 0).sort((a, b) => distance(a) - distance(b));
  return nearest && Math.max(SHORTEST_PREPARE, (nearest.seconds * bytes) / (nearest.bytes as number));
}

function defaultSeconds({ kind, bytes }: Pick<DataWork, 'kind' | 'bytes'>): number | undefined {
  const rate = DEFAULT_RATE[kind];
  return rate === undefined || bytes === undefined ? undefined : Math.max(SHORTEST_PREPARE, bytes / rate);
}

/** Seconds to make data: learned from earlier sessions, else estimated by its size. Undefined if that is unknown too. */
export const dataSeconds = (
  work: Pick<DataWork, 'title' | 'kind' | 'bytes'>,
  past: readonly PastSession[],
): number | undefined =>
  learnedSeconds(
    work,
    past.flatMap(({ prepared }) => prepared),
  ) ?? defaultSeconds(work);

interface Making {
  preparing: Estimate['preparing'];
  first: number | undefined;
  again: number;
}

function making(dataWorks: readonly DataWork[], prepared: readonly Prepared[]): Making {
  const wanted = dataWorks.filter(({ there, again }) => !there || again > 0);
  if (wanted.length === 0) return { preparing: dataWorks.length === 0 ? 'none' : 'there', first: 0, again: 0 };
  const times = wanted.map((work) => ({
    work,
    learned: learnedSeconds(work, prepared),
    guessed: defaultSeconds(work),
  }));
  const known = times.map(({ work, learned, guessed }) => ({ ...work, seconds: learned ?? guessed }));
  const sum = (of: (work: (typeof known)[number]) => number): number =>
    known.reduce((total, work) => total + (work.seconds ?? 0) * of(work), 0);
  const again = sum((work) => work.again);
  if (known.some(({ seconds }) => seconds === undefined)) return { preparing: 'unknown', first: undefined, again };
  const first = sum(({ there, first: isFirst }) => (isFirst && !there ? 1 : 0));
  if (wanted.every(({ there, first: isFirst }) => there && isFirst)) return { preparing: 'there', first, again };
  return { preparing: times.every(({ learned }) => learned !== undefined) ? 'learned' : 'default', first, again };
}

/** Bytes that exist at the same time. Undefined unless known for all data. Data that is made again later replaces the previous one. */
function bytesOf(works: readonly DataWork[]): number | undefined {
  const sizes = works.filter(({ first }) => first).map(({ bytes }) => bytes);
  if (sizes.length === 0 || sizes.some((bytes) => bytes === undefined)) return undefined;
  const first = sizes.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0);
  return Math.max(first, ...works.filter((work) => !work.first).map(({ bytes }) => bytes ?? 0));
}

const sameBefore = (one: BeforeTrial = {}, other: BeforeTrial = {}): boolean =>
  JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort());

/** Only what can be estimated: the duration of a statement, or of a wait for a quiet host, is unknown. */
const beforeSeconds = ({ caches = 'none', rest = 0 }: BeforeTrial = {}): number =>
  (caches === 'none' ? 0 : CACHES_SECONDS) + rest;

/** Operations per second of earlier runs that ended after a number of operations. Undefined if there were none. */
export const learnedRate = (past: readonly PastSession[]): number | undefined =>
  median(past.flatMap(({ rates }) => median(rates) ?? []));

/**
 * Seconds of steps that end by themselves, in all trials, learned from steps of the same name. `open`: number of runs with an unknown
 * duration.
 */
export function actTime(
  { steps = [], measure }: Pick<Experiment, 'steps' | 'measure'>,
  trials: number,
  past: readonly PastSession[],
  /** Fallback for the step at a place, if no session has had one of its name. Undefined if unknown. */
  guess: (place: number) => number | undefined = () => undefined,
): { seconds: number; open: number } {
  const took = past.flatMap(({ acts = [] }) => acts);
  const whole = wholeSteps(steps).map((step, place) => ({ ...step, place }));
  const times = turnsOf(whole).flatMap((turn) => {
    const acts = turn.filter(({ do: act }) => act !== undefined);
    const ends = acts.map(({ name, from = 0, place, for: most }) => {
      const own = took.filter((each) => each.name === name).map((each) => each.seconds);
      const seconds = most ?? median(own) ?? guess(place);
      return seconds === undefined ? undefined : from + seconds;
    });
    if (turn.length === 1 || acts.length === turn.length) return longestOf(ends);
    // Only the time after the end of the loads is added.
    const loads = turn.flatMap(({ do: act, warmup = measure.warmup, duration = measure.duration }) =>
      act === undefined ? [warmup + duration] : [],
    );
    return Math.max(0, ...ends.map((end = 0) => end - Math.max(...loads)));
  });
  return {
    seconds: trials * times.reduce<number>((sum, seconds = 0) => sum + seconds, 0),
    open: trials * times.filter((seconds) => seconds === undefined).length,
  };
}

/** The longest of parallel steps; undefined if one is unknown. Empty without steps. */
const longestOf = (seconds: readonly (number | undefined)[]): (number | undefined)[] =>
  seconds.length === 0
    ? []
    : [seconds.some((each) => each === undefined) ? undefined : Math.max(...(seconds as number[]))];

/** Estimates the duration of a plan, as far as possible: learned from `past` sessions of the same kind, else from the defaults above. */
export function estimateTime(
  measure: Pick<Measure, 'warmup' | 'duration' | 'pause' | 'before' | 'stop'>,
  count: Count,
  works: readonly DataWork[],
  past: readonly PastSession[],
  /** Seconds of load in all runs. Default: they are equally long. */
  load = count.turns * (measure.warmup + measure.duration),
  /** Changes of servers and hosts between trials. */
  changes: Changes = { reloads: 0, restarts: 0 },
  /** Number of runs with an unknown duration. */
  open = 0,
): Estimate {
  const { trials, turns } = count;
  const alike = past.filter(({ before }) => sameBefore(before, measure.before));
  const overhead = median(alike.flatMap(({ overheads }) => median(overheads) ?? []));
  const before = overhead === undefined ? trials * beforeSeconds(measure.before) : 0;
  const changing = changes.restarts * RESTART_SECONDS + changes.reloads * RELOAD_SECONDS;
  const loads = works.reduce((sum, work) => sum + work.again + (work.first && !work.there ? 1 : 0), 0);
  // The shortest, because a session that waited for the user, or was stored without its times of making data, is no measure of reading
  // facts.
  const starts = past.flatMap((session) => session.start ?? []);
  const { preparing, first, again } = making(
    works,
    past.flatMap(({ prepared }) => prepared),
  );
  const dataBytes = bytesOf(works);
  return {
    start: starts.length > 0 ? Math.max(0, Math.min(...starts)) : START_SECONDS,
    ...(first !== undefined && { prepare: first }),
    again,
    load,
    ...(open > 0 && { open }),
    overhead: turns * (overhead ?? OVERHEAD_SECONDS),
    pauses: pauseSeconds(count, measure),
    ...(changes.restarts + changes.reloads > 0 && { changes, changing }),
    ...(loads > 0 && { loads }),
    ...(before > 0 && { before }),
    ...(measure.stop && { atMost: true }),
    ...(dataBytes !== undefined && { dataBytes }),
    sessions: past.filter(({ overheads, prepared }) => overheads.length + prepared.length > 0).map(({ id }) => id),
    preparing,
  };
}

/** Total seconds. With a time limit, the trial that is running then is still measured. */
export function secondsOf(estimate: Estimate, { stop, warmup, duration }: Partial<Measure> = {}): number {
  const { start, prepare = 0, again, load, overhead, pauses, changing = 0, before = 0 } = estimate;
  const measuring = again + load + overhead + pauses + changing + before;
  const most = stop?.minutes === undefined ? measuring : stop.minutes * 60 + (warmup ?? 0) + (duration ?? 0);
  return Math.round(start + prepare + Math.min(measuring, most));
}
