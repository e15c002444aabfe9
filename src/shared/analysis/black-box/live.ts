import type { Points } from '../../stats/index.ts';
import { stepOf } from '../lines.ts';
import { type Event, eventsOf } from './silences.ts';

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
