import { type Factor, type Level, levelName } from '../../../../shared/model/factor.ts';
import { holdsSecret, settingMeasure } from '../../../../shared/util/setting-value.ts';
import type { Complain } from '../factor.ts';

/** Values of a level by setting name; null for the original value. */
export type LevelSettings = Readonly<Record<string, string | null>>;

/** Booleans of a document in the servers' spelling. */
const words = (value: unknown): string | null =>
  value === null ? null : value === true ? 'on' : value === false ? 'off' : String(value);

/** Settings of a level; a plain level is the value of the factor's setting. Levels have passed the schema. */
export function settingsOf(level: Level, setting: string | undefined): LevelSettings {
  if (typeof level !== 'object') return setting === undefined ? {} : { [setting]: words(level) };
  return Object.fromEntries(Object.entries(level.set ?? {}).map(([name, value]) => [name, words(value)]));
}

/** Every setting named by a level, in document order. */
export const namesOf = (levels: readonly Level[], setting: string | undefined): string[] => [
  ...new Set(levels.flatMap((level) => Object.keys(settingsOf(level, setting)))),
];

/** Equal for levels that set the same: 1G and 1024M. */
export function keyOf(level: Level, setting: string | undefined): string {
  const values = Object.entries(settingsOf(level, setting)).map(([name, value]) => {
    const measure = value === null ? undefined : settingMeasure(value);
    const same = measure ? `${measure.of === 'time' ? 'time ' : ''}${measure.amount}` : value?.toLowerCase();
    return [name, same ?? null];
  });
  return JSON.stringify(values.sort());
}

const NAME = /^[A-Za-z_][A-Za-z0-9_$]*(?:[.-][A-Za-z0-9_$]+)*$/;
const LONGEST = 100;

/** Reports problems of a factor's levels that are known without asking a server. */
export function checkLevels({ levels }: Factor, setting: string | undefined, complain: Complain): void {
  const all = namesOf(levels, setting);
  levels.forEach((level, index) => {
    const path = ['levels', index];
    if (typeof level !== 'object' && setting === undefined)
      complain(path, 'plain levels need the name of their setting: “setting: work_mem”.');
    if (typeof level === 'object' && setting !== undefined)
      complain(
        path,
        'the factor names a single setting, so its levels are plain values. Omit “setting” to set several.',
      );
    if (typeof level !== 'object' || setting !== undefined) return;
    const own = settingsOf(level, setting);
    const missing = all.filter((name) => !Object.hasOwn(own, name));
    if (missing.length > 0)
      complain(
        [...path, 'set'],
        `level “${levelName(level)}” does not set ${missing.join(', ')}, which another level sets. All levels name the same settings; null keeps the original value.`,
      );
    if (Object.keys(own).length === 0) complain([...path, 'set'], 'choose a setting.');
  });
  checkNames(levels, setting, complain);
}

function checkNames(levels: readonly Level[], setting: string | undefined, complain: Complain): void {
  if (setting !== undefined && !isName(setting)) complain(['setting'], `“${setting}” is not a name of a setting.`);
  levels.forEach((level, index) => {
    for (const [name, value] of Object.entries(settingsOf(level, setting))) {
      const path = ['levels', index, ...(typeof level === 'object' ? ['set', name] : [])];
      if (typeof level === 'object' && !isName(name)) complain(path, `“${name}” is not a name of a setting.`);
      if (/\p{Cc}/u.test(value ?? '')) complain(path, 'a value is one line without control characters.');
      if (holdsSecret(name, value ?? ''))
        complain(
          path,
          `“${name}” holds a secret, and levels are shown with every result. Set it on the server itself.`,
        );
    }
  });
}

const isName = (name: string): boolean => name.length <= LONGEST && NAME.test(name);
