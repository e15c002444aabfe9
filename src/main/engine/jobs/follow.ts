import { KneepointError } from '../../../shared/model/problem.ts';
import type { Machine, Spawned } from '../hosts/machine.ts';
import type { JobChunk, JobStatus, JobStream } from './job.ts';
import { assignments, checkId, isLinkLoss, newNonce, noAnswer, parseReplies } from './protocol.ts';
import { FOLLOW } from './scripts/short.sh.ts';
import type { JobReport } from './status.ts';
import { pause, type Watch } from './watch.ts';

/** Bytes before the offset that are read again after an interruption, to verify that it is still the same file. */
const OVERLAP = 64;
const LONGEST_PAUSE_MS = 1_000;
/** End of the index's last line, as written by the supervisor. */
const LAST_LINE = Buffer.from(' last\n');

export interface Followed {
  machine: Machine;
  id: string;
  stream: JobStream;
  offset: number;
  signal: AbortSignal;
  showsLife?: boolean;
  onEnd?: ((status: JobStatus) => void) | undefined;
}

/** See `Jobs.follow`. Closes the watch at the end. */
export async function* follow(followed: Followed, watch: Watch): AsyncGenerator<JobChunk, void, void> {
  const { machine, id, stream, signal } = followed;
  const place = new ReadPlace(followed);
  let pauseMs = 0;
  try {
    while (!isComplete(followed, place, watch.latest())) {
      await pause(pauseMs, signal);
      throwIfCancelled(followed);
      const before = place.offset;
      const follower = await unlessLinkLost(async () => {
        await machine.ready(signal);
        return openFollower(machine, id, stream, place.readFrom, signal);
      });
      if (follower) {
        try {
          place.resume(follower);
          yield* readFrom(follower, place, watch, followed);
        } finally {
          follower.close();
        }
      }
      // A channel that repeatedly closes without a byte must not cause a storm of new ones.
      pauseMs = place.offset > before ? 0 : Math.min(LONGEST_PAUSE_MS, 50 + pauseMs * 2);
    }
    const report = watch.latest();
    if (report) followed.onEnd?.(report.status);
  } finally {
    watch.close();
  }
}

/** Yields the bytes of one channel, until the job or the channel ends, or the channel stalls although there is more. */
async function* readFrom(
  follower: Follower,
  place: ReadPlace,
  watch: Watch,
  followed: Followed,
): AsyncGenerator<JobChunk, void, void> {
  let pending: Promise<IteratorResult<Uint8Array> | undefined> | undefined;
  let seenBefore: { size: number; position: number } | undefined;
  let hasOutput = false;
  const reports = new Reports(watch);
  while (!isComplete(followed, place, watch.latest())) {
    pending ??= unlessLinkLost(() => follower.next());
    const report = await reports.before(pending);
    throwIfCancelled(followed);
    if (report) {
      const size = report.sizes[followed.stream];
      // Everything received by the previous report was on the host's disk then; a file with less was truncated or replaced.
      const hasShrunk = seenBefore !== undefined && size < seenBefore.position;
      const stuck = seenBefore !== undefined && seenBefore.size > place.offset && !hasOutput;
      if (hasShrunk || stuck) return;
      seenBefore = { size, position: place.offset };
      hasOutput = false;
      continue;
    }
    const chunk = await pending;
    pending = undefined;
    if (chunk === undefined || chunk.done) return;
    hasOutput = true;
    const fresh = place.accept(chunk.value);
    if (!fresh) continue;
    if (followed.stream === 'index' || followed.showsLife) watch.noteOutput();
    if (followed.stream === 'index' && place.readsEnd) watch.ending();
    yield fresh;
  }
}

/** Whether everything was delivered. Throws `job-lost` if nothing more can come and there is no end to wait for. */
function isComplete(followed: Followed, place: ReadPlace, report: JobReport | undefined): boolean {
  if (report === undefined) return false;
  const { status } = report;
  if (status.state === 'gone') throw goneProblem(followed);
  const delivered = place.offset >= report.sizes[followed.stream];
  if (status.state === 'ended') return delivered;
  if (delivered && (status.state === 'rebooted' || (status.state === 'lost' && status.tool === 'gone'))) {
    throw unfinishedProblem(followed, status.state);
  }
  return false;
}

/** Position in the file, and the last bytes before it. */
class ReadPlace {
  offset: number;
  readonly #followed: Followed;
  #last: Buffer = Buffer.alloc(0);
  /** Bytes of the current channel that were received before. */
  #expected: Buffer = Buffer.alloc(0);

  constructor(followed: Followed) {
    this.#followed = followed;
    this.offset = followed.offset;
  }

  /** Whether the last delivered bytes are the end of an index's last line. */
  get readsEnd(): boolean {
    return this.#last.subarray(-LAST_LINE.length).equals(LAST_LINE);
  }

  get readFrom(): number {
    return this.offset - this.#last.length;
  }

  /** Checks a new channel's reply: the file must still contain what was delivered. */
  resume(follower: Follower): void {
    if (follower.answer.kind === 'gone') throw goneProblem(this.#followed);
    if (follower.answer.size < this.offset) throw replacedProblem(this.#followed, this.offset, follower.answer.size);
    this.#expected = this.#last;
  }

  accept(bytes: Uint8Array): JobChunk | undefined {
    let fresh = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (this.#expected.length > 0) {
      const repeated = Math.min(this.#expected.length, fresh.length);
      if (!fresh.subarray(0, repeated).equals(this.#expected.subarray(0, repeated))) {
        throw replacedProblem(this.#followed, this.offset);
      }
      this.#expected = this.#expected.subarray(repeated);
      fresh = fresh.subarray(repeated);
    }
    if (fresh.length === 0) return undefined;
    const chunk = { offset: this.offset, bytes: fresh };
    this.offset += fresh.length;
    // A copy, because a view would keep every chunk of the stream in memory.
    this.#last = Buffer.from(Buffer.concat([this.#last, fresh.subarray(-OVERLAP)]).subarray(-OVERLAP));
    return chunk;
  }
}

async function unlessLinkLost<Value>(action: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await action();
  } catch (error) {
    if (isLinkLoss(error)) return undefined;
    throw error;
  }
}

function throwIfCancelled({ signal, machine }: Followed): void {
  if (!signal.aborted) return;
  throw new KneepointError({
    code: 'cancelled',
    host: machine.name,
    message: `Following a job on ${machine.name} was cancelled.`,
    safe: 'The job itself continues.',
  });
}

interface Where {
  machine: Machine;
  id: string;
  stream: JobStream;
}

const SAFE = 'Output received so far is stored.';

export const goneProblem = ({ machine, id }: Where): KneepointError =>
  new KneepointError({
    code: 'job-lost',
    host: machine.name,
    message: `The files of the job ${id} are no longer on ${machine.name}: its folder was removed, or the name now refers to another machine.`,
    safe: SAFE,
    next: 'Repeat the trial.',
    details: { state: 'gone' },
  });

export const replacedProblem = ({ machine, id, stream }: Where, received: number, size?: number): KneepointError =>
  new KneepointError({
    code: 'job-lost',
    host: machine.name,
    message:
      size === undefined
        ? `The file ${stream} of the job ${id} on ${machine.name} no longer contains the data received from it: it was replaced.`
        : `The file ${stream} of the job ${id} on ${machine.name} has ${size} bytes, but ${received} were received: it was truncated or replaced.`,
    safe: `${SAFE} The changed file is not read.`,
    next: 'Find out what changed it, then repeat the trial.',
    details: { state: 'replaced', received, size },
  });

export const unfinishedProblem = ({ machine, id }: Where, state: 'lost' | 'rebooted'): KneepointError =>
  new KneepointError({
    code: 'job-lost',
    host: machine.name,
    message:
      state === 'rebooted'
        ? `${machine.name} was restarted while the job ${id} ran, so its outcome is unknown.`
        : `The job ${id} on ${machine.name} ended without a record: its supervisor was killed, so the exit code is unknown.`,
    safe: 'All output of the tool was received and is stored.',
    next: 'Repeat the trial.',
    details: { state },
  });

/**
 * The reports of a watch, for one reader that also waits for chunks. `Promise.race` would attach every chunk to the pending report and keep
 * a flood of them in memory until then; here each report has one listener.
 */
class Reports {
  readonly #watch: Pick<Watch, 'next'>;
  #latest: { report: JobReport } | { error: unknown } | undefined;
  #listening = false;
  #wake: () => void = () => undefined;

  constructor(watch: Pick<Watch, 'next'>) {
    this.#watch = watch;
  }

  /** The next report from now on, or undefined if `other` settles first. Throws errors of the watch, never those of `other`. */
  async before(other: Promise<unknown>): Promise<JobReport | undefined> {
    // A report from while there was no waiter is outdated; an error is reported again.
    this.#latest = undefined;
    this.#listen();
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      const settled = (): void => resolve();
      other.then(settled, settled);
    });
    const latest = this.#latest as { report: JobReport } | { error: unknown } | undefined;
    if (latest && 'error' in latest) throw latest.error;
    return latest?.report;
  }

  #listen(): void {
    if (this.#listening) return;
    this.#listening = true;
    const receive = (latest: { report: JobReport } | { error: unknown }): void => {
      this.#latest = latest;
      this.#listening = false;
      this.#wake();
    };
    this.#watch.next().then(
      (report) => receive({ report }),
      (error: unknown) => receive({ error }),
    );
  }
}

/** More than any login script prints before the first line of ours. */
const NOISE_LIMIT = 1024 * 1024;

/** A channel that sends a growing file of a job. */
interface Follower {
  /** First reply of the host: the current size of the file, that it is shorter than the requested offset, or that it does not exist. */
  readonly answer: { kind: 'open' | 'short'; size: number } | { kind: 'gone' };
  next(): Promise<IteratorResult<Uint8Array>>;
  close(): void;
}

/**
 * Opens a channel at a byte offset. Undefined if it closed before it replied (a server out of sessions, a killed shell). Throws what the
 * machine throws, and `host-refused` if anything other than our script replies.
 */
async function openFollower(
  machine: Machine,
  id: string,
  stream: JobStream,
  offset: number,
  signal: AbortSignal,
): Promise<Follower | undefined> {
  const nonce = newNonce();
  const values = assignments({ nonce, job_id: checkId(id), file: stream, offset });
  const spawned = await machine.spawn(`${values}\n${FOLLOW}`, { signal });
  const chunks = spawned.stdout[Symbol.asyncIterator]();
  try {
    const head = await readHead(machine, spawned, chunks, nonce);
    if (!head) {
      spawned.close();
      return undefined;
    }
    let rest = head.rest;
    return {
      answer: head.answer,
      close: spawned.close,
      async next() {
        if (rest.length === 0) return chunks.next();
        const value = rest;
        rest = Buffer.alloc(0);
        return { done: false, value };
      },
    };
  } catch (error) {
    spawned.close();
    throw error;
  }
}

/** Reads up to the end of our first line; the rest belongs to the file. */
async function readHead(
  machine: Machine,
  spawned: Spawned,
  chunks: AsyncIterator<Uint8Array>,
  nonce: string,
): Promise<{ answer: Follower['answer']; rest: Buffer } | undefined> {
  let seen = Buffer.alloc(0);
  for (;;) {
    const start = seen.indexOf(`@@${nonce} `);
    const end = start < 0 ? -1 : seen.indexOf('\n', start);
    if (end >= 0) {
      const [reply] = parseReplies(nonce, seen.toString('utf8', start, end + 1));
      const rest = seen.subarray(end + 1);
      const size = Number(reply?.rest);
      if (reply?.word === 'gone') return { answer: { kind: 'gone' }, rest };
      if ((reply?.word === 'open' || reply?.word === 'short') && Number.isInteger(size)) {
        return { answer: { kind: reply.word, size }, rest };
      }
    }
    const noise = { stdout: seen.toString('utf8', 0, 1000), stderr: spawned.stderr() };
    if (end >= 0 || seen.length > NOISE_LIMIT) throw noAnswer(machine.name, noise);
    const chunk = await chunks.next();
    if (chunk.done) return undefined;
    seen = Buffer.concat([seen, chunk.value]);
  }
}
