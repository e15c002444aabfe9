import type { Experiment } from '../../../../shared/model/experiment.ts';
import { KneepointError } from '../../../../shared/model/problem.ts';
import type { DataSetRow } from '../../store/store.ts';
import type { Step } from '../../tools/tool.ts';
import type { RunsContext, SessionContext } from '../context.ts';
import type { TrialControl } from '../trial/control.ts';
import { requireNoDataWork } from './data-busy.ts';
import { type DataFit, fitOf } from './data-fit.ts';
import { adopt, beginMaking, covers, dataSetsIn, noteCount, writingWords } from './data-sets.ts';
import { type DataState, dataState, wrongWords } from './data-state.ts';
import type { Preparation } from './needs.ts';

type StepKind = NonNullable<SessionContext['prepareJob']>['step'];

interface EnsureOptions {
  sessionId: number;
  experiment: Experiment;
  preparation: Preparation;
  /** An earlier trial of this session has changed it, and the next one needs it as it was made. */
  usedUp: boolean;
  /** A step that an earlier start left under way: it is followed to its end before anything is judged. */
  underWay: StepKind | undefined;
  runStep(kind: StepKind, step: Step): Promise<void>;
  control: TrialControl;
  activity(words: string | undefined): void;
}

type Counted = Preparation & { data: NonNullable<Preparation['data']> };
const isCounted = (preparation: Preparation): preparation is Counted => preparation.data !== undefined;

/** keep, create or recreate, and the counting that proves it. Returns the data sets that are used. */
export async function ensureData(context: RunsContext, options: EnsureOptions): Promise<number[]> {
  const { experiment, preparation } = options;
  const { target } = experiment.where;
  if (target === undefined || !isCounted(preparation)) {
    await makeUncounted(options);
    return [];
  }
  requireNoDataWork(context, target);
  const count = (made = false): Promise<DataState> => {
    options.activity(`Counting ${preparation.data.title}`);
    return dataState(context, target, preparation.data.tables, { signal: options.control.signal, made });
  };
  let cleanFirst = experiment.workload.data === 'recreate' || options.usedUp;
  if (options.usedUp && experiment.workload.data === 'keep')
    throw new KneepointError({
      code: 'data-mismatch',
      target,
      ...KEPT_AND_USED_UP,
      safe: 'No further trial was started.',
    });
  if (options.underWay === undefined && !cleanFirst) {
    const state = await count();
    const fit = fitOf(context, target, preparation, state, options.sessionId);
    if (fit.kind === 'fits') return use(context, options, { target, preparation, state });
    refuseUnlessMade(experiment, target, state, fit);
    cleanFirst = fit.kind === 'broken-off' && !fit.resumes;
  }
  const set =
    (options.underWay === undefined ? undefined : madeBefore(context, target, options.sessionId, preparation)) ??
    beginMaking(context, target, options.sessionId, preparation);
  await make(options, cleanFirst);
  // From here on it is not broken off, even if nobody comes to count it.
  const made = context.store.dataSets.update(set.id, { state: 'partial', madeAt: context.clock.now() });
  const after = await count(true);
  noteCount(context, made, after);
  if (!after.complete)
    throw wrongData(
      after,
      target,
      'Look at the output of the prepare step in the log; then start again with data: recreate.',
    );
  return [set.id];
}

async function makeUncounted(options: EnsureOptions): Promise<void> {
  const policy = options.experiment.workload.data;
  if (policy === 'keep' && options.underWay === undefined) return;
  await make(options, policy === 'recreate');
}

async function make({ preparation, underWay, runStep }: EnsureOptions, cleanFirst: boolean): Promise<void> {
  if ((cleanFirst || underWay === 'cleanup') && preparation.cleanup && underWay !== 'prepare')
    await runStep('cleanup', preparation.cleanup);
  await runStep('prepare', preparation.prepare);
}

/** The record of a making that an earlier start of this session began. */
const madeBefore = (
  context: RunsContext,
  target: string,
  sessionId: number,
  { data }: Counted,
): DataSetRow | undefined =>
  dataSetsIn(context.store, target, data.tables).find(
    (set) => set.state === 'making' && set.madeBy === sessionId && covers(set, data.tables),
  );

function use(
  context: RunsContext,
  { control }: EnsureOptions,
  { target, preparation, state }: { target: string; preparation: Counted; state: DataState },
): number[] {
  const { tables } = preparation.data;
  const known = dataSetsIn(context.store, target, tables)
    .map((set) => noteCount(context, set, state))
    .filter((set) => (set.state === 'ready' || set.state === 'dirty') && covers(set, tables));
  const used = known.length > 0 ? known : [adopt(context, target, preparation, state)];
  const written = used.map((set) => writingWords(context, set)).find((words) => words !== undefined);
  control.notice(
    'info',
    [`Using the data that is there: ${preparation.data.title}.`, written].filter(Boolean).join(' '),
  );
  return used.map(({ id }) => id);
}

function refuseUnlessMade(experiment: Experiment, target: string, state: DataState, fit: DataFit): void {
  if (fit.kind === 'other-shape') {
    throw new KneepointError({
      code: 'data-mismatch',
      message: fit.message,
      target,
      safe: 'No trial was started.',
      next: 'Set data: recreate to replace it (the tables named are dropped first), or choose the options that it was made with.',
    });
  }
  if (experiment.workload.data === 'keep' && state.complete)
    throw new KneepointError({
      code: 'data-mismatch',
      message: notFinished(target),
      target,
      safe: 'No trial was started on it.',
      next: 'Set data: create, which brings its making to its end.',
    });
  if (experiment.workload.data === 'keep')
    throw wrongData(
      state,
      target,
      'Set data: create to prepare it, or choose the options that the existing data was made with.',
    );
  if (fit.kind === 'other-rows')
    throw wrongData(
      state,
      target,
      'Set data: recreate to replace it (the tables named are dropped first), or use another database.',
    );
}

/** For data that is to be kept, and that each trial needs as it was made. */
export const KEPT_AND_USED_UP = {
  message:
    'Each trial of this workload needs its data as it was made, and data: keep forbids to make it anew between trials.',
  next: 'Set data: create or recreate, or run one trial.',
};

/** For data whose rows are all there, and whose making did not come to its end all the same. */
export const notFinished = (target: string): string =>
  `The rows on ${target} are those that are needed, but their making was broken off: indexes or keys may be missing.`;

const wrongData = (state: DataState, target: string, next: string): KneepointError =>
  new KneepointError({
    code: state.empty ? 'table-missing' : 'data-mismatch',
    message: `The data on ${target} is not what this workload needs (${wrongWords(state)}).`,
    target,
    safe: 'No trial was started on it.',
    next,
  });
