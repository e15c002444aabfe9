import type { EngineFinding } from '../../../shared/checks/index.ts';
import { metricOf } from '../../../shared/metrics/index.ts';
import type { Levels } from '../../../shared/model/experiment.ts';
import { isCounted } from '../../../shared/model/repeats.ts';
import { type StepGate, type TrialStep, wholeSteps } from '../../../shared/model/step.ts';
import {
  formatFigure,
  formatLevel,
  formatLevels,
  formatNumber,
  formatTimes,
  withinSentence,
} from '../../../shared/util/format.ts';
import { gateBaseline } from '../plans/index.ts';
import { type SessionRecord, stepOf } from '../runs/index.ts';
import type { RunRow } from '../store/store.ts';
import type { SessionContext } from './activity.ts';

/**
 * Gates of the steps of a session: they decide whether the rest of a trial is measured. The decision depends only on stored data, of the ended run
 * and of trials before it, so it is the same after any interruption.
 */
export class Gates {
  readonly #context: SessionContext;
  readonly #record: SessionRecord;

  constructor(context: SessionContext, record: SessionRecord) {
    this.#context = context;
    this.#record = record;
  }

  /** Returns why the steps after this run are not measured; undefined if they are. A closed gate is stored with the run, and logged once. */
  stops(run: RunRow): string | undefined {
    const { experiment } = this.#record.snapshot();
    const steps = wholeSteps(experiment.steps ?? []);
    const { gate, name } = steps[run.step] ?? {};
    if (!gate || run.state === 'skipped' || run.state === 'stopped') return undefined;
    const why = run.state === 'done' ? this.#against(gate, run, steps) : ['it failed'];
    if (why.length === 0) return undefined;
    const words = `The gate of step “${name}” stops its trial: ${why.join('; ')}.`;
    if (run.findings.every(({ code }) => code !== 'gate-closed')) {
      const finding: EngineFinding = { code: 'gate-closed', severity: 'warn', message: words };
      this.#context.store.runs.update(run.id, { findings: [...run.findings, finding] });
      this.#record.log('warn', `Trial ${run.trial + 1}: ${words}`, run.id);
    }
    return words;
  }

  #against(gate: StepGate, run: RunRow, steps: readonly TrialStep[]): string[] {
    const { tool, metric } = stepOf(this.#context, run);
    const value = metric === null ? undefined : this.#context.figureOf(run, metric);
    const { label, digits } = metricOf(metric ?? '');
    const named = withinSentence(label);
    const shown = value === undefined ? 'unknown' : formatFigure(value, digits);
    const errors = (tool.metrics.failures ?? []).reduce((sum, key) => sum + (run.summary[key] ?? 0), 0);
    const rows = run.summary.rows_total;
    const outside = (of: number | undefined, above: number | undefined, below: number | undefined): boolean =>
      (above !== undefined && !((of ?? Number.NaN) > above)) || (below !== undefined && !((of ?? Number.NaN) < below));
    const wanted = (
      above: number | undefined,
      below: number | undefined,
      form: (value: number) => string = formatLevel,
    ): string =>
      [above === undefined ? [] : [`above ${form(above)}`], below === undefined ? [] : [`below ${form(below)}`]]
        .flat()
        .join(' and ');
    const found: string[] = [];
    if (gate.errors !== undefined && errors > gate.errors)
      found.push(`errors: ${formatNumber(errors)}, required: at most ${formatNumber(gate.errors)}`);
    if (gate.rows !== undefined && rows !== gate.rows)
      found.push(`rows: ${rows === undefined ? 'unknown' : formatNumber(rows)}, required: ${formatNumber(gate.rows)}`);
    if (gate.equal !== undefined && !this.#isEqual(run, gate.equal, steps))
      found.push(`the result differs from that of step “${gate.equal}”`);
    if (outside(value, gate.above, gate.below))
      found.push(`${named}: ${shown}, required: ${wanted(gate.above, gate.below)}`);
    const [most, least] = [gate['ratio-above'], gate['ratio-below']];
    if (metric !== null && (most !== undefined || least !== undefined)) {
      const ratio =
        gate.of === undefined ? this.#ratio(run, metric, value) : this.#ratioTo(run, gate.of, steps, { metric, value });
      if (ratio && outside(ratio.value, most, least))
        found.push(
          `${named}: ${ratio.value === undefined ? 'unknown ratio to' : `${formatTimes(ratio.value)} of`} ${ratio.of}, required: ${wanted(most, least, formatTimes)}`,
        );
    }
    return found;
  }

  /** Compares rows and the stored checksum of values. */
  #isEqual(run: RunRow, name: string, steps: readonly TrialStep[]): boolean {
    const place = steps.findIndex((step) => step.name === name);
    const other = this.#record.runs().find(({ trial, step }) => trial === run.trial && step === place);
    return (['rows_total', 'result_checksum'] as const).every((key) => run.summary[key] === other?.summary[key]);
  }

  /**
   * Ratio of the figure to that of another step of the trial; undefined if that is not measured yet, or is this one. The value is undefined if
   * one of the two has no figure.
   */
  #ratioTo(
    run: RunRow,
    name: string,
    steps: readonly TrialStep[],
    { metric, value }: { metric: string; value: number | undefined },
  ): { value: number | undefined; of: string } | undefined {
    const place = steps.findIndex((step) => step.name === name);
    if (place >= run.step) return undefined;
    const other = this.#record.runs().find(({ trial, step }) => trial === run.trial && step === place);
    const figure = other?.state === 'done' ? this.#context.figureOf(other, metric) : undefined;
    const ratio = value !== undefined && figure !== undefined && figure > 0 ? value / figure : undefined;
    return { value: ratio, of: `step “${name}”` };
  }

  /** Ratio of the figure to the mean of earlier trials at the baseline. Undefined if there are none, or if this run is the baseline. */
  #ratio(run: RunRow, metric: string, value: number | undefined): { value: number; of: string } | undefined {
    const baseline = gateBaseline(this.#record.snapshot().experiment);
    if (!baseline || value === undefined || String(run.levels[baseline.factor]) === String(baseline.level))
      return undefined;
    const wanted = keyOf({ ...run.levels, [baseline.factor]: baseline.level });
    const figures = this.#record
      .runs()
      .filter(
        (other) =>
          other.step === run.step && other.trial < run.trial && isCounted(other) && keyOf(other.levels) === wanted,
      )
      .flatMap((other) => this.#context.figureOf(other, metric) ?? []);
    const mean = figures.reduce((sum, figure) => sum + figure, 0) / figures.length;
    return mean > 0 ? { value: value / mean, of: formatLevels({ [baseline.factor]: baseline.level }) } : undefined;
  }
}

const keyOf = (levels: Levels): string =>
  JSON.stringify(
    Object.entries(levels)
      .map(([name, level]) => [name, String(level)])
      .sort(),
  );
