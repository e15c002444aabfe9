import { KneepointError, problemKind, problemOf } from '../../../shared/model/problem.ts';
import type { Machine } from '../hosts/machine.ts';
import type { RunsContext } from './context.ts';

/** Resolves after a time, or at once when the signal aborts; callers check the signal. */
export function pauseFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted || milliseconds <= 0) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done, { once: true });
  });
}

/** Avoids flooding a host that answers every attempt with a lost link. */
const BETWEEN_ATTEMPTS_MS = 500;

export interface Waiting {
  signal: AbortSignal;
  /** Called once, when the waiting begins; `host` is the one that is waited for. */
  notice?(level: 'info' | 'warn', message: string, host?: string): void;
}

/** Repeats an act that fails only because the link is down, until the signal aborts. */
export async function untilReachable<T>(machine: Machine, waiting: Waiting, act: () => Promise<T>): Promise<T> {
  let isLogged = false;
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (waiting.signal.aborted || !isLinkDown(error, machine)) throw error;
      if (!isLogged)
        waiting.notice?.(
          'warn',
          `${machine.name} cannot be reached (${error.message}). Waiting for it; jobs there keep running.`,
          machine.name,
        );
      isLogged = true;
      await pauseFor(BETWEEN_ATTEMPTS_MS, waiting.signal);
      await machine.ready(waiting.signal);
    }
  }
}

/** Like `untilReachable`, for an act on a target, which may be reached through a host. */
export async function untilTargetReachable<T>(
  { targets, machines }: Pick<RunsContext, 'targets' | 'machines'>,
  target: string,
  waiting: Waiting,
  act: () => Promise<T>,
): Promise<T> {
  const { via } = targets.spec(target);
  const answered = (): Promise<T> => unlessReset(waiting.signal, act);
  return via === null ? answered() : untilReachable(machines.get(via), waiting, answered);
}

/** Retries after a connection reset; another reset after these is no accident. */
const RESETS = 3;
const RESET = /\b(?:ECONNRESET|EPIPE|PROTOCOL_CONNECTION_LOST)\b/;

/** Retries after a connection reset, which happens when a load balancer switches over or a server closes idle connections. */
export async function unlessReset<T>(signal: AbortSignal, act: () => Promise<T>): Promise<T> {
  for (let resets = 0; ; resets += 1) {
    try {
      return await act();
    } catch (error) {
      const { code, details } = problemOf(error);
      const errorCode = typeof details === 'object' && details !== null ? String(Reflect.get(details, 'code')) : '';
      if (signal.aborted || resets >= RESETS || code !== 'target-unreachable' || !RESET.test(errorCode)) throw error;
      await pauseFor(BETWEEN_ATTEMPTS_MS, signal);
    }
  }
}

/** A connected host that refuses a request will refuse it again: that is no outage. */
function isLinkDown(error: unknown, machine: Machine): error is KneepointError {
  if (!(error instanceof KneepointError)) return false;
  if (error.code === 'host-unreachable') return true;
  // Behind a broken link, a server looks as if it had gone itself.
  return (error.code === 'host-refused' || error.code === 'target-unreachable') && machine.link().state !== 'up';
}

/**
 * Converts a time of the host's clock to ours: epoch milliseconds, never in our future. If the host does not report its time, `hostSeconds` is used
 * unchanged. The host's clock may be hours off, or may have been corrected since the session began, so it is read now.
 */
export async function toLocalTime(
  context: RunsContext,
  machine: Machine,
  hostSeconds: number,
  signal: AbortSignal,
): Promise<number> {
  const clock = await untilReachable(machine, { signal }, () => context.readClock(machine, signal));
  return Math.min(context.clock.now(), Math.round(hostSeconds * 1000 + (clock?.offsetMs ?? 0)));
}

/** Whether only a user can resolve the problem. */
export const isForPerson = (error: unknown): error is KneepointError =>
  error instanceof KneepointError && problemKind(error)?.needsPerson === true;

/** Whether the disk of this computer is full. Sessions wait until there is room; nothing is wrong with the run. */
export const isOwnDiskFull = (error: unknown): boolean =>
  error instanceof KneepointError && error.code === 'disk-full' && error.problem.host === undefined;
