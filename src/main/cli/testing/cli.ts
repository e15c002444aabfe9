import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { buildCli } from '../../../../e2e/testbed/built.ts';
import { runCli } from '../index.ts';
import { onTerminal } from '../terminal.ts';

const ROOT = path.resolve(import.meta.dirname, '../../../..');
await buildCli();
const CLI = path.join(ROOT, 'dist/main/cli.mjs');
/** The app's own programs in jobs are TypeScript. */
const NODE_COMPILE_CACHE = path.join(ROOT, 'node_modules/.cache/kneepoint');

export interface Answer {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  json<T>(): T;
}

/** A running command, with its output so far and its result. */
export interface Running {
  child: ChildProcess;
  /** Resolves when standard error or output matches; rejects if the command ends without a match. */
  untilOutput(pattern: RegExp): Promise<RegExpExecArray>;
  answer: Promise<Answer>;
}

/**
 * `kneepoint` with a separate library. `run` takes a fraction of a second, in the test's process. `start` runs a separate process like a user does,
 * with jobs in its own home folder: for tests of signals, streams that end early, jobs, or other users.
 */
export class Terminal {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'kneepoint-cli-'));
  readonly data = path.join(this.folder, 'library');

  start(args: readonly string[], options: { input?: string | Buffer; uid?: number } = {}): Running {
    const child = spawn(process.execPath, [CLI, ...args], {
      cwd: this.folder,
      env: { PATH: process.env.PATH, HOME: this.folder, KNEEPOINT_DATA: this.data, NODE_COMPILE_CACHE },
      stdio: ['pipe', 'pipe', 'pipe'],
      ...(options.uid !== undefined && { uid: options.uid, gid: options.uid }),
    });
    // A command that does not read its input may end before it is written.
    child.stdin.on('error', () => {});
    child.stdin.end(options.input ?? '');
    const output = { stdout: '', stderr: '' };
    const listeners = new Set<() => void>();
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        output[name] += text;
        for (const listener of listeners) listener();
      });
    const answer = once(child, 'close').then(
      ([code, signal]): Answer => ({ code, signal, ...output, json: () => JSON.parse(output.stdout) }),
    );
    return {
      child,
      answer,
      untilOutput: (pattern) =>
        new Promise((resolve, reject) => {
          const look = (): void => {
            const match = pattern.exec(output.stderr) ?? pattern.exec(output.stdout);
            if (!match) return;
            listeners.delete(look);
            resolve(match);
          };
          listeners.add(look);
          look();
          answer.then(
            () => reject(new Error(`It ended without saying ${pattern}: ${output.stdout}${output.stderr}`)),
            reject,
          );
        }),
    };
  }

  run(...args: string[]): Promise<Answer> {
    return this.feed('', ...args);
  }

  /** Like `run`, with this text on standard input. */
  async feed(input: string, ...args: string[]): Promise<Answer> {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const output = Promise.all([text(stdout), text(stderr)]);
    const place = { stdin: Readable.from([Buffer.from(input)]), stdout, stderr, env: { KNEEPOINT_DATA: this.data } };
    const code = await onTerminal(place, () => runCli(args));
    stdout.end();
    stderr.end();
    const [out, err] = await output;
    return { code, signal: null, stdout: out, stderr: err, json: () => JSON.parse(out) };
  }

  write(name: string, text: string, mode = 0o600): string {
    const file = path.join(this.folder, name);
    writeFileSync(file, text);
    chmodSync(file, mode);
    return file;
  }

  /** Folders of tool jobs started in this home, without those of monitors in the same folder. */
  jobs(): string[] {
    const folder = path.join(this.folder, '.local/state/kneepoint/jobs');
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !isMonitor(path.join(folder, entry.name)))
      .map((entry) => path.join(folder, entry.name));
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Files that identify a monitor's job. */
const OF_MONITORS = ['files/read.awk', 'files/stamp.awk'];
const isMonitor = (folder: string): boolean => OF_MONITORS.some((file) => existsSync(path.join(folder, file)));

/** Process id of a job's tool. */
export const toolPid = (job: string): number => Number(readFileSync(path.join(job, 'tool'), 'utf8').split(' ')[0]);

/** A small embedded experiment: two cells of a few seconds. */
export const small = (change: { name?: string; factors?: string; measure?: string } = {}): string => `kneepoint: 1
name: ${JSON.stringify(change.name ?? 'Small')}
workload:
  tool: embedded
  options: { records: 100, rate: 200 }
where: {}
factors: ${change.factors ?? '[{ name: threads, levels: [1, 2] }]'}
measure: ${change.measure ?? '{ duration: 2 }'}
`;
