import { KneepointError, problemOf } from '../../../../shared/model/problem.ts';
import { holdsSecret, isSameSetting } from '../../../../shared/util/setting-value.ts';
import type { SettingsControl, VariedSetting } from '../../targets/target.ts';
import type { AffectedSetting, At, Change, Changer, Found } from '../change.ts';
import { examine } from './examine.ts';
import { fileContent, ownLines, restoreLines, rewriteLines, valueInFile, writeValues } from './file.ts';
import { controlled, type First, firstOf, foundOf, isDown, isUp } from './place.ts';
import { restartFor, restartKeeping, restoreWhileDown } from './restart.ts';

export const SETTING_CHANGER = 'server-setting';

function notThere(at: At, name: string): KneepointError {
  return new KneepointError({
    code: 'change-not-possible',
    message: `The server of target “${at.place.name}” has no setting named “${name}”, or does not show it to the account of the target.`,
    target: at.place.name,
    next: 'Correct the name. The page of the target lists the settings of its server.',
  });
}

/** Throws `change-not-possible` if the server does not have a setting, or if it holds a secret. */
async function readSettings(at: At, control: SettingsControl, names: readonly string[]): Promise<VariedSetting[]> {
  const found = await control.look(names);
  return names.map((name, index) => {
    const setting = found[index];
    if (!setting) throw notThere(at, name);
    if (!holdsSecret(name, setting.value)) return setting;
    throw new KneepointError({
      code: 'change-not-possible',
      message: `“${name}” of target “${at.place.name}” holds a secret, so it is neither stored nor shown, and could not be restored.`,
      target: at.place.name,
      safe: 'Nothing was changed.',
      next: 'Vary another setting.',
    });
  });
}

/**
 * A server that is down was interrupted during a restart, so it is started. Throws `server-not-back` if it does not start: restoring helps
 * then.
 */
async function settingsNow(at: At, names: readonly string[]): Promise<VariedSetting[]> {
  const look = (): Promise<VariedSetting[]> => controlled(at, (control) => readSettings(at, control, names));
  try {
    return await look();
  } catch (error) {
    if (!(await isDown(at, error))) throw error;
    await at.server().start(at.signal);
    return look();
  }
}

async function read(at: At, names: readonly string[]): Promise<Found[]> {
  const settings = await settingsNow(at, names);
  const content = await fileContent(at, settings);
  return settings.map((setting) => {
    const lines = ownLines(at, setting, content);
    return foundOf(setting, lines, valueInFile(at, setting, lines));
  });
}

function refuseObstacles(at: At, settings: readonly VariedSetting[]): void {
  for (const { name, effect, obstacle } of settings) {
    if (effect !== 'fixed' && !obstacle) continue;
    throw new KneepointError({
      code: 'change-not-possible',
      message: obstacle?.message ?? `“${name}” is built into the server and cannot be changed.`,
      target: at.place.name,
      safe: 'Nothing was changed.',
      ...(obstacle && { next: obstacle.next }),
    });
  }
}

async function apply(at: At, changes: readonly Change[], alreadySet: readonly Change[] = []): Promise<void> {
  const both = [...changes, ...alreadySet];
  const settings = await controlled(at, (control) =>
    readSettings(
      at,
      control,
      both.map(({ setting: desired }) => desired.what),
    ),
  );
  refuseObstacles(at, settings.slice(0, changes.length));
  // In the server's own spelling, the only one that settings files accept.
  const values = settings.map(({ name, keptIn }, index) => ({ name, keptIn, value: both[index]?.setting.value ?? '' }));
  const changed = values.slice(0, changes.length);
  const fromStart = changes.filter((_, index) => settings[index]?.effect === 'restart');
  const set = async (place: VariedSetting['keptIn'], from: typeof values): Promise<void> => {
    const kept = new Map(from.flatMap(({ name, keptIn, value }) => (keptIn === place ? [[name, value] as const] : [])));
    if (kept.size > 0) await controlled(at, (control) => control.set(kept));
  };
  await set('server', changed);
  if (fromStart.length > 0) {
    await restartKeeping(
      at,
      values.map(({ name }) => name),
      async () => {
        await writeValues(at, values);
        await restartFor(at, changes);
      },
    );
  } else await rewriteLines(at, changed);
  await set('memory', fromStart.length > 0 ? values : changed);
}

async function restore(at: At, first: readonly First[]): Promise<void> {
  const names = first.map(({ name }) => name);
  if (!(await isUp(at))) {
    await restoreWhileDown(at, first);
    await at.server().restart(at.signal);
  }
  const own = first.filter(({ keptIn }) => keptIn === 'server');
  if (own.length > 0) await restoreEach(at, own);
  const now = await controlled(at, (control) => control.look(names));
  const isOther = ({ effect, value }: First, index: number): boolean =>
    effect === 'restart' && !isSameSetting(value, now[index]?.value ?? '');
  if (first.some(isOther)) {
    await restartKeeping(at, names, async () => {
      await restoreLines(at, first);
      await at.server().restart(at.signal);
    });
  } else await restoreLines(at, first);
  const inMemory = first.filter(({ keptIn }) => keptIn === 'memory');
  if (inMemory.length > 0) await restoreEach(at, inMemory);
}

/** A refused one does not prevent the others. One that moves another when it is set has that one set again. */
async function restoreEach(at: At, first: readonly First[]): Promise<void> {
  const refused: unknown[] = [];
  const restoreNow = async (things: readonly First[]): Promise<void> => {
    try {
      await controlled(at, (control) => control.restore(things));
    } catch (error) {
      if (problemOf(error).code !== 'change-refused') throw error;
      if (things.length === 1) refused.push(error);
      else for (const thing of things) await restoreNow([thing]);
    }
  };
  const differing = async (): Promise<First[]> => {
    const now = await controlled(at, (control) => control.look(first.map(({ name }) => name)));
    return first.filter(({ value }, index) => !isSameSetting(value, now[index]?.value ?? ''));
  };
  await restoreNow(first);
  const others = first.length > 1 || refused.length > 0 ? await differing() : [];
  if (others.length === 0) return;
  refused.length = 0;
  await restoreNow(others);
  if (refused[0] !== undefined && (await differing()).length > 0) throw refused[0];
}

async function otherSettings(at: At, names: readonly string[]): Promise<AffectedSetting[]> {
  const desired = new Set(names.map((name) => name.toLowerCase()));
  const all = await controlled(at, (control) => control.changeable());
  return all
    .filter(({ name, value }) => !desired.has(name.toLowerCase()) && !holdsSecret(name, value))
    .map((setting): AffectedSetting => {
      const { value, how } = foundOf({ ...setting, pending: undefined }, {});
      const { name, obstacle } = setting;
      return {
        what: name,
        value: value ?? '',
        ...(how && { undo: how }),
        ...(obstacle && { stuck: obstacle.message }),
      };
    });
}

/** Settings of servers, by name. Kinds of target define the differences between products. */
export const settingChanger: Changer = {
  name: SETTING_CHANGER,
  examine,
  read: (at, desired) =>
    read(
      at,
      desired.map(({ what }) => what),
    ),
  matches: ({ value: wanted }, value) => value !== null && isSameSetting(wanted, value),
  ofTables: (at, desired, tables) =>
    controlled(at, async (control) => {
      const names = desired.map(({ what }) => what);
      return control.ofTables(names, tables);
    }),
  affected: (at, desired) =>
    otherSettings(
      at,
      desired.map(({ what }) => what),
    ),
  isJoint: ({ first }) => firstOf('', first).effect === 'restart',
  apply,
  restore: (at, things) =>
    restore(
      at,
      things.map(({ what, first }) => firstOf(what, first)),
    ),
};
