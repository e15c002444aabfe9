import { problemOf } from '../../../shared/model/problem.ts';
import type { Machine } from '../hosts/machine.ts';
import type { RunsContext } from './context.ts';
import { pauseFor } from './reachable.ts';

const EVERY_MS = 600_000;
/** Hosts report uptimes in hundredths of a second. */
const UPTIME_ERROR_MS = 10;

/** A reading of a host's clock: `ClockReading` of the hosts room. */
interface HostClock {
  offsetMs: number;
  roundTripMs: number;
  bootMs?: number;
}

/**
 * A clock that never steps while its host runs: `epoch`, the host's clock at the uptime `uptime`, carried on by the uptime. Seconds. The one of a job
 * is the first line of its index.
 */
export interface CarriedClock {
  epoch: number;
  uptime: number;
}

/**
 * Returns the offset of a carried clock from ours, at its second `t`. Compares our clock in the middle of the exchange with the uptime that the host
 * reported in it; the host's own clock does not matter by then. Undefined if the host reports no uptime or has been restarted since.
 */
export function carriedReading(
  { epoch, uptime }: CarriedClock,
  { bootMs, roundTripMs }: HostClock,
  nowMs: number,
): { t: number; offsetMs: number; errorMs: number } | undefined {
  if (bootMs === undefined || nowMs < bootMs + uptime * 1000 - roundTripMs) return undefined;
  const offsetMs = bootMs + (uptime - epoch) * 1000;
  return { t: (nowMs - offsetMs) / 1000, offsetMs, errorMs: roundTripMs / 2 + UPTIME_ERROR_MS };
}

interface Kept {
  machine: Machine;
  sourceId: number;
  /** Called at each reading: the first line of an index may not exist yet. */
  clock(): CarriedClock | undefined;
  everyMs?: number;
}

/**
 * Reads the clock offset of a source repeatedly until the signal aborts: clocks drift apart over hours. The launch has taken the first reading. A
 * host that does not respond is asked again at the next interval.
 */
export async function keepClock(
  context: Pick<RunsContext, 'store' | 'clock' | 'log'> & {
    readClock(machine: Machine, signal: AbortSignal): Promise<HostClock | undefined>;
  },
  { machine, sourceId, clock, everyMs = EVERY_MS }: Kept,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    await pauseFor(everyMs, signal);
    if (signal.aborted) return;
    try {
      const carried = clock();
      const read = carried && (await context.readClock(machine, signal));
      const reading = carried && read && carriedReading(carried, read, context.clock.now());
      if (reading && !signal.aborted) context.store.sources.addClock(sourceId, reading);
    } catch (error) {
      if (signal.aborted) return;
      context.log.warn('the clock of a host was not read', {
        host: machine.name,
        message: problemOf(error).message,
      });
    }
  }
}
