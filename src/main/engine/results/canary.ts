import { metricOf } from '../../../shared/metrics/index.ts';
import type { SampleDamage } from '../../../shared/model/damage.ts';
import type { Plan } from '../../../shared/model/plan.ts';
import { isCounted } from '../../../shared/model/repeats.ts';
import type { CanaryResult } from '../../../shared/model/result.ts';
import { driftOf, driftWords } from '../../../shared/stats/index.ts';
import { figureFrom, figuresOfRun, sourceOf, type Workings } from '../figures/index.ts';
import type { RunRow } from '../store/store.ts';

/** Result of a session's canary trials. Undefined if there are none. `runs`: the canaries, in the order of trials. */
export function canaryResult(
  workings: Workings,
  runs: readonly RunRow[],
  plan: Pick<Plan, 'cells'>,
  { metric, warmup }: { metric: string; warmup?: number | undefined },
): { result: CanaryResult; damage: SampleDamage[] } | undefined {
  const [first] = runs;
  if (!first) return undefined;
  const measured = runs.map((run) => figuresOfRun(workings, run, { metric, cut: warmup ?? run.warmup }));
  const complete = measured.filter(({ run, sources }) => isCounted(run) && sources.size > 0);
  const source = sourceOf(metric, complete);
  const figureOf = ({ sources }: (typeof measured)[number]): number | undefined =>
    source && figureFrom(sources, source)?.value;
  const start = Math.min(...runs.flatMap(({ startedAt }) => startedAt ?? []));
  const points = complete.flatMap((each) => {
    const value = figureOf(each);
    const { spread, resolution } = each.facts;
    // By time, as trials may differ in length; by their order if the library has no times.
    const at = Number.isFinite(start) && each.run.startedAt !== null ? each.run.startedAt - start : each.run.trial;
    return value === undefined ? [] : [{ at, value, resolution, ...(spread && { within: spread.cv ** 2 / spread.n }) }];
  });
  const drift = driftOf(points);
  const { levels } = plan.cells.find(({ index }) => index === first.cell) ?? { levels: first.levels };
  return {
    result: {
      ...{ cell: first.cell, levels, ...drift },
      runs: measured.map((each) => {
        const { id, trial, startedAt } = each.run;
        const value = complete.includes(each) ? figureOf(each) : undefined;
        return {
          ...{ runId: id, trial },
          ...(startedAt !== null && { at: startedAt }),
          ...(value !== undefined && { value }),
        };
      }),
      sentence: driftWords(drift, { label: metricOf(metric).label, levels, canaries: points.length }),
    },
    damage: measured.flatMap(({ damage }) => damage),
  };
}
