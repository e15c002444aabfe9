import type { AppContract } from '../../../shared/contract/index.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { Implementation } from '../../../shared/rpc/define.ts';
import { compareLevels, compareSessions } from '../comparing/index.ts';
import { runQuantiles, runStretches, seriesOfRuns } from '../figures/index.ts';
import { comparedSession } from './compared.ts';
import type { ApiContext } from './context.ts';
import { differencesBetween, judgementsOf } from './judging.ts';
import { requireSession } from './require-session.ts';
import { resultOf } from './result-of.ts';

export function resultsApi(context: ApiContext): Implementation<AppContract['results']> {
  const { samples, runs } = context.store;
  const known = { store: context.store, catalogue: () => context.prices.catalogue() };
  return {
    session: ({ sessionId, metric, warmup, baselines }) => resultOf(context, sessionId, metric, warmup, baselines),
    series: (query) => seriesOfRuns(context.store, query),
    stretches: ({ groups, metric, points }) => runStretches(context.store, { groups, metric, points }),
    quantiles: ({ groups, metric, warmup }) => runQuantiles(context.store, { groups, metric, warmup }),
    judgements({ sessionId, runIds, warmup }, { signal }) {
      const all = runs.ofSession(requireSession(context, sessionId).id);
      const wanted = runIds === undefined ? all : all.filter(({ id }) => runIds.includes(id));
      return judgementsOf(known, wanted, warmup, signal);
    },
    seriesDifferences({ one, other, warmup }, { signal }) {
      const rows = (ids: readonly number[]) => ids.flatMap((id) => runs.get(id) ?? []);
      return differencesBetween(known, rows(one), rows(other), warmup, signal);
    },
    raw({ runId, generator, stream, offset, limit }) {
      if (!runs.get(runId)) {
        throw new KneepointError({
          code: 'not-found',
          message: `There is no run ${runId}.`,
          run: runId,
          next: 'Its session may have been removed in another window: reload the list.',
        });
      }
      return {
        bytes: samples.raw(runId, generator, stream, offset, limit),
        total: samples.rawSize(runId, generator, stream),
      };
    },
    compare({ baselineId, baselineMore = [], otherId, otherMore = [], metric, warmup, margin }) {
      const side = (id: number) =>
        comparedSession(context, id, metric ?? requireSession(context, baselineId).primaryMetric, warmup);
      return compareSessions([baselineId, ...baselineMore].map(side), [otherId, ...otherMore].map(side), { margin });
    },
    compareLevels: ({ sessionId, factor, level, metric, warmup, margin }) =>
      compareLevels(comparedSession(context, sessionId, metric, warmup), { factor, level }, { margin }),
  };
}
