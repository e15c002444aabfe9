import { KneepointError } from '../../../shared/model/problem.ts';
import type { Machine } from '../hosts/machine.ts';
import { writeFilesFunction } from './files.ts';
import type { JobSpec, Launched } from './job.ts';
import { ask, checkId, newNonce, oddAnswer, type Reply, retrying } from './protocol.ts';
import { LAUNCH } from './scripts/launch.sh.ts';

export interface LaunchLimits {
  /** Between TERM and KILL when a limit was reached. */
  graceSeconds: number;
  outputLimitBytes: number;
}

/** Enough for hosts that are slow because a benchmark loads them; writing the files and the start itself take milliseconds. */
const LAUNCH_LIMIT_MS = 60_000;

export async function launch(
  machine: Machine,
  spec: JobSpec,
  limits: LaunchLimits,
  signal: AbortSignal | undefined,
): Promise<Launched> {
  const [executable = ''] = spec.argv;
  const values = {
    job_id: checkId(spec.id),
    limit: Math.max(1, Math.ceil(spec.limitSeconds)),
    grace: limits.graceSeconds,
    output_limit: spec.outputLimitBytes ?? limits.outputLimitBytes,
    // A program that is one of the job's files does not exist yet.
    executable: executable.startsWith('@') ? '' : executable,
    tool_path: spec.env.PATH ?? '',
  };
  const script = `${writeFilesFunction(spec)}\n${LAUNCH}`;
  // One nonce for all attempts: a repeat after a lost reply finds its own start and may call it new.
  const nonce = newNonce();
  const replies = await retrying(machine, signal, () =>
    ask(machine, script, values, { signal, timeoutMs: LAUNCH_LIMIT_MS, nonce }),
  );
  const answer = replies.at(-1);
  if (answer?.word === 'launched') return parseLaunched(machine, answer);
  throw launchProblem(machine, spec, replies);
}

function parseLaunched(machine: Machine, reply: Reply): Launched {
  const [, how, pid, directory] = /^(new|attached) (\d+) (\/.*)$/.exec(reply.rest) ?? [];
  if (how === undefined || directory === undefined) throw oddAnswer(machine.name, reply);
  return { how: how === 'new' ? 'new' : 'attached', pid: Number(pid), directory };
}

function launchProblem(machine: Machine, spec: JobSpec, replies: readonly Reply[]): KneepointError {
  const host = machine.name;
  const answer = replies.at(-1);
  const safe = 'Nothing was started.';
  switch (answer?.word) {
    case 'tool-missing':
      return new KneepointError({
        code: 'tool-missing',
        host,
        message: `${spec.argv[0]} was not found on ${host}, or may not be executed there. Searched in: ${answer.rest}.`,
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
        message: `No folder for the job could be made on ${host}. Tried: ${tried.join('; ')}.`,
        safe,
        next: 'Give the account a home directory it can write to, or set XDG_STATE_HOME for it.',
        details: { tried },
      });
    }
    case 'broken':
      return new KneepointError({
        code: 'job-lost',
        host,
        message: `The supervisor of the job did not come up on ${host}${answer.rest ? `: ${answer.rest}` : '.'}`,
        safe: 'The tool was not started.',
        next: 'Start the trial again; if it happens again, look at the load and the disks of the host.',
      });
    default:
      return oddAnswer(host, answer);
  }
}
