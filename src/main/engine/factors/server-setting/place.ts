import { KneepointError } from '../../../../shared/model/problem.ts';
import { isSilent, targetByKind } from '../../targets/index.ts';
import type { SettingsControl, SettingsKnowledge, TargetSession, VariedSetting } from '../../targets/target.ts';
import type { At, Found, How } from '../change.ts';

/** Why the settings of a server cannot be changed at all, as a sentence; undefined: they can. */
export const notVaried = (at: At): string =>
  `Kneepoint does not change settings of ${targetByKind(at.target().kind).title} servers.`;

/** A connection for the time of `use`, with the way to change settings on it. Throws `change-not-possible` for a kind without one. */
export function controlled<T>(
  at: At,
  use: (control: SettingsControl, session: TargetSession) => Promise<T>,
): Promise<T> {
  return at.connected(async (session) => {
    const control = await session.settingsControl?.();
    if (control) return use(control, session);
    throw new KneepointError({
      code: 'change-not-possible',
      message: notVaried(at),
      target: at.place.name,
      safe: 'Nothing was changed.',
      next: 'Give each value a server of its own, and vary the target.',
    });
  });
}

export const knowledgeOf = (at: At): SettingsKnowledge | undefined => targetByKind(at.target().kind).settings;

/** Whether Kneepoint can start and stop the server. */
export const isStartable = (at: At): boolean => {
  const place = at.target().server;
  return place !== undefined && place.control.kind !== 'none';
};

/**
 * Whether an error of a connection means that a server which Kneepoint can start is down: it may have been cut off between stop and start.
 * Throws what keeps us from asking.
 */
export async function isDown(at: At, error: unknown): Promise<boolean> {
  if (!isSilent(error) || !isStartable(at)) return false;
  return (await at.server().state(at.signal)) !== 'running';
}

/** Whether the server takes connections; false only for one that is down. Throws what else keeps us from it. */
export async function isUp(at: At): Promise<boolean> {
  try {
    await at.connected((session) => session.ping());
    return true;
  } catch (error) {
    if (await isDown(at, error)) return false;
    throw error;
  }
}

/*
 * What was there first goes through the journal as texts. A value that stands in a file and does not count yet is told with the value that
 * counts: only then is a change that was cut off before its restart seen as one.
 */

/** A setting as it was found before the first change. */
export interface First {
  readonly name: string;
  /** The value that counted. */
  readonly value: string;
  readonly keptIn: VariedSetting['keptIn'];
  readonly effect: VariedSetting['effect'];
  readonly undo: Readonly<Record<string, string>>;
  /** What stood in the settings file, by the names that this setting has there. */
  readonly lines: Readonly<Record<string, string>>;
}

const LINE = 'line ';
const UNDO = 'undo ';

const prefixed = (prefix: string, values: Readonly<Record<string, string>>): How =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [prefix + name, value]));

const withPrefix = (prefix: string, how: How): Record<string, string> =>
  Object.fromEntries(
    Object.entries(how).flatMap(([name, value]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [],
    ),
  );

/** `lines`: those of the setting that stand in the settings file now; `pending`: what they say, where it is another value. */
export function foundOf(
  { name, value, effect, keptIn, undo, pending }: VariedSetting,
  lines: Readonly<Record<string, string>>,
  inFile?: string,
): Found {
  const later = pending ?? inFile;
  return {
    value: later === undefined ? value : `${value} (${later} after a ${effect})`,
    how: { name, value, effect, keptIn, ...prefixed(UNDO, undo), ...prefixed(LINE, lines) },
  };
}

const EFFECTS: readonly VariedSetting['effect'][] = ['live', 'reload', 'restart', 'fixed'];
const KEEPERS: readonly VariedSetting['keptIn'][] = ['memory', 'server', 'file'];

/** `name`: as the document has it; the server's own spelling counts. */
export function firstOf(name: string, { value, how = {} }: Found): First {
  return {
    name: how.name ?? name,
    value: how.value ?? value ?? '',
    keptIn: KEEPERS.find((each) => each === how.keptIn) ?? 'memory',
    effect: EFFECTS.find((each) => each === how.effect) ?? 'restart',
    undo: withPrefix(UNDO, how),
    lines: withPrefix(LINE, how),
  };
}
