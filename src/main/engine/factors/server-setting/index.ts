import { z } from 'zod';
import {
  CHANGE_COSTS,
  type ChangeCost,
  type Factor,
  type Level,
  levelName,
  Scalar,
} from '../../../../shared/model/factor.ts';
import { holdsSecret, settingMeasure } from '../../../../shared/util/setting-value.ts';
import { TARGETS, targetByKind } from '../../targets/index.ts';
import type { VariedSetting } from '../../targets/target.ts';
import { type Complain, defineFactor, levelNamed } from '../factor.ts';
import { SETTING_CHANGER } from './changer.ts';

const fields = z.strictObject({
  setting: z.string().optional().meta({
    title: 'Setting',
    description:
      'Setting to vary, as the server names it; levels are its values. Without it, each level is a set of settings.',
  }),
  on: z.string().optional().meta({
    title: 'Target',
    description:
      'Server to change, if not the target of the cell: a pooler in front of it, or the database behind it. Default: the target of the cell.',
  }),
});

const level = z.strictObject({
  set: z.record(z.string(), z.union([Scalar, z.null()])).meta({
    title: 'Settings',
    description: 'Value of each setting. All levels name the same settings; null keeps the original value.',
  }),
});

const COSTS: Readonly<Record<VariedSetting['effect'], ChangeCost>> = {
  live: 'live',
  reload: 'reload',
  restart: 'restart',
  fixed: 'restart',
};

const dearest = (costs: readonly ChangeCost[]): ChangeCost =>
  costs.reduce((most, cost) => (CHANGE_COSTS.indexOf(cost) > CHANGE_COSTS.indexOf(most) ? cost : most), 'none');

/** The highest cost among all kinds of target that know the name. An unknown setting may take a restart. */
function costOf(name: string): ChangeCost {
  const known = TARGETS.flatMap(({ settings }) => settings?.effectOf(name) ?? []);
  return known.length === 0 ? 'restart' : dearest(known.map((effect) => COSTS[effect]));
}

const isForNewData = (name: string): boolean => TARGETS.some(({ settings }) => settings?.isForNewData(name));

/** Whether clients connect to it, unlike files and devices. */
const isServer = (kind: string): boolean => targetByKind(kind).describes?.includes('sessions') ?? false;

/** A factor whose levels are settings of a server. */
export const serverSettingFactor = defineFactor({
  kind: 'server-setting',
  title: 'Server setting',
  description:
    'Settings of a database server or pooler: one with its values as levels, or named sets of several. Applied before a trial, read back, and restored at the end.',
  changes: 'server',
  takes:
    'A statement, a reload or a restart, by setting; settings that need a restart share one. The plan shows how many.',
  undone:
    'Read back from the server before each trial; a different value fails the trial. The original values are restored at the end and read back again.',
  fields,
  level,
  plainLevels: true,
  example: [
    '{name: durability, kind: server-setting, levels: [',
    '  {name: safe, set: {innodb_flush_log_at_trx_commit: 1, sync_binlog: 1}},',
    '  {name: relaxed, set: {innodb_flush_log_at_trx_commit: 2, sync_binlog: 0}}]}',
  ].join('\n'),
  rules(factor, { setting, on }, tool) {
    const names = namesOf(factor.levels, setting);
    const valuesOf = (level: Scalar | undefined): LevelSettings => {
      const chosen = level === undefined ? undefined : levelNamed(factor, level);
      return chosen === undefined ? {} : settingsOf(chosen, setting);
    };
    return {
      // Servers ignore the case of names.
      varies: names.map((name) => name.toLowerCase()).map((name) => (on === undefined ? name : `${name} of ${on}`)),
      cost: dearest(names.map(costOf)),
      costOfMove(from, to) {
        const [before, after] = [valuesOf(from), valuesOf(to)];
        return dearest(names.filter((name) => (before[name] ?? null) !== (after[name] ?? null)).map(costOf));
      },
      levelKey: (each) => keyOf(each, setting),
      check(complain) {
        checkLevels(factor, setting, complain);
        if (on === undefined && !tool.drives.some(isServer))
          complain(['on'], `${tool.title} drives no server: choose the target whose server has the setting.`);
      },
      apply(step, name) {
        const place = { kind: 'server', name: on ?? step.target ?? '' } as const;
        const desired = Object.entries(valuesOf(name)).flatMap(([what, value]) =>
          value === null ? [] : [{ changer: SETTING_CHANGER, place, what, value }],
        );
        const kept = Object.entries(valuesOf(name)).filter(([what]) => isForNewData(what));
        const under = kept.map(([what, value]) => `${what} = ${value ?? 'as found'}`);
        const madeUnder = [...(step.madeUnder === undefined ? [] : [step.madeUnder]), ...under].join(', ');
        return { ...step, settings: [...step.settings, ...desired], ...(madeUnder !== '' && { madeUnder }) };
      },
    };
  },
});

/** Values of a level by setting name; null for the original value. */
type LevelSettings = Readonly<Record<string, string | null>>;

/** Booleans of a document in the servers' spelling. */
const words = (value: unknown): string | null =>
  value === null ? null : value === true ? 'on' : value === false ? 'off' : String(value);

/** Settings of a level; a plain level is the value of the factor's setting. Levels have passed the schema. */
function settingsOf(level: Level, setting: string | undefined): LevelSettings {
  if (typeof level !== 'object') return setting === undefined ? {} : { [setting]: words(level) };
  return Object.fromEntries(Object.entries(level.set ?? {}).map(([name, value]) => [name, words(value)]));
}

/** Every setting named by a level, in document order. */
const namesOf = (levels: readonly Level[], setting: string | undefined): string[] => [
  ...new Set(levels.flatMap((level) => Object.keys(settingsOf(level, setting)))),
];

/** Equal for levels that set the same: 1G and 1024M. */
function keyOf(level: Level, setting: string | undefined): string {
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
function checkLevels({ levels }: Factor, setting: string | undefined, complain: Complain): void {
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
