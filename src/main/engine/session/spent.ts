import { evaluateCost, priceTogether } from '../../../shared/costs/index.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { SessionSnapshot } from '../../../shared/model/session-snapshot.ts';
import { sum } from '../../../shared/util/numbers.ts';
import { stepOfRun } from '../plans/index.ts';
import { toolOf } from '../runs/index.ts';
import type { RunRow, SessionRow } from '../store/store.ts';
import type { SessionContext } from './activity.ts';

/** Resources that a session has taken. `cost`: a sentence if it is unknown. */
interface Spent {
  readonly seconds: number;
  readonly cost: { amount: number; currency: string } | string;
}

const NO_PRICE = 'The session has no price.';

/**
 * Time of the trials and of the work between them (settings, data, rests), from the start of the first one on. Excludes time in which the session was
 * not executed or waited for a user. Each trial costs what its cell costs.
 */
export function spentOf(
  context: Pick<SessionContext, 'store' | 'tools' | 'prices'>,
  session: SessionRow,
  snapshot: SessionSnapshot,
  runs: readonly RunRow[],
): Spent {
  const seconds = secondsOf(runs, context.store.events.spentBefore(session.id));
  const priceAt = pricesOf(context, session, snapshot);
  let amount = 0;
  let currency: string | undefined;
  for (const run of runs) {
    const own = seconds.get(run.id) ?? 0;
    if (own === 0) continue;
    const price = priceAt(run);
    if (typeof price === 'string') return { seconds: sum(seconds.values()), cost: price };
    if (currency !== undefined && currency !== price.currency)
      return {
        seconds: sum(seconds.values()),
        cost: 'Its cells have prices in several currencies, which are not added.',
      };
    currency = price.currency;
    amount += (price.perHour * own) / 3600;
  }
  return { seconds: sum(seconds.values()), cost: currency === undefined ? NO_PRICE : { amount, currency } };
}

/** Seconds of each run, by its id. Where runs overlap, the later one has only the part beyond the earlier. */
function secondsOf(
  runs: readonly RunRow[],
  before: readonly { runId: number; at: number; seconds: number }[],
): Map<number, number> {
  const seconds = new Map<number, number>();
  const add = (id: number, more: number): void => void seconds.set(id, (seconds.get(id) ?? 0) + more);
  const first = Math.min(...runs.flatMap(({ startedAt }) => startedAt ?? []));
  let reached = Number.NEGATIVE_INFINITY;
  for (const { id, startedAt, endedAt } of runs.toSorted((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0))) {
    if (startedAt === null || endedAt === null) continue;
    add(id, Math.max(0, endedAt - Math.max(startedAt, reached)) / 1000);
    reached = Math.max(reached, endedAt);
  }
  for (const { runId, at, seconds: more } of before) if (at > first) add(runId, more);
  return seconds;
}

function pricesOf(
  context: Pick<SessionContext, 'tools' | 'prices'>,
  { cost }: SessionRow,
  snapshot: SessionSnapshot,
): (run: RunRow) => { perHour: number; currency: string } | string {
  const known = new Map<string, { perHour: number; currency: string } | string>();
  return (run) => {
    const own = stepOfRun(snapshot, run, (id) => toolOf(context, id))?.step.prices ?? [];
    const key = JSON.stringify(own);
    const price = known.get(key) ?? priced(context, [...(cost ? [cost] : []), ...own]);
    known.set(key, price);
    return price;
  };
}

function priced({ prices }: Pick<SessionContext, 'prices'>, specs: Parameters<typeof priceTogether>[0]) {
  const spec = priceTogether(specs);
  if (spec === undefined || typeof spec === 'string') return spec ?? NO_PRICE;
  try {
    return evaluateCost(spec, prices());
  } catch (error) {
    if (error instanceof KneepointError && error.code === 'bad-request') return error.message;
    throw error;
  }
}
