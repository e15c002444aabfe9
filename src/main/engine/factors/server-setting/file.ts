import { problemOf } from '../../../../shared/model/problem.ts';
import { isSameSetting } from '../../../../shared/util/setting-value.ts';
import type { VariedSetting } from '../../targets/target.ts';
import type { At } from '../change.ts';
import { type First, isStartable, settingsReference } from './place.ts';

/** Lines of the settings file by name; undefined for a line to be removed. */
type Lines = Readonly<Record<string, string | undefined>>;

type Kept = Pick<VariedSetting, 'name' | 'value' | 'keptIn'>;

/** Settings stored by the server itself have no lines. */
function linesFor(at: At, { name, value, keptIn }: Kept): Lines {
  if (keptIn === 'file') return settingsReference(at)?.lines?.(name, value) ?? { [name]: value };
  return keptIn === 'memory' ? (settingsReference(at)?.linesInMemory?.(name, value) ?? {}) : {};
}

/** Content of the settings file if any of the settings is stored there, else empty. */
export async function fileContent(
  at: At,
  settings: readonly (VariedSetting | undefined)[],
): Promise<Readonly<Record<string, string>>> {
  if (!isStartable(at) || !settings.some((setting) => setting?.keptIn === 'file')) return {};
  return (await at.server().settingsFile?.read()) ?? {};
}

/** Lines of one setting in the content of the file. */
export const ownLines = (at: At, setting: Kept, content: Readonly<Record<string, string>>): Record<string, string> => {
  const names = Object.keys(linesFor(at, setting));
  return Object.fromEntries(Object.entries(content).filter(([line]) => names.includes(line)));
};

/** The value in a setting's lines, if it differs from the effective one. */
export function valueInFile(
  at: At,
  setting: VariedSetting,
  lines: Readonly<Record<string, string>>,
): string | undefined {
  const entries = Object.entries(lines);
  if (setting.keptIn !== 'file' || entries.length === 0) return undefined;
  const asNow = linesFor(at, setting);
  const isAsNow = entries.every(([line, text]) => asNow[line] !== undefined && isSameSetting(text, asNow[line] ?? ''));
  return isAsNow
    ? undefined
    : entries.map(([line, text]) => (line === setting.name ? text : `${line} = ${text}`)).join(', ');
}

async function edit(at: At, changes: readonly Lines[]): Promise<void> {
  // A server without a known place has no settings file of Kneepoint's.
  const file = at.target().server && at.server().settingsFile;
  if (!file || changes.length === 0) return;
  const before = await file.read();
  const content: Record<string, string | undefined> = { ...before };
  for (const lines of changes) Object.assign(content, lines);
  const kept = Object.entries(content).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const isAsBefore =
    kept.length === Object.keys(before).length && kept.every(([name, value]) => before[name] === value);
  if (!isAsBefore) await file.write(Object.fromEntries(kept));
}

/** Writes values that have to be in effect at the next start. */
export const writeValues = (at: At, values: readonly Kept[]): Promise<void> =>
  edit(
    at,
    values.map((kept) => linesFor(at, kept)),
  );

/** Rewrites values that need no start, if an earlier change has written lines for them. */
export async function rewriteLines(at: At, values: readonly Kept[]): Promise<void> {
  const lines = values.map((kept) => linesFor(at, kept)).filter((each) => Object.keys(each).length > 0);
  const file = lines.length > 0 ? at.target().server && at.server().settingsFile : undefined;
  if (!file) return;
  const content = await unlessForeign(() => file.read());
  const stale = lines.filter((each) => Object.keys(each).some((line) => content?.[line] !== undefined));
  await edit(at, stale);
}

/** Settings of the running server need no file: a file that is not Kneepoint's has no line for them. */
async function unlessForeign<T>(act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    if (problemOf(error).code !== 'change-not-possible') throw error;
    return undefined;
  }
}

/** Restores the first lines of settings. */
export async function restoreLines(at: At, first: readonly First[]): Promise<void> {
  const lines = first.map((each): Lines => {
    const none = Object.fromEntries(Object.keys(linesFor(at, each)).map((line) => [line, undefined]));
    return { ...none, ...each.lines };
  });
  const restoreNow = (): Promise<void> =>
    edit(
      at,
      lines.filter((each) => Object.keys(each).length > 0),
    );
  await (first.some(({ keptIn }) => keptIn === 'file') ? restoreNow() : unlessForeign(restoreNow));
}
