import type { AffectedSetting, At, Changer, DesiredSetting } from '../factors/change.ts';
import type { RunsContext } from '../runs/index.ts';
import type { JournalEntry } from '../store/store.ts';
import { type ChangedEntry, changedNow, keyOfEntry, settingOf, thingKey } from './entries.ts';

/*
 * A server or kernel that accepts one value may move others with it, as MariaDB raises innodb_io_capacity_max with innodb_io_capacity. The journal
 * lists everything that a change may move before the change, so the moves can be found at any time afterwards.
 */

/** Access to a place, repeated while its link is down. */
export interface Asking {
  readonly context: Pick<RunsContext, 'store' | 'clock'>;
  readonly changer: Changer;
  readonly at: At;
  reached<T>(act: () => Promise<T>): Promise<T>;
}

/** A setting that has moved; `to` is null if it no longer exists. */
export interface Moved {
  readonly from: AffectedSetting;
  readonly to: string | null;
}

const look = (
  { changer, at, reached }: Asking,
  settings: readonly DesiredSetting[],
): Promise<readonly AffectedSetting[]> => reached(async () => (await changer.affected?.(at, settings)) ?? []);

/** Settings that changing these may move. `desired`: set by the cell itself. Reads twice: a value that differs the second time moves by itself. */
export async function watched(
  asking: Asking,
  settings: readonly DesiredSetting[],
  desired: ReadonlySet<string>,
): Promise<AffectedSetting[]> {
  const first = new Map((await look(asking, settings)).map(({ what, value }) => [what, value]));
  const second = first.size === 0 ? [] : await look(asking, settings);
  return second.filter(({ what, value }) => !desired.has(what) && first.get(what) === value);
}

/** Writes moves since a change into the journal, to be restored with it, and ends the watch. Moves that cannot be restored are only returned. */
export async function journalMoved(asking: Asking, changed: JournalEntry): Promise<Moved[]> {
  const { id, undo, sessionId, runId, place, identity } = asking.context.store.journal.get(changed.id) as ChangedEntry;
  const { watched: watch, ...rest } = undo;
  if (!watch) return [];
  const { store, clock } = asking.context;
  const now = new Map(
    (await look(asking, [settingOf(changed as ChangedEntry)])).map(({ what, value }) => [what, value]),
  );
  const moved = watch.beside
    .filter(({ what, value }) => now.get(what) !== value)
    .map((from): Moved => ({ from, to: now.get(from.what) ?? null }));
  const open = changedNow(store).filter((entry) => entry.sessionId === sessionId);
  store.atomically(() => {
    for (const { from, to } of moved) {
      const { what, value, how, undo: more, stuck } = from;
      if (stuck !== undefined) continue;
      const known = open.find((entry) => keyOfEntry(entry) === thingKey(undo.changer, place, what));
      const by = [...new Set([...(known?.undo.by ?? []), ...watch.by])];
      const entry =
        known ??
        store.journal.write({
          ...{ sessionId, runId, place, what, oldValue: value, wanted: to, writtenAt: clock.now() },
          ...(identity && { identity }),
          undo: {
            ...{ kind: 'put-back', changer: undo.changer, ...(how && { how }), by },
            first: { value, ...(more && { how: more }) },
          },
        });
      const isStillMoved = known === undefined || known.undo.by !== undefined;
      store.journal.note(entry.id, {
        ...{ state: 'verified', wanted: to, readBack: to, message: null },
        ...(isStillMoved && { undo: { ...withoutWished((entry as ChangedEntry).undo), by } }),
      });
    }
    store.journal.note(id, { undo: rest });
  });
  return moved;
}

const withoutWished = ({ wished: _, ...undo }: ChangedEntry['undo']): ChangedEntry['undo'] => undo;
