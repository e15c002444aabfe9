import { KneepointError } from '../../../shared/model/problem.ts';
import type { PutBackResult } from '../../../shared/model/restore.ts';
import type { RunFact } from '../../../shared/model/session.ts';
import type { DesiredSetting } from '../factors/change.ts';
import type { Waiting } from '../runs/index.ts';
import type { RunRow } from '../store/store.ts';
import { changedNow, grouped, keyOfEntry, thingKey } from './entries.ts';
import { type ChangeContext, changerNamed, putBack } from './put-back.ts';
import { otherwiseWords, placed, reachPlace } from './reach.ts';

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
  const otherwise = facts.filter(({ matches }) => matches === false);
  if (otherwise.length === 0) return;
  throw new KneepointError({
    code: 'change-refused',
    message: otherwiseWords(otherwise),
    run: run.id,
    safe: 'The trial continues, and it is restored when the trial has ended.',
  });
}

/**
 * Restores settings that events of a trial have changed. Settings that its cell sets as well stay changed, until the next trial or the end of the
 * session.
 */
export async function putEventsBack(
  context: ChangeContext,
  run: Run,
  { ofEvents, ofCell }: Readonly<Record<'ofEvents' | 'ofCell', readonly DesiredSetting[]>>,
  waiting: Waiting,
): Promise<PutBackResult[]> {
  const keysOf = (settings: readonly DesiredSetting[]): string[] =>
    settings.map((setting) => thingKey(setting.changer, placed(context, setting, []).place, setting.what));
  const stay = keysOf(ofCell);
  const keys = keysOf(ofEvents).filter((key) => !stay.includes(key));
  const entries = changedNow(context.store, run.sessionId).filter((entry) => keys.includes(keyOfEntry(entry)));
  return entries.length === 0 ? [] : putBack(context, entries, { signal: waiting.signal, waiting });
}
