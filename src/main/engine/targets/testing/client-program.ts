import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import type { HostSampling, ServerSample } from '../target.ts';

/** Runs the program as a job does: a script next to its files, in its own process group. */
export function runProgram({ script, files }: HostSampling, ...programs: string[]): ChildProcess {
  const folder = mkdtempSync(join(tmpdir(), 'kneepoint-on-host-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const { name, content, mode } of files) writeFileSync(join(folder, name), content, { mode });
  writeFileSync(join(folder, 'sample.sh'), script);
  const env = { ...process.env, PATH: [...programs, process.env.PATH].join(':') };
  const child = spawn('sh', [join(folder, 'sample.sh')], { stdio: ['ignore', 'pipe', 'ignore'], detached: true, env });
  onTestFinished(() => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    } catch {
      // Already ended.
    }
  });
  return child;
}

/** Runs the program. `next` returns its next sample, skipping lines that are not samples. */
export function samplesOf<Sample extends object = ServerSample['metrics']>(
  read: ((line: string) => Sample | undefined) | undefined,
  program: HostSampling,
  ...programs: string[]
): ClientSamples<Sample> {
  const child = runProgram(program, ...programs);
  if (!read || !child.stdout || !child.pid) throw new Error('Nothing reads it.');
  const { stdout } = child;
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<Sample> => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error('It has ended.');
      const sample = read(value);
      if (sample) return sample;
    }
  };
  return { group: child.pid, next, readNoMore: () => stdout.destroy() };
}

interface ClientSamples<Sample> {
  /** Its process group. */
  group: number;
  next: () => Promise<Sample>;
  readNoMore: () => void;
}

/** Command lines and environments of all processes of a group. */
export function shownOf(group: number): string {
  const gone = (read: () => string): string => {
    try {
      return read();
    } catch {
      return '';
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter(
      (pid) =>
        Number(
          gone(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
            .split(') ')[1]
            ?.split(' ')[2],
        ) === group,
    )
    .map(
      (pid) =>
        gone(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')) +
        gone(() => readFileSync(`/proc/${pid}/environ`, 'utf8')),
    )
    .join('\n');
}
