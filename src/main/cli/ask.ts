import { createInterface } from 'node:readline/promises';
import { terminal } from './terminal.ts';

/** Whether there is a person to ask. */
export const canAsk = (options: { json?: boolean | undefined }): boolean =>
  terminal().stdin.isTTY === true && options.json !== true;

/** True only for the whole word yes. */
export async function askYes(question: string): Promise<boolean> {
  const { stdin, stderr } = terminal();
  const asked = createInterface({ input: stdin, output: stderr });
  try {
    return (await asked.question(`${question} (yes/no) `)).trim() === 'yes';
  } finally {
    asked.close();
  }
}
