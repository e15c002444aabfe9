import { metricOf, placeIn } from '../../../shared/metrics/index.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import type { SteadyWhen } from '../../../shared/model/step.ts';
import { newestRounds, type Rounds } from '../../../shared/stats/index.ts';
import { digitsFor, formatDuration, formatLevel, formatNumber } from '../../../shared/util/format.ts';
import type { Step } from '../plans/index.ts';
import { generatorsOf, metricOfRun, untilReachable } from '../runs/index.ts';
import type { RunRow } from '../store/store.ts';
import type { Collected } from './collect.ts';
import type { TrialContext, TrialControl } from './context.ts';

/** The cause that the host records when a steady load is ended: whoever returns later knows that it was complete. */
const CAUSE = 'steady';
/** Looks per round; at most one per second. */
const CHECKS = 10;

/** Whether Kneepoint ended a load because it was steady. */
export const endedSteady = ({ end }: Pick<Collected, 'end'>): boolean => end?.cause === CAUSE;

/** Ends the load of a step as soon as it is steady. */
export class SteadyWatch {
  readonly #context: TrialContext;
  readonly #run: RunRow;
  readonly #step: Step;
  readonly #when: NonNullable<Step['steady']>;
  readonly #control: TrialControl;
  #next = 0;
  #ending: Promise<void> | undefined;

  /** Undefined for a step that runs for its duration. */
  static of(context: TrialContext, run: RunRow, step: Step, control: TrialControl): SteadyWatch | undefined {
    return step.steady && new SteadyWatch(context, run, step, step.steady, control);
  }

  private constructor(
    context: TrialContext,
    run: RunRow,
    step: Step,
    when: NonNullable<Step['steady']>,
    control: TrialControl,
  ) {
    this.#context = context;
    this.#run = run;
    this.#step = step;
    this.#when = when;
    this.#control = control;
  }

  /** Call when more of the load was stored. */
  check(): void {
    const now = this.#context.clock.monotonic();
    if (this.#ending || now < this.#next || this.#control.ended()) return;
    this.#next = now + Math.max(1, this.#when.of / CHECKS) * 1000;
    if (!this.#rounds()?.isSteady) return;
    this.#ending = this.#end().catch((error: unknown) => {
      // The next look tries again; at the latest, the load ends after its duration.
      this.#ending = undefined;
      if (!this.#control.signal.aborted) this.#context.log.warn('a steady load could not be stopped', { error });
    });
  }

  /** Resolves when nothing is under way any more. */
  async settled(): Promise<void> {
    await this.#ending;
  }

  /** Logs after how long the load was steady. Returns a finding if it never was. */
  findings(collected: readonly Collected[]): Finding[] {
    const { fails, of } = this.#when;
    const rounds = this.#rounds();
    const trial = `Trial ${this.#run.trial + 1}`;
    if (rounds && collected.some(endedSteady)) {
      const took = formatDuration(this.#run.warmup + rounds.count * of);
      this.#control.notice('info', `${trial}: steady after ${took}. ${this.#words(rounds)}`);
      return [];
    }
    if (rounds?.isSteady || this.#control.ended()) return [];
    const message = rounds
      ? `The load did not become steady. ${this.#words(rounds)}`
      : `The load ended before ${this.#when.rounds} rounds of ${formatDuration(of)} were complete.`;
    const next = 'Allow a longer “duration” in the step, or a wider range or slope under “steady”.';
    if (!fails) this.#control.notice('warn', `${trial}: ${message}`);
    return [{ code: 'not-steady', severity: fails ? 'error' : 'warn', message, next }];
  }

  /** The newest rounds: of the first place of a load that is not steady yet, else of all together. */
  #rounds(): (Rounds & { metric: string }) | undefined {
    const { store } = this.#context;
    const metric = metricOfRun(store.sessions.snapshot(this.#run.sessionId), this.#run);
    if (metric === null) return undefined;
    const ofPlaces = store.samples.metrics(this.#run.id).filter((id) => placeIn(id)?.metric === metric);
    let whole: (Rounds & { metric: string }) | undefined;
    for (const each of [metric, ...ofPlaces]) {
      const { series } = store.samples.readable(this.#run.id, each);
      if (series.length < generatorsOf(this.#context, this.#step).length) return undefined;
      const rounds = newestRounds(series, this.#run.warmup, this.#when);
      if (!rounds) return undefined;
      if (!rounds.isSteady) return { ...rounds, metric: each };
      whole ??= { ...rounds, metric: each };
    }
    return whole;
  }

  #words({ metric, low, high, range, slope }: Rounds & { metric: string }): string {
    const { rounds, of, within, slope: most }: SteadyWhen = this.#when;
    const { label, unit } = metricOf(metric);
    const percent = (value: number): string => `${formatLevel(Number(value.toPrecision(2)))} %`;
    const digits = digitsFor([high]);
    return `${label || 'The figure'} in the last ${rounds} rounds of ${formatDuration(of)}: ${formatNumber(low, digits)} to ${formatNumber(high, digits)} ${unit}, a range of ${percent(range)} of their mean (at most ${within} %) and a slope of ${percent(slope)} (at most ${most} %).`;
  }

  async #end(): Promise<void> {
    const { signal } = this.#control;
    await Promise.all(
      generatorsOf(this.#context, this.#step).map(({ machine, part }) => {
        const jobId = this.#run.jobs[part.index]?.jobId;
        if (jobId === undefined) return undefined;
        return untilReachable(machine, this.#control, () =>
          this.#context.jobs.stop(machine, jobId, { cause: CAUSE, signal }),
        );
      }),
    );
  }
}
