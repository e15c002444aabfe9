import { z } from 'zod';
import type { DesiredSetting, How } from './change.ts';
import type { StepDraft } from './factor.ts';

/** Name of the changer for hosts. */
export const HOST_CHANGER = 'host-setting';

/** Name of the setting for custom commands. */
export const COMMANDS = 'commands';

const TARGET = 'target';
const GENERATORS = 'generators';

const command = (title: string, description: string) =>
  z.string().min(1).max(10_000).optional().meta({ title, description, multiline: true });

/** Fields of a factor whose levels are set by custom commands on hosts. */
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

/** A factor's commands in the form that the journal stores. */
export function commandsOf({ apply, read, undo }: { apply?: string; read?: string; undo?: string }): How {
  return { setting: COMMANDS, ...(apply && { apply }), ...(read && { read }), ...(undo && { undo }) };
}

/** Name of a factor's commands in facts and in the journal. */
export const commandsName = (factor: string): string => `${COMMANDS} ${factor}`;

/** Places where a setting is changed in a cell. Without a saved target, the generators themselves are driven. */
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

/** Whether the place is the server's own. Pinning makes no sense anywhere else. */
export const isOnTarget = (on: string): boolean => on === TARGET;

/** Settings of a cell, each once: later ones replace earlier ones. */
export function withSettings({ settings }: StepDraft, more: readonly DesiredSetting[]): readonly DesiredSetting[] {
  const key = ({ changer, place, what }: DesiredSetting): string =>
    JSON.stringify([changer, place.kind, place.name, what]);
  const anew = new Set(more.map(key));
  return [...settings.filter((setting) => !anew.has(key(setting))), ...more];
}
