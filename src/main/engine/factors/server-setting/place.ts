import { KneepointError } from '../../../../shared/model/problem.ts';
import { isSilent, targetByKind } from '../../targets/index.ts';
import type { SettingsControl, SettingsReference, TargetSession, VariedSetting } from '../../targets/target.ts';
import type { At, Found, How } from '../change.ts';

/** The sentence for servers whose settings cannot be changed. */
export const notVaried = (at: At): string =>
  `Kneepoint does not change settings of ${targetByKind(at.target().kind).title} servers.`;

/** Opens a connection with settings control for the duration of `use`. Throws `change-not-possible` for a kind of target without one. */
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
      next: 'Run a separate server for each value, and vary the target.',
    });
  });
}

export const settingsReference = (at: At): SettingsReference | undefined => targetByKind(at.target().kind).settings;

/** Whether Kneepoint can start and stop the server. */
export const isStartable = (at: At): boolean => {
  const place = at.target().server;
  return place !== undefined && place.control.kind !== 'none';
};

/**
 * Whether a connection error means that a server which Kneepoint can start is down: it may have been interrupted between stop and start.
 * Throws if the state cannot be determined.
 */
export async function isDown(at: At, error: unknown): Promise<boolean> {
  if (!isSilent(error) || !isStartable(at)) return false;
  return (await at.server().state(at.signal)) !== 'running';
}

/** Whether the server accepts connections; false only if it is down. Throws any other error. */
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
 * The first values are stored in the journal as texts. A value in a file that is not in effect yet is reported together with the effective
 * value: otherwise a change that was interrupted before its restart would not be detected.
 */

/** A setting as it was found before the first change. */
export interface First {
  readonly name: string;
  /** The effective value. */
  readonly value: string;
  readonly keptIn: VariedSetting['keptIn'];
  readonly effect: VariedSetting['effect'];
  readonly undo: Readonly<Record<string, string>>;
  /** Lines of this setting in the settings file, by their names there. */
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

/** `lines` are those of the setting in the settings file; `inFile` is their value if it differs from the effective one. */
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

/** `name` is that of the document; the server's own spelling takes precedence. */
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
