import { KneepointError } from '../../../../shared/model/problem.ts';
import type { Machine } from '../../hosts/machine.ts';
import type { FileSetRow } from '../../store/store.ts';
import type { RunsContext } from '../context.ts';
import { occupiedProblem } from '../occupied.ts';
import type { Sessions } from '../sessions.ts';
import { toolOf } from '../steps.ts';
import { keepForAWhile } from '../tidy.ts';
import { runJobStep } from '../trial/job-step.ts';
import { fileSetsIn, noteLook } from './file-sets.ts';
import { fileState, wrongWords } from './file-state.ts';

type Occupancy = Pick<Sessions, 'occupant'>;

/** Looks at the files of a set and notes what was found. Throws `conflict` while a session uses the host. */
export async function checkFileSet(
  context: RunsContext,
  sessions: Occupancy,
  id: number,
  signal: AbortSignal,
): Promise<FileSetRow> {
  const { set, machine } = find(context, id);
  requireFree(sessions, machine);
  return noteLook(context, set, await fileState(machine, set.directory, set.files, signal));
}

/**
 * Has the tool that made a file set clean it up on its host, and forgets it when the files are gone. Throws `conflict` while a session
 * uses the host, or another set uses one of the files; `run-failed` when the step failed or left files.
 */
export async function removeFileSet(
  context: RunsContext,
  sessions: Occupancy,
  id: number,
  signal: AbortSignal,
): Promise<FileSetRow> {
  const { set, machine } = find(context, id);
  requireFree(sessions, machine);
  requireOwnFiles(context, set, machine);
  await cleanUp(context, set, machine, signal);
  const state = await fileState(machine, set.directory, set.files, signal);
  if (!state.empty) {
    noteLook(context, set, state);
    throw new KneepointError({
      code: 'run-failed',
      message: `The clean-up step of ${set.tool} ended, but files are still in ${set.directory} (${wrongWords(state) || 'all of them'}).`,
      host: machine.name,
      safe: `File set ${id} stays listed.`,
      next: 'Something may have made them again; check again, or remove them on the host by hand.',
    });
  }
  context.store.fileSets.remove(id);
  context.dataChanged();
  return { ...set, state: 'gone', files: state.files };
}

async function cleanUp(context: RunsContext, { recipe, tool: id }: FileSetRow, machine: Machine, signal: AbortSignal) {
  const tool = toolOf(context, id);
  const { warmup, duration, seed } = recipe;
  const options = tool.options.parse(recipe.options);
  const { nodePath, assetsDir } = context;
  const connection = { kind: 'host' } as const;
  const { cleanup } = tool.plan({ options, connection, warmup, duration, seed, nodePath, assetsDir });
  if (!cleanup)
    throw new KneepointError({
      code: 'unsupported',
      message: `${tool.title} has no step that removes these files.`,
      host: machine.name,
      safe: 'Nothing was changed.',
      next: 'Remove them on the host by hand.',
    });
  const said: string[] = [];
  const control = {
    signal,
    ended: () => undefined,
    onChange: () => {},
    notice: (level: 'info' | 'warn' | 'error', message: string) => {
      if (level !== 'info') said.push(context.redact(message));
    },
  };
  const save = (job: { host: string; jobId: string } | undefined): void => {
    if (job) keepForAWhile(context, job);
  };
  try {
    const step = { kind: 'cleanup', step: cleanup, underWay: undefined, save } as const;
    await runJobStep(context, { tool, options }, machine, control, step);
  } catch (error) {
    if (!(error instanceof KneepointError) || error.code !== 'run-failed') throw error;
    const safe = 'The file set stays listed.';
    throw new KneepointError({ ...error.problem, safe, details: said.join('\n') }, { cause: error });
  }
}

function find({ store, machines }: RunsContext, id: number): { set: FileSetRow; machine: Machine } {
  const set = store.fileSets.get(id);
  const host = set && store.hosts.get(set.hostId)?.spec.name;
  if (set && host !== undefined) return { set, machine: machines.get(host) };
  throw new KneepointError({
    code: 'not-found',
    message: `There is no file set ${id}.`,
    safe: 'Nothing was changed.',
    next: 'It may have been removed or replaced since: look at the list again.',
  });
}

function requireFree(sessions: Occupancy, machine: Machine): void {
  const occupant = sessions.occupant({ where: { generators: [machine.name] } });
  if (occupant) throw occupiedProblem(occupant);
}

/** What was made later has the files now. */
function requireOwnFiles({ store }: RunsContext, set: FileSetRow, machine: Machine): void {
  const other = fileSetsIn(store, machine.name, set).find(({ id, state }) => id > set.id && state !== 'gone');
  if (!other) return;
  throw new KneepointError({
    code: 'conflict',
    message: `File set ${other.id} (${other.title}) uses some of these files now.`,
    host: machine.name,
    safe: 'Nothing was changed.',
    next: `Remove file set ${other.id} first.`,
  });
}
