import type { Command } from './tool.ts';

const SAFE = /^[A-Za-z0-9_@%+=:,./-]+$/;
const quoted = (text: string): string => (SAFE.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/**
 * A step as a line that can be pasted into a POSIX shell. Files of the step go by their name;
 * secrets are only in files, so none is shown.
 */
export function shownCommand(command: Command): string {
  const named = (text: string): string =>
    [...command.files, ...(command.programs ?? [])].reduce(
      (result, file) => result.replaceAll(`@${file.name}@`, file.name),
      text,
    );
  const environment = Object.entries(command.env).map(([name, value]) => `${name}=${quoted(named(value))}`);
  const { cpus, limits = {} } = command.under ?? {};
  const limited = Object.entries(limits).map(([letter, limit]) => `ulimit -${letter} ${limit}; `);
  const pinned = cpus === undefined ? [] : ['taskset', '-c', cpus];
  const words = [...environment, ...pinned, ...command.argv.map((argument) => quoted(named(argument)))];
  return limited.join('') + words.join(' ');
}
