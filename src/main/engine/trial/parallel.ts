import { KneepointError } from '../../../shared/model/problem.ts';
import { ENDED_RUN } from '../../../shared/model/states.ts';
import { allOrNone, stepOf, untilReachable } from '../runs/index.ts';
import type { RunRow } from '../store/store.ts';
import type { TrialContext, TrialControl } from './context.ts';
import { CommonStart } from './launching.ts';
import { executeTrial } from './trial.ts';

/**
 * Launches (or finds again) the runs of parallel steps of one trial, records them to their end, and stores the outcome of each. They start on one
 * clock. If one of them does not complete, the others are ended, since from then on they would measure something else. `runs`: all of the group, also
 * those that have ended. `onEnded`: called at the end of each.
 */
export async function executeParallel(
  context: TrialContext,
  runs: readonly RunRow[],
  controlOf: (run: RunRow) => TrialControl,
  onEnded: (run: RunRow) => void,
): Promise<RunRow[]> {
  const [first] = runs;
  if (!first) return [];
  const { signal } = controlOf(first);
  const open = runs.filter(({ state }) => !ENDED_RUN.includes(state));
  const start = new CommonStart(
    () => context.clock.now(),
    open.filter(({ state }) => state !== 'running').length,
    startOf(context, runs),
  );
  const broken = runs.find(({ state }) => ENDED_RUN.includes(state) && state !== 'done');
  let because = broken && wordsOf(context, broken);
  if (because !== undefined) start.cancel();
  const breakUp = async (by: RunRow, waiting: AbortSignal): Promise<void> => {
    if (because !== undefined) return;
    because = wordsOf(context, by);
    start.cancel();
    await Promise.all(
      open.filter(({ id }) => id !== by.id).map((run) => endJobs(context, run, { ...controlOf(run), signal: waiting })),
    );
  };
  return allOrNone(
    signal,
    open.map((run) => async (waiting) => {
      const control = controlOf(run);
      const ended = await executeTrial(
        context,
        run,
        {
          ...control,
          signal: waiting,
          ended: () => control.ended() ?? (because === undefined ? undefined : 'skipped'),
          why: () => (control.ended() ? undefined : because),
        },
        start,
      );
      onEnded(ended);
      if (ended.state !== 'done') await breakUp(ended, waiting);
      return ended;
    }),
  );
}

/** The start of the group, stored before the first of its tools was released; undefined if none was. */
function startOf(context: TrialContext, runs: readonly RunRow[]): number | undefined {
  for (const run of runs) {
    const startedAt = run.jobs[0]?.startedAt;
    if (startedAt !== undefined) return Math.round(startedAt - (stepOf(context, run).step.from ?? 0) * 1000);
  }
  return undefined;
}

const BECAME: Readonly<Partial<Record<RunRow['state'], string>>> = {
  failed: 'failed',
  lost: 'was lost',
  skipped: 'was skipped',
  stopped: 'was stopped',
};

function wordsOf({ store }: TrialContext, { sessionId, step, state }: RunRow): string {
  const name = store.sessions.get(sessionId)?.steps[step]?.name ?? `${step + 1}`;
  return `Ended because the parallel step “${name}” ${BECAME[state] ?? 'ended'}. Data recorded until then is stored.`;
}

async function endJobs(context: TrialContext, { id }: RunRow, control: TrialControl): Promise<void> {
  const { signal } = control;
  const run = context.store.runs.get(id);
  if (!run || ENDED_RUN.includes(run.state)) return;
  await Promise.all(
    run.jobs.map(({ host, jobId }) => {
      const machine = context.machines.get(host);
      return untilReachable(machine, control, () => context.jobs.stop(machine, jobId, { cause: 'stop', signal }));
    }),
  ).catch((error: unknown) => {
    // The run that it belongs to has a finding of it.
    if (signal.aborted || !(error instanceof KneepointError)) throw error;
    control.notice('error', `A parallel step could not be stopped: ${error.message}`);
  });
}
