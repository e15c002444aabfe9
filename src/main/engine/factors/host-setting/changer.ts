import { KneepointError } from '../../../../shared/model/problem.ts';
import type { AffectedSetting, At, Changer, DesiredSetting, How, SettingToRestore } from '../change.ts';
import { COMMANDS, HOST_CHANGER } from '../host-commands.ts';
import { commandsThing } from './commands.ts';
import { keyOf } from './document.ts';
import { affectedFiles } from './on-host.ts';
import { settingNamed } from './settings/index.ts';
import { readPrinted } from './settings/setting.ts';
import { settingThing, type Thing } from './thing.ts';

/** Maximum number of passes to restore settings, repeated while one moves another. */
const ROUNDS = 3;

/** The journal of another version may name a setting that this version does not have. */
function thingOf({ setting = '' }: How): Thing {
  if (setting === COMMANDS) return commandsThing;
  const known = settingNamed(setting);
  if (!known) throw new TypeError(`This version of Kneepoint knows no setting of a host named “${setting}”.`);
  return settingThing(known);
}

/** Settings of hosts and custom commands. Each is changed on its own: none needs a restart. */
export const hostSettingChanger: Changer = {
  name: HOST_CHANGER,
  examine: (at, desired) => sequentially(desired, (each) => thingOf(each.how ?? {}).examine(at, each, each.how ?? {})),
  read: (at, desired) => sequentially(desired, ({ how = {} }) => thingOf(how).read(at, how)),
  matches: ({ value, how = {} }, found) => thingOf(how).matches(value, found, how),
  affected: async (at, desired) => (await sequentially(desired, (each) => affectedBy(at, each))).flat(),
  async apply(at, changes) {
    await sequentially(changes, ({ setting: { value, how = {} }, first }) => thingOf(how).apply(at, value, first, how));
  },
  async restore(at, things) {
    let left: readonly SettingToRestore[] = things.toReversed();
    for (let round = 1; left.length > 0; round += 1) {
      const refused = (await sequentially(left, (thing) => refusalOf(at, thing))).filter((each) => each !== undefined);
      // Some values are accepted only after another one is restored, and restoring that one may have moved an earlier one.
      left = things.length > 1 ? await stillOther(at, things) : refused.map(({ thing }) => thing);
      const isLast = round === ROUNDS || things.length === 1;
      const final = refused.find(({ thing }) => isCommands(thing) || (isLast && left.includes(thing)));
      if (final) throw final.error;
      if (isLast) return;
    }
  },
};

async function affectedBy(at: At, { what, how = {} }: DesiredSetting): Promise<AffectedSetting[]> {
  const { setting: name = '', of = '' } = how;
  const setting = settingNamed(name);
  if (!setting?.affected) return [];
  const files = await affectedFiles(at.machine(), setting, { of, value: '' }, at.signal);
  return files.flatMap(({ path, text }): AffectedSetting[] => {
    const neighbour = setting.affected?.named(path, of);
    const own = neighbour && settingNamed(neighbour.setting);
    const key = own && neighbour && keyOf({ setting: own, of: neighbour.of });
    if (!own || !neighbour || key === undefined || key === what) return [];
    const printed = text.split('\n').map((line) => `value ${line}`);
    const value = own.read(readPrinted(printed.join('\n')), neighbour.of)?.value;
    const { stuck } = neighbour;
    const how = { setting: own.name, of: neighbour.of, moved: 'yes' };
    return value === undefined ? [] : [{ what: key, value, how, ...(stuck !== undefined && { stuck }) }];
  });
}

/** Undefined if it was restored, or had never changed. */
async function refusalOf(
  at: At,
  thing: SettingToRestore,
): Promise<{ thing: SettingToRestore; error: KneepointError } | undefined> {
  const { first, how = {} } = thing;
  try {
    await thingOf(how).restore(at, first, how);
    return undefined;
  } catch (error) {
    if (error instanceof KneepointError && REFUSED.includes(error.code)) return { thing, error };
    throw error;
  }
}

const REFUSED: readonly string[] = ['change-refused', 'change-not-possible'];

/** Commands run only once. */
const isCommands = ({ how }: SettingToRestore): boolean => how?.setting === COMMANDS;

async function stillOther(at: At, things: readonly SettingToRestore[]): Promise<SettingToRestore[]> {
  const settings = things.filter((thing) => !isCommands(thing)).toReversed();
  const now = await sequentially(settings, ({ how = {} }) => thingOf(how).read(at, how));
  return settings.filter(({ first: { value }, how = {} }, index) => {
    const found = now[index]?.value ?? null;
    return value !== null && found !== value && !thingOf(how).matches(value, found, how);
  });
}

async function sequentially<T, Result>(each: readonly T[], act: (one: T) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (const one of each) results.push(await act(one));
  return results;
}
