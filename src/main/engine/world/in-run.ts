import { KneepointError } from '../../../shared/model/problem.ts';
import type { PutBackResult } from '../../../shared/model/restore.ts';
import type { RunFact } from '../../../shared/model/session.ts';
import type { DesiredSetting } from '../factors/change.ts';
import { RUNNING, STATE, STATE_CHANGER, STOPPED } from '../factors/index.ts';
import type { Waiting } from '../runs/index.ts';
import type { RunRow } from '../store/store.ts';
import { atPlace, whilePlaceReachable } from './at.ts';
import { type ChangedEntry, changedNow, grouped, keyOfEntry, settingOf, thingKey, undoOf } from './entries.ts';
import { identityOf } from './identity.ts';
import { mismatchWords, placed, reachPlace } from './reach.ts';
import { type ChangeContext, changerNamed, restoreChanges } from './restore.ts';

type Run = Pick<RunRow, 'id' | 'sessionId'>;

/**
 * Changes hosts and servers for an event while a trial runs. Other changes stay, and so do the facts stored before the trial. Throws `change-refused`
 * if a setting reads differently than wanted, and the errors of changers.
 */
export async function changeInRun(
  context: ChangeContext,
  run: Run,
  settings: readonly DesiredSetting[],
  waiting: Waiting,
): Promise<void> {
  const changed = changedNow(context.store, run.sessionId);
  const wanted = settings.map((setting) => placed(context, setting, changed));
  const facts: RunFact[] = [];
  for (const { place, changer, things } of grouped(wanted, ({ setting, place: at }) => ({
    place: at,
    changer: setting.changer,
  })))
    facts.push(
      ...(await reachPlace({ context, run, waiting, changer: changerNamed(context.changers, changer), place }, things)),
    );
  const mismatched = facts.filter(({ matches }) => matches === false);
  if (mismatched.length === 0) return;
  throw new KneepointError({
    code: 'change-refused',
    message: mismatchWords(mismatched),
    run: run.id,
    safe: 'The trial continues; the setting is restored when the trial has ended.',
  });
}

/**
 * Restores settings that events of a trial have changed. Settings that its cell sets as well stay changed, until the next trial or the end of the
 * session.
 */
export async function restoreEvents(
  context: ChangeContext,
  run: Run,
  { ofEvents, ofCell }: Readonly<Record<'ofEvents' | 'ofCell', readonly DesiredSetting[]>>,
  waiting: Waiting,
): Promise<PutBackResult[]> {
  const keysOf = (settings: readonly DesiredSetting[]): string[] =>
    settings.map((setting) => thingKey(setting.changer, placed(context, setting, []).place, setting.what));
  const kept = keysOf(ofCell);
  const keys = keysOf(ofEvents).filter((key) => !kept.includes(key));
  const entries = changedNow(context.store, run.sessionId).filter((entry) => keys.includes(keyOfEntry(entry)));
  return entries.length === 0 ? [] : restoreChanges(context, entries, { signal: waiting.signal, waiting });
}

const placeOf = (target: string) => ({ kind: 'server', name: target }) as const;

const entriesOf = ({ store }: ChangeContext, sessionId: number, target: string): ChangedEntry[] =>
  changedNow(store, sessionId).filter(
    ({ undo, place }) => undo.changer === STATE_CHANGER && place.kind === 'server' && place.name === target,
  );

const stateOf = async (context: ChangeContext, target: string, waiting: Waiting): Promise<string | null> => {
  const place = placeOf(target);
  const at = atPlace(context, place, waiting.signal);
  const changer = changerNamed(context.changers, STATE_CHANGER);
  const setting = { changer: STATE_CHANGER, place, what: STATE, value: STOPPED };
  const [found] = await whilePlaceReachable(context, place, waiting, () => changer.read(at, [setting]));
  return found?.value ?? null;
};

/**
 * Call before an act that may leave a server down. If it runs, the journal records that: it is started again with the trial, with the session, or by
 * “kneepoint restore” after the app was killed.
 */
export async function beforeDown(
  context: ChangeContext,
  run: Pick<RunRow, 'id' | 'sessionId'>,
  target: string,
  waiting: Waiting,
): Promise<void> {
  if (entriesOf(context, run.sessionId, target).length > 0) return;
  if ((await stateOf(context, target, waiting)) !== RUNNING) return;
  const place = placeOf(target);
  const identity = await whilePlaceReachable(context, place, waiting, () => identityOf(context, place, waiting.signal));
  context.store.journal.write({
    sessionId: run.sessionId,
    runId: run.id,
    place,
    what: STATE,
    oldValue: RUNNING,
    wanted: STOPPED,
    undo: undoOf({ changer: STATE_CHANGER, place, what: STATE, value: STOPPED }, { value: RUNNING }),
    identity,
    writtenAt: context.clock.now(),
  });
}

/**
 * Call after the act, or after it was undone (`isStart`): once the server runs again, nothing is left to restore. A server that was stopped or killed
 * and runs because something else has started it is checked again at the end of the trial.
 */
export async function afterDown(
  context: ChangeContext,
  sessionId: number,
  target: string,
  isStart: boolean,
  waiting: Waiting,
): Promise<void> {
  const entries = entriesOf(context, sessionId, target);
  if (entries.length === 0) return;
  const value = await stateOf(context, target, waiting);
  for (const entry of entries) {
    const isAsFirst = value === settingOf(entry).value;
    const state = isAsFirst ? entry.state : 'verified';
    context.store.journal.note(entry.id, { state, readBack: value, message: null });
    if (isAsFirst && isStart) context.store.journal.close(entry.id, 'restored', context.clock.now());
  }
  context.hostsChanged();
}

/** Whether an event has taken a target's server down, and it was not started again yet. */
export const isDown = (context: ChangeContext, sessionId: number, target: string): boolean =>
  entriesOf(context, sessionId, target).length > 0;
