import { spawn } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExitStatus } from '../../../../shared/model/session.ts';
import type { Command } from '../tool.ts';

export interface Ended {
  stdout: string;
  stderr: string;
  exit: ExitStatus;
}

interface How {
  env?: Readonly<Record<string, string>>;
  /** Called with the whole output so far after each piece. It may end the process. */
  watch?(printed: { stdout: string; stderr: string }, kill: (signal: NodeJS.Signals) => void): void;
  /** Kills it with SIGKILL when this resolves. */
  killed?: Promise<unknown>;
}

/** Runs a command as a job does: with its files in a separate folder, and `@name@` replaced by their absolute paths. */
export function perform(command: Command, folder: string, { env, watch, killed }: How = {}): Promise<Ended> {
  for (const file of command.files) {
    writeFileSync(join(folder, file.name), file.content);
    chmodSync(join(folder, file.name), file.mode);
  }
  const [program = '', ...rest] = command.argv.map((word) =>
    [...command.files.map(({ name }) => ({ name, path: join(folder, name) })), ...(command.programs ?? [])].reduce(
      (text, { name, path }) => text.replaceAll(`@${name}@`, path),
      word,
    ),
  );
  return new Promise((resolve, reject) => {
    const child = spawn(program, rest, { cwd: folder, env: { ...process.env, ...command.env, ...env } });
    const printed = { stdout: '', stderr: '' };
    // A multibyte character may arrive in two pieces.
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        printed[stream] += text;
        watch?.(printed, (signal) => child.kill(signal));
      });
    child.on('error', reject);
    killed?.then(() => child.kill('SIGKILL'), reject);
    child.on('close', (code, signal) =>
      resolve({ ...printed, exit: { ...(code === null ? {} : { code }), ...(signal === null ? {} : { signal }) } }),
    );
  });
}
