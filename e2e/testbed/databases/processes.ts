import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds that a process may take to end, and between two checks. */
export const STOP_LIMIT = 20_000;
const LOOK_EVERY = 40;

/** Runs a program to its end; throws with its output if it fails. */
export function runToEnd(argv: readonly string[], input?: string): string {
  const [program = '', ...rest] = argv;
  const result = spawnSync(program, rest, { encoding: 'utf8', ...(input === undefined ? {} : { input }) });
  if (result.status !== 0) {
    throw new Error(
      `${argv.join(' ')} failed: ${result.error?.message ?? ''}${result.stderr ?? ''}${result.stdout ?? ''}`,
    );
  }
  return result.stdout;
}

/** The kernel ends the server when the process that started it is gone, for whatever reason. */
export const dieWithParent = (user?: string): string[] => [
  'setpriv',
  '--pdeathsig',
  'KILL',
  ...(user === undefined ? [] : ['--reuid', user, '--regid', user, '--init-groups']),
];

const GONE: readonly string[] = ['ENOENT', 'ESRCH'];

/** Result of reading a process, thread or file; undefined if it has gone meanwhile. */
export function unlessGone<Value>(look: () => Value): Value | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof Error && 'code' in error && GONE.includes(String(error.code))) return undefined;
    throw error;
  }
}

/** A process and all its descendants. PostgreSQL has one per connection. */
export function familyOf(pid: number): number[] {
  const tasks = unlessGone(() => readdirSync(`/proc/${pid}/task`)) ?? [];
  const children = tasks.flatMap((task) => {
    const text = unlessGone(() => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim()) ?? '';
    return text === '' ? [] : text.split(' ').map(Number);
  });
  return [pid, ...children.flatMap(familyOf)];
}

export const signalFamily = (pid: number, signal: NodeJS.Signals): void => {
  for (const member of familyOf(pid)) unlessGone(() => process.kill(member, signal));
};

/** Whether a process is still running; a zombie is not. */
function isRunning(pid: number): boolean {
  const stat = unlessGone(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return stat !== undefined && !/\) [ZX] /.test(stat);
}

/** Processes of a PostgreSQL server notice the death of the main one by themselves; a new server must not run into them. */
export async function allGone(members: readonly number[]): Promise<void> {
  const limit = performance.now() + STOP_LIMIT;
  for (const member of members) {
    while (isRunning(member)) {
      if (performance.now() > limit) unlessGone(() => process.kill(member, 'SIGKILL'));
      await delay(LOOK_EVERY);
    }
  }
}
