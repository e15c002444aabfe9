import { AsyncLocalStorage } from 'node:async_hooks';
import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';

/** Input and output of a command, and its environment. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable;
  /** `columns` is 0 on a terminal with an unknown width. */
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: NodeJS.ProcessEnv;
}

const given = new AsyncLocalStorage<Terminal>();

/** The terminal of the current command: that of the process, unless the command was started on another. */
export const terminal = (): Terminal => given.getStore() ?? process;

/** Runs commands on a terminal other than that of the process. Several can share a process. */
export const onTerminal = <Result>(other: Terminal, work: () => Promise<Result>): Promise<Result> =>
  given.run(other, work);

/** Whether a user can be asked. */
export const canAsk = (options: { json?: boolean | undefined }): boolean =>
  terminal().stdin.isTTY === true && options.json !== true;

/** True only for the complete word yes. */
export const askYes = async (question: string): Promise<boolean> => (await askText(`${question} (yes/no)`)) === 'yes';

/** The entered line, without surrounding blanks. */
export async function askText(question: string): Promise<string> {
  const { stdin, stderr } = terminal();
  const asked = createInterface({ input: stdin, output: stderr });
  try {
    return (await asked.question(`${question} `)).trim();
  } finally {
    asked.close();
  }
}
