import type { SessionStep } from '../../../shared/model/plan.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { FAILED_RUN } from '../../../shared/model/session.ts';
import { formatCount, formatLevels } from '../../../shared/util/format.ts';
import type { RunRow } from '../store/store.ts';

/** State of a trial, as a sentence continues after its name. */
export const BECAME: Readonly<Record<RunRow['state'], string>> = {
  pending: 'waits',
  launching: 'is being launched',
  running: 'is running',
  done: 'is done',
  failed: 'failed',
  lost: 'was lost',
  skipped: 'was skipped',
  stopped: 'was stopped',
};

/** Names a trial by its number and levels, and the step of a run if the document has steps. */
export function trialName(
  { trial, levels, step }: Pick<RunRow, 'trial' | 'levels' | 'step'>,
  steps: readonly SessionStep[],
): string {
  const words = formatLevels(levels);
  const name = steps[step]?.name;
  return `Trial ${trial + 1}${name === undefined ? '' : `, step “${name}”`}${words ? ` (${words})` : ''}`;
}

/** Why the rest of a trial is not measured. */
export const brokenTrial = (failed: Pick<RunRow, 'step' | 'state'>, steps: readonly SessionStep[]): string =>
  `Step “${steps[failed.step]?.name}” of the same trial ${BECAME[failed.state]}, and this step depends on it.`;

/** Why a parallel step is not measured if another one of its group could not be started. */
export const parallelTo = (failed: Pick<RunRow, 'step' | 'state'>, steps: readonly SessionStep[]): string =>
  `The parallel step “${steps[failed.step]?.name}” ${BECAME[failed.state]}.`;

/** This many failed trials in a row mean that the system is gone, not that a cell is bad. */
export const FAILURES_IN_A_ROW = 3;

export const tooManyFailures = (session: number, last: RunRow): KneepointError =>
  new KneepointError({
    code: 'run-failed',
    message: `${FAILURES_IN_A_ROW} trials in a row failed; last message: ${last.message ?? 'none'}`,
    session,
    safe: 'Everything recorded so far is stored.',
    next: 'Fix the cause, then resume: the session continues with the next trial.',
  });

/** The message of an ended session in which no trial completed and at least one failed; null otherwise. */
export function noneMeasured(runs: readonly RunRow[]): string | null {
  const failed = runs.filter(({ state }) => FAILED_RUN.includes(state));
  const last = failed.at(-1);
  if (!last || runs.some(({ state }) => state === 'done')) return null;
  const reason = last.message ?? 'none';
  if (runs.length === 1) return `Its only trial failed, so nothing was measured. Message: ${reason}`;
  const became = failed.length === runs.length ? 'each failed' : `${failed.length} failed, the others were skipped`;
  return `None of its ${formatCount(runs.length, 'trial')} was measured: ${became}. Last message: ${reason}`;
}
