import type { DataSetKind } from '../../../shared/model/data-set.ts';
import { ENDED_SESSION } from '../../../shared/model/session.ts';
import type { RunsContext } from '../runs/index.ts';
import type { DataPart, DataSetRow, NewDataSet, Store } from '../store/store.ts';
import type { DataContext, DataKind, KnownPreparation, Need } from './kind.ts';
import { kindOf } from './kinds.ts';
import type { Seen } from './seen.ts';

type Context = Pick<DataContext, 'store' | 'clock' | 'dataChanged'>;
type Made = Pick<KnownPreparation, 'tool' | 'need' | 'recipe'>;
/** Where data lies, and what of it. */
type Place = Pick<Need, 'kind' | 'place' | 'directory' | 'parts'>;

/** Data sets in the database of a target or on a host, under whatever name it was reached. Newest first. */
export function dataSetsAt(store: Store, kind: DataSetKind, place: string): DataSetRow[] {
  const { placeKey, places } = kindOf({ kind });
  const key = placeKey(store, place);
  const here = places(store).filter(({ name }) => placeKey(store, name) === key);
  return store.dataSets[kind].list().filter((set) => here.some(({ id }) => id === set.placeId));
}

/** Those of them that share a part with these. */
export function setsIn(store: Store, { kind, place, directory, parts }: Place): DataSetRow[] {
  const names = new Set(parts.map(({ name }) => name));
  return dataSetsAt(store, kind, place).filter(
    (set) => set.directory === directory && set.parts.some(({ name }) => names.has(name)),
  );
}

/** Whether these parts are all that others are, and as large as those are needed. */
export const covers = (kind: DataKind, own: readonly DataPart[], wanted: readonly DataPart[]): boolean =>
  wanted.every((part) => own.some((each) => each.name === part.name && kind.serves(each, part)));

/** Nothing of it is missing. */
export const isWhole = ({ state }: Pick<DataSetRow, 'state'>): boolean => state === 'ready' || state === 'dirty';

/** Its making was begun and did not come to an end; nobody is at it, and neither is session `idle`. */
export function isBrokenOff(store: Store, set: DataSetRow, idle?: number): boolean {
  if (set.state !== 'making') return false;
  if (set.madeBy === idle) return true;
  const maker = set.madeBy === null ? undefined : store.sessions.get(set.madeBy);
  return maker === undefined || maker.state === 'paused' || ENDED_SESSION.includes(maker.state);
}

/**
 * Notes that data is about to be made. A set that has no other part is forgotten; one that has keeps the rest and, when all is made
 * from nothing, is no longer whole. Otherwise what is known of writing counts on.
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

/** Notes data that is there, though Kneepoint did not make it as it is. What is known of writing to it counts on. */
export function adopt(context: Context, found: KnownPreparation, seen: Seen): DataSetRow {
  const { store } = context;
  const { within, beyond } = replacedBy(store, found.need);
  const set = store.dataSets[found.need.kind].insert(
    { ...newSet(store, found), ...writingOf([...within, ...beyond]) },
    within.map(({ id }) => id),
  );
  return noteLook(context, set, seen);
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

/** Notes what a look found, as far as it was at the set's parts, and what it makes of the set. */
export function noteLook(context: Context, set: DataSetRow, { parts: seen }: Pick<Seen, 'parts'>): DataSetRow {
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

/** Notes, before it does so, that a trial of this session changes this data. */
export function noteWriting(context: Context, place: Place, sessionId: number): void {
  const { store, clock } = context;
  for (const set of setsIn(store, place)) {
    const state = set.state === 'ready' ? 'dirty' : set.state;
    store.dataSets[set.kind].update(set.id, { state, writtenAt: clock.now(), writtenBy: sessionId });
  }
  context.dataChanged();
}

/** Words on what has been done to it since it was made; undefined when nothing. */
export function writingWords({ store }: Pick<DataContext, 'store'>, set: DataSetRow): string | undefined {
  if (set.writtenAt === null) return undefined;
  const writer = set.writtenBy === null ? undefined : store.sessions.get(set.writtenBy);
  const by = writer ? `session ${writer.id} (“${writer.name}”)` : 'a session that is deleted';
  return kindOf(set).words.writtenTo(by);
}

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
