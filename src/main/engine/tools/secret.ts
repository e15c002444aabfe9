import type { Command } from './tool.ts';

/** How a step gets its password: files that only their owner can read, and the argv in front of the program. */
export interface PasswordDelivery {
  files: Command['files'];
  before: readonly string[];
}

export const NO_PASSWORD: PasswordDelivery = { files: [], before: [] };

/** A file of the job folder that only its owner can read, and that is not kept. */
export const secretFile = (name: string, content: string): Command['files'][number] => ({
  name,
  content,
  mode: 0o600,
  secret: true,
});

/** Reads the password from a file into a variable of the program alone; the trailing x keeps newlines that `$()` would drop. */
const fromFile = (variable: string): string =>
  `${variable}=$(cat -- "$1" && echo x) && ${variable}=\${${variable}%?x} && export ${variable} && shift && exec "$@"`;

/** `ps` shows argv to every user of the host, so the password goes through the file `password` into this environment variable. */
export const inVariable = (variable: string, password: string): PasswordDelivery => ({
  files: [secretFile('password', `${password}\n`)],
  before: ['sh', '-c', fromFile(variable), 'sh', '@password@'],
});
