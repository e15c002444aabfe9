import { countersOf, derive, gapsOf, type ReadSeries, takeOutDamaged } from '../../../shared/monitoring/index.ts';
import type { Store } from '../store/store.ts';

/** Gaps of a source, by its own clock, and the mean cost of reading it. */
export interface SoFar {
  readonly gaps: readonly { from: number; to: number }[];
  /** In the unit of its series; undefined if unknown. */
  readonly cost: number | undefined;
}

interface Kept {
  /** Samples included, and their number at the last complete pass. */
  samples: number;
  whole: number;
  gaps: { from: number; to: number }[];
  sum: number;
  known: number;
}

/** The usual interval of a source is determined again each time its samples have grown by this factor. */
const ANEW = 2;
const kept = new WeakMap<Store, Map<number, Kept>>();

/** A page that watches a session of hours asks for it repeatedly: only new samples are read. */
export function watchedSoFar(store: Store, sourceId: number, samples: number, cost: ReadSeries | undefined): SoFar {
  const ofStore = kept.get(store) ?? new Map<number, Kept>();
  kept.set(store, ofStore);
  const known = ofStore.get(sourceId);
  const goesOn = known !== undefined && known.samples <= samples && samples < ANEW * known.whole;
  const now = goesOn ? known : { samples: 0, whole: samples, gaps: [], sum: 0, known: 0 };
  if (now.samples < samples) add(store, sourceId, now, cost);
  ofStore.set(sourceId, now);
  return { gaps: now.gaps, cost: now.known > 0 ? now.sum / now.known : undefined };
}

/** Enough samples to find the usual interval of a source: with two, any interval would be usual. */
const BEFORE = 500;

function add(store: Store, sourceId: number, now: Kept, cost: ReadSeries | undefined): void {
  const counters = cost ? countersOf(cost.reading) : [];
  const first = Math.max(0, now.samples - BEFORE);
  const { t, columns, damaged } = store.monitored.since(sourceId, counters, first);
  const fresh = now.samples - first;
  const last = fresh > 0 ? (t[fresh - 1] ?? 0) : Number.NEGATIVE_INFINITY;
  now.gaps.push(...gapsOf(t).filter(({ from }) => from >= last));
  if (cost) {
    const values = derive(cost.reading, t, columns);
    takeOutDamaged(cost.reading, values, damaged);
    for (const value of values.subarray(fresh)) {
      if (Number.isNaN(value)) continue;
      now.sum += value;
      now.known += 1;
    }
  }
  now.samples = first + t.length;
}
