import type { CostGoal, ValueScale } from '../../../shared/model/cost.ts';
import { distinctDamage } from '../../../shared/model/damage.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { CallContext } from '../../../shared/rpc/define.ts';
import type { CostGoalData } from '../reports/index.ts';
import type { ApiContext } from './context.ts';
import { pricedConfigurations, priceOfCell, valueForMoney } from './costs.ts';
import { presentDetail, presentRun } from './present.ts';
import { requireSession } from './require-session.ts';
import { resultFor } from './result-of.ts';

/** The limit of the contract. */
const MOST_SESSIONS = 100;

interface Asked {
  readonly goal: CostGoal;
  readonly metric?: string | undefined;
  readonly currency?: string | undefined;
  readonly sessionIds?: readonly number[] | undefined;
}

/** The data of a cost-goal report, from the same queries as the screen. Throws bad-request if nothing was measured at a price. */
export async function costGoalData(
  context: ApiContext,
  { goal, metric, currency, sessionIds }: Asked,
  progress: CallContext['progress'],
): Promise<CostGoalData> {
  const { store, prices } = context;
  const priced = store.sessions.list(false).sessions.filter(({ cost }) => cost !== null);
  const ids = sessionIds ?? priced.slice(0, MOST_SESSIONS).map(({ id }) => id);
  const latency = goal.latency?.metric;
  const { scales, left } = await valueForMoney(context, ids, { metric, perCell: true, latency }, progress);
  const scale = scales.find(
    (each) => (metric ?? each.metric) === each.metric && (currency ?? each.currency) === each.currency,
  );
  if (!scale) throw unpriced();
  const sessions: CostGoalData['sessions'][number][] = [];
  for (const id of new Set(scale.rows.map(({ sessionId }) => sessionId)))
    sessions.push(await examined(context, id, scale, progress));
  return {
    ...{ goal, scale, sessions, left },
    configurations: pricedConfigurations(context),
    priceOf: ({ sessionId, levels }) => priceOfCell(context, sessionId, levels),
    disclaimer: prices.catalogue().disclaimer,
    appVersion: context.outside.version,
    madeAt: context.now(),
  };
}

async function examined(
  context: ApiContext,
  id: number,
  { metric }: ValueScale,
  progress: CallContext['progress'],
): Promise<CostGoalData['sessions'][number]> {
  const result = await resultFor(context, id, { metric }, progress);
  return {
    detail: presentDetail(context, requireSession(context, id)),
    runs: context.store.runs.ofSession(id).map((run) => presentRun(context, run)),
    results: [result],
    damage: distinctDamage(result.damage ?? []),
  };
}

const unpriced = (): KneepointError =>
  new KneepointError({
    code: 'bad-request',
    message: 'No session has a price, so no configuration can be ranked.',
    next: 'Assign a price to a session.',
  });
