import type { Experiment } from '../../../../../../shared/model/experiment.ts';
import type { CommandMonitor, Monitors, StatementMonitor } from '../../../../../../shared/model/monitors.ts';

/** Watched every second unless the document turns it off. */
export const SWITCHES = ['generators', 'place', 'server'] as const satisfies readonly (keyof Monitors)[];

/** On by default. */
export type Switched = (typeof SWITCHES)[number] | 'sizes';

export const isWatched = (monitors: Monitors | undefined, what: Switched): boolean => monitors?.[what] ?? true;

/** The document with this change; defaults are omitted. */
export function withMonitors(experiment: Experiment, change: Partial<Monitors>): Experiment {
  const { monitors: before, ...rest } = experiment;
  const all = Object.entries({ ...before, ...change }).filter(
    ([, value]) => value !== undefined && value !== true && !(Array.isArray(value) && value.length === 0),
  );
  return all.length > 0 ? { ...rest, monitors: Object.fromEntries(all) as Monitors } : rest;
}

/** The list with the element at `index` replaced; undefined removes it. At the end of the list, it is added. */
export function replaced<T>(list: readonly T[], index: number, one: T | undefined): T[] {
  return one === undefined ? list.filter((_, place) => place !== index) : Object.assign([...list], { [index]: one });
}

const freeName = (word: string, taken: readonly { name: string }[]): string => {
  let number = taken.length + 1;
  while (taken.some(({ name }) => name === `${word} ${number}`)) number += 1;
  return `${word} ${number}`;
};

/** A valid statement to start from. */
export const newStatement = (others: readonly StatementMonitor[]): StatementMonitor => ({
  name: freeName('statement', others),
  statement: 'SELECT 1 AS one',
});
export const newCommand = (others: readonly CommandMonitor[]): CommandMonitor => ({
  name: freeName('command', others),
  command: 'while sleep 1; do cat /proc/loadavg; done',
  pattern: '^(?P<load>[0-9.]+)',
});

/** Names of the groups of a pattern: its series. */
export const groupsIn = (pattern: string): string[] => [
  ...new Set([...pattern.matchAll(/\(\?P?<([A-Za-z_]\w*)>/g)].map(([, name = '']) => name)),
];

/** Sets the unit of an existing group; without one a series has no unit. */
export function withUnit({ units, ...monitor }: CommandMonitor, group: string, unit: string): CommandMonitor {
  const all = Object.entries({ ...units, [group]: unit.trim() }).filter(
    ([name, word]) => word !== '' && groupsIn(monitor.pattern).includes(name),
  );
  return { ...monitor, ...(all.length > 0 && { units: Object.fromEntries(all) }) };
}
