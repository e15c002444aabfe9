import type { AppContract } from '../../../shared/contract/index.ts';
import { catalogueEntries, evaluateCost, operationsPerDollar } from '../../../shared/costs/index.ts';
import { metricOf } from '../../../shared/metrics/index.ts';
import type { ValueForMoney } from '../../../shared/model/cost.ts';
import type { Implementation } from '../../../shared/rpc/define.ts';
import type { ApiContext } from './context.ts';
import { requireSession } from './require-session.ts';
import { resultOf } from './results.ts';

export function costsApi(context: ApiContext): Implementation<AppContract['costs']> {
  const { store, prices, events } = context;
  return {
    catalogue() {
      const { compiled, disclaimer } = prices.catalogue();
      return { compiled, disclaimer, entries: catalogueEntries(prices.catalogue()) };
    },
    evaluate: ({ spec }) => evaluateCost(spec, prices.catalogue(), context.now()),
    ofSession({ sessionId }) {
      const { cost } = requireSession(context, sessionId);
      return cost ? { spec: cost, result: evaluateCost(cost, prices.catalogue(), context.now()) } : {};
    },
    setOfSession({ sessionId, spec }) {
      // Evaluated first: a price that cannot be worked out is refused, not stored.
      const result = spec ? evaluateCost(spec, prices.catalogue(), context.now()) : undefined;
      store.sessions.update(requireSession(context, sessionId).id, { cost: spec });
      events.changed('costs');
      context.sessions.changes.changed(sessionId);
      return result ? { result } : {};
    },
    valueForMoney: ({ sessionIds, metric, perCell }) => valueForMoney(context, sessionIds, metric, perCell),
  };
}

export function valueForMoney(
  context: ApiContext,
  sessionIds: readonly number[],
  metric: string | undefined,
  perCell: boolean,
): ValueForMoney {
  const rows: ValueForMoney['rows'] = [];
  let shownMetric = metric ?? '';
  let currency = 'USD';
  for (const sessionId of sessionIds) {
    const row = requireSession(context, sessionId);
    if (!row.cost) continue;
    const cost = evaluateCost(row.cost, context.prices.catalogue());
    const result = resultOf(context, sessionId, metric);
    shownMetric ||= result.metric;
    currency = cost.currency;
    const cells = perCell ? result.cells : result.cells.filter((cell) => cell.cell === result.best?.cell);
    for (const cell of cells) {
      if (!cell.spread) continue;
      rows.push({
        sessionId,
        name: row.name,
        cell: cell.cell,
        levels: cell.levels,
        rate: cell.spread.mean,
        perHour: cost.perHour,
        perYear: cost.perYear,
        operationsPerDollar: operationsPerDollar(cell.spread.mean, cost.perHour),
        percent: 0,
      });
    }
  }
  rows.sort((a, b) => b.operationsPerDollar - a.operationsPerDollar);
  const best = rows[0]?.operationsPerDollar ?? 0;
  // Money per work makes sense of rates only: a latency has no price per second.
  const rates = metricOf(shownMetric).better === 'higher' ? rows : [];
  return {
    metric: shownMetric,
    currency,
    rows: rates.map((row) => ({ ...row, percent: best > 0 ? (row.operationsPerDollar / best) * 100 : 0 })),
  };
}
