import type { Experiment } from '../../../shared/model/experiment.ts';
import type { Cell } from '../../../shared/model/plan.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { failedRuns, isRepeatable } from '../../../shared/model/repeats.ts';
import type { GrownPart, SessionSnapshot } from '../../../shared/model/session-snapshot.ts';
import { originWords } from '../../../shared/model/session-words.ts';
import { ENDED_RUN } from '../../../shared/model/states.ts';
import { formatCount, formatLevels } from '../../../shared/util/format.ts';
import { addedTrials, resolveCells, runsOfTrial, trialSeed, type Workload } from '../plans/index.ts';
import type { NewRun, RunRow, SessionRow } from '../store/store.ts';

/** A session whose trials are measured again, or more often. */
export interface Repeated {
  id: number;
  runs: readonly RunRow[];
  snapshot: SessionSnapshot;
}

/** Trials appended to the plan of a session. */
export interface RepeatRequest {
  trials: Omit<NewRun, 'trial'>[];
  /** Number of trials that are further repeats, not replacements of failed ones. */
  added: number;
  /** Runs that are excluded from all figures from now on, and why. */
  excluded?: { runs: readonly RunRow[]; reason: string };
  /** For the session's log. */
  words: string;
  /** Added levels, which form cells of their own. */
  grown?: GrownPart;
}

/**
 * `reason`: why the runs are excluded, and measured again in their places. @throws KneepointError `conflict` if there is none, or one has not ended;
 * `not-found` for a run of another session.
 */
export function repeatedTrials(
  session: Repeated,
  runIds: readonly number[] | undefined,
  reason: string | undefined,
): RepeatRequest {
  const { id, runs, snapshot } = session;
  const isOver = ({ trial }: RunRow): boolean =>
    runs.every((run) => run.trial !== trial || ENDED_RUN.includes(run.state));
  const wanted =
    runIds === undefined ? failedRuns(runs).filter(isOver) : runIds.map((runId) => requireRepeatable(id, runs, runId));
  if (wanted.length === 0) throw nothingToRepeat(id);
  const next = nextRepeats(runs);
  const { measure } = snapshot.experiment;
  const isReplaced = (run: RunRow): boolean => reason !== undefined || run.state !== 'done' || run.excluded !== null;
  // A step is measured in the state that the steps before it have left, so a trial is repeated as a whole.
  const trials = [...new Set(wanted.map(({ trial }) => trial))].map((trial) => {
    const own = runs.filter((run) => run.trial === trial);
    const replaced = wanted.some((run) => run.trial === trial && isReplaced(run));
    return { trial, own, replaced };
  });
  const replaced = trials.flatMap((trial) => (trial.replaced ? trial.own : []));
  const isWanted = (run: RunRow): boolean => wanted.includes(run);
  const remaining = replaced.filter((run) => (isWanted(run) ? reason !== undefined : run.excluded === null));
  return {
    trials: trials.flatMap(({ own, replaced }) => {
      const [first] = own;
      const number = replaced || !first ? undefined : next(first.cell);
      return own.map(({ cell, levels, warmup, duration, step, repeat, seed }) => {
        const run = { cell, levels, warmup, duration, step };
        if (number === undefined) return { ...run, repeat, seed };
        const place = { cell, repeat: number, step, steps: snapshot.steps.length };
        return { ...run, repeat: number, seed: trialSeed(measure, place, snapshot.plan.seed) };
      });
    }),
    added: trials.filter((trial) => !trial.replaced).length,
    ...(remaining.length > 0 && { excluded: { runs: remaining, reason: reason ?? 'The trial is measured again.' } }),
    words: `Trials to measure again: ${trials.map(({ trial }) => `trial ${trial + 1}`).join(', ')}.`,
  };
}

/** Guards against typing errors: no one waits for more. */
const MOST_TRIALS = 5000;

/** @throws KneepointError `bad-request` for a cell that the session does not have. */
export function addedRepeats(
  session: Repeated,
  workloadOf: (experiment: Experiment) => Workload,
  { repeats, cells }: { repeats: number; cells?: readonly number[] | undefined },
): RepeatRequest {
  const { experiment, plan } = session.snapshot;
  const chosen = cells === undefined ? plan.cells : cellsOf(session, cells);
  const further = furtherRuns(session, experiment, workloadOf(experiment), { cells: chosen, repeats });
  const of = cells === undefined ? 'every cell' : chosen.map(({ levels }) => formatLevels(levels)).join('; ');
  const added = formatCount(further.added, 'trial');
  return { ...further, words: `${formatCount(repeats, 'repeat')} of ${of || 'the only cell'} added: ${added}.` };
}

/** Returns cells by index. @throws KneepointError `bad-request` for one that the session does not have. */
export function cellsOf({ id, snapshot: { plan } }: Repeated, wanted: readonly number[]): Cell[] {
  const unknown = wanted.find((index) => !plan.cells.some((cell) => cell.index === index));
  if (unknown !== undefined) throw refused(id, `Session ${id} has no cell ${unknown + 1}.`);
  return plan.cells.filter(({ index }) => wanted.includes(index));
}

/** Returns `repeats` further runs of each of these cells, interleaved. @throws KneepointError `bad-request` for too many. */
export function furtherRuns(
  { id, runs, snapshot }: Repeated,
  experiment: Experiment,
  workload: Workload,
  { cells, repeats }: { cells: readonly Cell[]; repeats: number },
): Pick<RepeatRequest, 'trials' | 'added'> {
  const count = cells.length * repeats;
  if (count > MOST_TRIALS)
    throw refused(
      id,
      `This would add ${formatCount(count, 'trial')}; the limit is ${formatCount(MOST_TRIALS, 'trial')} at once.`,
    );
  const resolved = resolveCells(experiment, workload.tool, cells);
  const firsts = new Map(cells.map(({ index }) => [index, nextRepeats(runs)(index)]));
  const first = (cell: number): number => firsts.get(cell) ?? 0;
  const { seed } = snapshot.plan;
  const trials = addedTrials(experiment, workload, { cells: resolved, repeats, first }).flatMap((trial) => {
    const cell = resolved.find(({ index }) => index === trial.cell);
    return cell ? runsOfTrial(trial, cell, experiment.measure, seed) : [];
  });
  return { trials, added: count };
}

/** Returns the numbers of further repeats by cell; each call takes the next one. */
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
  if (run && runs.every((each) => each.trial !== run.trial || isRepeatable(each, runs))) return run;
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
    next: 'Run an experiment here, and compare the two sessions.',
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
    message: `No trial of session ${id} has failed, so there is nothing to repeat.`,
    session: id,
    safe: 'Nothing was changed.',
    next: 'Specify the trials to repeat.',
  });
