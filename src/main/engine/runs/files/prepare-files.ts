import { KneepointError } from '../../../../shared/model/problem.ts';
import type { Machine } from '../../hosts/machine.ts';
import type { RunRow } from '../../store/store.ts';
import type { Step } from '../../tools/tool.ts';
import { contextOf, type RunsContext, type SessionContext } from '../context.ts';
import { keepForAWhile } from '../tidy.ts';
import type { TrialControl } from '../trial/control.ts';
import { runJobStep } from '../trial/job-step.ts';
import { ensureFiles, wrongFiles } from './ensure-files.ts';
import { fileSetsIn, noteLook, noteWriting } from './file-sets.ts';
import { fileState } from './file-state.ts';
import { cellFiles, filePreparationsOf, hostOf } from './needs.ts';

type PrepareJob = NonNullable<SessionContext['prepareJob']>;

/**
 * Sees to it that the files of a trial are there. Before the first trial those of all cells are made, or found; before each further one
 * its own are looked at again, which reads nothing of them. Throws `data-mismatch` with what was expected and what was found.
 */
export async function prepareFiles(
  context: RunsContext,
  run: RunRow,
  machine: Machine,
  control: TrialControl,
  activity: (words: string | undefined) => void,
): Promise<void> {
  const { experiment } = read(context, run.sessionId);
  const { runs, sessions } = context.store;
  const isBegun = runs.ofSession(run.sessionId).some(({ startedAt }) => startedAt !== null);
  // Once it runs, all of them were there.
  if (!isBegun && sessions.get(run.sessionId)?.state !== 'running')
    await makeAll(context, run, machine, control, activity);
  const need = cellFiles(context, experiment, run);
  if (!need || need.selfMade) return;
  const state = await fileState(machine, need.directory, need.files, control.signal);
  for (const set of fileSetsIn(context.store, machine.name, need)) noteLook(context, set, state);
  if (!state.complete) throw wrongFiles(machine.name, need.directory, state, experiment.workload.data);
}

async function makeAll(
  context: RunsContext,
  { sessionId }: RunRow,
  machine: Machine,
  control: TrialControl,
  activity: (words: string | undefined) => void,
): Promise<void> {
  const write = (change: SessionContext): void => {
    context.store.sessions.update(sessionId, { context: change as unknown as Record<string, unknown> });
  };
  const { experiment, plan } = read(context, sessionId);
  for (const preparation of await filePreparationsOf(context, experiment, plan.cells)) {
    const { key, tool, recipe, need } = preparation;
    const runStep = async (kind: PrepareJob['step'], step: Step): Promise<void> => {
      if (control.ended()) throw new KneepointError({ code: 'cancelled', message: 'Stopped by a person.' });
      activity(kind === 'cleanup' ? 'Removing old files' : `Laying out ${need.title}`);
      const { prepareJob } = read(context, sessionId);
      const save = (job: Omit<PrepareJob, 'key'> | undefined): void => {
        const { prepareJob: ended, ...rest } = read(context, sessionId);
        write(job ? { ...rest, prepareJob: { ...job, key } } : rest);
        if (ended && !job) keepForAWhile(context, ended);
      };
      const underWay = prepareJob?.key === key && prepareJob.step === kind ? prepareJob : undefined;
      await runJobStep(context, { tool, options: recipe.options }, machine, control, { kind, step, underWay, save });
    };
    const { prepareJob } = read(context, sessionId);
    const underWay = prepareJob?.key === key ? prepareJob.step : undefined;
    await ensureFiles(context, { sessionId, experiment, machine, preparation, underWay, runStep, control });
  }
  activity(undefined);
}

/** Notes that a trial is about to write to its files, if its workload does. */
export function beforeTrialOnFiles(context: RunsContext, run: RunRow): void {
  const { experiment } = read(context, run.sessionId);
  const need = cellFiles(context, experiment, run);
  if (need?.written) noteWriting(context, hostOf(experiment), need, run.sessionId);
}

function read(context: RunsContext, sessionId: number): SessionContext {
  const row = context.store.sessions.get(sessionId);
  if (!row)
    throw new KneepointError({ code: 'not-found', message: `Session ${sessionId} is gone.`, session: sessionId });
  return contextOf(row);
}
