import type { Machine } from '../../hosts/machine.ts';
import type { Step } from '../../tools/tool.ts';
import type { RunsContext, SessionContext } from '../context.ts';
import { requireDevices } from '../devices.ts';
import { readProgram } from '../programs.ts';
import { untilReachable, type Waiting } from '../reachable.ts';
import { jobOf } from '../steps.ts';

/**
 * Starts a step as a job, once, however often its reply is lost. What it overwrites is looked at again before each attempt: hours may
 * lie between two, and somebody may have mounted the device meanwhile. A job that is there already has the device open itself.
 */
export async function launchStep(
  context: RunsContext,
  session: Pick<SessionContext, 'granted'>,
  machine: Machine,
  waiting: Waiting,
  { step, jobId, waitSeconds }: { step: Step; jobId: string; waitSeconds?: number },
): Promise<void> {
  const { signal } = waiting;
  const devices = step.overwrites ?? [];
  const shared = (step.programs ?? []).map(({ name, path }) => ({ name, content: readProgram(path) }));
  await untilReachable(machine, waiting, async () => {
    if (devices.length > 0 && (await context.jobs.status(machine, jobId, signal)).state === 'gone')
      await requireDevices(session.granted ?? [], machine, devices, signal);
    return context.jobs.launch(machine, { ...jobOf(step, jobId, waitSeconds), shared }, signal);
  });
}
