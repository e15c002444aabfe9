import type { DataSetKind } from '../../../shared/model/data-set.ts';
import { ENDED_SESSION } from '../../../shared/model/session.ts';
import type { RunsContext } from '../runs/index.ts';
import type { DataPart, DataSetRow, NewDataSet, Store } from '../store/store.ts';
import type { DataContext, DataKind, KnownPreparation, Need } from './kind.ts';
import { kindOf } from './kinds.ts';
import type { Seen } from './seen.ts';

type Context = Pick<DataContext, 'store' | 'clock' | 'dataChanged'>;
type Made = Pick<KnownPreparation, 'tool' | 'need' | 'recipe'>;
/** Place of data, and its parts. */
type Place = Pick<Need, 'kind' | 'place' | 'directory' | 'parts'>;

/** Data sets in a target's database or on a host, by whichever name it was reached. Newest first. */
export function dataSetsAt(store: Store, kind: DataSetKind, place: string): DataSetRow[] {
  const { placeKey, places } = kindOf({ kind });
  const key = placeKey(store, place);
  const here = places(store).filter(({ name }) => placeKey(store, name) === key);
  return store.dataSets[kind].list().filter((set) => here.some(({ id }) => id === set.placeId));
}

/** Data sets at this place that share a part with these. */
export function setsIn(store: Store, { kind, place, directory, parts }: Place): DataSetRow[] {
  const names = new Set(parts.map(({ name }) => name));
  return dataSetsAt(store, kind, place).filter(
    (set) => set.directory === directory && set.parts.some(({ name }) => names.has(name)),
  );
}

/** Whether these parts include all that are wanted, each large enough. */
export const covers = (kind: DataKind, own: readonly DataPart[], wanted: readonly DataPart[]): boolean =>
  wanted.every((part) => own.some((each) => each.name === part.name && kind.serves(each, part)));

/** Whether no part is missing. */
export const isWhole = ({ state }: Pick<DataSetRow, 'state'>): boolean => state === 'ready' || state === 'dirty';

/** Whether making it was begun but not finished, and no session is making it now. `idle` is a session known not to be making it. */
export function isBrokenOff(store: Store, set: DataSetRow, idle?: number): boolean {
  if (set.state !== 'making') return false;
  if (set.madeBy === idle) return true;
  const maker = set.madeBy === null ? undefined : store.sessions.get(set.madeBy);
  return maker === undefined || maker.state === 'paused' || ENDED_SESSION.includes(maker.state);
}

/**
 * Records that data is about to be made. A set whose parts are all replaced is deleted. One with other parts keeps those and, if everything
 * is made from scratch, is no longer whole. Otherwise earlier writes to it still count.
 */
export function beginMaking(
  context: Context,
  sessionId: number,
  made: Made,
  { fromNothing }: { fromNothing: boolean },
): DataSetRow {
  const { store, clock } = context;
  const { within, beyond } = replacedBy(store, made.need);
  const sets = store.dataSets[made.need.kind];
  if (fromNothing) for (const { id } of beyond) sets.update(id, { state: 'partial' });
  const row = sets.insert(
    {
      ...newSet(store, made),
      ...(!fromNothing && writingOf([...within, ...beyond])),
      state: 'making',
      madeAt: clock.now(),
      madeBy: sessionId,
    },
    within.map(({ id }) => id),
  );
  context.dataChanged();
  return row;
}

/** Records existing data that Kneepoint did not make in this form. Earlier writes to it still count. */
export function adopt(context: Context, found: KnownPreparation, seen: Seen): DataSetRow {
  const { store } = context;
  const { within, beyond } = replacedBy(store, found.need);
  const set = store.dataSets[found.need.kind].insert(
    { ...newSet(store, found), ...writingOf([...within, ...beyond]) },
    within.map(({ id }) => id),
  );
  return recordInspection(context, set, seen);
}

/** Data sets whose parts are all among these, and those that have others too. */
function replacedBy(store: Store, need: Need): { within: DataSetRow[]; beyond: DataSetRow[] } {
  const sets = setsIn(store, need);
  const within = sets.filter((set) => set.parts.every(({ name }) => need.parts.some((part) => part.name === name)));
  return { within, beyond: sets.filter((set) => !within.includes(set)) };
}

function writingOf(sets: readonly DataSetRow[]): Partial<NewDataSet> {
  const written = sets.find(({ writtenAt }) => writtenAt !== null);
  return written ? { writtenAt: written.writtenAt, writtenBy: written.writtenBy } : {};
}

function newSet(store: Store, { tool, need, recipe }: Made): NewDataSet {
  const { title, shape, directory, parts, bytes = null, place } = need;
  const placeId = kindOf(need)
    .places(store)
    .find(({ name }) => name === place)?.id;
  return {
    ...{ placeId: placeId ?? 0, directory, tool: tool.id, title, shape, parts: [...parts], bytes, recipe },
    ...{ state: 'ready', madeAt: null, madeBy: null, lookedAt: null, writtenAt: null, writtenBy: null },
  };
}

/** Records the result of a check for the parts it covered, and the set's new state. */
export function recordInspection(context: Context, set: DataSetRow, { parts: seen }: Pick<Seen, 'parts'>): DataSetRow {
  const { store, clock } = context;
  const kind = kindOf(set);
  const parts = set.parts.map((part) => {
    const found = seen.find(({ name }) => name === part.name);
    return found ? kind.noted(part, found) : part;
  });
  const isWhole = parts.every((part) => part.found === undefined || kind.fits(part));
  const isAsMade = parts.every((part) => part.found === undefined || kind.isAsMade(part));
  const isGone = parts.every(({ found }) => found === null);
  const whole = set.writtenAt === null && isAsMade ? 'ready' : 'dirty';
  const state = isWhole ? whole : isGone ? 'gone' : 'partial';
  const row = store.dataSets[set.kind].update(set.id, { parts, state, lookedAt: clock.now() });
  context.dataChanged();
  return row;
}

/** Records that a trial of this session is about to change this data. */
export function noteWriting(context: Context, place: Place, sessionId: number): void {
  const { store, clock } = context;
  for (const set of setsIn(store, place)) {
    const state = set.state === 'ready' ? 'dirty' : set.state;
    store.dataSets[set.kind].update(set.id, { state, writtenAt: clock.now(), writtenBy: sessionId });
  }
  context.dataChanged();
}

/** Words for the changes since it was made. Undefined if there were none. */
export function writingWords({ store }: Pick<DataContext, 'store'>, set: DataSetRow): string | undefined {
  if (set.writtenAt === null) return undefined;
  const writer = set.writtenBy === null ? undefined : store.sessions.get(set.writtenBy);
  const by = writer ? `session ${writer.id} (“${writer.name}”)` : 'a removed session';
  return kindOf(set).words.writtenTo(by);
}

/**
 * How existing data fits a workload. missing: it can be made, and nothing is in the way. broken-off: Kneepoint was interrupted making it,
 * and nothing else is there, so it can be made again without asking; `resumes`: it was the same data, so making it continues. other-size,
 * other-shape: the user has to decide.
 */
export type DataFit =
  | { kind: 'fits' | 'missing' | 'other-size' }
  | { kind: 'broken-off'; resumes: boolean }
  | { kind: 'other-shape'; message: string };

/** Compares what was found, and the known data sets there, with what is needed. `sessionId`: a session that is not making data now. */
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
  const brokenOff = known.filter((set) => isBrokenOff(store, set, sessionId) && kind.isRemainderOf(set, seen.parts));
  // Even if it seems complete: parts that a check does not see, such as indexes and keys, are made last.
  if (brokenOff.length > 0)
    return { kind: 'broken-off', resumes: need.resumable === true && brokenOff.every((set) => isSame(set, need)) };
  if (!seen.complete) {
    const isPart = seen.parts.every((part) => part.found === null || kind.fits(part));
    return { kind: kind.addsParts && isPart ? 'missing' : 'other-size' };
  }
  const other = known.find((set) => set.state !== 'gone' && set.shape !== need.shape);
  if (!other) return { kind: 'fits' };
  const message = `The tables on ${need.place} have the right number of rows, but were prepared with ${other.shape}; this workload needs ${need.shape}.`;
  return { kind: 'other-shape', message };
}

const isSame = (set: DataSetRow, { shape, parts }: Need): boolean =>
  set.shape === shape &&
  set.parts.length === parts.length &&
  parts.every(({ name, size }) => set.parts.some((part) => part.name === name && part.size === size));
