import type { Experiment, Levels, Measure } from '../../../shared/model/experiment.ts';
import type { BeforeTrial } from '../../../shared/model/measure.ts';
import { pausesAlike, pausesOf } from '../../../shared/model/pause.ts';
import type { Changes, Estimate } from '../../../shared/model/plan.ts';
import { turnsOf, wholeSteps } from '../../../shared/model/step.ts';

/** Data that is to be made before trials. */
export interface DataWork {
  /** The same words are the same data: “4 tables × 10,000 rows, about 10 MiB”. */
  readonly title: string;
  readonly kind: 'tables' | 'files' | 'unseen';
  readonly bytes?: number;
  /** It is there already, and is used as it is. */
  readonly there: boolean;
  /** Whether it is made before the first trial, and how often again later. */
  readonly first: boolean;
  readonly again: number;
}

/** Data that an earlier session made. */
export interface Prepared {
  readonly title: string;
  readonly bytes?: number;
  readonly seconds: number;
}

/** What an earlier session took, in seconds. */
export interface PastSession {
  readonly id: number;
  /** From its start to its first trial, less what making data took. */
  readonly start?: number;
  /** Of its trials, each beside load and pause. */
  readonly overheads: readonly number[];
  readonly prepared: readonly Prepared[];
  /** Operations a second of its trials that a number of them has ended. */
  readonly rates: readonly number[];
  /** Seconds of its steps that end by themselves, each by its name. */
  readonly acts?: readonly { readonly name: string; readonly seconds: number }[];
  /** What it did before each trial: its overheads hold the time for that. Absent: nothing. */
  readonly before?: BeforeTrial;
}

/** Seconds that a server takes to be up again after a restart, and to read its files again, where nothing is known. */
const RESTART_SECONDS = 15;
const RELOAD_SECONDS = 2;
/** Seconds in which the caches of a host are written and dropped. */
const CACHES_SECONDS = 3;

/** Seconds of a trial beside its load: connecting, launching, collecting. Seen on loopback and on a LAN. */
const OVERHEAD_SECONDS = 3;
/** How much there is to do: trials, runs of all their steps, and how many come one after the other: those of parallel steps count as one. */
export interface Count {
  readonly trials: number;
  readonly runs: number;
  readonly turns: number;
  /** Seconds of all pauses between trials. Absent: each has the length of the measurement. */
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

/** Seconds of pauses between trials in this order, by the place of the cell of each; undefined where all pauses have the length of the measurement. */
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

/** Without what comes before the first trial. `load`: seconds of all runs together; absent: they are equally long. */
export function estimateSeconds(
  count: Count,
  measure: Measure,
  load = count.turns * (measure.warmup + measure.duration),
): number {
  return load + count.turns * OVERHEAD_SECONDS + pauseSeconds(count, measure);
}

/** Seconds until facts of hosts and target are read. */
const START_SECONDS = 2;
/** Bytes a second at which data is made where nothing is known: a load by single rows, and files written in a row. */
const DEFAULT_RATE: Readonly<Record<DataWork['kind'], number | undefined>> = {
  tables: 10_000_000,
  files: 200_000_000,
  unseen: undefined,
};
/** A step takes so long however small its data: it is launched and its end is seen. */
const SHORTEST_PREPARE = 2;

/** Middle of some figures; undefined of none. */
function median(figures: readonly number[]): number | undefined {
  const sorted = [...figures].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const [low, high] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
}

/**
 * The same data made before tells best, whatever is known of its size; else the one nearest in size, by its rate.
 */
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

/** Seconds that data takes to be made: as it did in earlier sessions, else by its size; undefined where that is not known either. */
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

function making(works: readonly DataWork[], prepared: readonly Prepared[]): Making {
  const wanted = works.filter(({ there, again }) => !there || again > 0);
  if (wanted.length === 0) return { preparing: works.length === 0 ? 'none' : 'there', first: 0, again: 0 };
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

/** Bytes that lie there at the same time; undefined where that is not known of all. Data that is made anew later takes the place of what was there. */
function bytesOf(works: readonly DataWork[]): number | undefined {
  const sizes = works.filter(({ first }) => first).map(({ bytes }) => bytes);
  if (sizes.length === 0 || sizes.some((bytes) => bytes === undefined)) return undefined;
  const first = sizes.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0);
  return Math.max(first, ...works.filter((work) => !work.first).map(({ bytes }) => bytes ?? 0));
}

const sameBefore = (one: BeforeTrial = {}, other: BeforeTrial = {}): boolean =>
  JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort());

/** Of what can be told: how long a statement takes, or until a host is quiet, nobody knows before. */
const beforeSeconds = ({ caches = 'none', rest = 0 }: BeforeTrial = {}): number =>
  (caches === 'none' ? 0 : CACHES_SECONDS) + rest;

/** Operations a second that runs of earlier sessions made which a number of them has ended; undefined: there were none. */
export const learnedRate = (past: readonly PastSession[]): number | undefined =>
  median(past.flatMap(({ rates }) => median(rates) ?? []));

/**
 * Seconds of the steps that end by themselves, in all trials, as steps of the same name took in earlier sessions. `open`: runs of those whose time is
 * not known.
 */
export function actTime(
  { steps = [], measure }: Pick<Experiment, 'steps' | 'measure'>,
  trials: number,
  past: readonly PastSession[],
  /** Seconds of the step at a place where no session has had one of its name; undefined: nobody knows. */
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

/** The longest of steps that run at the same time; undefined of one whose time is not known. None of no steps. */
const longestOf = (seconds: readonly (number | undefined)[]): (number | undefined)[] =>
  seconds.length === 0
    ? []
    : [seconds.some((each) => each === undefined) ? undefined : Math.max(...(seconds as number[]))];

/** What a plan takes, as far as it can be told: learned from `past` sessions of the same kind, else from the defaults above. */
export function estimateTime(
  measure: Pick<Measure, 'warmup' | 'duration' | 'pause' | 'before' | 'stop'>,
  count: Count,
  works: readonly DataWork[],
  past: readonly PastSession[],
  /** Seconds of load in all runs; absent: they are equally long. */
  load = count.turns * (measure.warmup + measure.duration),
  /** Of servers and hosts on the way. */
  changes: Changes = { reloads: 0, restarts: 0 },
  /** Runs whose time is not known. */
  open = 0,
): Estimate {
  const { trials, turns } = count;
  const alike = past.filter(({ before }) => sameBefore(before, measure.before));
  const overhead = median(alike.flatMap(({ overheads }) => median(overheads) ?? []));
  const before = overhead === undefined ? trials * beforeSeconds(measure.before) : 0;
  const changing = changes.restarts * RESTART_SECONDS + changes.reloads * RELOAD_SECONDS;
  const loads = works.reduce((sum, work) => sum + work.again + (work.first && !work.there ? 1 : 0), 0);
  // The shortest: one that waited for a person, or made data before that was recorded, says nothing of reading facts.
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

/** All of it. With a limit of time the trial that runs then is still measured. */
export function secondsOf(estimate: Estimate, { stop, warmup, duration }: Partial<Measure> = {}): number {
  const { start, prepare = 0, again, load, overhead, pauses, changing = 0, before = 0 } = estimate;
  const measuring = again + load + overhead + pauses + changing + before;
  const most = stop?.minutes === undefined ? measuring : stop.minutes * 60 + (warmup ?? 0) + (duration ?? 0);
  return Math.round(start + prepare + Math.min(measuring, most));
}
