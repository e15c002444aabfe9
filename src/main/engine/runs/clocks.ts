import { problemOf } from '../../../shared/model/problem.ts';
import type { Machine } from '../hosts/machine.ts';
import type { RunsContext } from './context.ts';
import { pauseFor } from './reachable.ts';

const EVERY_MS = 600_000;
/** Uptimes are told in hundredths of a second. */
const UPTIME_ERROR_MS = 10;

/** What is read of a host's clock: `ClockReading` of the hosts. */
interface HostClock {
  offsetMs: number;
  roundTripMs: number;
  bootMs?: number;
}

/**
 * A clock that never steps while its host runs: `epoch`, what the host's clock said at the moment `uptime` of it, carried on by the uptime.
 * Seconds. That of a job is the first line of its index.
 */
export interface CarriedClock {
  epoch: number;
  uptime: number;
}

/**
 * What a carried clock is off ours, at the second `t` of it. Compared are our clock in the middle of the exchange and the uptime that the host
 * told in it: what its own clock says by then does not matter. Undefined where the host tells no uptime, or has been started again since.
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
  /** Asked at each reading: the first line of an index may not be there yet. */
  clock(): CarriedClock | undefined;
  everyMs?: number;
}

/**
 * Reads what the clock of a source is off again and again, until the signal: clocks drift apart over hours. The launch has read it first.
 * A host that does not answer is asked again next time.
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
