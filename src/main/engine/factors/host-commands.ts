import { z } from 'zod';
import type { DesiredSetting, How } from './change.ts';
import type { StepDraft } from './factor.ts';

/** Name of the changer that changes hosts. */
export const HOST_CHANGER = 'host-setting';

/** Name of the setting that commands of a person stand for. */
export const COMMANDS = 'commands';

const TARGET = 'target';
const GENERATORS = 'generators';

const command = (title: string, description: string) =>
  z.string().min(1).max(10_000).optional().meta({ title, description, multiline: true });

/** Fields of a factor whose levels are set by commands of a person on hosts. */
export const commandFields = {
  on: z.string().min(1).max(200).default(TARGET).meta({
    title: 'On',
    description:
      'target: the host of the server, or the generators where the workload has no saved target. generators: every generator. Else the name of a saved host.',
  }),
  apply: command(
    'Apply',
    'For commands: sets a level, which it has as $level. $first is what “read” printed at first.',
  ),
  read: command('Read', 'For commands: prints the level that is in effect. Without it nothing can be verified.'),
  undo: command(
    'Undo',
    'For commands: restores the earlier value, which it gets as $first, and may be run more than once. Without it the session starts only when that is allowed.',
  ),
  'only-reads': z.string().max(2000).optional().meta({
    title: 'Devices it only reads',
    description:
      'Block devices that the commands name and overwrite nothing on, with blanks between. These commands may overwrite none: only steps of a tool with the option “overwrites” are asked about first.',
  }),
};

/** What commands of a factor do, as the journal keeps it. */
export function commandsOf({ apply, read, undo }: { apply?: string; read?: string; undo?: string }): How {
  return { setting: COMMANDS, ...(apply && { apply }), ...(read && { read }), ...(undo && { undo }) };
}

/** What the commands of the factor of this name set, as facts and journal call it. */
export const commandsName = (factor: string): string => `${COMMANDS} ${factor}`;

/** Where a setting is changed in a cell. Without a saved target, what is driven is the generator itself. */
export function hostPlaces(
  on: string,
  ofServer: boolean,
  { target, generators }: StepDraft,
): DesiredSetting['place'][] {
  const hosts = generators.map((name) => ({ kind: 'host' as const, name }));
  if (on === GENERATORS) return hosts;
  if (on !== TARGET) return [{ kind: 'host', name: on }];
  if (target === undefined) return hosts;
  return [{ kind: ofServer ? 'server' : 'host-of-server', name: target }];
}

/** Whether the place is the server's own: pinning means nothing anywhere else. */
export const isOnTarget = (on: string): boolean => on === TARGET;

/** The settings of a cell, each thing once: what comes later counts. */
export function withSettings({ settings }: StepDraft, more: readonly DesiredSetting[]): readonly DesiredSetting[] {
  const key = ({ changer, place, what }: DesiredSetting): string =>
    JSON.stringify([changer, place.kind, place.name, what]);
  const anew = new Set(more.map(key));
  return [...settings.filter((setting) => !anew.has(key(setting))), ...more];
}
