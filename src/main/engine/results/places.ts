import { placeFigures } from '../../../shared/chart-models/index.ts';
import { metricOf } from '../../../shared/metrics/index.ts';
import { pickFor } from '../../../shared/model/measure.ts';
import { canariesOf } from '../../../shared/model/repeats.ts';
import type { PlaceFigures } from '../../../shared/model/result.ts';
import type { SessionDetail } from '../../../shared/model/session.ts';
import { measuredCell, Workings } from '../figures/index.ts';
import type { Store } from '../store/store.ts';
import type { ResultQuery, ToolFigures } from './session-result.ts';

/** Figures of each place of a step, calculated like every other figure of a cell. Undefined if it has no places. */
export function sessionPlaces(
  store: Store,
  { experiment, plan }: Pick<SessionDetail, 'experiment' | 'plan'>,
  { failures, longest, rulesOf }: ToolFigures,
  { sessionId, step = 0, warmup }: Omit<ResultQuery, 'metric'>,
): PlaceFigures | undefined {
  const workings = new Workings(store, rulesOf);
  const isCanary = canariesOf(plan);
  const runs = store.runs.ofSession(sessionId).filter((run) => run.step === step && !isCanary(run));
  const byCell = Map.groupBy(runs, ({ cell }) => cell);
  const cells = plan.cells.map(({ index, levels }) => ({ cell: index, levels }));
  const known = [...new Set(runs.flatMap(({ id }) => workings.metrics(id)))];
  const figures = placeFigures(cells, known, (cell, metric) => {
    const pick = pickFor(experiment.measure.pick, metricOf(metric));
    return measuredCell(workings, byCell.get(cell) ?? [], { metric, cut: warmup, pick, failures, longest }).value;
  });
  workings.keep();
  return figures;
}
