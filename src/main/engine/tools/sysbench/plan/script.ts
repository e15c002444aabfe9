import { KneepointError } from '../../../../../shared/model/problem.ts';
import { devicesNamedIn } from '../../device-path.ts';
import type { Command } from '../../tool.ts';
import type { SysbenchOptions } from '../options/index.ts';
import { isLibraryScript, OWN_SCRIPT } from '../scripts/index.ts';
import { LIBRARY } from '../scripts/library.ts';
import { ownArguments } from '../scripts/own.ts';

/** A script can write anywhere; only the tool command asks before a disk is overwritten. What a script in a file does, nobody sees here. */
function refuseDevices(script: string): void {
  const [device] = devicesNamedIn(script);
  if (device === undefined) return;
  throw new KneepointError({
    code: 'experiment-invalid',
    message: `The script names the device ${device}, and sysbench would not ask before it is overwritten.`,
    safe: 'Nothing was started.',
    next: 'Run it with the tool command, whose options overwrites and only-reads say what is done to a device.',
  });
}

/**
 * Where Lua looks for what a script in a file requires: its own folder first, as when it is started there. `;;` is what sysbench
 * searches anyway, `?` stands for the name, so a folder with either in its name cannot be said.
 */
function searchedFor(file: string): Record<string, string> {
  const folder = file.slice(0, file.lastIndexOf('/'));
  return /[;?]/.test(folder) ? {} : { LUA_PATH: `${folder}/?.lua;${folder}/?/init.lua;;` };
}

/**
 * What sysbench is to run: the word for it, the files it needs, arguments that only it knows, and its environment. Throws `experiment-invalid` for an own
 * script that is missing, given twice, or names a device.
 */
export function scriptOf(options: SysbenchOptions): {
  word: string;
  files: Command['files'];
  arguments: readonly string[];
  env: Readonly<Record<string, string>>;
} {
  const { script } = options;
  if (isLibraryScript(script)) {
    const files = LIBRARY[script].files.map((file) => ({ ...file, mode: 0o600, secret: false }));
    return { word: `@${script}.lua@`, files, arguments: [], env: {} };
  }
  if (script !== OWN_SCRIPT) return { word: script, files: [], arguments: [], env: {} };
  const text = options['script-text'].trim() === '' ? undefined : options['script-text'];
  refuseDevices(`${options['script-text']}\n${options['script-options']}`);
  const own = ownArguments(options['script-options'], text);
  if (text !== undefined && options['script-file'] === undefined)
    return {
      word: '@script.lua@',
      files: [{ name: 'script.lua', content: text, mode: 0o600, secret: false }],
      arguments: own,
      env: {},
    };
  if (text === undefined && options['script-file'] !== undefined)
    return { word: options['script-file'], files: [], arguments: own, env: searchedFor(options['script-file']) };
  throw new KneepointError({
    code: 'experiment-invalid',
    message: text === undefined ? 'There is no script to run.' : 'There are two scripts: one as text and one as file.',
    safe: 'Nothing was started.',
    next: 'Give either the text of the script (script-text) or its path on the generator (script-file).',
  });
}
