import type { Finding } from '../../../shared/model/finding.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { GrantedDevice } from '../../../shared/model/session-snapshot.ts';
import { preparesInTrial } from '../../../shared/model/step.ts';
import { formatDuration } from '../../../shared/util/format.ts';
import type { Machine } from '../hosts/machine.ts';
import { dataStepOf, type Step, stepsOfCells } from '../plans/index.ts';
import { type RunsContext, stepOf, toolOf } from '../runs/index.ts';
import type { DataProgress, DataSetRow, PreparedData, RunRow, StepJob, UsedSet } from '../store/store.ts';
import { preparesData } from '../tools/index.ts';
import type { Command } from '../tools/tool.ts';
import { runJobStep, type TrialControl } from '../trial/index.ts';
import { endOrphanJobs } from '../watching/index.ts';
import { keepForAWhile } from '../world/index.ts';
import { ensureData } from './ensure.ts';
import type { DataContext, Need, Preparation } from './kind.ts';
import { kindOf, needOf } from './kinds.ts';
import { preparationsOf } from './needs.ts';
import { inspectWaiting, type Seen, wrongData } from './seen.ts';
import { beginMaking, isWhole, noteWriting, recordInspection, setsIn, writingWords } from './sets.ts';

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
  const there = existingFor(context, run, need);
  if (!there.complete) await makeAll(context, run, there, preparing);
  if (need && !need.selfMade && kindOf(need).isCheapToInspect)
    await inspectBeforeTrial(context, need, experiment.workload.data === 'keep', preparing.control);
}

async function makeAll(
  context: DataContext,
  run: RunRow,
  there: ExistingData,
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

async function inspectBeforeTrial(
  context: DataContext,
  need: Need,
  isKept: boolean,
  control: TrialControl,
): Promise<void> {
  const seen = await inspectWaiting(context, need, control);
  for (const set of setsIn(context.store, need)) recordInspection(context, set, seen);
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

/** Data that a session has made or found for a group of cells. */
interface ExistingData {
  group: number;
  keys: string[];
  sets: UsedSet[];
  complete: boolean;
  /** Key of data that the next trial needs unchanged but an earlier one has used up. */
  usedUp: string | undefined;
}

/** Data available for a trial, unless another session has replaced or changed it meanwhile. */
function existingFor(context: RunsContext, run: RunRow, need: Need | undefined): ExistingData {
  const { sessions, runs } = context.store;
  const group = sessions.snapshot(run.sessionId).plan.cells[run.cell]?.data ?? 0;
  const progress = sessions.dataProgress(run.sessionId);
  const mine = progress?.group === group ? progress : undefined;
  const usedUp = need?.eachTrial && mine && mine.run !== run.id ? need.key : undefined;
  if (!mine?.sets.every((set) => isUntouched(context, run.sessionId, set)))
    return { group, keys: [], sets: [], complete: false, usedUp };
  // Earlier versions handled files separately, so before the first trial their record does not cover files.
  const isBegun = mine.keys.length > 0 || runs.ofSession(run.sessionId).some(({ startedAt }) => startedAt !== null);
  const keys = mine.keys.filter((key) => key !== usedUp);
  return { group, keys, sets: [...mine.sets], complete: mine.complete && isBegun && usedUp === undefined, usedUp };
}

/** Whether no other session has written to it since this session began to use it. */
function isUntouched({ store }: RunsContext, sessionId: number, { kind, id, writtenAt }: UsedSet): boolean {
  const set = store.dataSets[kind].get(id);
  if (!set || !isWhole(set)) return false;
  return set.state === 'ready' || set.writtenBy === sessionId || set.writtenAt === writtenAt;
}

function noteEnsured(
  context: RunsContext,
  { id: run, sessionId }: RunRow,
  there: ExistingData,
  key: string,
  sets: readonly DataSetRow[],
): void {
  const { sessions, dataSets } = context.store;
  there.keys.push(key);
  there.sets = [
    // Making one set can have replaced another.
    ...there.sets.filter(({ kind, id }) => dataSets[kind].get(id) !== undefined),
    ...sets.map(({ kind, id, writtenAt }) => ({ kind, id, writtenAt })),
  ];
  sessions.setDataProgress(sessionId, { ...progressOf(there), complete: false, run });
}

function noteComplete(context: RunsContext, { id: run, sessionId }: RunRow, there: ExistingData): void {
  const { store, clock } = context;
  store.atomically(() => {
    for (const finding of writtenBefore(context, there.sets)) {
      const { message } = finding;
      // Data can be checked again: before each group, or when the session is continued.
      if (store.events.has(sessionId, 'finding', message)) continue;
      store.events.add({ sessionId, kind: 'finding', at: clock.now(), level: 'note', message, detail: finding });
    }
    store.sessions.setDataProgress(sessionId, { ...progressOf(there), complete: true, run });
  });
}

const progressOf = ({ group, keys, sets, complete }: ExistingData): DataProgress => ({ group, keys, sets, complete });

/** Shown with the results: pages of such data are not as they are right after loading. */
function writtenBefore({ store }: RunsContext, sets: readonly UsedSet[]): Finding[] {
  const ids = new Map(sets.map((set) => [`${set.kind} ${set.id}`, set]));
  return [...ids.values()].flatMap(({ kind, id }) => {
    const set = store.dataSets[kind].get(id);
    const words = set && writingWords({ store }, set);
    if (!words) return [];
    const message = `The trials started on modified data: ${set.title}. ${words}`;
    return [{ code: 'data-written', severity: 'note', message }];
  });
}

interface StepPlace {
  sessionId: number;
  preparation: Preparation;
  granted: readonly GrantedDevice[];
  machine: Machine;
  control: TrialControl;
  activity(words: string | undefined): void;
}

/** Runs the steps of a preparation as jobs that outlive Kneepoint, and follows one that an earlier start left running. */
function stepRunner(
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
    if (!underWay) await endOrphanJobs(context, machine, control);
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

/*
 * Data that a step of each trial prepares or removes. Its state is recorded without a check: counting would read it into the caches that
 * the next step starts with.
 */

/** The data that a run's step prepares or removes. Undefined for other steps, and for data that Kneepoint cannot check. */
function neededBy(context: DataContext, run: RunRow): { step: Step; need: Need; isMade: boolean } | undefined {
  const { experiment, step: own } = stepOf(context, run);
  const step = dataStepOf(own);
  const need = step && needOf(context, experiment, step);
  return need && { step, need, isMade: preparesData(own.workload.tool) };
}

/** Records that data is about to be removed, and made again. */
function beforeDataStep(context: DataContext, run: RunRow): void {
  const known = neededBy(context, run);
  if (!known) return;
  const { step, need, isMade } = known;
  if (isMade) {
    const { options, warmup, duration, generators } = step;
    const { seed } = stepOf(context, run).experiment.measure;
    const recipe = {
      generator: generators[0] ?? '',
      options: { ...options, ...need.extraOptions },
      warmup,
      duration,
      seed,
    };
    const made = { tool: toolOf(context, step.workload.tool), need, recipe };
    beginMaking(context, run.sessionId, made, { fromNothing: true });
    return;
  }
  for (const { kind, id } of setsIn(context.store, need)) context.store.dataSets[kind].update(id, { state: 'partial' });
  context.dataChanged();
}

/** Records the state of a finished run's data. If the step did not finish, the earlier record stays. */
export function afterDataStep(context: DataContext, run: RunRow): void {
  const known = run.state === 'done' ? neededBy(context, run) : undefined;
  if (!known) return;
  const { need, isMade } = known;
  for (const { kind, id, state, madeBy } of setsIn(context.store, need)) {
    const isOwn = state === 'making' && madeBy === run.sessionId;
    if (isMade && isOwn) context.store.dataSets[kind].update(id, { state: 'ready', madeAt: context.clock.now() });
    if (!isMade) context.store.dataSets[kind].update(id, { state: 'gone' });
  }
  context.dataChanged();
}
