import type { Experiment } from '../../../shared/model/experiment.ts';
import { levelName } from '../../../shared/model/factor.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { formatCount, formatLevel } from '../../../shared/util/format.ts';
import {
  formatDocument,
  growDocument,
  newCells,
  placesOf,
  type UsedPlaces,
  type WantedLevels,
  type Workload,
} from '../plans/index.ts';
import { type CheckedStart, checkText, requirePreflight } from '../preflight/index.ts';
import { type Occupancy, placesOfRow, toolOf, workloadOf } from '../runs/index.ts';
import type { SessionContext } from './activity.ts';
import { cellsOf, furtherRuns, type Repeated, type RepeatRequest, refused, requireMeasuredHere } from './repeat.ts';

/** Levels that are added to a session. `baseCells`: indices of existing cells that are measured interleaved with the new ones. */
export interface AddedLevels extends WantedLevels {
  readonly baseCells?: readonly number[] | undefined;
}

/** Checks of a start that a running session has passed already, or repeats before the trials themselves. */
const WITHOUT = ['free', 'data'];

/**
 * Checks added levels of a session as a start checks its document: their meaning, and hosts and servers of the new cells. Throws `bad-request`, or
 * `preflight-refused` with the blocking findings. `destroy`: as for a start.
 */
export async function requireLevels(
  context: SessionContext,
  sessions: Occupancy,
  { id, wanted, destroy }: { id: number; wanted: AddedLevels; destroy: readonly string[] },
  signal: AbortSignal,
): Promise<CheckedStart> {
  const { store } = context;
  const row = store.sessions.get(id);
  if (!row) throw new KneepointError({ code: 'not-found', message: `There is no session ${id}.`, session: id });
  requireMeasuredHere(row);
  const { experiment, experimentText, plan } = store.sessions.snapshot(id);
  const grown = growDocument(experiment, experimentText, wanted);
  const [problem] = checkText(context, grown.text).problems;
  if (problem) throw refused(id, problem.message);
  requireSamePlaces(id, placesOfRow(row), placesOf(grown.experiment, toolOf(context, experiment.workload.tool)));
  const only = newCells(grown.experiment, plan, workloadOf(context, experiment)).map(({ levels }) => levels);
  const request = { text: formatDocument({ ...grown.experiment, only }), destroy, without: WITHOUT };
  return requirePreflight(context, sessions, request, { signal });
}

/** A session reserves its hosts and servers from its start on. */
function requireSamePlaces(id: number, had: UsedPlaces, wanted: UsedPlaces): void {
  const target = wanted.targets.find((name) => !had.targets.includes(name));
  const host = wanted.generators.find((name) => !had.generators.includes(name));
  if (target === undefined && host === undefined) return;
  const what = target === undefined ? `the generator “${host}”` : `the target “${target}”`;
  throw refused(
    id,
    `Session ${id} does not use ${what}, which cannot be added after its start.`,
    'Start a new session with all of these levels.',
  );
}

/** The trials of the cells that these levels create, interleaved with further repeats of the cells of `baseCells`. */
export function addedLevels(
  session: Repeated,
  workloadFor: (experiment: Experiment) => Workload,
  wanted: AddedLevels,
  { granted, confirmed }: Pick<CheckedStart, 'granted' | 'confirmed'>,
): RepeatRequest {
  const { experiment, experimentText, plan } = session.snapshot;
  const workload = workloadFor(experiment);
  const grown = growDocument(experiment, experimentText, wanted);
  const cells = newCells(grown.experiment, plan, workload);
  const further = furtherRuns(session, grown.experiment, workload, {
    cells: [...cellsOf(session, wanted.baseCells ?? []), ...cells],
    repeats: experiment.measure.repeats,
  });
  const names = grown.levels.map((level) => formatLevel(levelName(level))).join(', ');
  return {
    ...further,
    words: `Levels of “${wanted.factor}” added: ${names}. ${formatCount(cells.length, 'cell')}, ${formatCount(further.added, 'trial')}.`,
    grown: {
      factor: wanted.factor,
      levels: grown.levels,
      cells,
      text: grown.text,
      ...(granted.length > 0 && { granted: [...granted] }),
      ...(confirmed.length > 0 && { confirmed: [...confirmed] }),
    },
  };
}
