import { z } from 'zod';
import { Scalar } from '../../../../shared/model/experiment.ts';
import type { Factor } from '../../../../shared/model/factor.ts';
import type { DesiredSetting, How } from '../change.ts';
import { COMMANDS, commandFields, commandsName, commandsOf, HOST_CHANGER } from '../host-commands.ts';
import { SETTINGS, settingNamed } from './settings/index.ts';
import type { HostSetting } from './settings/setting.ts';

const names = SETTINGS.map(({ name, of }) => (of ? `${name} (of ${of.title})` : name)).join(', ');

export const fields = z.strictObject({
  setting: z
    .enum([...SETTINGS.map(({ name }) => name), COMMANDS])
    .optional()
    .meta({
      title: 'Setting',
      description: `Setting whose values are the plain levels: ${names}; ${COMMANDS} for custom commands.`,
      choices: Object.fromEntries(SETTINGS.map(({ name, title, description }) => [name, `${title}. ${description}`])),
      /** Objects of settings that do not belong to the whole host. */
      belongsTo: Object.fromEntries(
        SETTINGS.flatMap(({ name, of }) => (of ? [[name, `${of.title}, such as ${of.example}`]] : [])),
      ),
      /** Common values, by setting. */
      suggests: Object.fromEntries(SETTINGS.flatMap(({ name, suggests }) => (suggests ? [[name, suggests]] : []))),
    }),
  of: z.string().min(1).max(1000).optional().meta({
    title: 'Of',
    description: 'Object of the setting: a kernel parameter, a device, a network interface, a mount point.',
  }),
  ...commandFields,
});
export type Fields = z.output<typeof fields>;

export const level = z.strictObject({
  set: z.record(z.string().max(1100), Scalar).meta({
    title: 'Settings',
    description:
      'Settings by name, with their object after a space: “sysctl vm.swappiness”. Other settings stay unchanged.',
  }),
});

/** A setting of a host, with what it belongs to. */
export interface Named {
  readonly setting: HostSetting;
  readonly of: string;
}

/** Devices are named with or without their folder. */
const plainOf = (of: string): string => of.replace(/^\/dev\//, '');

/** “read-ahead nvme0n1” → the setting and its object, or a text with the problem. */
export function readNamed(name: string, of: string): Named | string {
  const setting = settingNamed(name);
  if (!setting)
    return `there is no host setting named “${name}”. Known: ${SETTINGS.map((known) => known.name).join(', ')}.`;
  if (!setting.of) return of === '' ? { setting, of } : `${name} applies to the whole host and takes no object.`;
  const { title, example, pattern, optional } = setting.of;
  if (of === '') return optional ? { setting, of } : `${name} needs ${title}, such as ${example}.`;
  return pattern.test(of) ? { setting, of: plainOf(of) } : `“${of}” is not ${title}, such as ${example}.`;
}

/** Parses the name of a setting in a set: a blank separates it from what it belongs to. */
export function readKey(key: string): Named | string {
  const [, name = '', of = ''] = /^(\S+)(?:\s+(.+))?$/.exec(key.trim()) ?? [];
  return readNamed(name, of);
}

export const keyOf = ({ setting, of }: Named): string => (of === '' ? setting.name : `${setting.name} ${of}`);

const howOf = ({ setting, of }: Named): How => ({ setting: setting.name, ...(of !== '' && { of }) });

/** A setting that a level sets, with its value. Levels and fields have been checked. */
export interface Wanted {
  readonly what: string;
  readonly how: How;
  readonly value: string;
  readonly ofServer: boolean;
}

export function wantedOf(
  factor: Factor,
  { setting, of = '', apply, read, undo }: Fields,
  at: Factor['levels'][number],
): Wanted[] {
  if (typeof at === 'object') {
    const { set } = level.parse({ set: at.set });
    return Object.entries(set).flatMap(([key, value]) => wanted(readKey(key), value));
  }
  if (setting !== COMMANDS) return wanted(readNamed(setting ?? '', of), at);
  const how = commandsOf({ ...(apply && { apply }), ...(read && { read }), ...(undo && { undo }) });
  return [{ what: commandsName(factor.name), how, value: String(at), ofServer: false }];
}

const wanted = (named: Named | string, value: Scalar): Wanted[] =>
  typeof named === 'string'
    ? []
    : [{ what: keyOf(named), how: howOf(named), value: String(value), ofServer: named.setting.ofServer === true }];

export const desiredSetting = (place: DesiredSetting['place'], { what, how, value }: Wanted): DesiredSetting => ({
  changer: HOST_CHANGER,
  place,
  what,
  value,
  how,
});
