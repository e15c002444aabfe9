import type { RunsContext } from '../runs/index.ts';
import type { RunRow } from '../store/store.ts';
import type { ParseOutcome } from '../tools/tool.ts';
import { toolStart } from './tool-start.ts';

const MOST = 10_000;
/** A busy machine prints a report so much later than it was asked for. */
const LATE_SECONDS = 1;

/**
 * Reports that the tools of a run printed on the way (sysbench `--report-checkpoints`), as events at their seconds. Several generators
 * report at the same second, and make one event. The report that ends the warm-up is none: that it ended is noted already. Safe to
 * repeat: those that are noted stay as they are.
 */
export function noteCheckpoints(
  { store }: Pick<RunsContext, 'store'>,
  run: RunRow,
  outcomes: readonly Pick<ParseOutcome, 'checkpoints'>[],
): void {
  const noted = store.events
    .ofSession(run.sessionId, ['checkpoint'], 0, MOST, [run.id])
    .filter(({ runId }) => runId === run.id)
    .map(({ t }) => t);
  const endsWarmUp = (t: number): boolean => run.warmup > 0 && t >= run.warmup && t <= run.warmup + LATE_SECONDS;
  const printed = outcomes.flatMap(({ checkpoints = [] }) => checkpoints.map(({ t }) => t));
  const seconds = new Set(printed.filter((t) => !endsWarmUp(t)));
  for (const t of [...seconds].filter((second) => !noted.includes(second)).sort((left, right) => left - right))
    store.events.add({
      sessionId: run.sessionId,
      runId: run.id,
      kind: 'checkpoint',
      at: Math.round(toolStart(store, run, 0) + t * 1000),
      t,
      level: 'info',
      message: `Trial ${run.trial + 1} printed a checkpoint report.`,
      detail: outcomes.map(({ checkpoints = [] }) => checkpoints.find((each) => each.t === t)?.summary ?? null),
    });
}
