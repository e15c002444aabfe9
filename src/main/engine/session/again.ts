import type { Experiment } from '../../../shared/model/experiment.ts';
import type { Cell } from '../../../shared/model/plan.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { failedRuns, isRepeatable } from '../../../shared/model/repeats.ts';
import type { GrownPart, SessionSnapshot } from '../../../shared/model/session-snapshot.ts';
import { originWords } from '../../../shared/model/session-words.ts';
import { formatCount, formatLevels } from '../../../shared/util/format.ts';
import { addedTrials, resolveCells, runsOfTrial, trialSeed, type Workload } from '../plans/index.ts';
import type { NewRun, RunRow, SessionRow } from '../store/store.ts';

/** A session of which trials are measured again, or more often. */
export interface Repeated {
  id: number;
  runs: readonly RunRow[];
  snapshot: SessionSnapshot;
}

/** What is put behind the plan of a session. */
export interface Again {
  trials: Omit<NewRun, 'trial'>[];
  /** How many of them are further repeats, and not in the place of one that has failed. */
  added: number;
  /** Runs that are in no figure from now on, and why. */
  excluded?: { runs: readonly RunRow[]; reason: string };
  /** For the session's log. */
  words: string;
  /** Levels that make cells of their own. */
  grown?: GrownPart;
}

/** `reason`: why they are excluded, and measured again in their places. @throws KneepointError `conflict` when there is none, or one has not ended; `not-found` for a run of another session. */
export function repeatedTrials(
  session: Repeated,
  runIds: readonly number[] | undefined,
  reason: string | undefined,
): Again {
  const { id, runs, snapshot } = session;
  const wanted = runIds === undefined ? failedRuns(runs) : runIds.map((runId) => requireRepeatable(id, runs, runId));
  if (wanted.length === 0) throw nothingToRepeat(id);
  const next = nextRepeats(runs);
  const { measure } = snapshot.experiment;
  const isReplaced = (run: RunRow): boolean => reason !== undefined || run.state !== 'done' || run.excluded !== null;
  return {
    trials: wanted.map((run) => {
      const { cell, levels, warmup, duration, step } = run;
      if (isReplaced(run)) return { cell, levels, warmup, duration, step, repeat: run.repeat, seed: run.seed };
      const repeat = next(cell);
      return {
        cell,
        levels,
        warmup,
        duration,
        step,
        repeat,
        seed: trialSeed(measure, { cell, repeat }, snapshot.plan.seed),
      };
    }),
    added: wanted.filter((run) => !isReplaced(run)).length,
    ...(reason !== undefined && { excluded: { runs: wanted, reason } }),
    words: `Trials to measure again: ${wanted.map(({ trial }) => `trial ${trial + 1}`).join(', ')}.`,
  };
}

/** More than a person can wait for; a slip of the pen. */
const MOST_TRIALS = 5000;

/** @throws KneepointError `bad-request` for a cell that the session does not have. */
export function addedRepeats(
  session: Repeated,
  workloadOf: (experiment: Experiment) => Workload,
  { repeats, cells }: { repeats: number; cells?: readonly number[] | undefined },
): Again {
  const { experiment, plan } = session.snapshot;
  const chosen = cells === undefined ? plan.cells : cellsOf(session, cells);
  const trials = furtherRuns(session, experiment, workloadOf(experiment), { cells: chosen, repeats });
  const of = cells === undefined ? 'every cell' : chosen.map(({ levels }) => formatLevels(levels)).join('; ');
  return {
    trials,
    added: trials.length,
    words: `${formatCount(repeats, 'repeat')} of ${of || 'the only cell'} added: ${formatCount(trials.length, 'trial')}.`,
  };
}

/** Cells by their indices. @throws KneepointError `bad-request` for one that the session does not have. */
export function cellsOf({ id, snapshot: { plan } }: Repeated, wanted: readonly number[]): Cell[] {
  const unknown = wanted.find((index) => !plan.cells.some((cell) => cell.index === index));
  if (unknown !== undefined) throw refused(id, `Session ${id} has no cell ${unknown + 1}.`);
  return plan.cells.filter(({ index }) => wanted.includes(index));
}

/** So many further runs of each of these cells, in turns. @throws KneepointError `bad-request` for too many. */
export function furtherRuns(
  { id, runs, snapshot }: Repeated,
  experiment: Experiment,
  workload: Workload,
  { cells, repeats }: { cells: readonly Cell[]; repeats: number },
): Again['trials'] {
  const count = cells.length * repeats;
  if (count > MOST_TRIALS)
    throw refused(
      id,
      `These are ${formatCount(count, 'trial')}; at most ${formatCount(MOST_TRIALS, 'trial')} are added at once.`,
    );
  const resolved = resolveCells(experiment, workload.tool, cells);
  const firsts = new Map(cells.map(({ index }) => [index, nextRepeats(runs)(index)]));
  const first = (cell: number): number => firsts.get(cell) ?? 0;
  const added = addedTrials(experiment, workload, { cells: resolved, repeats, first, seed: snapshot.plan.seed });
  return added.flatMap((trial) => {
    const cell = resolved.find(({ index }) => index === trial.cell);
    return cell ? runsOfTrial(trial, cell) : [];
  });
}

/** Numbers of further repeats, cell by cell. */
function nextRepeats(runs: readonly RunRow[]): (cell: number) => number {
  const next = new Map<number, number>();
  for (const { cell, repeat } of runs) next.set(cell, Math.max(next.get(cell) ?? 0, repeat + 1));
  return (cell) => {
    const repeat = next.get(cell) ?? 0;
    next.set(cell, repeat + 1);
    return repeat;
  };
}

function requireRepeatable(id: number, runs: readonly RunRow[], runId: number): RunRow {
  const run = runs.find((each) => each.id === runId);
  if (run && isRepeatable(run, runs)) return run;
  throw new KneepointError({
    code: run ? 'conflict' : 'not-found',
    message: run
      ? `Trial ${run.trial + 1} of session ${id} has not ended, or was measured again already.`
      : `Session ${id} has no run ${runId}.`,
    session: id,
    run: runId,
    safe: 'Nothing was changed.',
  });
}

/** Throws `conflict` for a session that was measured elsewhere: no trial can be added to it. */
export function requireMeasuredHere({ id, origin }: Pick<SessionRow, 'id' | 'origin'>): void {
  if (origin === 'measured') return;
  throw new KneepointError({
    code: 'conflict',
    message: `Session ${id} cannot be continued: it was ${originWords({ origin })}.`,
    session: id,
    safe: 'Nothing was changed.',
    next: 'Start an experiment of your own, and compare the two sessions.',
  });
}

export const refused = (id: number, message: string, next?: string): KneepointError =>
  new KneepointError({
    code: 'bad-request',
    message,
    session: id,
    safe: 'Nothing was changed.',
    ...(next !== undefined && { next }),
  });

const nothingToRepeat = (id: number): KneepointError =>
  new KneepointError({
    code: 'conflict',
    message: `No trial of session ${id} has failed, so there is none to repeat.`,
    session: id,
    safe: 'Nothing was changed.',
    next: 'Name the trials to be repeated.',
  });
