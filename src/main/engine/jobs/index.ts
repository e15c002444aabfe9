import { follow } from './follow.ts';
import type { Jobs } from './job.ts';
import { launch, release, startTime } from './launch.ts';
import { checkId } from './protocol.ts';
import { fetchReport } from './status.ts';
import { remove, removeSecrets, stop } from './stop.ts';
import { createWatches } from './watch.ts';

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
    removeSecrets,
    remove,
  };
}
