import type { Finding } from '../../../shared/model/finding.ts';
import { KneepointError, problemOf } from '../../../shared/model/problem.ts';
import type { ExitStatus } from '../../../shared/model/session.ts';
import { SIGNALS } from '../../../shared/util/virtual-disk.ts';
import type { Machine } from '../hosts/machine.ts';
import type { JobEnd, JobStatus } from '../jobs/job.ts';
import { keepClock, type RunsContext, untilReachable } from '../runs/index.ts';
import type { Store } from '../store/store.ts';
import type { ParseEvents, ParseOutcome, Parser } from '../tools/tool.ts';
import type { TrialContext } from './context.ts';
import { IndexRecorder, RunRecorder } from './recorder.ts';
import { type OutputStream, toolStart } from './zero.ts';

/**
 * Stores that the warm-up of a run is over, together with the first stored sample beyond it. Every generator has its own; the library keeps the first
 * one, also if the app is restarted in between.
 */
class WarmUp {
  readonly #context: Pick<RunsContext, 'store' | 'clock'>;
  readonly #runId: number;
  readonly #generator: number;
  readonly #seconds: number;
  #over: boolean;

  constructor(context: Pick<RunsContext, 'store' | 'clock'>, runId: number, generator: number) {
    this.#context = context;
    this.#runId = runId;
    this.#generator = generator;
    this.#seconds = context.store.runs.get(runId)?.warmup ?? 0;
    this.#over = this.#seconds === 0;
  }

  /** Samples up to `t` are stored. Call in the transaction that stored them. */
  reached(t: number): void {
    if (this.#over || t <= this.#seconds) return;
    this.#over = true;
    const { store, clock } = this.#context;
    const run = store.runs.get(this.#runId);
    if (!run) return;
    const now = clock.now();
    store.events.addWarmUpEnd({
      sessionId: run.sessionId,
      runId: run.id,
      at: Math.min(
        now,
        Math.round(
          toolStart(store, { ...run, startedAt: run.startedAt ?? now }, this.#generator) + this.#seconds * 1000,
        ),
      ),
      t: this.#seconds,
      level: 'info',
      message: `The warm-up of trial ${run.trial + 1} ended.`,
    });
  }
}

/** Stored at once when more than this has arrived. */
const COMMIT_BYTES = 1 << 20;

export interface CollectOptions {
  context: TrialContext;
  machine: Machine;
  jobId: string;
  runId: number;
  generator: number;
  makeParser(events: ParseEvents): Parser;
  /** Called with a finding that is worth knowing while the tool runs. */
  onFinding(finding: Finding): void;
  /** Called after each commit. */
  onChanged(): void;
  signal: AbortSignal;
}

export interface Collected {
  recorder: RunRecorder;
  outcome: ParseOutcome;
  status: JobStatus;
  exit: ExitStatus;
  end?: JobEnd;
  /** Why its output could not be followed to the end. */
  lost?: string;
}

/**
 * Follows a job's output into the store until the job has ended and every byte is stored. May be called again after any error: it continues where the
 * stored output ends. Throws disk-full (for this computer), the errors of the connection to the host, and `cancelled`.
 */
export async function collect(options: CollectOptions): Promise<Collected> {
  const { context, machine, jobId, signal } = options;
  const recorder = new RunRecorder({ ...options, store: context.store });
  const warmUp = new WarmUp(context, options.runId, options.generator);
  const { seen, lost } = await followAll(options, recorder, warmUp)
    .then(
      (last) => ({ seen: last, lost: undefined }),
      (error: unknown) => ({ seen: undefined, lost: lostReason(error) }),
    )
    .finally(() => context.lags.forget(options.runId, options.generator));
  const status = seen ?? (await untilReachable(machine, { signal }, () => context.jobs.status(machine, jobId, signal)));
  const end = status.state === 'ended' ? status.end : undefined;
  const exit = exitOf(status);
  const outcome = context.store.atomically(() => {
    const finished = recorder.finish(exit);
    warmUp.reached(recorder.reached);
    return finished;
  });
  options.onChanged();
  return { recorder, outcome, status, exit, ...(end && { end }), ...(lost !== undefined && { lost }) };
}

/** A job whose output cannot be followed to its end is a result of the run, not an error of ours. */
function lostReason(error: unknown): string {
  if (error instanceof KneepointError && error.code === 'job-lost') return error.message;
  throw error;
}

/** Resolves with the state of the job after its last byte. */
async function followAll(
  options: CollectOptions,
  recorder: RunRecorder,
  warmUp: WarmUp,
): Promise<JobStatus | undefined> {
  const abort = new AbortController();
  const passOn = (): void => abort.abort();
  options.signal.addEventListener('abort', passOn, { once: true });
  const { store } = options.context;
  const index = new IndexRecorder(store, options.runId, options.generator);
  const offsetMs = store.runs.get(options.runId)?.jobs[options.generator]?.clock?.offsetMs;
  const writer = new BatchWriter(recorder, {
    store,
    write() {
      recorder.flush();
      const hostSeconds = index.flush();
      warmUp.reached(recorder.reached);
      return hostSeconds;
    },
    onStored(hostSeconds) {
      noteLag(options, offsetMs, hostSeconds);
      options.onChanged();
    },
    onFailure(error) {
      failure = error;
      abort.abort();
    },
  });
  let failure: unknown;
  const { jobs } = options.context;
  let last: JobStatus | undefined;
  keepClockOf(options, abort.signal).catch((error: unknown) => {
    options.context.log.warn('the clock of a host is no longer read', { message: problemOf(error).message });
  });
  const follow = async (stream: OutputStream): Promise<void> => {
    const chunks = jobs.follow(options.machine, options.jobId, stream, recorder.wanted(stream), abort.signal, {
      onEnd: (status) => {
        last = status;
      },
    });
    for await (const chunk of chunks) {
      recorder.push(stream, chunk.offset, chunk.bytes);
      writer.changed();
    }
  };
  const followIndex = async (): Promise<void> => {
    const chunks = jobs.follow(options.machine, options.jobId, 'index', index.wanted, abort.signal);
    for await (const chunk of chunks) {
      index.push(chunk.bytes);
      writer.changed();
    }
  };
  try {
    const results = await Promise.allSettled(
      [follow('stdout'), follow('stderr'), followIndex().catch(unlessLost)].map((following) =>
        following.catch((error: unknown) => {
          abort.abort();
          throw error;
        }),
      ),
    );
    // The first cause counts: the other streams fail only because they were cancelled.
    const causes = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    const cause = failure ?? causes.find((error) => !isCancelled(error)) ?? causes[0];
    if (cause !== undefined) throw cause;
    if (options.signal.aborted) throw new KneepointError({ code: 'cancelled', message: 'Recording was interrupted.' });
    writer.flush();
    return last;
  } finally {
    abort.abort();
    writer.stop();
    options.signal.removeEventListener('abort', passOn);
  }
}

/** Keeps the clock reading up to date while the output is followed. */
function keepClockOf({ context, machine, runId, generator }: CollectOptions, signal: AbortSignal): Promise<void> {
  const { runs, sources, samples } = context.store;
  const run = runs.get(runId);
  if (!run) return Promise.resolve();
  const { id } = sources.ensure(run.sessionId, { kind: 'generator', name: machine.name, position: generator });
  const clock = () => {
    const { epoch, uptime } = samples.index(runId, generator);
    return epoch[0] === undefined ? undefined : { epoch: epoch[0], uptime: uptime[0] ?? 0 };
  };
  return keepClock(context, { machine, sourceId: id, clock }, signal);
}

/** The output counts. If only the index is cut off, the host's clock is unknown from there on. */
function unlessLost(error: unknown): void {
  if (!(error instanceof KneepointError) || error.code !== 'job-lost') throw error;
}

/** The offset of the host's clock, read when the tool was launched, gives the time at which the newest output was written. */
function noteLag(
  { context, runId, generator }: CollectOptions,
  offsetMs: number | undefined,
  hostSeconds: number | undefined,
): void {
  if (hostSeconds === undefined || offsetMs === undefined) return;
  context.lags.note(runId, generator, hostSeconds * 1000 + offsetMs);
}

const isCancelled = (error: unknown): boolean => error instanceof KneepointError && error.code === 'cancelled';

interface Writing {
  store: Pick<Store, 'relaxed' | 'soon'>;
  /** Runs in a transaction. Returns the latest time of the index, in seconds of the host's clock. */
  write(): number | undefined;
  onStored(hostSeconds: number | undefined): void;
  onFailure(error: unknown): void;
}

/** Stores output together with other runs, or at once if much is waiting. */
class BatchWriter {
  readonly #recorder: RunRecorder;
  readonly #writing: Writing;
  #isAsked = false;
  #isOver = false;

  constructor(recorder: RunRecorder, writing: Writing) {
    this.#recorder = recorder;
    this.#writing = writing;
  }

  changed(): void {
    if (this.#isOver) return;
    if (this.#recorder.pendingBytes >= COMMIT_BYTES) this.#attempt();
    else if (!this.#isAsked) void this.#ask();
  }

  flush(): void {
    const { store, write, onStored } = this.#writing;
    onStored(store.relaxed(write));
  }

  stop(): void {
    this.#isOver = true;
  }

  async #ask(): Promise<void> {
    this.#isAsked = true;
    try {
      const stored = await this.#writing.store.soon(() => {
        this.#isAsked = false;
        return this.#isOver ? undefined : { hostSeconds: this.#writing.write() };
      });
      if (stored && !this.#isOver) this.#writing.onStored(stored.hostSeconds);
    } catch (error) {
      this.#fail(error);
    }
  }

  #attempt(): void {
    try {
      this.flush();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#writing.onFailure(error);
  }
}

/** Exit as the host's shell saw it (128 + n for signal n), or why it is unknown. */
export function exitOf(status: JobStatus): ExitStatus {
  switch (status.state) {
    case 'ended': {
      const signal = SIGNALS[status.end.code - 128];
      return { code: status.end.code, ...(signal && { signal }) };
    }
    case 'rebooted':
      return { unknown: 'The host was restarted while the tool was running.' };
    case 'gone':
      return { unknown: 'The job folder on the host no longer exists.' };
    case 'lost':
      return {
        unknown:
          status.tool === 'alive'
            ? 'The supervisor of the job was killed; the tool itself is still running.'
            : 'The supervisor of the job was killed before it could record how the tool ended.',
      };
    case 'running':
      return { unknown: 'The job has not ended.' };
  }
}
