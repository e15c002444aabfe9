import type { Machine, Spawned } from '../hosts/machine.ts';
import type { JobStream } from './job.ts';
import { assignments, checkId, newNonce, noAnswer, parseReplies } from './protocol.ts';
import { FOLLOW } from './scripts/short.sh.ts';

/** More than any login script prints before the first line of ours. */
const NOISE_LIMIT = 1024 * 1024;

/** A channel that sends a growing file of a job. */
export interface Follower {
  /** First reply of the host: the current size of the file, that it is shorter than the requested offset, or that it does not exist. */
  readonly answer: { kind: 'open' | 'short'; size: number } | { kind: 'gone' };
  next(): Promise<IteratorResult<Uint8Array>>;
  close(): void;
}

/**
 * Opens a channel at a byte offset. Undefined if it closed before it replied (a server out of sessions, a killed shell). Throws what the
 * machine throws, and `host-refused` if anything other than our script replies.
 */
export async function openFollower(
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
