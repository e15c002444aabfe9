import type { Machine } from '../hosts/machine.ts';
import { digestOf, writeFilesFunction } from './files.ts';
import type { JobSpec, Launched } from './job.ts';
import { launchProblem } from './launch-problem.ts';
import { ask, checkId, newNonce, oddAnswer, type Reply, retrying } from './protocol.ts';
import { LAUNCH } from './scripts/launch.sh.ts';
import { share } from './share.ts';

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
  // One nonce for all attempts: a repeat after a lost reply finds its own start and may call it new.
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
    // A host that keeps nothing would be sent the same again and again.
    shared.delete(answer.rest);
  }
}

function parseLaunched(machine: Machine, reply: Reply): Launched {
  const [, how, pid, directory] = /^(new|attached) (\d+) (\/.*)$/.exec(reply.rest) ?? [];
  if (how === undefined || directory === undefined) throw oddAnswer(machine.name, reply);
  return { how: how === 'new' ? 'new' : 'attached', pid: Number(pid), directory };
}
