import { createInterface } from 'node:readline/promises';

/** Whether there is a person to ask. */
export const canAsk = (options: { json?: boolean | undefined }): boolean =>
  process.stdin.isTTY === true && options.json !== true;

/** True only for the whole word yes. */
export async function askYes(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question(`${question} (yes/no) `)).trim() === 'yes';
  } finally {
    terminal.close();
  }
}
