import { isRunCheck } from '../../../../shared/checks/index.ts';
import { problemOf } from '../../../../shared/model/problem.ts';
import { ENDED_RUN } from '../../../../shared/model/session.ts';
import type { RunRow } from '../../store/store.ts';
import type { RunsContext } from '../context.ts';

type Context = Pick<RunsContext, 'store' | 'judge' | 'log' | 'sealedWatched'>;

/** Clocks of hosts can be off by so much before a run counts as not seen to its end. */
export const CLOCK_DOUBT_MS = 2_000;

/** Whether all that there will be of it is there, and it ever measured. */
export const canBeJudged = ({ state, startedAt }: RunRow): boolean => ENDED_RUN.includes(state) && startedAt !== null;

/**
 * Judges a run by the samples and the price that there are now, and gives its row. What was made of those before does not hold any more: judgement and
 * findings are replaced together, or nothing is. Throws what judging throws.
 */
export const judgeAgain = ({ store, judge }: Pick<RunsContext, 'store' | 'judge'>, run: RunRow): RunRow =>
  store.atomically(() => {
    store.judgements.forget(run.id);
    const kept = run.findings.filter(({ code, from }) => from !== 'watching' && !isRunCheck(code));
    const found = judge({ ...run, findings: kept });
    return found.length > 0 || kept.length < run.findings.length
      ? store.runs.update(run.id, { findings: [...kept, ...found] })
      : run;
  });

/** The same; a run that cannot be judged is left as it was, and the log says so. */
export function judgeNow(context: Context, run: RunRow): void {
  try {
    judgeAgain(context, run);
  } catch (error) {
    context.log.warn('a run could not be judged', { run: run.id, message: problemOf(error).message });
  }
}

/** Turns what was watched in a session into chunks: no more of it is expected. */
export function sealWatched({ store, sealedWatched }: Context, sessionId: number): void {
  const watched = store.sources.ofSession(sessionId).filter(({ kind }) => kind !== 'generator');
  for (const { id } of watched) store.monitored.seal(id);
  if (watched.length > 0) sealedWatched?.(sessionId);
}
