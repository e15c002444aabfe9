import { KneepointError } from '../../../shared/model/problem.ts';
import type { PutBackResult } from '../../../shared/model/restore.ts';
import type { RunFact } from '../../../shared/model/session.ts';
import type { At, Change, ChangePlace, Changer, DesiredSetting, Found } from '../factors/change.ts';
import { dataOf } from '../plans/index.ts';
import { stepOf, type Waiting, workloadOf } from '../runs/index.ts';
import type { Identity, JournalEntry, RunRow } from '../store/store.ts';
import { atPlace, mayBeOneServer, placeOf, placeWords, whilePlaceReachable } from './at.ts';
import { claim, claimedElsewhere, claimedProblem, release } from './claims.ts';
import type { WorldContext } from './context.ts';
import { type ChangedEntry, changedNow, grouped, isMoved, keyOfEntry, moversOf, thingKey, undoOf } from './entries.ts';
import { Identities, requireSamePlace } from './identity.ts';
import { journalMoved, type Moved, watched } from './moved.ts';
import { type ChangeContext, changerNamed, restoreChanges, valueWords } from './restore.ts';

type Context = ChangeContext & Pick<WorldContext, 'tools'>;

/** data: before the data of the trial is created, without settings that need it. launch: everything, right before the tool is started. */
export type Stage = 'data' | 'launch';

/** A desired setting at its place. */
export interface Placed {
  readonly setting: DesiredSetting;
  readonly place: ChangePlace;
  readonly entry: ChangedEntry | undefined;
}

/**
 * Brings hosts and servers to the state that the cell of a trial wants, with the fewest changes, and reads everything back. The original values are
 * in the journal before anything is touched. Settings that an earlier cell has changed and this one does not name are restored, except the same
 * setting of another server. Stores the values read with the run. Safe to repeat after any interruption. Throws `change-refused` if a setting reads
 * differently than wanted, and the errors of changers.
 */
export async function reachWorld(context: Context, run: RunRow, waiting: Waiting, stage: Stage): Promise<void> {
  const { settings, target, madeUnder } = stepOf(context, run).step;
  await reachSettings(context, run, settings, waiting, stage, target);
  if (stage === 'launch' && madeUnder !== undefined) await verifyTables(context, run, settings, waiting);
}

/** Tables keep some settings from their creation: the server's current value does not prove what is measured. */
async function verifyTables(
  context: Context,
  run: RunRow,
  settings: readonly DesiredSetting[],
  waiting: Waiting,
): Promise<void> {
  const { step } = stepOf(context, run);
  const tables = dataOf(step, workloadOf(context, step))?.tables.map(({ name }) => name) ?? [];
  if (tables.length === 0) return;
  const placed = settings.map((setting) => ({ setting, place: placeOf(context, setting) }));
  for (const { things, place, changer: name } of grouped(placed, ({ setting, place: of }) => ({
    place: of,
    changer: setting.changer,
  }))) {
    const changer = changerNamed(context.changers, name);
    if (!changer.ofTables) continue;
    const own = things.map(({ setting }) => setting);
    const reportedValues = await whilePlaceReachable(
      context,
      place,
      waiting,
      async () =>
        (await changer.ofTables?.(atPlace(context, place, waiting.signal), own, tables)) ??
        new Map<string, readonly string[]>(),
    );
    for (const setting of own) {
      const other = reportedValues.get(setting.what)?.find((value) => !changer.matches(setting, value));
      if (other === undefined) continue;
      throw new KneepointError({
        code: 'change-refused',
        message: `“${setting.what}” is “${setting.value}” on ${placeWords(place)}, but tables of the trial have “${other}”: tables keep the value they were created with.`,
        run: run.id,
        safe: 'The trial was not started, so no result has a wrong label.',
        next: 'Create the tables without this option, in a database without its own default.',
      });
    }
  }
}

/** Like `reachWorld`, for given settings. `target`: the measured one. */
export async function reachSettings(
  context: ChangeContext,
  run: Pick<RunRow, 'id' | 'sessionId'>,
  settings: readonly DesiredSetting[],
  waiting: Waiting,
  stage: Stage,
  target?: string,
): Promise<void> {
  const isDue = (changer: string): boolean => stage === 'launch' || !changerNamed(context.changers, changer).needsData;
  const changedDue = (): ChangedEntry[] =>
    changedNow(context.store, run.sessionId).filter(({ undo }) => isDue(undo.changer));
  const due = settings.filter(({ changer }) => isDue(changer));
  const changed = changedDue();
  if (due.length === 0 && changed.length === 0) return;
  await restoreRest(context, restOf(context, due, changed, target), changed, run.sessionId, waiting);
  const remaining = changedDue();
  const wanted = due.map((setting) => placed(context, setting, remaining));
  const facts: RunFact[] = [];
  for (const group of grouped(wanted, ({ setting, place }) => ({ place, changer: setting.changer }))) {
    const changer = changerNamed(context.changers, group.changer);
    facts.push(...(await reachPlace({ context, run, waiting, changer, place: group.place }, group.things)));
    context.store.runs.update(run.id, { facts });
  }
  const mismatched = facts.filter(({ matches }) => matches === false);
  if (mismatched.length > 0) throw readBackProblem(mismatched, run);
}

/** Entries to restore before this cell: settings that it does not name, and settings moved by changes that it does not want as they are. */
function restOf(
  context: ChangeContext,
  due: readonly DesiredSetting[],
  changed: readonly ChangedEntry[],
  target: string | undefined,
): ChangedEntry[] {
  const wanted = due.map((setting) => placed(context, setting, changed));
  const settingFor = (entry: ChangedEntry): DesiredSetting | undefined =>
    wanted.find((each) => each.entry === entry)?.setting;
  const isAsWanted = (entry: ChangedEntry): boolean => {
    const setting = settingFor(entry);
    if (!setting) return isOfOtherServer(context, entry, wanted, target);
    return changerNamed(context.changers, setting.changer).matches(setting, entry.wanted);
  };
  const rest = new Set<ChangedEntry>();
  for (const entry of changed) {
    // An entry that was interrupted before its moves were known is restored with them, and set again.
    if (settingFor(entry) && !entry.undo.watched) continue;
    const movers = moversOf(entry, changed);
    if (
      !entry.undo.watched &&
      (isMoved(entry) ? !entry.undo.wished && movers.length > 0 && movers.every(isAsWanted) : isAsWanted(entry))
    )
      continue;
    // Set again from the original values: a moved value depends on the one before.
    for (const each of [entry, ...movers]) rest.add(each);
  }
  return changed.filter((entry) => rest.has(entry));
}

export function placed(context: ChangeContext, setting: DesiredSetting, changed: readonly ChangedEntry[]): Placed {
  const place = placeOf(context, setting);
  const key = thingKey(setting.changer, place, setting.what);
  return { setting, place, entry: changed.find((entry) => keyOfEntry(entry) === key) };
}

/**
 * Whether a setting is changed on a server that this cell does not use, while it sets the same one on its own server: interleaved servers would be
 * restarted before every trial.
 */
function isOfOtherServer(
  context: ChangeContext,
  { place: other, what, undo }: ChangedEntry,
  wanted: readonly Placed[],
  target: string | undefined,
): boolean {
  if (other.kind !== 'server' || other.name === target) return false;
  const servers = wanted.filter(({ place }) => place.kind === 'server');
  const isSetElsewhere = servers.some(({ setting }) => setting.changer === undo.changer && setting.what === what);
  return isSetElsewhere && servers.every(({ place }) => !mayBeOneServer(context, place.name, other.name));
}

/** If an entry cannot be restored while others of its place are changed, all of the place are restored and set again. */
async function restoreRest(
  context: ChangeContext,
  rest: readonly ChangedEntry[],
  changed: readonly ChangedEntry[],
  sessionId: number,
  waiting: Waiting,
): Promise<void> {
  if (rest.length === 0) return;
  const back = async (entries: readonly ChangedEntry[]): Promise<PutBackResult[]> =>
    (
      await restoreChanges(context, entries, { signal: waiting.signal, waiting, force: true, throwForPerson: true })
    ).filter(({ outcome }) => outcome !== 'restored');
  let remaining = await back(rest);
  const held = remaining.map(({ place }) => placeWords(place));
  if (changed.some((entry) => !rest.includes(entry) && held.includes(placeWords(entry.place))))
    remaining = await back(
      changedNow(context.store, sessionId).filter(({ place }) => held.includes(placeWords(place))),
    );
  const [failed] = remaining;
  if (!failed) return;
  throw new KneepointError({
    code: 'change-refused',
    message: `“${failed.what}” of ${placeWords(failed.place)}, which this cell does not vary, could not be restored. ${failed.message ?? ''}`,
    safe: 'The trial was not started.',
  });
}

/** Settings that differ from the desired ones now. Changes nothing, and claims nothing. */
export async function readBack(
  context: ChangeContext,
  settings: readonly DesiredSetting[],
  waiting: Waiting,
): Promise<RunFact[]> {
  const groups = grouped(
    settings.map((setting) => ({ setting, place: placeOf(context, setting), changer: setting.changer })),
    (each) => each,
  );
  const other: RunFact[] = [];
  for (const { place, changer: name, things } of groups) {
    const changer = changerNamed(context.changers, name);
    const at = atPlace(context, place, waiting.signal);
    const own = things.map(({ setting }) => setting);
    const found = await whilePlaceReachable(context, place, waiting, () => changer.read(at, own));
    own.forEach((setting, index) => {
      const value = found[index]?.value ?? null;
      if (!changer.matches(setting, value))
        other.push({ place, what: setting.what, wanted: setting.value, found: value, first: null, matches: false });
    });
  }
  return other;
}

export interface Reaching {
  readonly context: ChangeContext;
  readonly run: Pick<RunRow, 'id' | 'sessionId'>;
  readonly waiting: Waiting;
  readonly changer: Changer;
  readonly place: ChangePlace;
}

/** Applies settings of one place, reads them back, and resolves with the values read. They are in the journal before anything is touched. */
export async function reachPlace(reaching: Reaching, things: readonly Placed[]): Promise<RunFact[]> {
  const { context, run, waiting, changer, place } = reaching;
  const at = atPlace(context, place, waiting.signal);
  const reached = <T>(act: () => Promise<T>): Promise<T> => whilePlaceReachable(context, place, waiting, act);
  const { found: before, differing } = await readClaimed(reaching, reached, at, things);
  const first = things.map(({ entry }, index) => entry?.undo.first ?? (before[index] as Found));
  const changes = differing.map(
    (index): Change => ({ setting: things[index]?.setting as DesiredSetting, first: first[index] as Found }),
  );
  const entries = things.map(({ entry }) => entry as JournalEntry | undefined);
  const desired = new Set(things.map(({ setting }) => setting.what));
  const parts = partsOf(changer, differing, changes);
  const identity = parts.length > 0 ? await identityHere(reaching, reached, entries) : {};
  const alreadySet = things.flatMap(({ setting, entry }, index): Change[] =>
    entry && !differing.includes(index) ? [{ setting, first: first[index] as Found }] : [],
  );
  for (const part of parts) {
    const own = part.map((index) => changes[differing.indexOf(index)] as Change);
    const watch = await watched(
      { context, changer, at, reached },
      own.map(({ setting }) => setting),
      desired,
    );
    const by = own.map(({ setting }) => setting.what);
    for (const index of part)
      entries[index] = noteBefore(reaching, things[index] as Placed, first[index] as Found, identity, {
        ...(index === part[0] && watch.length > 0 && { watched: { by, beside: watch } }),
      });
    await reached(() => changer.apply(at, own, alreadySet));
    for (const index of part) note(context, entries[index], { state: 'applied' });
    const [changed] = part.map((index) => entries[index]);
    if (changed && watch.length > 0)
      logMoved(reaching, by, await journalMoved({ context, changer, at, reached }, changed));
  }
  let after = changes.length > 0 ? await read(reached, changer, at, things) : before;
  const isOther = ({ setting }: Placed, index: number): boolean =>
    !changer.matches(setting, after[index]?.value ?? null);
  const others = changes.filter(({ setting }) =>
    things.some((thing, index) => thing.setting === setting && isOther(thing, index)),
  );
  // Retries values that are accepted only after another one, such as those limited by a maximum.
  if (parts.length > 1 && others.length > 0) {
    await reached(() => changer.apply(at, others));
    after = await read(reached, changer, at, things);
  }
  return things.map(({ setting }, index): RunFact => {
    const value = after[index]?.value ?? null;
    const matches = changer.matches(setting, value);
    note(context, entries[index], { readBack: value, state: matches ? 'verified' : 'differs', runId: run.id });
    const fact = { place, what: setting.what, wanted: setting.value, found: value, first: first[index]?.value ?? null };
    return matches ? fact : { ...fact, matches: false };
  });
}

/**
 * Settings that are changed in one step: each by itself, to find out which change moves what. If one takes a restart, all at once: the server may
 * start only with the whole set.
 */
function partsOf(changer: Changer, differing: readonly number[], changes: readonly Change[]): number[][] {
  if (differing.length === 0) return [];
  if (!changer.affected) return [[...differing]];
  return changes.some((change) => changer.isJoint?.(change)) ? [[...differing]] : differing.map((index) => [index]);
}

/** Number of things that a sentence names; it counts the others. */
const NAMED = 3;

/** Throws `change-not-possible` if a setting has moved that cannot be restored. */
function logMoved({ waiting, place, run }: Reaching, by: readonly string[], moved: readonly Moved[]): void {
  if (moved.length === 0) return;
  const words = ({ from: { what, value }, to }: Moved): string => `“${what}” from “${value}” to ${valueWords(to)}`;
  const causes = by.map((what) => `“${what}”`).join(', ');
  const stuck = moved.find(({ from }) => from.stuck !== undefined);
  if (stuck)
    throw new KneepointError({
      code: 'change-not-possible',
      message: `Setting ${causes} on ${placeWords(place)} also changed ${words(stuck)}, which cannot be restored: ${stuck.from.stuck}.`,
      run: run.id,
      safe: 'The trial was not started, and settings are restored.',
    });
  const more = moved.length > NAMED ? `, and ${moved.length - NAMED} more` : '';
  waiting.notice?.(
    'info',
    `Setting ${causes} on ${placeWords(place)} also changed ${moved.slice(0, NAMED).map(words).join(', ')}${more}. They are restored together.`,
  );
}

/** Identity of the machine or server there now. Throws if it is not the one whose first values are in the journal. */
async function identityHere(
  { context, place, waiting: { signal } }: Reaching,
  reached: <T>(act: () => Promise<T>) => Promise<T>,
  entries: readonly (JournalEntry | undefined)[],
): Promise<Identity> {
  const identities = new Identities(context, signal);
  const known = entries.filter((entry) => entry !== undefined);
  await reached(() => requireSamePlace(identities, known));
  return reached(() => identities.now(place));
}

interface ReadState {
  readonly found: readonly Found[];
  /** Indexes of settings that differ from the desired ones. */
  readonly differing: readonly number[];
}

/** Reads the current values, once no other library can change them any more. If nothing has to be changed, nothing is claimed. */
async function readClaimed(
  { context, run, waiting: { signal }, changer, place }: Reaching,
  reached: <T>(act: () => Promise<T>) => Promise<T>,
  at: At,
  things: readonly Placed[],
): Promise<ReadState> {
  const readState = async (): Promise<ReadState> => {
    const found = await read(reached, changer, at, things);
    const differs = ({ setting }: Placed, index: number): boolean =>
      !changer.matches(setting, found[index]?.value ?? null);
    return { found, differing: things.flatMap((thing, index) => (differs(thing, index) ? [index] : [])) };
  };
  const before = await readState();
  if (before.differing.length === 0) {
    // All settings are as wanted, perhaps because of another library, which changes them at any time.
    const other = await reached(() => claimedElsewhere(context, place, signal));
    if (other !== undefined) throw claimedProblem(context, place, other, run.sessionId);
    return before;
  }
  const isNew = await reached(() => claim(context, run.sessionId, place, signal));
  if (!isNew) return before;
  const releaseClaim = (): Promise<void> => release(context, run.sessionId, place, signal).catch(() => {});
  try {
    // Another library may have restored between our read and our claim.
    const now = await readState();
    if (now.differing.length === 0) await releaseClaim();
    return now;
  } catch (error) {
    await releaseClaim();
    throw error;
  }
}

const read = (
  reached: <T>(act: () => Promise<T>) => Promise<T>,
  changer: Changer,
  at: At,
  things: readonly Placed[],
): Promise<readonly Found[]> =>
  reached(() =>
    changer.read(
      at,
      things.map(({ setting }) => setting),
    ),
  );

/** Stored before the change: the first value is known whatever happens next. */
function noteBefore(
  { context, run, place }: Reaching,
  { setting, entry }: Placed,
  first: Found,
  identity: Identity,
  watch: Pick<ChangedEntry['undo'], 'watched'>,
): JournalEntry {
  const { journal } = context.store;
  if (entry) {
    return journal.note(entry.id, {
      ...{ wanted: setting.value, state: 'planned', runId: run.id, message: null },
      undo: { ...entry.undo, ...(isMoved(entry) && { wished: true as const }), ...watch },
    });
  }
  return journal.write({
    sessionId: run.sessionId,
    runId: run.id,
    place,
    what: setting.what,
    oldValue: first.value,
    wanted: setting.value,
    undo: { ...undoOf(setting, first), ...watch },
    identity,
    writtenAt: context.clock.now(),
  });
}

function note(
  { store }: ChangeContext,
  entry: JournalEntry | undefined,
  change: Parameters<WorldContext['store']['journal']['note']>[1],
): void {
  if (entry) store.journal.note(entry.id, change);
}

function readBackProblem(facts: readonly RunFact[], run: Pick<RunRow, 'id'>): KneepointError {
  return new KneepointError({
    code: 'change-refused',
    message: mismatchWords(facts),
    run: run.id,
    safe: 'The trial was not started, so no result has a wrong label.',
    next: 'Choose a value that the host or server keeps unchanged.',
  });
}

/** Describes settings that read differently than wanted. */
export const mismatchWords = (facts: readonly RunFact[]): string =>
  facts
    .map(
      ({ place, what, wanted, found }) =>
        `“${what}” of ${placeWords(place)} is ${valueWords(found)} after it was set to “${wanted}”.`,
    )
    .join(' ');

/** Refused by the host or server itself: it concerns this cell, and the next one may be measured. */
export const isOfChange = (error: unknown): error is KneepointError =>
  error instanceof KneepointError &&
  ['change-refused', 'change-not-possible', 'server-not-back', 'target-unreachable', 'target-auth-failed'].includes(
    error.code,
  );
