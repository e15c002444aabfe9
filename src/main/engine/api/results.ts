import type { AppContract } from '../../../shared/contract/index.ts';
import { definedIn } from '../../../shared/measures/index.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { Implementation } from '../../../shared/rpc/define.ts';
import { type ComparedSession, compareLevels, compareSessions } from '../comparing/index.ts';
import { runBuckets, runQuantiles, runSeconds, seriesOfRuns } from '../figures/index.ts';
import { comparedSession } from './compared.ts';
import { type ApiContext, requireSession, requireStep } from './context.ts';
import { differencesBetween, judgementsOf } from './judging.ts';
import { rulesOf } from './monitors.ts';
import { answerMetric, placesOf, resultFor, stepsOf } from './result-of.ts';

export function resultsApi(context: ApiContext): Implementation<AppContract['results']> {
  const { samples, runs } = context.store;
  const known = { store: context.store, catalogue: () => context.prices.catalogue() };
  return {
    session: ({ sessionId, ...asked }, { progress }) =>
      resultFor(
        context,
        sessionId,
        { ...asked, metric: asked.metric ?? answerMetric(context, sessionId, asked.step) },
        progress,
      ),
    steps: ({ sessionId, ...asked }, { progress }) => stepsOf(context, sessionId, asked, progress),
    places: ({ sessionId, ...asked }) => placesOf(context, sessionId, asked),
    headline({ sessionId, step }) {
      const row = requireSession(context, sessionId);
      return context.overviews.ofStep(row, requireStep(row, step).place);
    },
    series: (query) => seriesOfRuns(context.store, query, rulesOf),
    stretches: ({ groups, metric, points }) => runBuckets(context.store, { groups, metric, points }, rulesOf),
    quantiles: ({ groups, metric, warmup }) => runQuantiles(context.store, { groups, metric, warmup }, rulesOf),
    seconds: (query) => runSeconds(context.store, query, rulesOf),
    judgements({ sessionId, runIds, warmup }, call) {
      const all = runs.ofSession(requireSession(context, sessionId).id);
      const wanted = runIds === undefined ? all : all.filter(({ id }) => runIds.includes(id));
      return judgementsOf(known, wanted, warmup, call);
    },
    seriesDifferences({ one, other, warmup }, call) {
      const rows = (ids: readonly number[]) => ids.flatMap((id) => runs.get(id) ?? []);
      return differencesBetween(known, rows(one), rows(other), warmup, call);
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
    async compare(
      {
        baselineId,
        baselineMore = [],
        baselineStep,
        baselineCell,
        otherId,
        otherMore = [],
        otherStep,
        warmup,
        margin,
        ...asked
      },
      { progress },
    ) {
      const metric = asked.metric ?? requireStep(requireSession(context, baselineId), baselineStep).metric ?? undefined;
      const lent = [baselineId, otherId, ...baselineMore, ...otherMore].flatMap((id) =>
        definedIn(context.store.sessions.snapshot(requireSession(context, id).id)),
      );
      const of = 2 + baselineMore.length + otherMore.length;
      let done = 0;
      const side = async (ids: readonly number[], step: number | undefined): Promise<ComparedSession[]> => {
        const sessions: ComparedSession[] = [];
        for (const id of ids) {
          done += 1;
          const what = `Comparing sessions, ${done} of ${of}`;
          const result = await resultFor(context, id, { step, metric, warmup, lent }, (at) =>
            progress({ ...at, what }),
          );
          sessions.push(comparedSession(context, id, { step, metric, warmup }, result));
        }
        return sessions;
      };
      return compareSessions(
        await side([baselineId, ...baselineMore], baselineStep),
        await side([otherId, ...otherMore], otherStep),
        { margin, cell: baselineCell },
      );
    },
    async compareLevels({ sessionId, factor = '', level = '', cell, margin, ...asked }, { progress }) {
      const result = await resultFor(context, sessionId, asked, progress);
      const against = cell === undefined ? { factor, level } : { cell };
      return compareLevels(comparedSession(context, sessionId, asked, result), against, { margin });
    },
  };
}
