import { isSameSetting } from '../../../../shared/util/setting-value.ts';
import type { VariedSetting } from '../../targets/target.ts';
import type { At } from '../change.ts';
import type { First } from './first.ts';
import { isStartable, knowledgeOf } from './place.ts';

/** Lines of the settings file, a name with undefined for one that must not stand there. */
type Lines = Readonly<Record<string, string | undefined>>;

const linesFor = (at: At, name: string, value: string): Lines =>
  knowledgeOf(at)?.lines?.(name, value) ?? { [name]: value };

/** What stands in the settings file, if any of the settings is kept there; nothing where there is none. */
export async function fileContent(
  at: At,
  settings: readonly (VariedSetting | undefined)[],
): Promise<Readonly<Record<string, string>>> {
  if (!isStartable(at) || !settings.some((setting) => setting?.keptIn === 'file')) return {};
  return (await at.server().settingsFile?.read()) ?? {};
}

/** Of what stands in the file, the lines of one setting. */
export const ownLines = (
  at: At,
  { name, value }: Pick<VariedSetting, 'name' | 'value'>,
  content: Readonly<Record<string, string>>,
): Record<string, string> => {
  const names = Object.keys(linesFor(at, name, value));
  return Object.fromEntries(Object.entries(content).filter(([line]) => names.includes(line)));
};

/** What its lines say where that is not the value that counts. */
export function saidInFile(
  at: At,
  setting: VariedSetting,
  lines: Readonly<Record<string, string>>,
): string | undefined {
  const said = Object.entries(lines);
  if (setting.keptIn !== 'file' || said.length === 0) return undefined;
  const asNow = linesFor(at, setting.name, setting.value);
  const isAsNow = said.every(([line, text]) => asNow[line] !== undefined && isSameSetting(text, asNow[line] ?? ''));
  return isAsNow
    ? undefined
    : said.map(([line, text]) => (line === setting.name ? text : `${line} = ${text}`)).join(', ');
}

async function edit(at: At, changes: readonly Lines[]): Promise<void> {
  // A server whose place nobody has said keeps nothing in a file of ours.
  const file = at.target().server && at.server().settingsFile;
  if (!file || changes.length === 0) return;
  const content: Record<string, string | undefined> = { ...(await file.read()) };
  for (const lines of changes) Object.assign(content, lines);
  const kept = Object.entries(content).filter((entry): entry is [string, string] => entry[1] !== undefined);
  await file.write(Object.fromEntries(kept));
}

/** Writes values that count from the next start on. */
export const writeValues = (at: At, values: ReadonlyMap<string, string>): Promise<void> =>
  edit(
    at,
    [...values].map(([name, value]) => linesFor(at, name, value)),
  );

/** Makes the lines of settings what they were first. */
export const putLinesBack = (at: At, first: readonly First[]): Promise<void> =>
  edit(
    at,
    first
      .filter(({ keptIn }) => keptIn === 'file')
      .map(({ name, value, lines }) => {
        const none = Object.fromEntries(Object.keys(linesFor(at, name, value)).map((line) => [line, undefined]));
        return { ...none, ...lines };
      }),
  );
