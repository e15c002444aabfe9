import { dipsIn, type Points, stallSpans } from '../../stats/index.ts';
import type { Window } from '../evidence.ts';
import { stepOf } from '../lines.ts';

/** A stall or dip. Seconds since the start of the run; `depth`: share of the usual throughput lost at the bottom. */
export interface Event {
  readonly kind: 'stall' | 'dip';
  readonly from: number;
  readonly to: number;
  readonly depth: number;
}

/** Stalls and dips of a throughput inside a window, in order. What stalls is a dip too: it is told once, as a stall. */
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
