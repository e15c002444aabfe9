import type { Experiment } from '../../../shared/model/experiment.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { KEPT_AND_USED_UP } from '../plans/index.ts';
import type { DataSetRow, StepJob } from '../store/store.ts';
import type { Command } from '../tools/tool.ts';
import type { TrialControl } from '../trial/index.ts';
import type { DataContext, KnownPreparation, Need, Preparation } from './kind.ts';
import { kindOf } from './kinds.ts';
import { inspectWaiting, type Seen, serverWatch, wrongData } from './seen.ts';
import {
  adopt,
  beginMaking,
  covers,
  type DataFit,
  fitOf,
  isWhole,
  recordInspection,
  setsIn,
  writingWords,
} from './sets.ts';
import { requireNoDataWork } from './work.ts';

type StepKind = StepJob['step'];

export interface EnsureOptions {
  sessionId: number;
  experiment: Experiment;
  preparation: Preparation;
  /** Result of the check by this start's preflight. */
  seen: Seen | undefined;
  /** An earlier trial of this session has changed it, and the next one needs it unchanged. */
  usedUp: boolean;
  /** A step that an earlier start of Kneepoint left running: it is followed to its end before anything else. */
  underWay: StepKind | undefined;
  runStep(kind: StepKind, command: Command): Promise<void>;
  control: TrialControl;
  activity(words: string | undefined): void;
}

const isKnown = (preparation: Preparation): preparation is KnownPreparation => preparation.need !== undefined;

/** Keeps, creates or recreates data, and verifies it. Returns the data sets that are used. */
export async function ensureData(context: DataContext, options: EnsureOptions): Promise<DataSetRow[]> {
  const { experiment, preparation, sessionId, underWay } = options;
  if (!isKnown(preparation)) {
    await makeUnseen(context, options);
    return [];
  }
  const { need } = preparation;
  requireNoDataWork(context, need);
  if (options.usedUp && experiment.workload.data === 'keep')
    throw new KneepointError({
      code: 'data-mismatch',
      ...kindOf(need).at(need.place),
      ...KEPT_AND_USED_UP,
      safe: 'No other trial was started.',
    });
  let afresh = isCreatedEachTime(context, options, need);
  let isEmpty = false;
  if (underWay === undefined && !afresh) {
    const seen = options.seen ?? (await inspectData(context, options, need));
    const fit = fitOf(context, preparation.tool.id, need, seen, sessionId);
    if (fit.kind === 'fits') return use(context, options, preparation, seen);
    refuseUnlessMade(experiment, need, seen, fit);
    afresh = fit.kind === 'broken-off' && !fit.resumes;
    isEmpty = seen.empty;
  }
  const fromNothing = afresh || isEmpty || !kindOf(need).addsParts;
  const set =
    (underWay === undefined ? undefined : madeBefore(context, sessionId, need)) ??
    beginMaking(context, sessionId, preparation, { fromNothing });
  await make(context, options, afresh);
  return [await verifyCreated(context, options, need, set)];
}

/** Whether data is made from scratch, whatever exists. If this session has made some already, it is extended where possible. */
function isCreatedEachTime(
  { store }: DataContext,
  { experiment, usedUp, sessionId }: EnsureOptions,
  need: Need,
): boolean {
  if (usedUp || experiment.workload.data !== 'recreate') return usedUp;
  const own = kindOf(need).addsParts ? setsIn(store, need).find(({ madeBy }) => madeBy === sessionId) : undefined;
  return own === undefined || own.state === 'making';
}

async function inspectData(context: DataContext, { activity, control }: EnsureOptions, need: Need): Promise<Seen> {
  activity(kindOf(need).words.inspecting(need.title));
  return inspectWaiting(context, need, control);
}

async function makeUnseen(context: DataContext, options: EnsureOptions): Promise<void> {
  const policy = options.experiment.workload.data;
  if (policy === 'keep' && options.underWay === undefined) return;
  await make(context, options, policy === 'recreate');
}

/** Maximum number of times that data is made from scratch because its server ended meanwhile: loading may be what ends it. */
const ATTEMPTS = 3;

/** If a server ends during loading, waits for it and loads again from scratch. */
async function make(context: DataContext, options: EnsureOptions, afresh: boolean): Promise<void> {
  const { preparation, underWay, runStep, control } = options;
  const { need, cleanup, prepare } = preparation;
  const target = need?.kind === 'tables' ? need.place : undefined;
  for (let attempt = 1; ; attempt += 1) {
    const isFirst = attempt === 1;
    const watch = target === undefined ? undefined : await serverWatch(context, target, control);
    try {
      const isCleaned = isFirst ? (afresh || underWay === 'cleanup') && underWay !== 'prepare' : true;
      if (isCleaned && cleanup) await runStep('cleanup', cleanup);
      await runStep('prepare', prepare);
      return;
    } catch (error) {
      const isOfStep = error instanceof KneepointError && error.code === 'run-failed';
      if (!isOfStep || attempt === ATTEMPTS || control.ended() || !(await watch?.hasEnded())) throw error;
      control.notice(
        'warn',
        `The server of target “${target}” ended during data preparation. Preparation restarts when the server is back.`,
      );
      await watch?.untilBack();
    }
  }
}

async function verifyCreated(
  context: DataContext,
  options: EnsureOptions,
  need: Need,
  { kind, id }: DataSetRow,
): Promise<DataSetRow> {
  // `partial`: loading is no longer interrupted, even if the check that follows does not happen.
  const made = context.store.dataSets[kind].update(id, { state: 'partial', madeAt: context.clock.now() });
  const after = await inspectData(context, options, need);
  const row = recordInspection(context, made, after);
  const { isAsMade } = kindOf(need);
  if (after.parts.every((part) => part.found === undefined || isAsMade(part))) return row;
  throw wrongData(need, after, 'made');
}

/** The record of data that an earlier start of this session began to make. */
const madeBefore = ({ store }: DataContext, sessionId: number, need: Need): DataSetRow | undefined =>
  setsIn(store, need).find(
    ({ madeBy, state, parts }) => madeBy === sessionId && state === 'making' && covers(kindOf(need), parts, need.parts),
  );

function use(
  context: DataContext,
  { control, sessionId }: EnsureOptions,
  preparation: KnownPreparation,
  seen: Seen,
): DataSetRow[] {
  const { need } = preparation;
  const known = setsIn(context.store, need)
    .map((set) => recordInspection(context, set, seen))
    .filter((set) => isWhole(set) && covers(kindOf(need), set.parts, need.parts));
  const used = known.length > 0 ? known : [adopt(context, preparation, seen)];
  const written = used.map((set) => writingWords(context, set)).find((words) => words !== undefined);
  const words = [kindOf(need).words.using(need), written].filter(Boolean).join(' ');
  if (!context.store.events.has(sessionId, 'log', words)) control.notice('info', words);
  return used;
}

function refuseUnlessMade({ workload }: Experiment, need: Need, seen: Seen, fit: DataFit): void {
  const { words, at } = kindOf(need);
  const refuse = (message: string, next: string): never => {
    throw new KneepointError({
      code: 'data-mismatch',
      message,
      ...at(need.place),
      safe: 'No trial was started on this data.',
      next,
    });
  };
  if (fit.kind === 'other-shape') refuse(fit.message, words.next.otherShape);
  if (fit.kind === 'other-size') throw wrongData(need, seen, 'replace');
  if (workload.data !== 'keep') return;
  if (seen.complete) refuse(words.notFinished(need), words.next.notFinished);
  throw wrongData(need, seen, 'keep');
}
