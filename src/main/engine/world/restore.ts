import { isDeepStrictEqual } from 'node:util';
import { describeProblem, KneepointError, problemOf } from '../../../shared/model/problem.ts';
import type { PutBackResult } from '../../../shared/model/restore.ts';
import { formatCount } from '../../../shared/util/format.ts';
import type { Changer, Found } from '../factors/change.ts';
import { STATE } from '../factors/index.ts';
import { isForPerson, type Waiting } from '../runs/index.ts';
import { atPlace, type PlaceContext, placeWords, whilePlaceReachable } from './at.ts';
import { release } from './claims.ts';
import type { WorldContext } from './context.ts';
import {
  type ChangedEntry,
  changedNow,
  type Group,
  grouped,
  isChange,
  isMoved,
  moversOf,
  settingOf,
  toRestore,
} from './entries.ts';
import { Identities, type IdentityMismatch } from './identity.ts';
import { journalMoved } from './moved.ts';

export type ChangeContext = PlaceContext &
  Pick<WorldContext, 'store' | 'clock' | 'library' | 'log' | 'changers' | 'hostsChanged'>;

export interface RestoreOptions {
  /** Aborts the restore; settings not restored by then stay in the journal. */
  signal: AbortSignal;
  /** Wait for unreachable hosts; absent: try once. */
  waiting?: Waiting;
  /** Also settings that someone else has changed since. */
  force?: boolean;
  /** Names of hosts and targets that a user confirms to be the changed ones, where that is unknown. */
  confirmed?: readonly string[];
  /** Throw a problem that needs a user, such as the passphrase of the vault, instead of noting it: the caller waits for it and retries. */
  throwForPerson?: boolean;
}

/**
 * Restores changes of levels on hosts and servers, newest first, reads them back, and closes their entries in the journal. Resolves with one result
 * for each; entries that could not be restored stay in the journal with the reason. Safe to repeat.
 */
export async function restoreChanges(
  context: ChangeContext,
  entries: readonly ChangedEntry[],
  options: RestoreOptions,
): Promise<PutBackResult[]> {
  const results: PutBackResult[] = [];
  const identities = new Identities(context, options.signal, options.confirmed);
  for (const group of grouped(await withMoved(context, entries, identities, options), ({ place, undo }) => ({
    place,
    changer: undo.changer,
  })))
    results.push(...(await restoreGroup(context, group, identities, options)));
  await releaseClaim(context, entries, options.signal);
  context.hostsChanged();
  return results;
}

/** Adds settings that these changes have moved. An app that ended between a change and the check for moves has left them to be found now. */
async function withMoved(
  context: ChangeContext,
  entries: readonly ChangedEntry[],
  identities: Identities,
  { signal, waiting }: RestoreOptions,
): Promise<ChangedEntry[]> {
  for (const entry of entries.filter(({ undo }) => undo.watched)) {
    const { place } = entry;
    const reached = <T>(act: () => Promise<T>): Promise<T> =>
      waiting ? whilePlaceReachable(context, place, waiting, act) : act();
    try {
      // Nothing is noted for another machine.
      if ((await reached(() => identities.against(entry))) !== undefined) continue;
      const changer = changerNamed(context.changers, entry.undo.changer);
      await journalMoved({ context, changer, at: atPlace(context, place, signal), reached }, entry);
    } catch (error) {
      // The entry itself, which is read next, reports the problem, and stays watched.
      context.log.warn('side effects of a change could not be checked', { message: problemOf(error).message });
    }
  }
  const ids = new Set(entries.map(({ id }) => id));
  const open = changedNow(context.store);
  return open.filter((entry) => {
    const movers = moversOf(entry, open);
    return ids.has(entry.id) || (movers.length > 0 && movers.every(({ id }) => ids.has(id)));
  });
}

async function restoreGroup(
  context: ChangeContext,
  { place, changer: name, things: all }: Group<ChangedEntry>,
  identities: Identities,
  options: RestoreOptions,
): Promise<PutBackResult[]> {
  const { signal, waiting, force = false } = options;
  const elsewhere: PutBackResult[] = [];
  let things: readonly ChangedEntry[] = all;
  const reached = <T>(act: () => Promise<T>): Promise<T> =>
    waiting ? whilePlaceReachable(context, place, waiting, act) : act();
  try {
    const changer = changerNamed(context.changers, name);
    const at = atPlace(context, place, signal);
    const mismatches = await reached(() => mismatchesAmong(identities, all));
    elsewhere.push(...[...mismatches].map(([entry, mismatch]) => noteElsewhere(context, entry, mismatch)));
    things = all.filter((entry) => !mismatches.has(entry));
    if (things.length === 0) return elsewhere;
    const read = (entries: readonly ChangedEntry[]): Promise<readonly Found[]> =>
      reached(() => changer.read(at, entries.map(settingOf)));
    const before = await read(things);
    const changedElsewhere = things.filter((entry, index) => !force && isForeignValue(changer, entry, before[index]));
    const own = things.filter((entry) => !changedElsewhere.includes(entry));
    const changed = own.filter((entry) => !isUntouched(changer, entry, before[things.indexOf(entry)]));
    if (changed.length > 0) await reached(() => changer.restore(at, changed.map(toRestore)));
    const after = changed.length > 0 ? await read(own) : own.map((entry) => before[things.indexOf(entry)]);
    return [
      ...own.map((entry, index) => noteRead(context, changer, entry, after[index])),
      ...changedElsewhere.map((entry) => recordForeignValue(context, entry, before[things.indexOf(entry)])),
      ...elsewhere,
    ];
  } catch (error) {
    if (options.throwForPerson && isForPerson(error)) throw error;
    const words = describeProblem(problemOf(error));
    return [...things.map((entry) => noteFailed(context, entry, words)), ...elsewhere];
  }
}

/** Entries that were not written for the machine or server that responds there now. */
async function mismatchesAmong(
  identities: Identities,
  entries: readonly ChangedEntry[],
): Promise<Map<ChangedEntry, IdentityMismatch>> {
  const mismatches = new Map<ChangedEntry, IdentityMismatch>();
  for (const entry of entries) {
    const mismatch = await identities.against(entry);
    if (mismatch) mismatches.set(entry, mismatch);
  }
  return mismatches;
}

export function changerNamed(changers: readonly Changer[], name: string): Changer {
  const found = changers.find((changer) => changer.name === name);
  if (found) return found;
  throw new KneepointError({
    code: 'unsupported',
    message: `This version cannot restore “${name}”.`,
    next: 'Use the version that made the change.',
  });
}

const isFirst = (changer: Changer, entry: ChangedEntry, found: Found | undefined): boolean => {
  const { value } = entry.undo.first;
  if (found === undefined) return false;
  return value === null || found.value === null
    ? found.value === value
    : changer.matches(settingOf(entry), found.value);
};

/** Whether the first value is still in its original place: a level may have written the same value into a file. */
const isUntouched = (changer: Changer, entry: ChangedEntry, found: Found | undefined): boolean =>
  isFirst(changer, entry, found) && isDeepStrictEqual(found?.how, entry.undo.first.how);

/** It was read back as wanted, and differs now: someone has changed it since, perhaps intentionally. */
function isForeignValue(changer: Changer, entry: ChangedEntry, found: Found | undefined): boolean {
  if (entry.state !== 'verified' || entry.wanted === null || found === undefined) return false;
  if (isFirst(changer, entry, found)) return false;
  return !changer.matches({ ...settingOf(entry), value: entry.wanted }, found.value);
}

const resultOf = (
  { id, sessionId, place, what, undo }: ChangedEntry,
  rest: Pick<PutBackResult, 'outcome' | 'message'>,
): PutBackResult => ({
  entry: id,
  ...(sessionId !== null && { session: sessionId }),
  place,
  what,
  first: undo.first.value,
  ...rest,
});

function noteRead(
  { store, clock }: ChangeContext,
  changer: Changer,
  entry: ChangedEntry,
  found: Found | undefined,
): PutBackResult {
  // An interface that existed when it was moved, and is gone, has nothing to restore.
  const isGone = found?.value === null && isMoved(entry);
  if (isFirst(changer, entry, found) || isGone) {
    store.journal.note(entry.id, { readBack: found?.value ?? null, message: null });
    store.journal.close(entry.id, 'restored', clock.now());
    return resultOf(entry, { outcome: 'restored' });
  }
  const message = `It was restored to ${valueWords(entry.undo.first.value)} but reads back as ${valueWords(found?.value ?? null)}.`;
  store.journal.note(entry.id, { state: 'differs', readBack: found?.value ?? null, message });
  return resultOf(entry, { outcome: 'failed', message });
}

function recordForeignValue({ store }: ChangeContext, entry: ChangedEntry, found: Found | undefined): PutBackResult {
  const message = `It has been changed to ${valueWords(found?.value ?? null)} since, so it was left unchanged. It was ${valueWords(entry.undo.first.value)} before the session.`;
  store.journal.note(entry.id, { readBack: found?.value ?? null, message });
  return resultOf(entry, { outcome: 'left', message });
}

function noteElsewhere(
  context: ChangeContext,
  entry: ChangedEntry,
  { message, mayConfirm }: IdentityMismatch,
): PutBackResult {
  return { ...noteFailed(context, entry, message), ...(mayConfirm && { confirm: entry.place.name }) };
}

function noteFailed({ store }: ChangeContext, entry: ChangedEntry, message: string): PutBackResult {
  store.journal.note(entry.id, { message });
  return resultOf(entry, { outcome: 'failed', message });
}

/** Releases the claim on a place after the last change there. A claim that cannot be removed now stays noted, for the next contact with its host. */
async function releaseClaim(
  context: ChangeContext,
  entries: readonly ChangedEntry[],
  signal: AbortSignal,
): Promise<void> {
  const places = new Map(entries.map((entry) => [JSON.stringify([entry.place, entry.sessionId]), entry]));
  for (const { place, sessionId } of places.values()) {
    if (sessionId === null) continue;
    const hasChanges = changedNow(context.store, sessionId).some(
      (entry) => placeWords(entry.place) === placeWords(place),
    );
    if (!hasChanges) await release(context, sessionId, place, signal).catch(() => {});
  }
}

export const valueWords = (value: string | null): string => (value === null ? 'unset' : `“${value}”`);

/** Restores everything that a session has changed. Empty if it has changed nothing. */
export async function restoreSession(
  context: ChangeContext,
  sessionId: number,
  options: RestoreOptions,
): Promise<PutBackResult[]> {
  const entries = changedNow(context.store, sessionId);
  const results = entries.length === 0 ? [] : await restoreChanges(context, entries, options);
  // An engine that ended between restore and release has left its claim.
  const earlier = context.store.journal.ofSession(sessionId).filter(isChange);
  await releaseClaim(context, earlier, options.signal);
  return results;
}

/** One sentence for all restored settings, one for each restarted server, and one for each failure. */
export function restoredWords(results: readonly PutBackResult[]): { done?: string; left: string[] } {
  const all = results.filter(({ outcome }) => outcome === 'restored');
  const started = all.filter(({ what }) => what === STATE).map(({ place }) => `Server “${place.name}” started again.`);
  const restored = all.filter(({ what }) => what !== STATE);
  const words = restored.map(({ place, what, first }) => `${what} of ${placeWords(place)}: ${valueWords(first)}`);
  const settings =
    restored.length > 0
      ? [`${formatCount(restored.length, 'setting')} restored and read back: ${words.join('; ')}.`]
      : [];
  return {
    ...(all.length > 0 && { done: [...started, ...settings].join(' ') }),
    left: results
      .filter(({ outcome }) => outcome !== 'restored')
      .map(({ place, what, first, message = '' }) =>
        what === STATE
          ? `Server “${place.name}” was not restarted. ${message}`
          : `“${what}” of ${placeWords(place)} was not restored to ${valueWords(first)}. ${message}`,
      ),
  };
}
