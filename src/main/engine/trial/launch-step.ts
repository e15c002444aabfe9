import type { SessionSnapshot } from '../../../shared/model/session-snapshot.ts';
import { readProgram, requireDevices } from '../facts/index.ts';
import type { Machine } from '../hosts/machine.ts';
import { jobOf, untilReachable, type Waiting } from '../runs/index.ts';
import type { Command } from '../tools/tool.ts';
import { type JobOwner, noteSecrets } from '../world/index.ts';
import type { TrialContext } from './context.ts';

interface Launch {
  command: Command;
  jobId: string;
  waitSeconds?: number;
  owner: JobOwner;
}

/**
 * Starts a step as a job, once, however often its reply is lost. What it overwrites is checked again before each attempt: hours may
 * lie between two, and somebody may have mounted the device meanwhile. A job that is there already has the device open itself.
 */
export async function launchStep(
  context: TrialContext,
  session: Pick<SessionSnapshot, 'granted'>,
  machine: Machine,
  waiting: Waiting,
  { command, jobId, waitSeconds, owner }: Launch,
): Promise<void> {
  const { signal } = waiting;
  const devices = command.overwrites ?? [];
  const shared = (command.programs ?? []).map(({ name, path }) => ({ name, content: readProgram(path) }));
  await untilReachable(machine, waiting, async () => {
    if (devices.length > 0 && (await context.jobs.status(machine, jobId, signal)).state === 'gone')
      await requireDevices(session.granted ?? [], machine, devices, signal);
    const job = { ...jobOf(command, jobId, waitSeconds), shared };
    await noteSecrets(context, machine, job, owner, signal);
    return context.jobs.launch(machine, job, signal);
  });
}
