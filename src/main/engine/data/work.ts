import type { DataSetKind } from '../../../shared/model/data-set.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { capital } from '../../../shared/util/format.ts';
import { type Occupancy, occupiedProblem } from '../runs/index.ts';
import type { DataSetRow } from '../store/store.ts';
import { cleanUp } from './clean-up.ts';
import type { DataContext, DataKind } from './kind.ts';
import { kindOf } from './kinds.ts';
import { type Seen, seenOf, wrongWords } from './seen.ts';
import { noteLook, setsIn } from './sets.ts';

interface SetRef {
  kind: DataSetKind;
  id: number;
}

/** A data set, the name of its place, and its kind. */
interface Known {
  set: DataSetRow;
  place: string;
  kind: DataKind;
}

/** Checks a data set and records the result. Throws `conflict` while a session uses its place. */
export async function lookAtDataSet(
  context: DataContext,
  sessions: Occupancy,
  ref: SetRef,
  signal: AbortSignal,
): Promise<DataSetRow> {
  const known = find(context, ref);
  const { set, place } = known;
  requireFree(sessions, known);
  return alone(context, { ...set, place }, `${titleOf(set)} is being checked.`, async () =>
    noteLook(context, set, await look(context, known, signal)),
  );
}

/**
 * Cleans up a data set with the tool that made it, and deletes it once it no longer exists. Throws `conflict` while a session uses the
 * place or the host that cleans up, or another data set uses one of the parts; `run-failed` if the step failed or left some.
 */
export async function removeDataSet(
  context: DataContext,
  sessions: Occupancy,
  { generator, ...ref }: SetRef & { generator?: string | undefined },
  signal: AbortSignal,
): Promise<DataSetRow> {
  const known = find(context, ref);
  const { set, place, kind } = known;
  const machine = context.machines.get(kind.cleanerOf(set, place, generator));
  requireFree(sessions, known, machine.name);
  requireOwnParts(context, known);
  return alone(context, { ...set, place }, `${titleOf(set)} is being removed.`, async () => {
    const connection = await kind.connection(context, place, machine.name);
    await cleanUp(context, set, { machine, connection, at: kind.at(place) }, kind.words, signal);
    const seen = await kind.untilReachable(context, place, { signal }, () => look(context, known, signal));
    if (!seen.empty) throw leftOver(known, noteLook(context, set, seen), seen);
    context.store.dataSets[set.kind].remove(set.id);
    context.dataChanged();
    return { ...set, state: 'gone', parts: [...seen.parts] };
  });
}

const look = async (context: DataContext, { set, place, kind }: Known, signal: AbortSignal): Promise<Seen> =>
  seenOf(kind, await kind.look(context, place, set, signal));

const titleOf = (set: DataSetRow): string => capital(`${kindOf(set).words.noun} ${set.id}`);

function find({ store }: DataContext, ref: SetRef): Known {
  const kind = kindOf(ref);
  const set = store.dataSets[ref.kind].get(ref.id);
  const place = set && kind.places(store).find(({ id }) => id === set.placeId)?.name;
  if (set && place !== undefined) return { set, place, kind };
  throw new KneepointError({
    code: 'not-found',
    message: `There is no ${kind.words.noun} ${ref.id}.`,
    safe: 'Nothing was changed.',
    next: 'It may have been removed or replaced: reload the list.',
  });
}

function requireFree(sessions: Occupancy, { place, kind }: Known, generator?: string): void {
  const occupant = sessions.occupant(kind.loads(place, generator));
  if (occupant) throw occupiedProblem(occupant);
}

/** A newer set owns these parts now. */
function requireOwnParts({ store }: DataContext, { set, place, kind }: Known): void {
  const other = setsIn(store, { ...set, place }).find(({ id, state }) => id > set.id && state !== 'gone');
  if (!other) return;
  const { noun, parts } = kind.words;
  const shared = set.parts.filter(({ name }) => other.parts.some((part) => part.name === name));
  throw new KneepointError({
    code: 'conflict',
    message: `${titleOf(other)} (${other.title}) uses some of these ${parts} now: ${shared.map(({ name }) => name).join(', ')}.`,
    ...kind.at(place),
    safe: 'Nothing was changed.',
    next: `Remove ${noun} ${other.id} first.`,
  });
}

function leftOver({ place, kind }: Known, set: DataSetRow, seen: Seen): KneepointError {
  const { parts, look: again, byHand } = kind.words;
  const where = set.directory === '' ? 'there' : `in ${set.directory}`;
  return new KneepointError({
    code: 'run-failed',
    message: `The clean-up step of ${set.tool} ended, but ${parts} are still ${where} (${wrongWords(kind, seen) || 'all of them'}).`,
    ...kind.at(place),
    safe: `${titleOf(set)} stays listed.`,
    next: `They may have been recreated; ${again} again, or ${byHand}`,
  });
}

type Busy = Pick<DataContext, 'store' | 'dataWork'>;
interface Place {
  kind: DataSetKind;
  /** Name of the target or host. */
  place: string;
}

const keyOf = ({ store }: Busy, { kind, place }: Place): string => `${kind} ${kindOf({ kind }).placeKey(store, place)}`;

/** One operation per place at a time, and no session start meanwhile: it would load data that is being removed. */
async function alone<T>(context: Busy, place: Place, words: string, work: () => Promise<T>): Promise<T> {
  const key = keyOf(context, place);
  requireNoDataWork(context, place);
  context.dataWork.set(key, words);
  try {
    return await work();
  } finally {
    context.dataWork.delete(key);
  }
}

/** Throws `conflict` while a user is checking or removing a data set in this place. */
export function requireNoDataWork(context: Busy, place: Place): void {
  const words = context.dataWork.get(keyOf(context, place));
  if (words === undefined) return;
  throw new KneepointError({
    code: 'conflict',
    message: `${words} Its ${place.kind === 'tables' ? 'database' : 'host'} cannot be used meanwhile.`,
    ...kindOf(place).at(place.place),
    safe: 'Nothing was started.',
    next: 'Wait until it has finished, then try again.',
  });
}
