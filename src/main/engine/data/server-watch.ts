import { KneepointError, problemOf } from '../../../shared/model/problem.ts';
import { pauseFor, untilTargetReachable } from '../runs/index.ts';
import { hasStartedAnew, standingOfServer, type TrialControl } from '../trial/index.ts';
import type { DataContext } from './kind.ts';

const BETWEEN_LOOKS_MS = 500;

/** Detects whether a server has ended since this was created. */
export interface ServerWatch {
  /** True if it does not respond, or was restarted. */
  hasEnded(): Promise<boolean>;
  /** Resolves when it responds. Throws `cancelled` if the user ends the session. */
  untilBack(): Promise<void>;
}

export async function serverWatch(context: DataContext, target: string, control: TrialControl): Promise<ServerWatch> {
  const look = () => standingOfServer(context, target, control.signal);
  const before = await look().catch(() => undefined);
  return {
    async hasEnded() {
      const now = await untilTargetReachable(context, target, control, look).catch(unlessGone);
      return now === undefined || hasStartedAnew(before, now);
    },
    untilBack: () => untilServerAnswers(context, target, control, async () => void (await look())),
  };
}

/** Repeats `act` until the server responds or the session is ended, as for an unreachable host. Logged once. */
export async function untilServerAnswers<T>(
  context: DataContext,
  target: string,
  control: Pick<TrialControl, 'signal'> & Partial<Pick<TrialControl, 'ended' | 'notice'>>,
  act: () => Promise<T>,
): Promise<T> {
  for (let told = false; ; told = true) {
    try {
      return await untilTargetReachable(context, target, control, act);
    } catch (error) {
      if (control.signal.aborted || problemOf(error).code !== 'target-unreachable') throw error;
      if (control.ended?.()) throw new KneepointError({ code: 'cancelled', message: 'Stopped by user.' });
      if (!told) control.notice?.('warn', `${problemOf(error).message} Waiting for the server of target “${target}”.`);
      await pauseFor(BETWEEN_LOOKS_MS, control.signal);
    }
  }
}

function unlessGone(error: unknown): undefined {
  if (problemOf(error).code !== 'target-unreachable') throw error;
}
