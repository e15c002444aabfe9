import { KneepointError } from '../../../shared/model/problem.ts';
import type { Machine } from '../hosts/machine.ts';
import type { Step, ToolPlan } from '../tools/tool.ts';
import { contextOf, type RunsContext, type SessionContext } from './context.ts';
import { type DataState, dataState } from './data-state.ts';
import { runJobStep } from './job-step.ts';
import { needsOf } from './needs.ts';
import type { TrialControl } from './trial.ts';

type StepKind = NonNullable<SessionContext['prepareJob']>['step'];

/** Makes the data of every cell: the same tables once. Done when the session's context says `prepared`; safe to repeat. */
export async function prepareData(
  context: RunsContext,
  sessionId: number,
  machine: Machine,
  control: TrialControl,
  activity: (words: string | undefined) => void,
): Promise<void> {
  const read = (): SessionContext => readContext(context, sessionId);
  const write = (change: SessionContext): void => {
    context.store.sessions.update(sessionId, { context: change as unknown as Record<string, unknown> });
  };
  const { experiment, plan, prepared } = read();
  if (prepared) return;
  for (const steps of (await needsOf(context, experiment, plan)).steps) {
    const runStep = async (kind: StepKind, step: Step): Promise<void> => {
      if (control.ended()) throw new KneepointError({ code: 'cancelled', message: 'Stopped by a person.' });
      activity(kind === 'cleanup' ? 'Removing old data' : `Preparing ${steps.data?.title ?? 'data'}`);
      const { prepareJob, ...rest } = read();
      const underWay = prepareJob?.step === kind ? prepareJob : undefined;
      const save = (job: SessionContext['prepareJob']): void => write(job ? { ...rest, prepareJob: job } : rest);
      await runJobStep(context, rest, machine, control, { kind, step, underWay, save });
    };
    await ensureData(context, { experiment, steps, underWay: read().prepareJob?.step, runStep, control, activity });
  }
  activity(undefined);
  write({ ...read(), prepared: true });
}

interface EnsureOptions {
  experiment: SessionContext['experiment'];
  steps: ToolPlan;
  /** A step that an earlier start left under way: it is followed to its end before anything is judged. */
  underWay: StepKind | undefined;
  runStep(kind: StepKind, step: Step): Promise<void>;
  control: TrialControl;
  activity(words: string | undefined): void;
}

/** keep, create or recreate, and the counting that proves it. */
async function ensureData(context: RunsContext, options: EnsureOptions): Promise<void> {
  const { experiment, steps, underWay, runStep, control } = options;
  const { target } = experiment.where;
  const policy = experiment.workload.data;
  const count = async (): Promise<DataState | undefined> => {
    if (!steps.data || target === undefined) return undefined;
    options.activity(`Counting ${steps.data.title}`);
    return dataState(context, target, steps.data, control.signal);
  };
  if (underWay === undefined && policy !== 'recreate') {
    const before = await count();
    if (before?.complete) {
      control.notice('info', `Using the data that is there: ${steps.data?.title}.`);
      return;
    }
    if (policy === 'keep') {
      if (!before) return;
      throw wrongData(
        before,
        target,
        'Set data: create to prepare it, or choose the options that the existing data was made with.',
      );
    }
    if (before && !before.empty) {
      throw wrongData(
        before,
        target,
        'Set data: recreate to replace it (the tables named are dropped first), or use another database.',
      );
    }
  }
  if (policy === 'recreate' && steps.cleanup && underWay !== 'prepare') await runStep('cleanup', steps.cleanup);
  if (steps.prepare) await runStep('prepare', steps.prepare);
  const after = await count();
  if (after && !after.complete) {
    throw wrongData(
      after,
      target,
      'Look at the output of the prepare step in the log; then start again with data: recreate.',
    );
  }
}

function wrongData(state: DataState, target: string | undefined, next: string): KneepointError {
  const listed = state.wrong.slice(0, 4).join('; ');
  return new KneepointError({
    code: state.empty ? 'table-missing' : 'data-mismatch',
    message: `The data on ${target ?? 'the target'} is not what this workload needs (${listed}${state.wrong.length > 4 ? '; …' : ''}).`,
    ...(target !== undefined && { target }),
    safe: 'No trial was started.',
    next,
  });
}

function readContext(context: RunsContext, sessionId: number): SessionContext {
  const row = context.store.sessions.get(sessionId);
  if (!row)
    throw new KneepointError({ code: 'not-found', message: `Session ${sessionId} is gone.`, session: sessionId });
  return contextOf(row);
}
