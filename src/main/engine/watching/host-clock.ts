import { problemOf } from '../../../shared/model/problem.ts';
import type { Machine } from '../hosts/machine.ts';
import type { JobChunk } from '../jobs/job.ts';
import { type CarriedClock, carriedReading, pauseFor } from '../runs/index.ts';
import type { WatchingContext } from './context.ts';

const CLOCK_EVERY_MS = 600_000;
/** A look at a job takes its host some ten forks: that a monitor has ended by itself need not be known sooner. */
export const LOOK_EVERY_MS = 10_000;

interface Watched {
  machine: Machine;
  jobId: string;
  /** All whose samples have its times. */
  sources: readonly number[];
}

/** Reads what the clock of the samples of a monitor is off, now and again and again, until the signal. */
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
  // Without the index the host's own clock is believed, below.
  carried.catch(() => undefined);
  for (; !signal.aborted; await pauseFor(CLOCK_EVERY_MS, signal)) {
    // A host that does not answer is asked again next time.
    const read = await readClock(machine, signal).catch(() => undefined);
    if (!read) continue;
    const now = clock.now();
    // A host that tells no uptime: its clock is believed never to be set.
    const plain = { t: (now - read.offsetMs) / 1000, offsetMs: read.offsetMs, errorMs: read.roundTripMs / 2 };
    const anchor = read.bootMs === undefined ? undefined : await carried.catch(() => undefined);
    const reading = anchor ? carriedReading(anchor, read, now) : plain;
    if (reading && !signal.aborted) for (const id of sources) store.sources.addClock(id, reading);
  }
}

/** The first whole line of what comes; undefined: it ended before. */
async function firstLine(chunks: AsyncIterable<JobChunk>): Promise<string | undefined> {
  let text = '';
  for await (const { bytes } of chunks) {
    text += Buffer.from(bytes).toString('latin1');
    const end = text.indexOf('\n');
    if (end >= 0) return text.slice(0, end);
  }
  return undefined;
}

/** The collector reads the clock of its host when it starts, as its supervisor does, and goes on by the uptime: a clock that is set meanwhile does no harm. */
function carriedFrom(line: string | undefined): CarriedClock | undefined {
  const [epoch = Number.NaN, uptime = Number.NaN] = (line ?? '').split(' ').map(Number);
  return Number.isFinite(epoch) && Number.isFinite(uptime) ? { epoch, uptime } : undefined;
}
