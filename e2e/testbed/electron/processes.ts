import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Whether a process exists and has not ended. */
export const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(statusOf(pid));

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return 'State: Z';
  }
}

/** The engine's process: the child of the main process that runs the built engine. */
export function enginePid(mainPid: number): number | undefined {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => {
      try {
        return (
          statusOf(pid).includes(`PPid:\t${mainPid}\n`) &&
          readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('engine.mjs')
        );
      } catch {
        return false; // It ended meanwhile.
      }
    });
}
