import type { Command } from './tool.ts';

/** How a command gets its password: files that only their owner can read, and arguments before the program. */
export interface PasswordDelivery {
  files: Command['files'];
  before: readonly string[];
}

export const NO_PASSWORD: PasswordDelivery = { files: [], before: [] };

/** A file in the job folder that only its owner can read, and that is not kept. */
export const secretFile = (name: string, content: string): Command['files'][number] => ({
  name,
  content,
  mode: 0o600,
  secret: true,
});

/** Reads the password from a file into a variable for this program only. The trailing x preserves newlines that `$()` would drop. */
const fromFile = (variable: string): string =>
  `${variable}=$(cat -- "$1" && echo x) && ${variable}=\${${variable}%?x} && export ${variable} && shift && exec "$@"`;

/** `ps` shows argv to every user of the host, so the password is passed in the file `password` to this environment variable. */
export const inVariable = (variable: string, password: string): PasswordDelivery => ({
  files: [secretFile('password', `${password}\n`)],
  before: ['sh', '-c', fromFile(variable), 'sh', '@password@'],
});

const SAFE = /^[A-Za-z0-9_@%+=:,./-]+$/;
const quoted = (text: string): string => (SAFE.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** A command as a line for a POSIX shell. Files of the command appear by name. Secrets are only in files, so none is shown. */
export function shownCommand(command: Command): string {
  if (command.shown !== undefined) return command.shown;
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
