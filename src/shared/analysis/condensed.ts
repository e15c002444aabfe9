import type { Points } from '../stats/index.ts';
import type { Window } from './evidence.ts';
import { stepOf } from './lines.ts';

/** So many values of a series say what bounded a run. All seconds of all hosts of a long one would not fit into memory. */
const MOST_VALUES = 1800;
/** Of the values of a stretch, those without which its mean is not known. */
const LEAST_KNOWN = 0.5;

/** Seconds of a long run that are put together: from the beginning of its measured part on, so that no stretch has some of both. */
export interface Stretches {
  /** The end of each. */
  readonly t: Float64Array;
  readonly width: number;
}

/**
 * `first`: the earliest time that there are values of. Undefined of a run whose seconds are few enough. The last seconds, which fill no stretch,
 * are left out.
 */
export function stretchesOf({ from, to }: Window, first: number): Stretches | undefined {
  if (to - first <= MOST_VALUES) return undefined;
  const width = Math.ceil((to - first) / MOST_VALUES);
  const before = Math.max(0, Math.ceil((from - first) / width));
  const t = new Float64Array(before + Math.max(0, Math.floor((to - from) / width)));
  return { width, t: t.map((_, place) => from + (place + 1 - before) * width) };
}

/** Puts the values of series together that have the same times. Undefined where they are few enough as they are. */
export function condenserOf(times: Float64Array, { t, width }: Stretches): ((v: Points['v']) => Points) | undefined {
  if (times.length <= MOST_VALUES) return undefined;
  const edges = new Uint32Array(t.length + 1);
  let index = 0;
  // A value belongs to the interval that ends at its time.
  const isBehind = (end: number): boolean => index < times.length && (times[index] ?? 0) <= end;
  while (isBehind((t[0] ?? 0) - width)) index += 1;
  for (const [place, end] of t.entries()) {
    edges[place] = index;
    while (isBehind(end)) index += 1;
  }
  edges[t.length] = index;
  const least = Math.max(1, (LEAST_KNOWN * width) / stepOf(times));
  return (v) => ({ t, v: meansOf(v, edges, least) });
}

function meansOf(v: Points['v'], edges: Uint32Array, least: number): Float64Array {
  const means = new Float64Array(edges.length - 1);
  for (let place = 0; place < means.length; place++) {
    let [sum, count] = [0, 0];
    for (let index = edges[place] ?? 0; index < (edges[place + 1] ?? 0); index++) {
      const value = v[index] ?? Number.NaN;
      if (!Number.isFinite(value)) continue;
      sum += value;
      count += 1;
    }
    means[place] = count >= least ? sum / count : Number.NaN;
  }
  return means;
}
