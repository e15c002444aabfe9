import type { Finding } from '../model/finding.ts';
import type { ParallelStepEvent } from '../model/parallel-steps.ts';
import type { Run } from '../model/session.ts';
import { formatCount, formatDuration, formatLevels, formatNumber } from '../util/format.ts';
import { median } from '../util/numbers.ts';
import { percentile } from './spread.ts';
import type { Points } from './whole.ts';

/** Effect of an event on a rate. Times in seconds since the event. */
export interface EventDip {
  /** The rate before the event: the median of its seconds. */
  readonly before: number;
  /** The median of the seconds after the event. */
  readonly after: number;
  /** A second below this counts as affected: seconds before the event do not reach it by chance. */
  readonly limit: number;
  /** When the rate fell below the limit; absent: it did not, and the event shows no effect. */
  readonly began?: number;
  /** When it was back above the limit permanently; absent: not by the end of the data, or there was no dip. */
  readonly recovered?: number;
  /** The lowest rate in between, and the drop as a share of the rate before, 0 to 1. */
  readonly lowest: number;
  readonly depth: number;
  /** Work lost in between, compared with the rate before. */
  readonly lost: number;
  /** Seconds after the event (until recovery) with an unknown rate; absent: none. */
  readonly notKnown?: number;
  /** Maximum seconds between the event and the beginning of its dip. */
  readonly within?: number;
}

/** Seconds before the event that determine the usual rate. */
const BEFORE_SECONDS = 120;
const LEAST_BEFORE = 5;
/** A dip exceeds the random differences between seconds (in standard deviations), and a minimum share. */
const DEVIATIONS = 4;
const LEAST_SHARE = 0.1;
/** However noisy the rate was before: below this share of its lowest second is a dip. */
const FAR_BELOW = 0.25;
/** Factor from median absolute deviation to standard deviation. */
const MAD = 1.4826;
/** Recovery means a stable rate: this many consecutive values, of which one may be low. */
const STEADY = 10;
const MAY_BE_LOW = 1;
/** A dip that begins later has another cause. */
const LATEST_SECONDS = 30;
/** In a period without values that is longer than usual by this factor, the tool reported nothing. */
const GAP = 2;

/**
 * Depth of the dip of a rate after an event at the second `at`, and its recovery. `points`: rates by the ends of their intervals,
 * ascending; `until`: the next event. `silence`: in a period without values, the rate is zero (a tool prints nothing while it is down), or
 * the value at its end (NaN: unknown). `earlier`: seconds of events before this one; outages after them do not count as usual. `lasts`:
 * seconds of something that continues, such as a parallel step: all dips during that time are one. Undefined with fewer than five known
 * values before the event, or none after it.
 */
export function dipAfter(
  points: Points,
  at: number,
  {
    until = Number.POSITIVE_INFINITY,
    silence = 'zero',
    earlier = [],
    lasts = 0,
  }: {
    until?: number | undefined;
    silence?: 'zero' | 'told';
    earlier?: readonly number[];
    lasts?: number | undefined;
  } = {},
): EventDip | undefined {
  const usual = usualBefore(points, at, earlier);
  const behind = seconds(points, at, until, silence);
  const after = behind.filter(({ value }) => !Number.isNaN(value));
  const unknownUpTo = (end: number) => {
    const notKnown = behind.reduce(
      (sum, { from, to, value }) => sum + (Number.isNaN(value) && from < end ? to - from : 0),
      0,
    );
    return notKnown > 0 ? { notKnown } : {};
  };
  if (usual.length < LEAST_BEFORE || after.length === 0) return undefined;
  const before = median(usual);
  const deviations = usual.map((value) => Math.abs(value - before));
  const noise = MAD * median(deviations);
  const far = before - Math.max(DEVIATIONS * noise, LEAST_SHARE * before);
  const limit = Math.max(lowestOf(usual) * FAR_BELOW, far, 0);
  const within = Math.max(LATEST_SECONDS, Math.min(lasts, after.at(-1)?.to ?? 0));
  const first = dipFrom(after, 0, limit);
  const start = after[first];
  const later = median(after.map(({ value }) => value));
  if (!start || start.from > within)
    return { before, after: later, limit, lowest: before, depth: 0, lost: 0, within, ...unknownUpTo(within) };
  const back = backFrom(after, first, limit, lasts);
  const dip = after.slice(first, back < 0 ? undefined : back);
  const lowest = lowestOf(dip.map(({ value }) => value));
  return {
    before,
    after: later,
    limit,
    began: start.from,
    ...(back >= 0 && { recovered: (after[back] as Interval).from }),
    lowest,
    depth: before > 0 ? 1 - lowest / before : 0,
    lost: dip.reduce((sum, { from, to, value }) => sum + (before - value) * (to - from), 0),
    ...unknownUpTo(after[back]?.from ?? Number.POSITIVE_INFINITY),
  };
}

/** Index of the next value below the limit; -1: none. A single low value is chance unless it directly follows an event. */
function dipFrom(after: readonly Interval[], place: number, limit: number): number {
  for (let i = place; i < after.length; i++) {
    const { value, from } = after[i] as Interval;
    if (value < limit && (from <= LATEST_SECONDS || lowIn(after, i, limit) > MAY_BE_LOW)) return i;
  }
  return -1;
}

/** Index from which the rate is stable, after a dip that begins at this one and those that follow while the event lasts; -1: none. */
function backFrom(after: readonly Interval[], dip: number, limit: number, lasts: number): number {
  for (let i = dip + 1; i < after.length; i++) {
    if (!isBack(after, i, limit)) continue;
    const next = dipFrom(after, i, limit);
    if (next < 0 || (after[next] as Interval).from >= lasts || lowIn(after, next, limit) <= MAY_BE_LOW) return i;
    i = next;
  }
  return -1;
}

/** Number of low values among the next ones, including this one. */
const lowIn = (after: readonly Interval[], place: number, limit: number): number =>
  after.slice(place, place + STEADY).filter(({ value }) => value < limit).length;

/** Values of the last minutes before an event, without the outages that followed earlier events. */
function usualBefore({ t, v }: Points, at: number, earlier: readonly number[]): number[] {
  const known = Array.from(v, (value, i) => ({ second: t[i] as number, value })).filter(
    ({ second, value }) => second <= at && second > at - BEFORE_SECONDS && !Number.isNaN(value),
  );
  const low = FAR_BELOW * median(known.map(({ value }) => value));
  const usual: number[] = [];
  let outageFollows = false;
  known.forEach(({ second, value }, i) => {
    if (value >= low) {
      outageFollows = false;
      usual.push(value);
      return;
    }
    const begins = i === 0 || (known[i - 1]?.value ?? 0) >= low;
    if (begins) outageFollows = earlier.some((event) => second > event && second <= event + LATEST_SECONDS);
    if (!outageFollows) usual.push(value);
  });
  return usual;
}

/** For any number of values: the argument list of a call holds about 100,000. */
const lowestOf = (values: readonly number[]): number =>
  values.reduce((lowest, value) => Math.min(lowest, value), Number.POSITIVE_INFINITY);

interface Interval {
  from: number;
  to: number;
  value: number;
}

/** The intervals after the event, in seconds since it; the one that contains the event begins at it. */
function seconds({ t, v }: Points, at: number, until: number, silence: 'zero' | 'told'): Interval[] {
  const lengths = Array.from(t, (end, i) => (i === 0 ? 0 : end - (t[i - 1] as number))).slice(1);
  const usual = lengths.length > 0 ? median(lengths) : 1;
  return Array.from(t).flatMap((end, i): Interval[] => {
    if (end <= at) return [];
    const to = end - at;
    const value = v[i] as number;
    const from = Math.max(0, i === 0 ? to - usual : (t[i - 1] as number) - at);
    const last = until - at;
    if (to - from < GAP * usual) return to > last ? [] : [{ from, to, value }];
    if (silence === 'told') return from < last ? [{ from, to: Math.min(to, last), value }] : [];
    // A silence continues to the next event if no value comes before it.
    const idle = { from, to: Math.min(to - usual, last), value: 0 };
    return [...(idle.to > from ? [idle] : []), ...(to > last ? [] : [{ from: to - usual, to, value }])];
  });
}

/** From here on it is stable, as far as known; the last few values alone are not enough. */
function isBack(after: readonly Interval[], place: number, limit: number): boolean {
  const next = after.slice(place, place + STEADY);
  if ((next[0]?.value ?? 0) < limit || next.length < STEADY / 2) return false;
  return lowIn(after, place, limit) <= MAY_BE_LOW;
}

/**
 * Name of the rate that fell: “Transactions (tps)”. `work`: for a rate, the work lost meanwhile: “transactions”; empty if it has no noun.
 */
export interface DipOf {
  readonly what: string;
  readonly work?: string;
}

/** Noun for the work that a rate with this label counts, for use within a sentence; empty if its label is none. */
export const nounOf = (label: string): string => (/^[A-Z][a-z-]+( [a-z]+)*$/.test(label) ? label.toLowerCase() : '');

/** Depth of the dip after an event and its recovery, in one to three sentences. */
export function dipWords(dip: EventDip, { what, work }: DipOf): string {
  const { before, after, began, recovered, depth, lost, lowest, notKnown, within = LATEST_SECONDS } = dip;
  const most = formatDuration(Math.round(within));
  const medians = `median ${formatNumber(before)} before, ${formatNumber(after)} after`;
  const unknown = notKnown === undefined ? '' : formatDuration(Math.ceil(notKnown));
  if (began === undefined)
    return unknown === ''
      ? `${what}: no dip within ${most} of it; ${medians}.`
      : `${what}: dip unknown because there are no samples for ${unknown} of the ${most} after it; ${medians}.`;
  const when = began < 1 ? 'at once' : `after ${tenths(began)}`;
  const fell = `${what} fell ${when} from ${formatNumber(before)} to ${formatNumber(lowest)}, by ${Math.round(depth * 100)} %,`;
  const back =
    recovered === undefined
      ? 'and had not recovered by the end or the next event.'
      : `and recovered after ${tenths(recovered)}.`;
  const fewer = Math.max(0, Math.round(lost));
  const missing = ` That is about ${formatNumber(fewer)}${work ? ` ${work}` : ''} fewer than at the rate before.`;
  const rest = unknown === '' ? '' : ` No samples for ${unknown} of that time.`;
  return `${fell} ${back}${work === undefined ? '' : missing}${rest}`;
}

/**
 * Seconds of a parallel step as an event, during which all dips are one: a step that has not ended lasts to the end. 0: it is another kind
 * of event.
 */
export const secondsOfStep = (parallelStep: ParallelStepEvent | undefined): number =>
  parallelStep === undefined ? 0 : (parallelStep.lasts ?? Number.POSITIVE_INFINITY);

/** Duration of the event, as one more sentence; empty if it had not ended, or has no duration. */
export const lastedWords = (parallelStep: ParallelStepEvent | undefined): string =>
  parallelStep?.lasts === undefined ? '' : ` The step took ${tenths(parallelStep.lasts)}.`;

// From 10 s on only whole seconds are shown: rounded twice, 11.48 s would become 12.
const tenths = (seconds: number): string => formatDuration(seconds < 9.95 ? Math.round(seconds * 10) / 10 : seconds);

/** A dip as figures. Undefined if samples of that time are missing. */
export const recoveryOf = (
  { began, recovered, depth, notKnown }: EventDip,
  event: Pick<NonNullable<Finding['recovery']>, 'at' | 'event'>,
): Finding['recovery'] => {
  if (began === undefined) return notKnown === undefined ? { ...event, seconds: 0, depth: 0, none: true } : undefined;
  return { ...event, ...(recovered !== undefined && { seconds: recovered }), depth };
};

/**
 * Seconds until one run had recovered from all of these events, and the deepest drop, 0 to 1. Undefined: it did not recover from one, or
 * none is known.
 */
export function recoveryFigures(findings: readonly Pick<Finding, 'recovery'>[]): {
  seconds: number | undefined;
  depth: number | undefined;
} {
  const all = findings.flatMap(({ recovery }) => recovery ?? []);
  const most = (values: readonly (number | undefined)[]): number | undefined =>
    values.length === 0 || values.includes(undefined) ? undefined : Math.max(...values.map(Number));
  return { seconds: most(all.map(({ seconds }) => seconds)), depth: most(all.map(({ depth }) => depth)) };
}

/** Recovery time of the server after each event, a sentence for each cell; with several runs the median and the range. */
export function recoverySentences(runs: readonly Pick<Run, 'levels' | 'findings' | 'excluded'>[]): string[] {
  const groups = new Map<string, { cell: string; event: string; all: NonNullable<Finding['recovery']>[] }>();
  for (const { levels, findings, excluded } of runs)
    for (const { recovery } of excluded ? [] : findings) {
      if (!recovery || recovery.none) continue;
      const event = `Second ${formatNumber(recovery.at)}: ${recovery.event}`;
      const cell = formatLevels(levels);
      const key = [cell, event].join('\n');
      groups.set(key, { cell, event, all: [...(groups.get(key)?.all ?? []), recovery] });
    }
  return [...groups.values()].map(
    ({ cell, event, all }) => `${cell === '' ? '' : `${cell}: `}${recoveryWords(all)}. ${event}`,
  );
}

/** Recovery sentences that a result does not show by itself: for its only cell, and for cells that had not recovered. */
export const additionalRecoveries = (
  { cells }: { readonly cells: readonly unknown[] },
  runs: Parameters<typeof recoverySentences>[0],
): string[] => recoverySentences(runs).filter((sentence) => cells.length === 1 || /not recovered/i.test(sentence));

function recoveryWords(all: readonly { readonly seconds?: number | undefined }[]): string {
  const known = all.flatMap(({ seconds }) => seconds ?? []).sort((one, other) => one - other);
  const trials = formatCount(all.length, 'trial');
  if (known.length === 0) return `Not recovered by the end or the next event${all.length > 1 ? `, in ${trials}` : ''}`;
  const [least = 0, most = 0] = [known[0], known.at(-1)];
  const range = `median of ${formatCount(known.length, 'trial')}, ${tenths(least)} to ${tenths(most)}`;
  const parts = [
    ...(known.length > 1 ? [range] : []),
    ...(known.length < all.length ? [`not recovered in ${all.length - known.length} of ${trials}`] : []),
  ];
  return `Time to recover: ${tenths(percentile(known, 50))}${parts.length > 0 ? ` (${parts.join('; ')})` : ''}`;
}
