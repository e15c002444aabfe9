import { kindOf } from '../../../shared/checks/index.ts';
import { problemOf } from '../../../shared/model/problem.ts';
import { ENDED_RUN } from '../../../shared/model/session.ts';
import type { RunRow } from '../store/store.ts';
import type { JudgedRun, WatchingContext } from './context.ts';

type JudgingContext = Pick<WatchingContext, 'store' | 'judge' | 'judgings'>;
type Context = JudgingContext & Pick<WatchingContext, 'log' | 'sealedWatched'>;

/** Clock offsets of hosts may be wrong by up to this much before a run counts as not seen to its end. */
export const CLOCK_ERROR_MS = 2_000;

/** Whether the run is complete and has ever measured. */
export const canBeJudged = ({ state, startedAt }: RunRow): boolean => ENDED_RUN.includes(state) && startedAt !== null;

/**
 * Judges a run by its current samples and price, and resolves with its row. Replaces judgement and findings together when it is done, or nothing:
 * results from earlier samples are no longer valid. A run is judged by one caller at a time, and the last one wins. Throws the errors of judging.
 */
export const rejudge = (context: JudgingContext, run: RunRow, signal?: AbortSignal): Promise<RunRow> =>
  context.judgings.run(run.id, () => judgeAlone(context, run, signal));

async function judgeAlone({ store, judge }: JudgingContext, asked: RunRow, signal?: AbortSignal): Promise<RunRow> {
  for (;;) {
    signal?.throwIfAborted();
    const run = store.runs.get(asked.id);
    if (!run) return asked;
    const judged = await judge({ ...run, findings: ownFindings(run) }, signal);
    signal?.throwIfAborted();
    const kept = store.atomically(() => {
      const now = store.runs.get(run.id);
      if (!now) return asked;
      // A re-parsed run has other samples, and each time another revision.
      return now.revision === run.revision && judged.isStill() ? keep(store, now, judged) : undefined;
    });
    if (kept) return kept;
  }
}

/** Findings that are not from monitoring. */
const ownFindings = ({ findings }: RunRow): RunRow['findings'] =>
  findings.filter((finding) => kindOf(finding).by !== 'watching');

function keep({ judgements, runs }: WatchingContext['store'], run: RunRow, judged: JudgedRun): RunRow {
  const { version, judgement, findings } = judged;
  if (judgement) judgements.set(run.id, judgement);
  else judgements.setNothing(run.id, version);
  const own = ownFindings(run);
  return findings.length > 0 || own.length < run.findings.length
    ? runs.update(run.id, { findings: [...own, ...findings] })
    : run;
}

/** Like `rejudge`, but a run that cannot be judged is left as it was, with a log entry. */
export async function judgeNow(context: Context, run: RunRow, signal?: AbortSignal): Promise<void> {
  try {
    await rejudge(context, run, signal);
  } catch (error) {
    if (signal?.aborted) return;
    context.log.warn('a run could not be judged', { run: run.id, message: problemOf(error).message });
  }
}

/** Turns the monitoring data of a session into chunks: no more of it is expected. */
export function sealWatched({ store, sealedWatched }: Context, sessionId: number): void {
  const watched = store.sources.ofSession(sessionId).filter(({ kind }) => kind !== 'generator');
  for (const { id } of watched) store.monitored.seal(id);
  if (watched.length > 0) sealedWatched?.(sessionId);
}
