import { sameLevel } from '../../../shared/model/cells.ts';
import type { ChartChoice } from '../../../shared/model/chart.ts';
import type { Experiment, Levels, Scalar, Variant } from '../../../shared/model/experiment.ts';
import { type Factor, type Level, levelName, levelsOf, UNNAMED_KIND } from '../../../shared/model/factor.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { readRange } from '../../../shared/model/ranges.ts';
import {
  type DocumentStep,
  type GroupedStep,
  mostSeconds,
  optionIn,
  type StepFactor,
  settingOfStep,
} from '../../../shared/model/step.ts';

/**
 * The document with the values of a variant in place of its own: levels of factors, also within trials, options of the workload, and options named
 * with their step (`STEP.option`). Conditions and patterns that name other levels are removed. Its pause applies to all trials.
 */
export function withVariant(experiment: Experiment, { set = {}, data, primary, ...measure }: Variant): Experiment {
  const { workload, steps } = experiment;
  const names = new Set(experiment.factors.map(({ name }) => name));
  const named = Object.entries(set).flatMap(([name, value]) => {
    const found = names.has(name) ? undefined : settingOfStep(steps ?? [], name);
    return found ? [{ ...found, name, value }] : [];
  });
  const options = Object.entries(set).filter(([name]) => !names.has(name) && !named.some((own) => own.name === name));
  const fixed = Object.fromEntries(options.flatMap(([name, value]) => (Array.isArray(value) ? [] : [[name, value]])));
  const inSteps = new Set(
    (steps ?? []).flatMap((step) => [step, ...(step.each ?? [])]).flatMap(({ factors = [] }) => factors.map(optionIn)),
  );
  const added = options.flatMap(([name, value]): Factor[] =>
    Array.isArray(value) && !inSteps.has(name) ? [{ name, kind: UNNAMED_KIND, levels: value }] : [],
  );
  // An option that becomes a factor has no value besides its levels.
  const left = Object.fromEntries(
    Object.entries(workload.options).filter(([name]) => !added.some((factor) => factor.name === name)),
  );
  const factors = experiment.factors.map((factor) => {
    const value = set[factor.name];
    const { pause: _pause, ...others } = factor;
    const own = measure.pause === undefined ? factor : others;
    return value === undefined ? own : { ...own, levels: levelsIn(value).map((level) => picked(factor, level)) };
  });
  const kept = Object.entries(measure).filter(([, value]) => value !== undefined);
  return withoutOtherLevels({
    ...experiment,
    ...(primary !== undefined && { primary }),
    workload: { ...workload, options: { ...left, ...fixed }, ...(data && { data }) },
    ...(steps && {
      steps: inEach(steps, (step, at) =>
        inStep(
          step,
          set,
          named.filter((own) => own.at.join() === at.join()),
        ),
      ),
    }),
    factors: [...factors, ...added],
    measure: { ...experiment.measure, ...Object.fromEntries(kept) },
  });
}

type Changed = Pick<GroupedStep, 'options' | 'factors'>;
type Setting = Scalar | readonly Level[];

/** Applies `change` to each step, including those of groups. `at`: path of the step in the document. */
const inEach = (
  steps: readonly DocumentStep[],
  change: (step: GroupedStep, at: readonly (string | number)[]) => Changed,
): DocumentStep[] =>
  steps.map(({ each, parallel, ...step }, place) => {
    const inGroup =
      (list: string) =>
      <Own extends GroupedStep>(own: Own, index: number): Own => ({
        ...own,
        ...change(own, ['steps', place, list, index]),
      });
    return {
      ...step,
      ...change(step, ['steps', place]),
      ...(each && { each: each.map(inGroup('each')) }),
      ...(parallel && { parallel: parallel.map(inGroup('parallel')) }),
    };
  });

/** A step with the levels given for its factors, and with the options named for it. A list of values varies the option. */
function inStep(
  { options, factors = [] }: GroupedStep,
  set: Readonly<Record<string, Setting>>,
  named: readonly { readonly setting: string; readonly value: Setting }[],
): Changed {
  const own = new Map(named.map(({ setting, value }) => [setting, value]));
  const varied = factors.map((factor) => withLevels(factor, own.get(optionIn(factor)) ?? set[optionIn(factor)]));
  const others = [...own].filter(([option]) => !factors.some((factor) => optionIn(factor) === option));
  const added = others.flatMap(([name, value]): StepFactor[] =>
    typeof value === 'object' ? [{ name, levels: levelsIn(value).map(levelName) }] : [],
  );
  const fixed = others.flatMap(([name, value]) => (typeof value === 'object' ? [] : [[name, value] as const]));
  return {
    options: { ...options, ...Object.fromEntries(fixed) },
    ...(varied.length + added.length > 0 && { factors: [...varied, ...added] }),
  };
}

/** A factor within a trial with the levels given for its option, if any. */
const withLevels = (factor: StepFactor, value: Setting | undefined): StepFactor =>
  value === undefined ? factor : { ...factor, levels: levelsIn(value).map(levelName) };

type Lengths = Pick<Experiment['measure'], 'warmup' | 'duration'>;

/** Seconds that a wait takes at most in a small form, if the trial goes on without what it waits for. */
const SHORT_WAIT = 10;

/**
 * A step without lengths and gate of its own. Starts of parallel steps are scaled with their group, leaving at least a second to measure.
 */
function brief(step: DocumentStep, whole: Lengths, short: Lengths): DocumentStep {
  const { warmup = whole.warmup, duration = whole.duration, gate: _gate, each, parallel, ...rest } = step;
  const share = (short.warmup + short.duration) / (warmup + duration);
  const start = (from: number): number => Math.min(Math.round(from * share * 10) / 10, Math.max(0, short.duration - 1));
  return {
    ...rest,
    ...(rest.do === 'wait' && rest.else === 'measure' && { 'at-most': Math.min(mostSeconds(rest), SHORT_WAIT) }),
    ...(rest.for !== undefined && { for: Math.max(1, Math.round(rest.for * share)) }),
    ...(each && { each: each.map((own) => brief(own, whole, short)) }),
    ...(parallel && {
      parallel: parallel.map(({ from, ...own }) => ({
        ...brief(own, whole, short),
        ...(from !== undefined && { from: start(from) }),
      })),
    }),
  };
}

/** Levels as written in a document: one, a list, or a range. */
function levelsIn(value: Setting): readonly Level[] {
  const range = typeof value === 'string' ? readRange(value) : undefined;
  return range && 'levels' in range ? range.levels : [value].flat();
}

/** The level of this name with its other fields. */
const picked = ({ levels }: Factor, level: Level): Level =>
  typeof level === 'object' ? level : (levels.find((each) => sameLevel(levelName(each), level)) ?? level);

/** Removes references to levels that no longer exist, so the document stays consistent. */
function withoutOtherLevels(experiment: Experiment): Experiment {
  const { factors, base, only, exclude, measure, charts, ...rest } = experiment;
  const has = (name: string, level: Scalar): boolean =>
    factors.some((factor) => factor.name === name && levelsOf(factor).some((known) => sameLevel(known, level)));
  const isWhole = (levels: Levels): boolean => Object.entries(levels).every(([name, level]) => has(name, level));
  const patterns = (all: readonly Levels[] | undefined) => all?.filter(isWhole) ?? [];
  const { canary, ...others } = measure;
  const inBase = base && Object.fromEntries(Object.entries(base).filter(([name, level]) => has(name, level)));
  return {
    ...rest,
    factors: factors.flatMap(({ when, baseline, values, ...factor }): Factor[] => {
      const met = Object.entries(when ?? {}).map(
        ([name, levels]) => [name, [levels].flat().filter((level) => has(name, level))] as const,
      );
      if (met.some(([, levels]) => levels.length === 0)) return [];
      return [
        {
          ...factor,
          ...(when && { when: Object.fromEntries(met.map(([name, levels]) => [name, levels])) }),
          ...(baseline !== undefined && has(factor.name, baseline) && { baseline }),
          ...(values && levelsOf(factor).every((level) => values[String(level)] !== undefined) && { values }),
        },
      ];
    }),
    ...(charts && {
      charts: charts.flatMap(({ only: cells, ...chart }): ChartChoice[] => {
        if (!isWhole(chart.against ?? {})) return [];
        if (!cells) return [chart];
        const kept = Object.entries(cells).map(([name, levels]) => [name, levels.filter((level) => has(name, level))]);
        return kept.some(([, levels]) => levels?.length === 0) ? [] : [{ ...chart, only: Object.fromEntries(kept) }];
      }),
    }),
    ...(inBase && Object.keys(inBase).length > 0 && { base: inBase }),
    ...(patterns(only).length > 0 && { only: patterns(only) }),
    ...(patterns(exclude).length > 0 && { exclude: patterns(exclude) }),
    measure: { ...others, ...(canary && (!canary.cell || isWhole(canary.cell)) && { canary }) },
  };
}

/**
 * The small form of a document, for sessions that only test mechanics: steps last as long as its trials and have no gates, events are moved
 * forward in proportion, and neither a stop rule nor a pick among repeats applies. Undefined if it has none.
 */
export function smallForm(experiment: Experiment): Experiment | undefined {
  const { small, ...own } = experiment;
  if (!small) return undefined;
  const { steps, measure, ...rest } = withVariant(own, { warmup: 0, repeats: 1, pause: 0, ...small });
  const { stop: _stop, pick: _pick, events, ...others } = measure;
  const before = experiment.measure.warmup + experiment.measure.duration;
  const share = (measure.warmup + measure.duration) / before;
  return {
    ...rest,
    mechanics: 'only',
    ...(steps && { steps: steps.map((step) => brief(step, experiment.measure, measure)) }),
    measure: {
      ...others,
      ...(events && { events: events.map((event) => ({ ...event, at: Math.round(event.at * share * 10) / 10 })) }),
    },
  };
}

/** Throws `bad-request` if the document has no small form. */
export function requireSmallForm(experiment: Experiment): Experiment {
  const small = smallForm(experiment);
  if (small) return small;
  throw new KneepointError({
    code: 'bad-request',
    message: `“${experiment.name}” has no small form.`,
    next: 'Add one to the document: “small: {set: {threads: [1, 2]}, duration: 5}”.',
  });
}
