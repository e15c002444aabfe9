import { KneepointError } from '../../../shared/model/problem.ts';
import type { GrantedDevice } from '../../../shared/model/session-snapshot.ts';
import { formatDuration } from '../../../shared/util/format.ts';
import type { Machine } from '../hosts/machine.ts';
import type { PreparedData, StepJob } from '../store/store.ts';
import type { Command } from '../tools/tool.ts';
import { runJobStep, type TrialControl } from '../trial/index.ts';
import { endStrays } from '../watching/index.ts';
import { keepForAWhile } from '../world/index.ts';
import type { DataContext, Preparation } from './kind.ts';
import { kindOf } from './kinds.ts';

interface StepPlace {
  sessionId: number;
  preparation: Preparation;
  granted: readonly GrantedDevice[];
  machine: Machine;
  control: TrialControl;
  activity(words: string | undefined): void;
}

/** Runs the steps of a preparation as jobs that outlive Kneepoint, and follows one that an earlier start left running. */
export function stepRunner(
  context: DataContext,
  { sessionId, preparation, granted, machine, control, activity }: StepPlace,
): (kind: StepJob['step'], command: Command) => Promise<void> {
  const { key, tool, recipe, need } = preparation;
  const { removing, preparing } = kindOf(need ?? { kind: 'tables' }).words;
  return async (kind, command) => {
    if (control.ended()) throw new KneepointError({ code: 'cancelled', message: 'Stopped by user.' });
    activity(kind === 'cleanup' ? removing : preparing(need?.title ?? 'data'));
    const known = context.store.jobs.step(sessionId);
    const underWay = known?.key === key && known.step === kind ? known : undefined;
    const save = (job: Omit<StepJob, 'key'> | undefined): void => saveStep(context, sessionId, job && { ...job, key });
    if (!underWay) await endStrays(context, machine, control);
    const work = { tool, sessionId, options: recipe.options, ...(granted.length > 0 && { granted: [...granted] }) };
    const begun = context.clock.monotonic();
    await runJobStep(context, work, machine, control, { kind, command, underWay, save });
    // For a step that an earlier start began, it is unknown how long it was stalled.
    if (kind === 'prepare' && !underWay)
      notePrepared(context, sessionId, preparation, (context.clock.monotonic() - begun) / 1000);
  };
}

/** Logged, and stored for the estimates of later plans. */
function notePrepared(context: DataContext, sessionId: number, { need }: Preparation, seconds: number): void {
  const title = need?.title ?? 'data';
  const files = need?.kind === 'files' ? need.parts.reduce((sum, { size }) => sum + size, 0) : undefined;
  const bytes = need?.bytes ?? files;
  const prepared: PreparedData = { title, seconds, ...(bytes !== undefined && { bytes }) };
  context.store.events.add({
    ...{ sessionId, kind: 'log', level: 'info', at: context.clock.now() },
    message: `Prepared ${title} in ${formatDuration(seconds)}.`,
    detail: { prepared },
  });
}

/** Stores the running step before its launch, and clears it after its end. */
function saveStep(context: DataContext, sessionId: number, job: StepJob | undefined): void {
  const { jobs, atomically } = context.store;
  const ended = jobs.step(sessionId);
  if (job) jobs.beginStep(sessionId, job);
  else
    atomically(() => {
      jobs.endStep(sessionId);
      if (ended) keepForAWhile(context, ended);
    });
}
