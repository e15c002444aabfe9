import type { VariedSetting } from '../../targets/target.ts';
import type { Found, How } from '../change.ts';

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
