import { KneepointError } from '../../../shared/model/problem.ts';
import type { Machine } from '../hosts/machine.ts';
import { follow } from './follow.ts';
import type { Jobs } from './job.ts';
import { launch, release, startTime } from './launch.ts';
import { ask, checkId, retrying, unexpectedAnswer } from './protocol.ts';
import { LIMIT, STOP } from './scripts/short.sh.ts';
import { REMOVE, REMOVE_SECRETS } from './scripts/status.sh.ts';
import { fetchReport } from './status.ts';
import { createWatches } from './watch.ts';

async function stop(
  machine: Machine,
  id: string,
  options: { graceSeconds: number; cause: string; signal: AbortSignal | undefined },
): Promise<{ left: number }> {
  if (!/^[A-Za-z-]{1,32}$/.test(options.cause) || options.cause === 'none') {
    throw new KneepointError({ code: 'bad-request', message: `“${options.cause}” cannot be the cause of a stop.` });
  }
  const grace = Math.max(0, Math.ceil(options.graceSeconds));
  const values = { job_id: checkId(id), grace, cause: options.cause };
  // In addition to the grace: up to 10 s for the end record, and two searches of a loaded host's process table.
  const timeoutMs = (grace + 60) * 1000;
  const { signal } = options;
  const replies = await retrying(machine, signal, () => ask(machine, STOP, values, { timeoutMs, signal }));
  const answer = replies.at(-1);
  const [, left] = /^left=(\d+)$/.exec(answer?.rest ?? '') ?? [];
  if (answer?.word !== 'stopped' || left === undefined) throw unexpectedAnswer(machine.name, answer);
  return { left: Number(left) };
}

async function limit(machine: Machine, id: string, seconds: number, signal?: AbortSignal): Promise<void> {
  const values = { job_id: checkId(id), seconds: Math.max(1, Math.ceil(seconds)) };
  const answer = (await ask(machine, LIMIT, values, { signal })).at(-1);
  if (answer?.word === 'limited' || answer?.word === 'gone') return;
  if (answer?.word !== 'no-room') throw unexpectedAnswer(machine.name, answer);
  throw new KneepointError({
    code: 'disk-full',
    host: machine.name,
    message: `The time limit of the job ${id} could not be recorded on ${machine.name}: no space is left.`,
    safe: 'Its earlier limit applies.',
  });
}

async function remove(machine: Machine, id: string): Promise<void> {
  const [answer] = await retrying(machine, undefined, () => ask(machine, REMOVE, { job_id: checkId(id) }));
  if (answer?.word === 'removed') return;
  if (answer?.word === 'refused') {
    throw new KneepointError({
      code: 'conflict',
      host: machine.name,
      message: `The job ${id} still runs on ${machine.name}, so its files were not removed.`,
      safe: 'Its output is untouched.',
      next: 'Stop the job first.',
    });
  }
  if (answer?.word === 'kept') throw notRemoved(machine, answer.rest);
  throw unexpectedAnswer(machine.name, answer);
}

async function removeSecrets(machine: Machine, id: string, signal?: AbortSignal): Promise<'removed' | 'running'> {
  const [answer] = await retrying(machine, signal, () =>
    ask(machine, REMOVE_SECRETS, { job_id: checkId(id) }, { signal }),
  );
  if (answer?.word === 'removed' || answer?.word === 'running') return answer.word;
  if (answer?.word === 'kept') throw notRemoved(machine, answer.rest);
  throw unexpectedAnswer(machine.name, answer);
}

const notRemoved = (machine: Machine, folder: string): KneepointError =>
  new KneepointError({
    code: 'read-only',
    host: machine.name,
    message: `The folder ${folder} on ${machine.name} could not be removed completely.`,
    next: 'Check the owner and the file system of that folder.',
  });

export interface JobsOptions {
  /** Milliseconds between two polls of a followed job, and between the first two. */
  pollMs?: number;
  firstPollMs?: number;
  /** Seconds between TERM and KILL if the caller does not set them. */
  graceSeconds?: number;
  /** Limit for the output of a job that does not set its own. */
  outputLimitBytes?: number;
}

/** Detached jobs, see `Jobs`. Holds no state that a restart would lose; all of it is on the hosts. */
export function createJobs(options: JobsOptions = {}): Jobs {
  const { pollMs = 3_000, firstPollMs, graceSeconds = 10, outputLimitBytes = 1024 ** 3 } = options;
  const watches = createWatches(pollMs, firstPollMs);
  return {
    launch: (machine, spec, signal) => launch(machine, spec, { graceSeconds, outputLimitBytes }, signal),
    release,
    startTime,
    status: async (machine, id, signal) => (await fetchReport(machine, id, signal)).status,
    async *follow(machine, id, stream, offset, signal, { everyMs, showsLife = false, onEnd } = {}) {
      const followed = { machine, id: checkId(id), stream, offset, signal, showsLife, onEnd };
      yield* follow(followed, watches.of(machine, id, everyMs));
    },
    async stop(machine, id, asked = {}) {
      const stopped = await stop(machine, id, {
        graceSeconds: asked.graceSeconds ?? graceSeconds,
        cause: asked.cause ?? 'stop',
        signal: asked.signal,
      });
      watches.pollNow(machine, id);
      return stopped;
    },
    limit,
    removeSecrets,
    remove,
  };
}
