import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Runs `work` with its own folder for jobs on this computer. Processes that remain afterwards (the collector of a session that a test cut off) are
 * ended: they would disturb the next tests and fill the home of whoever runs them.
 */
export async function withOwnState<Result>(work: (env: NodeJS.ProcessEnv) => Promise<Result>): Promise<Result> {
  const state = mkdtempSync(path.join(tmpdir(), 'kneepoint-state-'));
  const mark = `XDG_STATE_HOME=${state}`;
  try {
    return await work({ XDG_STATE_HOME: state });
  } finally {
    if (process.platform === 'linux') for (const pid of processesWith(mark)) end(pid);
    rmSync(state, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** Processes whose environment has this variable, or one that goes on like it: of a folder within. This process and its parents were started without it. */
const processesWith = (mark: string): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && environmentOf(pid).some((variable) => variable.startsWith(mark)));

function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
  } catch {
    // It has ended, or belongs to somebody else.
    return [];
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
