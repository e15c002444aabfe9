import { dipsIn, type Points, stallSpans } from '../../stats/index.ts';
import type { WatchedSeries, Window } from '../evidence.ts';
import { firstAfter, stepOf } from '../lines.ts';

/** A period without a sample of a host or server, in seconds of the run. */
export interface Silence {
  readonly source: string;
  readonly from: number;
  readonly to: number;
}

/** Multiple of the usual distance between samples: a late or missing sample is no silence. */
const LONG = 2.5;

/** Seconds before and after an event in which the samples on both sides of a silence are searched. */
const REACH = 30;

interface SampleTimes {
  /** Usual seconds between two samples. */
  step: number;
  /** By event: the moments around it for which a series has a value. */
  readonly times: readonly Set<number>[];
}

/** Hosts and servers without samples in part of an event: a stalled one shows in no other way. Their series are added one by one. */
export class Silences {
  readonly #events: readonly Window[];
  readonly #sources = new Map<string, SampleTimes>();

  constructor(events: readonly Window[]) {
    this.#events = events;
  }

  add(source: string, { t, v }: Pick<WatchedSeries, 't' | 'v'>): void {
    const seen = this.#sources.get(source) ?? {
      step: Number.POSITIVE_INFINITY,
      times: this.#events.map(() => new Set()),
    };
    this.#sources.set(source, seen);
    seen.step = Math.min(seen.step, stepOf(t));
    for (const [place, { from, to }] of this.#events.entries())
      for (let index = firstAfter(t, from - REACH); index < t.length && (t[index] ?? 0) < to + REACH; index++)
        if (Number.isFinite(v[index])) seen.times[place]?.add(t[index] ?? 0);
  }

  /** Silences at the event with this index. */
  at(place: number): Silence[] {
    const event = this.#events[place];
    if (!event) return [];
    return [...this.#sources].flatMap(([source, { step, times }]) => {
      const known = [...(times[place] ?? [])].sort((one, other) => one - other);
      const next = known.findIndex((at, index) => {
        const last = known[index - 1];
        return last !== undefined && at - last > LONG * step && last < event.to && at > event.from;
      });
      const [from, to] = [known[next - 1], known[next]];
      return from === undefined || to === undefined ? [] : [{ source, from, to }];
    });
  }
}

/** A stall or dip. Seconds since the start of the run; `depth`: share of the usual throughput lost at the bottom. */
export interface Event {
  readonly kind: 'stall' | 'dip';
  readonly from: number;
  readonly to: number;
  readonly depth: number;
}

/** Stalls and dips of a throughput inside a window, in order. A stall that is also a dip is reported once, as a stall. */
export function eventsOf({ t, v }: Points, { from, to }: Window): Event[] {
  const after = t.findIndex((at) => at > to);
  const inside = after < 0 ? t.length : after;
  const points: Points = { t: t.slice(0, inside), v: v.slice(0, inside) };
  const step = stepOf(points.t);
  const behind = points.t.findIndex((at) => at > from);
  if (behind < 0) return [];
  const measured: Points = { t: points.t.slice(behind), v: points.v.slice(behind) };
  const stalls = stallSpans(measured, from).map(
    ({ at, length }): Event => ({ kind: 'stall', from: at, to: at + length, depth: 1 }),
  );
  const dips = dipsIn(points, from).map(
    ({ at, length, depth }): Event => ({ kind: 'dip', from: at - step, to: at - step + length, depth }),
  );
  const apart = dips.filter((dip) => !stalls.some((stall) => stall.from < dip.to + step && dip.from < stall.to + step));
  return [...stalls, ...apart].sort((one, other) => one.from - other.from);
}

/** Seconds before now that determine the usual rate. */
const BEHIND = 600;
/** A tool that has printed nothing for this many of its intervals, plus the seconds of transfer, is silent. */
const SILENT = 2;
const ON_THE_WAY = 1.5;

/**
 * The current stall or dip, from the throughput so far: the same that is found in the whole run after its end. `now`: seconds since the
 * start of the run; `warmup`: nothing counts before it. A long silence of the tool counts as zero.
 */
export function eventNow({ t, v }: Points, { now, warmup }: { now: number; warmup: number }): Event | undefined {
  const last = t.at(-1);
  if (last === undefined || t.length < 2) return undefined;
  const from = Math.max(warmup, last - BEHIND);
  const first = t.findIndex((at) => at > from);
  const step = stepOf(t);
  const silent = now - last > SILENT * step + ON_THE_WAY;
  if (!silent && first < 0) return undefined;
  const known: Points = { t: t.slice(Math.max(0, first)), v: v.slice(Math.max(0, first)) };
  const points: Points = silent ? { t: Float64Array.of(...known.t, now), v: Float64Array.of(...known.v, 0) } : known;
  const end = points.t.at(-1) ?? last;
  const [event] = eventsOf(points, { from, to: end }).slice(-1);
  return event && event.to > end - step / 2 ? event : undefined;
}
