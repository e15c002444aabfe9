import type { EngineFinding } from '../../../shared/checks/index.ts';
import { evaluateCost, priceTogether } from '../../../shared/costs/index.ts';
import { isAveraged } from '../../../shared/metrics/index.ts';
import type { Stop } from '../../../shared/model/measure.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { canariesOf, isCounted } from '../../../shared/model/repeats.ts';
import type { SessionSnapshot } from '../../../shared/model/session-snapshot.ts';
import { isPrecise, reachOf } from '../../../shared/stats/index.ts';
import { formatCount, formatLevels, formatMoney, formatNumber } from '../../../shared/util/format.ts';
import { sum } from '../../../shared/util/numbers.ts';
import { stepOfRun } from '../plans/index.ts';
import { moveRun, type SessionRecord, toolOf } from '../runs/index.ts';
import type { RunRow, SessionRow, StopEvent } from '../store/store.ts';
import type { SessionContext } from './activity.ts';

/** A rule that takes effect: on these trials, and in words for the session's log and for each of them. */
interface Effect {
  readonly stopped: StopEvent;
  readonly words: string;
  readonly runs: readonly RunRow[];
  readonly why: string;
}

/**
 * The stop rules of the document. Each takes effect once, a limit for the session and an interval for a cell, on the trials planned then: trials that
 * a user adds later are measured. Decisions depend only on stored data, so they are the same after any interruption.
 */
export class StopRules {
  readonly #context: SessionContext;
  readonly #record: SessionRecord;
  /** Figures of runs, by their id and revision. */
  readonly #figures = new Map<string, number | undefined>();

  constructor(context: SessionContext, record: SessionRecord) {
    this.#context = context;
    this.#record = record;
  }

  /** Applies the rules to all pending trials. Call before each trial, and at the end. */
  apply(): void {
    const { stop } = this.#record.snapshot().experiment.measure;
    if (!stop) return;
    const runs = this.#record.runs();
    const effects = [...this.#limits(stop, runs), ...this.#intervals(stop, runs)];
    for (const effect of effects) this.#takeEffect(effect);
  }

  /** Whether a trial is not measured any more, by a rule or as a canary with nothing to show. */
  skips(run: RunRow): boolean {
    this.apply();
    if (this.#isPending(run) && this.#isIdleCanary(run))
      this.#skip([run], 'No trial was measured since the previous canary.');
    return !this.#isPending(run);
  }

  #isPending({ id }: RunRow): boolean {
    return this.#context.store.runs.get(id)?.state === 'pending';
  }

  #limits(stop: Stop, runs: readonly RunRow[]): Effect[] {
    const fired = this.#fired();
    if ((stop.minutes === undefined && stop.cost === undefined) || fired.some(({ rule }) => rule !== 'interval'))
      return [];
    const pending = runs.filter(({ state }) => state === 'pending');
    if (pending.length === 0) return [];
    const spent = spentOf(this.#context, this.#record.row(), this.#record.snapshot(), runs);
    if (spent.seconds === 0) return [];
    const minutes = spent.seconds / 60;
    if (stop.minutes !== undefined && minutes >= stop.minutes) {
      const limit = `its limit of ${formatCount(stop.minutes, 'minute')}`;
      return [limitReached('minutes', limit, `${formatNumber(minutes, 1)} minutes spent`, pending)];
    }
    if (stop.cost === undefined) return [];
    if (typeof spent.cost === 'string') {
      this.#warnOnce(`The cost limit has no effect. ${spent.cost}`);
      return [];
    }
    const { amount, currency } = spent.cost;
    if (amount < stop.cost) return [];
    const limit = `its limit of ${formatMoney(stop.cost, currency)}`;
    return [limitReached('cost', limit, `${formatMoney(amount, currency)} spent`, pending)];
  }

  #intervals({ interval }: Stop, runs: readonly RunRow[]): Effect[] {
    if (interval === undefined) return [];
    const { plan, steps } = this.#record.snapshot();
    const measured = steps.flatMap(({ metric, measured }, step) =>
      measured === false || metric === null ? [] : [{ step, metric }],
    );
    if (measured.length === 0) return [];
    const without = measured.find(({ metric }) => !isAveraged(metric));
    if (without) {
      this.#warnOnce(`“Repeat until within” has no effect: ${without.metric} has no mean, so it has no interval.`);
      return [];
    }
    const isCanary = canariesOf(plan);
    const fired = new Set(this.#fired().flatMap(({ cell }) => cell ?? []));
    const counted = runs.filter((run) => !isCanary(run) && !fired.has(run.cell));
    return plan.cells.flatMap(({ index, levels }): Effect[] => {
      const own = counted.filter(({ cell }) => cell === index);
      const ofSteps = measured.map(({ step, metric }) =>
        own.flatMap((run) => (run.step === step ? (this.#figureOf(run, metric) ?? []) : [])),
      );
      if (!ofSteps.every((figures) => isPrecise(figures, interval))) return [];
      // A trial that has begun is measured to its end: its last steps belong to those before them.
      const begun = new Set(own.flatMap(({ state, trial }) => (state === 'pending' ? [] : [trial])));
      const pending = own.filter(({ state, trial }) => state === 'pending' && !begun.has(trial));
      const reach = `±${formatNumber(Math.max(...ofSteps.map((figures) => reachOf(figures) ?? 0)), 1)} %`;
      const repeats = formatCount(Math.min(...ofSteps.map(({ length }) => length)), 'repeat');
      const notNeeded = new Set(pending.map(({ trial }) => trial)).size;
      const remainder = notNeeded > 0 ? `${formatCount(notNeeded, 'repeat')} skipped` : 'none remaining';
      return [
        {
          stopped: { rule: 'interval', cell: index },
          words: `${formatLevels(levels) || 'The only cell'}: the mean of ${repeats} is within ${reach}; ${remainder}.`,
          runs: pending,
          why: `Not needed: the mean of ${repeats} is within ${reach}, and the goal is ±${formatNumber(interval, 1)} %.`,
        },
      ];
    });
  }

  #figureOf(run: RunRow, metric: string): number | undefined {
    if (!isCounted(run)) return undefined;
    const key = `${run.id} ${run.revision}`;
    if (!this.#figures.has(key)) this.#figures.set(key, this.#context.figureOf(run, metric));
    return this.#figures.get(key);
  }

  /** A canary shows a drift over the trials since the canary before it; without any, there is none. */
  #isIdleCanary(run: RunRow): boolean {
    const { plan, experiment } = this.#record.snapshot();
    const isCanary = canariesOf(plan);
    if (experiment.measure.stop?.interval === undefined || !isCanary(run)) return false;
    const before = this.#record.runs().filter(({ trial, startedAt }) => trial < run.trial && startedAt !== null);
    const last = before.at(-1);
    return last !== undefined && isCanary(last);
  }

  #fired(): StopEvent[] {
    return this.#context.store.events.stops(this.#record.id);
  }

  #warnOnce(words: string): void {
    if (!this.#context.store.events.has(this.#record.id, 'alert', words)) this.#record.log('warn', words);
  }

  #takeEffect({ stopped, words, runs, why }: Effect): void {
    this.#context.store.atomically(() => {
      this.#record.log('info', words, undefined, { stopped });
      this.#skip(runs, why);
    });
  }

  #skip(runs: readonly RunRow[], message: string): void {
    const finding: EngineFinding = { code: 'stop-rule', severity: 'note', message };
    this.#context.store.atomically(() => {
      for (const { id } of runs) moveRun(this.#context, id, 'skip', { message, findings: [finding] });
    });
    this.#record.changed();
  }
}

const limitReached = (rule: 'minutes' | 'cost', limit: string, spent: string, pending: readonly RunRow[]): Effect => ({
  stopped: { rule },
  words: `The session has reached ${limit}: ${spent}, ${formatCount(pending.length, 'trial')} not measured.`,
  runs: pending,
  why: `Not measured: the session had reached ${limit}.`,
});

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
function spentOf(
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
        cost: 'Its cells have prices in several currencies, which cannot be added up.',
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
