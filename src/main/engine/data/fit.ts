import type { RunsContext } from '../runs/index.ts';
import type { DataSetRow } from '../store/store.ts';
import type { Need } from './kind.ts';
import { kindOf } from './kinds.ts';
import type { Seen } from './seen.ts';
import { isBrokenOff, setsIn } from './sets.ts';

/**
 * What the data that is there is to a workload. missing: it can be made, and nothing is in the way. broken-off: an earlier making by
 * Kneepoint did not come to its end, and nothing else is there, so it can be made again without asking; `resumes`: it was the making of
 * the same data, and continues where it was. other-size, other-shape: somebody's decision.
 */
export type DataFit =
  | { kind: 'fits' | 'missing' | 'other-size' }
  | { kind: 'broken-off'; resumes: boolean }
  | { kind: 'other-shape'; message: string };

/** Compares what was found, and what is known of the data sets there, with what is needed; `sessionId`: whose own making is not under way. */
export function fitOf(
  { store }: Pick<RunsContext, 'store'>,
  toolId: string,
  need: Need,
  seen: Seen,
  sessionId?: number,
): DataFit {
  const kind = kindOf(need);
  if (seen.empty) return { kind: 'missing' };
  const known = setsIn(store, need).filter(({ tool }) => tool === toolId);
  const brokenOff = known.filter((set) => isBrokenOff(store, set, sessionId) && kind.isLeftOf(set, seen.parts));
  // Also when all of it is there: what a look does not see, such as indexes and keys, comes last.
  if (brokenOff.length > 0)
    return { kind: 'broken-off', resumes: need.resumable === true && brokenOff.every((set) => isSame(set, need)) };
  if (!seen.complete) {
    const isPart = seen.parts.every((part) => part.found === null || kind.fits(part));
    return { kind: kind.addsParts && isPart ? 'missing' : 'other-size' };
  }
  const other = known.find((set) => set.state !== 'gone' && set.shape !== need.shape);
  if (!other) return { kind: 'fits' };
  const message = `The tables on ${need.place} have the right number of rows, but were prepared differently: with ${other.shape}, where this workload needs ${need.shape}.`;
  return { kind: 'other-shape', message };
}

const isSame = (set: DataSetRow, { shape, parts }: Need): boolean =>
  set.shape === shape &&
  set.parts.length === parts.length &&
  parts.every(({ name, size }) => set.parts.some((part) => part.name === name && part.size === size));
