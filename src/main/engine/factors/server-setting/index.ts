import { z } from 'zod';
import { CHANGE_COSTS, type ChangeCost, Scalar } from '../../../../shared/model/factor.ts';
import { TARGETS, targetByKind } from '../../targets/index.ts';
import type { VariedSetting } from '../../targets/target.ts';
import { defineFactor, levelNamed } from '../factor.ts';
import { SETTING_CHANGER } from './changer.ts';
import { checkLevels, keyOf, type LevelSettings, namesOf, settingsOf } from './levels.ts';

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
const isServer = (kind: string): boolean => targetByKind(kind).tells?.includes('sessions') ?? false;

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
          complain(['on'], `${tool.title} drives no server: name the target whose server has the setting.`);
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
