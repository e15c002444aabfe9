import { preparesInTrial } from '../../../shared/model/step.ts';
import { dataStepOf, stepsOfCells } from '../plans/index.ts';
import { stepOf, toolOf } from '../runs/index.ts';
import type { RunRow } from '../store/store.ts';
import type { TrialControl } from '../trial/index.ts';
import { ensureData } from './ensure.ts';
import { beforeDataStep } from './in-trial.ts';
import type { DataContext, Need } from './kind.ts';
import { kindOf, needOf } from './kinds.ts';
import { preparationsOf } from './needs.ts';
import { type DataThere, noteComplete, noteEnsured, thereFor } from './progress.ts';
import { lookWaiting, type Seen, wrongData } from './seen.ts';
import { noteLook, noteWriting, setsIn } from './sets.ts';
import { stepRunner } from './step.ts';

export interface Preparing {
  control: TrialControl;
  activity(words: string | undefined): void;
  /** Results of the checks by this start's preflight, by key. */
  seen: ReadonlyMap<string, Seen>;
}

/**
 * Makes the data of a trial's cell available: before the first trial of a group of cells, everything they need is made, or found and
 * checked. Tables are counted only then, not before each trial, because counting reads them into the caches that are measured; files are
 * checked each time. Safe to repeat: after a restart, the running step is continued. Makes nothing if a step of each trial does that.
 */
export async function prepareData(context: DataContext, run: RunRow, preparing: Preparing): Promise<void> {
  const { experiment, step } = stepOf(context, run);
  if (preparesInTrial(experiment.steps)) return;
  const need = needOf(context, experiment, step);
  const there = thereFor(context, run, need);
  if (!there.complete) await makeAll(context, run, there, preparing);
  if (need && !need.selfMade && kindOf(need).looksAreFree)
    await lookBeforeTrial(context, need, experiment.workload.data === 'keep', preparing.control);
}

async function makeAll(
  context: DataContext,
  run: RunRow,
  there: DataThere,
  { control, activity, seen }: Preparing,
): Promise<void> {
  const { sessions, jobs } = context.store;
  const { sessionId } = run;
  const snapshot = sessions.snapshot(sessionId);
  const { experiment, plan, granted = [] } = snapshot;
  // Earlier checks are stale once a step has run: two targets can lead to the same database.
  let isStale = false;
  const cells = plan.cells.filter(({ data = 0 }) => data === there.group);
  const steps = stepsOfCells(snapshot, (id) => toolOf(context, id), cells).map(({ step }) => step);
  for (const preparation of await preparationsOf(context, experiment, steps)) {
    const { key, recipe } = preparation;
    const machine = context.machines.get(recipe.generator);
    if (there.keys.includes(key)) continue;
    const known = jobs.step(sessionId);
    const underWay = known?.key === key ? known.step : undefined;
    const stepOnHost = stepRunner(context, { sessionId, preparation, granted, machine, control, activity });
    const runStep: typeof stepOnHost = (kind, step) => {
      isStale = true;
      return stepOnHost(kind, step);
    };
    const usedUp = key === there.usedUp;
    const sets = await ensureData(context, {
      ...{ sessionId, experiment, preparation, usedUp, underWay, runStep, control, activity },
      seen: isStale ? undefined : seen.get(key),
    });
    noteEnsured(context, run, there, key, sets);
  }
  activity(undefined);
  noteComplete(context, run, there);
}

async function lookBeforeTrial(
  context: DataContext,
  need: Need,
  isKept: boolean,
  control: TrialControl,
): Promise<void> {
  const seen = await lookWaiting(context, need, control);
  for (const set of setsIn(context.store, need)) noteLook(context, set, seen);
  const isMissing = seen.parts.every((part) => part.found === null || kindOf(need).fits(part));
  if (!seen.complete) throw wrongData(need, seen, isKept && isMissing ? 'keep' : 'replace');
}

/** Records that a run is about to change its data: its workload writes, or it prepares or removes the data of its trial. */
export function beforeTrial(context: DataContext, run: RunRow): void {
  const { experiment, step } = stepOf(context, run);
  if (dataStepOf(step)) {
    beforeDataStep(context, run);
    return;
  }
  const need = needOf(context, experiment, step);
  if (need?.written) noteWriting(context, need, run.sessionId);
}
