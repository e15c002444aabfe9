import { problemOf } from '../../../shared/model/problem.ts';
import type { Machine } from '../hosts/machine.ts';
import type { JobChunk } from '../jobs/job.ts';
import { type CarriedClock, carriedReading, pauseFor } from '../runs/index.ts';
import type { WatchingContext } from './context.ts';

const CLOCK_EVERY_MS = 600_000;
/** A check of a job costs its host some ten forks, and the end of a monitor need not be noticed sooner. */
export const LOOK_EVERY_MS = 10_000;

interface Watched {
  machine: Machine;
  jobId: string;
  /** All sources whose samples have its times. */
  sources: readonly number[];
}

/** Reads the clock offset of a monitor's samples, now and repeatedly, until the signal aborts. */
export function keepHostClock(context: WatchingContext, watched: Watched, signal: AbortSignal): void {
  keep(context, watched, signal).catch((error: unknown) => {
    context.log.warn('the clock of a host could not be stored', { message: problemOf(error).message });
  });
}

async function keep(
  { store, clock, jobs, readClock }: WatchingContext,
  { machine, jobId, sources }: Watched,
  signal: AbortSignal,
): Promise<void> {
  const carried = firstLine(jobs.follow(machine, jobId, 'index', 0, signal, { everyMs: LOOK_EVERY_MS })).then(
    carriedFrom,
  );
  // Without the index, the host's own clock is used below.
  carried.catch(() => undefined);
  for (; !signal.aborted; await pauseFor(CLOCK_EVERY_MS, signal)) {
    // A host that does not respond is asked again next time.
    const read = await readClock(machine, signal).catch(() => undefined);
    if (!read) continue;
    const now = clock.now();
    // Without an uptime, the host's clock is assumed never to be set.
    const plain = { t: (now - read.offsetMs) / 1000, offsetMs: read.offsetMs, errorMs: read.roundTripMs / 2 };
    const anchor = read.bootMs === undefined ? undefined : await carried.catch(() => undefined);
    const reading = anchor ? carriedReading(anchor, read, now) : plain;
    if (reading && !signal.aborted) for (const id of sources) store.sources.addClock(id, reading);
  }
}

/** The first complete line; undefined if the stream ended before. */
async function firstLine(chunks: AsyncIterable<JobChunk>): Promise<string | undefined> {
  let text = '';
  for await (const { bytes } of chunks) {
    text += Buffer.from(bytes).toString('latin1');
    const end = text.indexOf('\n');
    if (end >= 0) return text.slice(0, end);
  }
  return undefined;
}

/**
 * The collector reads its host's clock at its start, as its supervisor does, and continues by the uptime: a clock that is set meanwhile does no harm.
 */
function carriedFrom(line: string | undefined): CarriedClock | undefined {
  const [epoch = Number.NaN, uptime = Number.NaN] = (line ?? '').split(' ').map(Number);
  return Number.isFinite(epoch) && Number.isFinite(uptime) ? { epoch, uptime } : undefined;
}
