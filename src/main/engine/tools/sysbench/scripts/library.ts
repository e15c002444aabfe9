import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LIBRARY_SCRIPTS, type LibraryScript } from './index.ts';
import { type LuaOption, readLua } from './lua-script.ts';

/** Files that library scripts load, including those loaded by these files, in the same folder. */
const SHARED = ['kneepoint.lua', 'kneepoint_data.lua'] as const;
const FOLDER = 'workloads/sysbench';

/** A script of the app's own library. */
interface Entry {
  /** The script itself first, then the files that it loads, by name. */
  files: readonly { name: string; content: string }[];
  options: readonly LuaOption[];
}

/** The folder of the library, searched upwards from this file: the same in a clone, in a build and in a package. */
function libraryFolder(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    if (existsSync(join(folder, FOLDER, SHARED[0]))) return join(folder, FOLDER);
    if (folder === dirname(folder))
      throw new Error(`Kneepoint is not whole: no folder above ${import.meta.dirname} holds ${FOLDER}/${SHARED[0]}.`);
  }
}

/** The scripts are part of the program: they are read once, so all plans are based on the same text. */
function readLibrary(): Readonly<Record<LibraryScript, Entry>> {
  const folder = libraryFolder();
  const read = (name: string) => ({ name, content: readFileSync(join(folder, name), 'utf8') });
  const shared = SHARED.map(read);
  const entry = (script: LibraryScript): Entry => {
    const file = read(`${script}.lua`);
    // Options are declared above the first function. Parsing the rest would take longer than everything else in a tool.
    const lua = readLua(file.content.split(/^(?:local )?function /m, 1).join(''));
    if ('problem' in lua) throw new Error(`The script ${file.name} of the library cannot be read: ${lua.problem}.`);
    return { files: [file, ...shared], options: lua.options };
  };
  return Object.fromEntries(LIBRARY_SCRIPTS.map((script) => [script, entry(script)])) as Record<LibraryScript, Entry>;
}

export const LIBRARY = readLibrary();

/** Option names with hyphens, as in the app; sysbench accepts both. */
export const hyphened = (name: string): string => name.replaceAll('_', '-');
