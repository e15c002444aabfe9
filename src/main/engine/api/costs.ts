import type { AppContract } from '../../../shared/contract/index.ts';
import { catalogueEntries, evaluateCost, scalesOf, type Valued } from '../../../shared/costs/index.ts';
import { metricOf } from '../../../shared/metrics/index.ts';
import type { CostResult, ValueForMoney } from '../../../shared/model/cost.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { Implementation } from '../../../shared/rpc/define.ts';
import type { SessionRow } from '../store/store.ts';
import type { ApiContext } from './context.ts';
import { requireSession } from './require-session.ts';
import { resultOf } from './result-of.ts';

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
    valueForMoney: ({ sessionIds, metric, warmup, perCell }) =>
      valueForMoney(context, sessionIds, { metric, warmup, perCell }),
  };
}

/** What is asked of work per money: over a metric, with a cut, of every cell. */
interface Asked {
  metric?: string | undefined;
  warmup?: number | undefined;
  perCell: boolean;
}

/** Ranked apart for each metric and currency; what cannot be ranked is named with the reason. */
export function valueForMoney(context: ApiContext, sessionIds: readonly number[], asked: Asked): ValueForMoney {
  const parts = sessionIds.map((sessionId) => valuesOf(context, requireSession(context, sessionId), asked));
  return {
    scales: scalesOf(parts.flatMap(({ valued }) => valued)),
    left: parts.flatMap(({ left }) => left),
  };
}

interface Values {
  valued: Valued[];
  left: ValueForMoney['left'];
}

function valuesOf(context: ApiContext, row: SessionRow, { metric, warmup, perCell }: Asked): Values {
  const session = { sessionId: row.id, name: row.name };
  const none = (why: string): Values => ({ valued: [], left: [{ ...session, why }] });
  const price = priceOf(context, row);
  if (!price) return none('It has no price.');
  if (typeof price === 'string') return none(price);
  if (!(price.perHour > 0)) return none('Its price is nothing, so there is no work per money.');
  const result = resultOf(context, row.id, metric, warmup);
  const { label, better } = metricOf(result.metric);
  // Money per work makes sense of rates only: a latency has no price per second.
  if (better !== 'higher') return none(`${label} is not a rate of work that one pays for.`);
  // The best cell of a session, where it is known; its cells without figures are not of interest then.
  const cells = perCell ? result.cells : result.cells.filter((cell) => cell.cell === result.best?.cell);
  if (cells.length === 0) return none(`No cell has figures of ${label}.`);
  const { currency, perHour, perYear, asOf } = price;
  const values: Values = { valued: [], left: [] };
  for (const { cell, levels, value, partial, errors } of cells) {
    const why = value === undefined ? `It has no figures of ${label}.` : partial ? 'Its runs ended early.' : undefined;
    if (value !== undefined && why === undefined) {
      const cost = { perHour, perYear, ...(asOf !== undefined && { asOf }) };
      const work = { metric: result.metric, rate: value, errors };
      values.valued.push({ ...session, cell, levels, currency, ...work, ...cost });
    } else values.left.push({ ...session, levels, why: why ?? '' });
  }
  return values;
}

/** What the session costs; undefined: it has no price; a sentence: why that cannot be worked out. */
function priceOf(context: ApiContext, { cost }: SessionRow): CostResult | string | undefined {
  if (!cost) return undefined;
  try {
    return evaluateCost(cost, context.prices.catalogue(), context.now());
  } catch (error) {
    if (error instanceof KneepointError && error.code === 'bad-request') return error.problem.message;
    throw error;
  }
}
