import type { Changer, How } from '../change.ts';
import { COMMANDS, HOST_CHANGER } from '../host-commands.ts';
import { commandsThing } from './commands.ts';
import { settingNamed } from './settings/index.ts';
import { settingThing, type Thing } from './thing.ts';

/** The journal of another version may name a setting that this one does not have. */
function thingOf({ setting = '' }: How): Thing {
  if (setting === COMMANDS) return commandsThing;
  const known = settingNamed(setting);
  if (!known) throw new TypeError(`This version of Kneepoint knows no setting of a host named “${setting}”.`);
  return settingThing(known);
}

/** Settings of hosts, and commands of a person. Each setting is changed by itself: none of them needs a restart. */
export const hostSettingChanger: Changer = {
  name: HOST_CHANGER,
  examine: (at, wishes) => inTurn(wishes, (wish) => thingOf(wish.how ?? {}).examine(at, wish, wish.how ?? {})),
  read: (at, wishes) => inTurn(wishes, ({ how = {} }) => thingOf(how).read(at, how)),
  isSo: ({ value, how = {} }, found) => thingOf(how).isSo(value, found, how),
  async apply(at, changes) {
    await inTurn(changes, ({ wish: { value, how = {} }, first }) => thingOf(how).apply(at, value, first, how));
  },
  async restore(at, things) {
    // The other way round, where one of them has changed what another one sees.
    await inTurn(things.toReversed(), ({ first, how = {} }) => thingOf(how).restore(at, first, how));
  },
};

async function inTurn<T, Result>(each: readonly T[], act: (one: T) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (const one of each) results.push(await act(one));
  return results;
}
