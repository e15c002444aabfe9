import type { Points } from '../stats/index.ts';
import type { Window } from './evidence.ts';
import { stepOf } from './lines.ts';

/**
 * This many values of a series are enough to find the bottleneck of a run. All seconds of all hosts of a long one would not fit into
 * memory.
 */
const MOST_VALUES = 1800;
/** Share of the values of a segment required for its mean. */
const LEAST_KNOWN = 0.5;

/** Combined seconds of a long run: segments start at its measured part, so that none includes warm-up seconds too. */
export interface Segments {
  /** End of each segment. */
  readonly t: Float64Array;
  readonly width: number;
}

/**
 * `first`: the earliest time with values. Undefined for a run with few enough seconds. Omits the last seconds, which do not fill a segment.
 */
export function segmentsOf({ from, to }: Window, first: number): Segments | undefined {
  if (to - first <= MOST_VALUES) return undefined;
  const width = Math.ceil((to - first) / MOST_VALUES);
  const before = Math.max(0, Math.ceil((from - first) / width));
  const t = new Float64Array(before + Math.max(0, Math.floor((to - from) / width)));
  return { width, t: t.map((_, place) => from + (place + 1 - before) * width) };
}

/** Combines the values of series that share these times. Undefined if they are already few enough. */
export function condenserOf(times: Float64Array, { t, width }: Segments): ((v: Points['v']) => Points) | undefined {
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
