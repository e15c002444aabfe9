import { KneepointError } from '../../../../shared/model/problem.ts';
import type { Machine } from '../../hosts/machine.ts';
import type { FileSetRow } from '../../store/store.ts';
import { cleanUp } from '../clean-up.ts';
import type { RunsContext } from '../context.ts';
import { occupiedProblem } from '../occupied.ts';
import type { Sessions } from '../sessions.ts';
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
  await cleanUp(context, set, { machine, connection: { kind: 'host' } }, WORDS, signal);
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

const WORDS = { what: 'these files', noun: 'file set', byHand: 'Remove them on the host by hand.' };

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
