import type { Machine } from '../hosts/machine.ts';
import type { RunsContext } from './context.ts';
import { untilReachable } from './reachable.ts';

/**
 * A moment of the host's clock on ours, epoch milliseconds, never in our future. A host that does not tell its time is believed. The
 * host's clock may be hours off, or may have been set right since the session began, so it is read now.
 */
export async function onOurClock(
  context: RunsContext,
  machine: Machine,
  hostSeconds: number,
  signal: AbortSignal,
): Promise<number> {
  const clock = await untilReachable(machine, { signal }, () => context.readClock(machine, signal));
  return Math.min(context.clock.now(), Math.round(hostSeconds * 1000 + (clock?.offsetMs ?? 0)));
}
