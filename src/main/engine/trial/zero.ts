import { KneepointError } from '../../../shared/model/problem.ts';
import { type PlacedSample, toolZero } from '../../../shared/stats/index.ts';
import type { RunJob, RunRow, Store } from '../store/store.ts';

/** For a longer run, every second sample is kept, then every fourth, and so on, spread over all of it. */
const MOST_KEPT = 4096;
/** Error to either side of a clock with whole seconds. */
const HALF_A_SECOND = 0.5;
const LARGEST_ERROR_MS = 1000;

type HostIndex = ReturnType<Store['samples']['index']>;
export type OutputStream = 'stdout' | 'stderr';

type Zero = NonNullable<RunJob['zero']>;

/** Remembers at which byte of the output samples were complete, which places the tool's second 0 on its host's clock. */
export class SamplePlaces {
  readonly #kept: Record<OutputStream, Kept> = { stdout: new Kept(), stderr: new Kept() };

  /** `end`: the first byte behind the line that completed the sample. */
  note(stream: OutputStream, sample: PlacedSample): void {
    this.#kept[stream].add(sample);
  }

  /** Uses the stream with the most samples. Undefined if the index and the samples leave more than a second to either side. */
  zero(index: HostIndex): Zero | undefined {
    const { stdout, stderr } = this.#kept;
    return stderr.count > stdout.count
      ? index.err && zeroOf(index, index.err, stderr.samples)
      : zeroOf(index, index.offset, stdout.samples);
  }
}

/** Places second 0 of a generator's tool; undefined if the index is damaged. */
export function zeroOfJob(store: Store, runId: number, generator: number, places: SamplePlaces): Zero | undefined {
  try {
    return places.zero(store.samples.index(runId, generator));
  } catch (error) {
    if (error instanceof KneepointError && error.code === 'store-corrupt') return undefined;
    throw error;
  }
}

/**
 * Stores a reading of the clock at second 0 of the generator's source: its job continues the clock that was read at its launch. A clock that was set
 * between two runs shifts neither.
 */
export function noteZero({ sources }: Store, { sessionId }: RunRow, position: number, job: RunJob): void {
  const { host, zero, clock } = job;
  if (!zero || !clock) return;
  const { id } = sources.ensure(sessionId, { kind: 'generator', name: host, position });
  sources.addClock(id, { t: zero.hostMs / 1000, offsetMs: clock.offsetMs, errorMs: clock.roundTripMs / 2 });
}

/**
 * The host's clock at each line of the index: the clock of the first line, carried on by the uptime. A clock that is set meanwhile does no harm, and
 * the whole run uses the clock that was read at its launch.
 */
function carriedClock({ epoch, uptime }: HostIndex): { seconds: Float64Array; error: number } {
  const [first = 0, up = 0] = [epoch[0], uptime[0]];
  const whole = (values: Float64Array): boolean => values.every((value) => Number.isInteger(value));
  // The host's date has no fractions of a second, or an earlier version wrote the index: somewhere in that second.
  const error = whole(epoch) || whole(uptime) ? HALF_A_SECOND : 0;
  return { seconds: uptime.map((now) => first + error + now - up), error };
}

function zeroOf(index: HostIndex, bytes: Float64Array, samples: readonly PlacedSample[]): Zero | undefined {
  const { seconds, error } = carriedClock(index);
  // Lines of earlier versions have no stderr bytes.
  const known = bytes.every((size) => !Number.isNaN(size));
  const zero = known ? toolZero({ clock: seconds, bytes }, samples) : undefined;
  if (!zero) return undefined;
  const errorMs = (zero.error + error) * 1000;
  return errorMs > LARGEST_ERROR_MS ? undefined : { hostMs: zero.at * 1000, errorMs };
}

/** Samples in order, thinned evenly if there are many. */
class Kept {
  samples: PlacedSample[] = [];
  count = 0;
  #stride = 1;

  add(sample: PlacedSample): void {
    if (this.count % this.#stride === 0) this.samples.push(sample);
    this.count += 1;
    if (this.samples.length < MOST_KEPT) return;
    this.samples = this.samples.filter((_, place) => place % 2 === 0);
    this.#stride *= 2;
  }
}

/**
 * Start of a generator's tool on our clock, milliseconds: the moment of its release, or when its supervisor wrote the first line of the index;
 * without an index, the time of the launch.
 */
export function toolStart(store: Store, run: RunRow, generator: number): number {
  const releasedAt = run.jobs[generator]?.startedAt;
  if (releasedAt !== undefined) return releasedAt;
  const launchedAt = run.startedAt ?? 0;
  const [hostSeconds] = store.samples.index(run.id, generator).epoch;
  const clock = run.jobs[generator]?.clock;
  if (hostSeconds === undefined || !clock) return launchedAt;
  return Math.max(launchedAt, hostSeconds * 1000 + clock.offsetMs);
}
