import type { ChangePlace, DesiredSetting, Found, SettingToRestore } from '../factors/change.ts';
import type { JournalEntry, Store } from '../store/store.ts';

type Undo = Extract<JournalEntry['undo'], { kind: 'put-back' }>;

/** A journal entry for something that a level has changed and that was not restored. */
export interface ChangedEntry extends JournalEntry {
  readonly undo: Undo;
}

export const isChange = (entry: JournalEntry): entry is ChangedEntry => entry.undo.kind === 'put-back';

/** Current changes, newest first: everywhere, or by one session. */
export const changedNow = ({ journal }: Pick<Store, 'journal'>, sessionId?: number): ChangedEntry[] =>
  journal.open().filter((entry): entry is ChangedEntry => {
    return isChange(entry) && (sessionId === undefined || entry.sessionId === sessionId);
  });

/** Moved by its place together with a changed setting. */
export const isMoved = ({ undo }: ChangedEntry): boolean => undo.by !== undefined;

/** Open entries of the same place whose changes moved this one. */
export const moversOf = ({ undo, place, sessionId }: ChangedEntry, among: readonly ChangedEntry[]): ChangedEntry[] =>
  among.filter(
    (each) =>
      undo.by?.includes(each.what) === true &&
      each.sessionId === sessionId &&
      each.undo.changer === undo.changer &&
      each.place.kind === place.kind &&
      each.place.name === place.name,
  );

/** Key of a setting: equal for two settings of the same thing. */
export const thingKey = (changer: string, { kind, name }: ChangePlace, what: string): string =>
  JSON.stringify([changer, kind, name, what]);

export const keyOfEntry = ({ undo, place, what }: ChangedEntry): string => thingKey(undo.changer, place, what);

export const toRestore = ({ what, undo }: ChangedEntry): SettingToRestore => ({
  what,
  how: undo.how,
  first: undo.first,
});

/** The first value of the entry as a desired setting; an unset value has no text. */
export const settingOf = ({ what, undo, place }: ChangedEntry): DesiredSetting => ({
  changer: undo.changer,
  place,
  what,
  value: undo.first.value ?? '',
  ...(undo.how && { how: undo.how }),
});

export const undoOf = ({ changer, how }: DesiredSetting, first: Found): Undo => ({
  kind: 'put-back',
  changer,
  first,
  ...(how && { how }),
});

/** Things of one place and one changer, in order. */
export interface Group<Thing> {
  readonly place: ChangePlace;
  readonly changer: string;
  readonly things: readonly Thing[];
}

export function grouped<Thing>(
  things: readonly Thing[],
  of: (thing: Thing) => { place: ChangePlace; changer: string },
): Group<Thing>[] {
  const groups = new Map<string, { place: ChangePlace; changer: string; things: Thing[] }>();
  for (const thing of things) {
    const { place, changer } = of(thing);
    const key = thingKey(changer, place, '');
    const group = groups.get(key) ?? { place, changer, things: [] };
    groups.set(key, group);
    group.things.push(thing);
  }
  return [...groups.values()];
}
