import type { Machine } from '../hosts/machine.ts';
import { digestOf, writeSharedFunction } from './files.ts';
import type { SharedFile } from './job.ts';
import { launchProblem } from './launch-problem.ts';
import { ask, retrying } from './protocol.ts';
import { SHARE } from './scripts/share.sh.ts';

/** A megabyte may take a minute over a slow link, and a few of them must get through. */
const SHARE_LIMIT_MS = 600_000;

/** Sends a file that jobs share to a host, where it is kept under the digest of its content. Throws disk-full, host-*. */
export async function share(machine: Machine, file: SharedFile, signal: AbortSignal | undefined): Promise<void> {
  const values = { digest: digestOf(file), bytes: Buffer.byteLength(file.content) };
  const script = `${writeSharedFunction(file)}\n${SHARE}`;
  const replies = await retrying(machine, signal, () =>
    ask(machine, script, values, { signal, timeoutMs: SHARE_LIMIT_MS }),
  );
  if (replies.at(-1)?.word !== 'shared') throw launchProblem(machine, file.name, replies);
}
