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
      'target: the server host, or the generators if the workload has no saved target. generators: every generator. Otherwise the name of a saved host.',
  }),
  apply: command(
    'Apply',
    'For commands: applies a level, passed as $level. $first is the original value printed by “read”.',
  ),
  read: command('Read', 'For commands: prints the current level. Without it, levels cannot be verified.'),
  undo: command(
    'Undo',
    'For commands: restores the original value, passed as $first. Must be safe to run more than once. Without it, the session starts only if you allow that.',
  ),
  'only-reads': z.string().max(2000).optional().meta({
    title: 'Read-only devices',
    description:
      'Block devices that the commands name but do not overwrite, separated by spaces. Commands of a factor cannot overwrite devices: that takes a tool step with the option “overwrites”, which asks for confirmation.',
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
  const replaced = new Set(more.map(key));
  return [...settings.filter((setting) => !replaced.has(key(setting))), ...more];
}
