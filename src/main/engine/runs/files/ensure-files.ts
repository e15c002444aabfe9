import type { Experiment } from '../../../../shared/model/experiment.ts';
import { KneepointError } from '../../../../shared/model/problem.ts';
import type { Machine } from '../../hosts/machine.ts';
import type { FileSetRow } from '../../store/store.ts';
import type { Step } from '../../tools/tool.ts';
import type { RunsContext, SessionContext } from '../context.ts';
import type { TrialControl } from '../trial/control.ts';
import { adopt, beginMaking, covers, fileSetsIn, isFileSetBrokenOff, noteLook } from './file-sets.ts';
import { type FileState, fileState, wrongWords } from './file-state.ts';
import type { FilePreparation } from './needs.ts';

type StepKind = NonNullable<SessionContext['prepareJob']>['step'];

interface EnsureOptions {
  sessionId: number;
  experiment: Experiment;
  machine: Machine;
  preparation: FilePreparation;
  /** A step that an earlier start left under way: it is followed to its end before anything is judged. */
  underWay: StepKind | undefined;
  runStep(kind: StepKind, step: Step): Promise<void>;
  control: TrialControl;
}

/** What is to be done with the files that are there. */
export type FileFit = 'fits' | 'missing' | 'broken-off' | 'short';

/** `sessionId`: whose own making is not under way. A file that is only missing is added; one that is too small is somebody's decision. */
export function fileFitOf(
  { store }: Pick<RunsContext, 'store'>,
  host: string,
  { need, tool }: FilePreparation,
  state: FileState,
  sessionId?: number,
): FileFit {
  // A file has its full size from the beginning of its making on: sizes say nothing while that has not ended.
  const brokenOff = fileSetsIn(store, host, need).some(
    (set) => set.tool === tool.id && isFileSetBrokenOff(store, set, sessionId),
  );
  if (brokenOff && !state.empty) return 'broken-off';
  if (state.complete) return 'fits';
  return state.short.length > 0 ? 'short' : 'missing';
}

/** keep, create or recreate, and the look that proves it. Throws `data-mismatch` with what was expected and what was found. */
export async function ensureFiles(context: RunsContext, options: EnsureOptions): Promise<void> {
  const { experiment, preparation, machine, sessionId, underWay, control } = options;
  const { need, prepare, cleanup } = preparation;
  const host = machine.name;
  const look = (): Promise<FileState> => fileState(machine, need.directory, need.files, control.signal);
  const policy = experiment.workload.data;
  const own = fileSetsIn(context.store, host, need).find(({ madeBy }) => madeBy === sessionId);
  let afresh = policy === 'recreate' && (own === undefined || own.state === 'making');
  if (underWay === undefined && !afresh) {
    const state = await look();
    const fit = fileFitOf(context, host, preparation, state, sessionId);
    if (fit === 'fits') return use(context, options, state);
    if (policy === 'keep' || fit === 'short') throw wrongFiles(host, need.directory, state, policy);
    afresh = fit === 'broken-off';
  }
  const set =
    (underWay === undefined ? undefined : madeBefore(context, host, sessionId, preparation)) ??
    beginMaking(context, host, { sessionId, afresh }, preparation);
  if ((afresh || underWay === 'cleanup') && cleanup && underWay !== 'prepare')
    await options.runStep('cleanup', cleanup);
  await options.runStep('prepare', prepare);
  const after = await look();
  noteLook(context, context.store.fileSets.update(set.id, { madeAt: context.clock.now() }), after);
  if (!after.complete) throw wrongFiles(host, need.directory, after, policy);
}

/** The record of a making that an earlier start of this session began. */
const madeBefore = (
  { store }: RunsContext,
  host: string,
  sessionId: number,
  { need }: FilePreparation,
): FileSetRow | undefined =>
  fileSetsIn(store, host, need).find((set) => set.state === 'making' && set.madeBy === sessionId && covers(set, need));

function use(context: RunsContext, { preparation, machine, control }: EnsureOptions, state: FileState): void {
  const sets = fileSetsIn(context.store, machine.name, preparation.need).map((set) => noteLook(context, set, state));
  const known = sets.find((set) => covers(set, preparation.need)) ?? adopt(context, machine.name, preparation, state);
  const { title, directory } = preparation.need;
  const words = [`Using the files that are there: ${title}, in ${directory}.`, writtenWords(context, known)];
  control.notice('info', words.filter(Boolean).join(' '));
}

/** Words on what has been done to files since they were made; undefined when nothing. */
export function writtenWords({ store }: Pick<RunsContext, 'store'>, set: FileSetRow): string | undefined {
  if (set.writtenAt === null) return undefined;
  const writer = set.writtenBy === null ? undefined : store.sessions.get(set.writtenBy);
  const by = writer ? `session ${writer.id} (“${writer.name}”)` : 'a session that is deleted';
  return `They have been written to since they were made, last by ${by}.`;
}

export const wrongFiles = (
  host: string,
  directory: string,
  state: FileState,
  policy: Experiment['workload']['data'],
): KneepointError =>
  new KneepointError({
    code: 'data-mismatch',
    message: `The files in ${directory} on ${host} are not what this workload needs (${wrongWords(state)}).`,
    host,
    safe: 'No trial was started on them, and none of them was changed.',
    next:
      policy === 'keep' && state.short.length === 0
        ? 'Set data: create to lay them out, or choose the options that the existing files were made with.'
        : 'Set data: recreate to replace them (the files named are removed first), or name another directory.',
  });
