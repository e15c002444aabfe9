import { KneepointError } from '../../../shared/model/problem.ts';
import type { Machine } from '../hosts/machine.ts';
import { digestOf, writeFilesFunction, writeSharedFunction } from './files.ts';
import type { JobSpec, Launched, SharedFile } from './job.ts';
import { ask, checkId, newNonce, type Reply, retrying, unexpectedAnswer } from './protocol.ts';
import { LAUNCH } from './scripts/launch.sh.ts';
import { BEGAN, RELEASE, SHARE } from './scripts/short.sh.ts';

export interface LaunchLimits {
  /** Seconds between TERM and KILL when a limit was reached. */
  graceSeconds: number;
  outputLimitBytes: number;
}

/** Enough for hosts that are slowed down by a benchmark; writing the files and the start itself take milliseconds. */
const LAUNCH_LIMIT_MS = 60_000;

export async function launch(
  machine: Machine,
  spec: JobSpec,
  limits: LaunchLimits,
  signal: AbortSignal | undefined,
): Promise<Launched> {
  const [executable = ''] = spec.argv;
  const shared = new Map((spec.shared ?? []).map((file) => [digestOf(file), file]));
  const values = {
    job_id: checkId(spec.id),
    limit: Math.max(1, Math.ceil(spec.limitSeconds)),
    grace: limits.graceSeconds,
    output_limit: spec.outputLimitBytes ?? limits.outputLimitBytes,
    // A program that is one of the job's files does not exist yet.
    executable: executable.startsWith('@') ? '' : executable,
    tool_path: spec.env.PATH ?? '',
    shared: [...shared.keys()].join(' '),
  };
  const script = `${writeFilesFunction(spec)}\n${LAUNCH}`;
  // One nonce for all attempts, so a repeat after a lost reply recognizes its own start as new.
  const nonce = newNonce();
  for (;;) {
    const replies = await retrying(machine, signal, () =>
      ask(machine, script, values, { signal, timeoutMs: LAUNCH_LIMIT_MS, nonce }),
    );
    const answer = replies.at(-1);
    if (answer?.word === 'launched') return parseLaunched(machine, answer);
    const file = answer?.word === 'shared-missing' ? shared.get(answer.rest) : undefined;
    if (!answer || !file) throw launchProblem(machine, executable, replies);
    await share(machine, file, signal);
    // Otherwise a host that stores nothing would be sent the same file again and again.
    shared.delete(answer.rest);
  }
}

function parseLaunched(machine: Machine, reply: Reply): Launched {
  const [, how, pid, directory] = /^(new|attached) (\d+) (\/.*)$/.exec(reply.rest) ?? [];
  if (how === undefined || directory === undefined) throw unexpectedAnswer(machine.name, reply);
  return { how: how === 'new' ? 'new' : 'attached', pid: Number(pid), directory };
}

/** Converts an unexpected last reply of the host. `program`: the program to start. */
function launchProblem(machine: Machine, program: string, replies: readonly Reply[]): KneepointError {
  const host = machine.name;
  const answer = replies.at(-1);
  const safe = 'Nothing was started.';
  switch (answer?.word) {
    case 'tool-missing':
      return new KneepointError({
        code: 'tool-missing',
        host,
        message: `${program} was not found on ${host}, or is not executable. Searched in: ${answer.rest}.`,
        safe,
        next: `Install it on ${host}, or add its folder to the PATH of the account.`,
      });
    case 'no-room':
      return new KneepointError({
        code: 'disk-full',
        host,
        message: `The files of the job could not be written on ${host}: ${answer.rest || 'no space left'}.`,
        safe,
        next: `Free some space (or i-nodes, or quota) in the state folder of the account on ${host}, then start again.`,
      });
    case 'no-directory': {
      const tried = replies.filter((reply) => reply.word === 'tried').map((reply) => reply.rest);
      return new KneepointError({
        code: 'host-refused',
        host,
        message: `No job folder could be created on ${host}. Tried: ${tried.join('; ')}.`,
        safe,
        next: 'Give the account a home directory it can write to, or set XDG_STATE_HOME for it.',
        details: { tried },
      });
    }
    case 'broken':
      return new KneepointError({
        code: 'job-lost',
        host,
        message: `The supervisor of the job did not start on ${host}${answer.rest ? `: ${answer.rest}` : '.'}`,
        safe: 'The tool was not started.',
        next: 'Repeat the trial; if it happens again, check the load and the disks of the host.',
      });
    default:
      return unexpectedAnswer(host, answer);
  }
}

/** A megabyte may take a minute over a slow link, and a few of them must succeed. */
const SHARE_LIMIT_MS = 600_000;

/** Sends a shared file to a host, where it is stored under the digest of its content. Throws `disk-full`, host-*. */
async function share(machine: Machine, file: SharedFile, signal: AbortSignal | undefined): Promise<void> {
  const values = { digest: digestOf(file), bytes: Buffer.byteLength(file.content) };
  const script = `${writeSharedFunction(file)}\n${SHARE}`;
  const replies = await retrying(machine, signal, () =>
    ask(machine, script, values, { signal, timeoutMs: SHARE_LIMIT_MS }),
  );
  if (replies.at(-1)?.word !== 'shared') throw launchProblem(machine, file.name, replies);
}

/** Nanoseconds since 1970 exceed the exact range of a number. */
const toNanoseconds = (ms: number): string => String(BigInt(Math.round(ms)) * 1_000_000n);
const toMilliseconds = (nanoseconds: string): number => Number(BigInt(nanoseconds) / 1000n) / 1000;

export async function release(machine: Machine, id: string, hostMs: number, signal?: AbortSignal): Promise<number> {
  const values = { job_id: checkId(id), moment: toNanoseconds(hostMs) };
  const answer = (await ask(machine, RELEASE, values, { signal })).at(-1);
  if (answer?.word === 'no-room') {
    throw new KneepointError({
      code: 'disk-full',
      host: machine.name,
      message: `The start of the tool could not be recorded on ${machine.name}: no space is left for its job.`,
      safe: 'The tool was not started there.',
      next: `Free some space in the state folder of the account on ${machine.name}, then start again.`,
    });
  }
  return momentOf(machine, id, 'released', answer);
}

export async function startTime(machine: Machine, id: string, signal?: AbortSignal): Promise<number | undefined> {
  const answer = (await ask(machine, BEGAN, { job_id: checkId(id) }, { signal })).at(-1);
  return answer?.word === 'waiting' ? undefined : momentOf(machine, id, 'began', answer);
}

function momentOf(machine: Machine, id: string, word: string, answer: Reply | undefined): number {
  if (answer?.word === word && /^\d{15,20}$/.test(answer.rest)) return toMilliseconds(answer.rest);
  if (answer?.word !== 'gone') throw unexpectedAnswer(machine.name, answer);
  throw new KneepointError({
    code: 'job-lost',
    host: machine.name,
    message: `The folder of the job ${id} no longer exists on ${machine.name}, or the name now refers to another machine.`,
    safe: 'Recorded data is stored.',
  });
}
