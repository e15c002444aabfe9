import { ENDED_SESSION } from '../../../../shared/model/session.ts';
import type { FileSetRow, Store } from '../../store/store.ts';
import type { FileNeed } from '../../tools/tool.ts';
import type { RunsContext } from '../context.ts';
import { hostKey } from '../occupied.ts';
import type { FileState } from './file-state.ts';
import type { FilePreparation } from './needs.ts';

type Context = Pick<RunsContext, 'store' | 'clock' | 'dataChanged'>;

/** File sets of a host, under whatever name of a host they were made. Newest first. */
export function fileSetsOf(store: Store, host: string): FileSetRow[] {
  const machine = hostKey(store, host);
  const here = store.hosts.list().filter(({ spec }) => hostKey(store, spec.name) === machine);
  return store.fileSets.list().filter((set) => here.some(({ id }) => id === set.hostId));
}

/** Those of them that share a file with these. */
export function fileSetsIn(
  store: Store,
  host: string,
  { directory, files }: Pick<FileNeed, 'directory' | 'files'>,
): FileSetRow[] {
  const names = new Set(files.map(({ name }) => name));
  return fileSetsOf(store, host).filter(
    (set) => set.directory === directory && set.files.some(({ name }) => names.has(name)),
  );
}

/** Whether a set has all of these files, as large as they are needed. */
export const covers = (set: FileSetRow, { files }: Pick<FileNeed, 'files'>): boolean =>
  files.every(({ name, bytes }) => set.files.some((file) => file.name === name && file.bytes >= bytes));

/** Its making was begun and did not come to an end; nobody is at it, and neither is session `idle`. */
export function isFileSetBrokenOff(store: Store, set: FileSetRow, idle?: number): boolean {
  if (set.state !== 'making') return false;
  if (set.madeBy === idle) return true;
  const maker = set.madeBy === null ? undefined : store.sessions.get(set.madeBy);
  return maker === undefined || maker.state === 'paused' || ENDED_SESSION.includes(maker.state);
}

/**
 * Notes that files are about to be made. A set that has no other file is forgotten; one that has keeps the rest, and is no longer whole
 * when all are removed first. What is known of writing counts on, unless the files are made from nothing.
 */
export function beginMaking(
  context: Context,
  host: string,
  { sessionId, afresh }: { sessionId: number; afresh: boolean },
  made: FilePreparation,
): FileSetRow {
  const { store, clock } = context;
  const before = fileSetsIn(store, host, made.need);
  const within = before.filter((set) =>
    set.files.every(({ name }) => made.need.files.some((file) => file.name === name)),
  );
  if (afresh)
    for (const { id } of before.filter((set) => !within.includes(set))) store.fileSets.update(id, { state: 'partial' });
  const written = afresh ? undefined : before.find(({ writtenAt }) => writtenAt !== null);
  const row = store.fileSets.insert(
    {
      ...newSet(store, host, made),
      state: 'making',
      madeAt: clock.now(),
      madeBy: sessionId,
      ...(written && { writtenAt: written.writtenAt, writtenBy: written.writtenBy }),
    },
    within.map(({ id }) => id),
  );
  context.dataChanged();
  return row;
}

/** Notes files that are there, though Kneepoint does not know of their making. */
export function adopt(context: Context, host: string, found: FilePreparation, state: FileState): FileSetRow {
  return noteLook(context, context.store.fileSets.insert(newSet(context.store, host, found), []), state);
}

const newSet = (store: Store, host: string, { tool, need, recipe }: FilePreparation) => ({
  hostId: store.hosts.byName(host)?.id ?? 0,
  directory: need.directory,
  tool: tool.id,
  title: need.title,
  files: need.files.map(({ name, bytes }) => ({ name, bytes })),
  recipe,
  state: 'ready' as const,
  madeAt: null,
  madeBy: null,
  checkedAt: null,
  writtenAt: null,
  writtenBy: null,
});

/** Notes what a look found, as far as it was at the set's files, and what it makes of the set. */
export function noteLook(context: Context, set: FileSetRow, { files: seen }: FileState): FileSetRow {
  const { store, clock } = context;
  const files = set.files.map((file) => {
    const found = seen.find(({ name }) => name === file.name)?.found;
    return found === undefined ? file : { ...file, found };
  });
  const isWhole = files.every(({ bytes, found }) => found === undefined || (found ?? -1) >= bytes);
  const isGone = files.every(({ found }) => found === null);
  const state = isWhole ? (set.writtenAt === null ? 'ready' : 'dirty') : isGone ? 'gone' : 'partial';
  const row = store.fileSets.update(set.id, { files, state, checkedAt: clock.now() });
  context.dataChanged();
  return row;
}

/** Notes, before it does so, that a trial of this session writes to these files. */
export function noteWriting(context: Context, host: string, need: FileNeed, sessionId: number): void {
  const { store, clock } = context;
  for (const set of fileSetsIn(store, host, need)) {
    const state = set.state === 'ready' ? 'dirty' : set.state;
    store.fileSets.update(set.id, { state, writtenAt: clock.now(), writtenBy: sessionId });
  }
  context.dataChanged();
}
