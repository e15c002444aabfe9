import type { EngineFinding } from '../../../shared/checks/index.ts';
import { isAveraged } from '../../../shared/metrics/index.ts';
import { canariesOf } from '../../../shared/model/canary.ts';
import type { Stop } from '../../../shared/model/measure.ts';
import { isCounted } from '../../../shared/model/repeats.ts';
import { isPrecise, reachOf } from '../../../shared/stats/index.ts';
import { formatCount, formatLevels, formatMoney, formatNumber } from '../../../shared/util/format.ts';
import { moveRun, type SessionRecord } from '../runs/index.ts';
import type { RunRow, StopEvent } from '../store/store.ts';
import type { SessionContext } from './activity.ts';
import { spentOf } from './spent.ts';

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
      this.#tellOnce(`The cost limit has no effect. ${spent.cost}`);
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
      this.#tellOnce(`“Repeat until within” has no effect: ${without.metric} has no mean, so it has no interval.`);
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
      const left = notNeeded > 0 ? `${formatCount(notNeeded, 'repeat')} skipped` : 'none remaining';
      return [
        {
          stopped: { rule: 'interval', cell: index },
          words: `${formatLevels(levels) || 'The only cell'}: the mean of ${repeats} is within ${reach}; ${left}.`,
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

  #tellOnce(words: string): void {
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
