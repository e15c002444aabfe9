import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Step } from '../tool.ts';

export interface Ended {
  stdout: string;
  stderr: string;
  code: number | null;
  signal: NodeJS.Signals | null;
}

/**
 * Runs a step as a job does: its files in a folder of its own, `@name@` their absolute path. Used by tests only.
 * `watch` sees each piece of standard error, and may end the process.
 */
export function perform(
  step: Step,
  folder: string,
  watch?: (text: string, kill: (signal: NodeJS.Signals) => void) => void,
): Promise<Ended> {
  for (const file of step.files) writeFileSync(join(folder, file.name), file.content, { mode: file.mode });
  const argv = step.argv.map((word) =>
    step.files.reduce((text, file) => text.replaceAll(`@${file.name}@`, join(folder, file.name)), word),
  );
  const [program = '', ...rest] = argv;
  return new Promise((resolve, reject) => {
    const child = spawn(program, rest, { cwd: folder, env: { ...process.env, ...step.env } });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (bytes: Buffer) => {
      stdout += bytes.toString();
    });
    child.stderr.on('data', (bytes: Buffer) => {
      stderr += bytes.toString();
      watch?.(stderr, (signal) => child.kill(signal));
    });
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ stdout, stderr, code, signal }));
  });
}
