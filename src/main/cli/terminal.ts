import { AsyncLocalStorage } from 'node:async_hooks';
import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';

/** Where a command reads and writes, and the environment it sees. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable;
  /** `columns` is 0 on a terminal that does not say how wide it is. */
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: NodeJS.ProcessEnv;
}

const given = new AsyncLocalStorage<Terminal>();

/** The terminal of the command that asks: the process's own, unless the command was started on another. */
export const terminal = (): Terminal => given.getStore() ?? process;

/** Runs commands on a terminal that is not the process's own: several can share a process. */
export const onTerminal = <Result>(other: Terminal, work: () => Promise<Result>): Promise<Result> =>
  given.run(other, work);

/** Whether there is a person to ask. */
export const canAsk = (options: { json?: boolean | undefined }): boolean =>
  terminal().stdin.isTTY === true && options.json !== true;

/** True only for the whole word yes. */
export const askYes = async (question: string): Promise<boolean> => (await askText(`${question} (yes/no)`)) === 'yes';

/** The line that is typed, without blanks around it. */
export async function askText(question: string): Promise<string> {
  const { stdin, stderr } = terminal();
  const asked = createInterface({ input: stdin, output: stderr });
  try {
    return (await asked.question(`${question} `)).trim();
  } finally {
    asked.close();
  }
}
