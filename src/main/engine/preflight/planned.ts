import { type PriceCatalogue, priceParts, priceTogether } from '../../../shared/costs/index.ts';
import type { CostSpec } from '../../../shared/model/cost.ts';
import type { Experiment } from '../../../shared/model/experiment.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { preparesInTrial } from '../../../shared/model/step.ts';
import { covers, isWhole, kindOf, type Need, needOf, setsIn } from '../data/index.ts';
import {
  actTime,
  changesOf,
  costsFor,
  countOf,
  type DataWork,
  dataOf,
  dataSeconds,
  dataStepOf,
  estimateTime,
  learnedRate,
  loadSeconds,
  ownPauses,
  type PastSession,
  type ResolvedPlan,
  type Step,
  secondsOf,
  stepsOf,
  type Workload,
} from '../plans/index.ts';
import { commandsOf } from '../runs/index.ts';
import { preparesData } from '../tools/index.ts';
import type { Tool } from '../tools/tool.ts';
import { pastSessions } from './past-sessions.ts';
import type { PreflightContext } from './state.ts';
import { shownConnection } from './target-checks.ts';

export type PlannedContext = Pick<
  PreflightContext,
  'store' | 'tools' | 'targets' | 'nodePath' | 'assetsDir' | 'prices'
>;

/** Properties of a cell's data that its time depends on. */
interface Wanted extends Pick<DataWork, 'title' | 'kind'> {
  readonly bytes?: number | undefined;
  /** Places and names of its parts, to detect data that includes other data. */
  readonly parts: readonly string[];
  readonly there: boolean;
  readonly eachTrial: boolean;
}

/** Adds an itemized time estimate to a plan, and doubts about the prices of its cells. */
export function completePlan(
  context: PlannedContext,
  experiment: Experiment,
  plan: ResolvedPlan,
  workload: Workload,
): ResolvedPlan {
  const works = dataWorks(context, experiment, plan, workload);
  const past = pastSessions(context.store, experiment, workload.tool);
  const acts = actTime(
    experiment,
    plan.trials.length,
    past,
    preparationSeconds(context, experiment, plan, workload, past),
  );
  const load = loadSeconds(workload.tool, plan, learnedRate(past)) + acts.seconds;
  const changes = changesOf(experiment, plan, costsFor(workload.tool));
  const time = estimateTime(
    experiment.measure,
    countOf(
      experiment,
      plan.trials.length,
      ownPauses(experiment, plan.cells, () => plan.trials),
    ),
    works,
    past,
    load,
    changes,
    acts.open,
  );
  const estimate = stepsOf(plan.cells).some(({ steady }) => steady) ? { ...time, atMost: true as const } : time;
  const findings = [...plan.findings, ...priceFindings(stepsOf(plan.cells), context.prices)];
  return { ...plan, findings, seconds: secondsOf(estimate, experiment.measure), estimate };
}

/** Seconds of a step that prepares data, by its place in the trial: the mean over the cells. */
const preparationSeconds =
  (
    context: PlannedContext,
    experiment: Experiment,
    { cells }: ResolvedPlan,
    workload: Workload,
    past: readonly PastSession[],
  ) =>
  (place: number): number | undefined => {
    let total = 0;
    for (const { steps } of cells) {
      const own = steps[place];
      const step = own && preparesData(own.workload.tool) ? dataStepOf(own) : undefined;
      const data = step && wantedBy(context, experiment, step, workload, new Map());
      const seconds = data && dataSeconds(definedBytes(data), past);
      if (seconds === undefined) return undefined;
      total += seconds;
    }
    return cells.length === 0 ? undefined : total / cells.length;
  };

const definedBytes = ({ title, kind, bytes }: Wanted): Pick<DataWork, 'title' | 'kind' | 'bytes'> => ({
  title,
  kind,
  ...(bytes !== undefined && { bytes }),
});

/** Prices of levels that cannot be calculated, or whose parts do not fit together: no such product is sold. */
function priceFindings(steps: readonly Step[], catalogue: () => PriceCatalogue): Finding[] {
  const priced = steps.map(({ prices = [] }) => prices);
  const found = new Map(priced.map((prices) => [JSON.stringify(prices), prices]));
  const uncertain = [...found.values()].flatMap((prices) =>
    prices.length > 0 ? priceWarnings(prices, catalogue()) : [],
  );
  return [...new Map(uncertain.map((finding) => [finding.message, finding])).values()];
}

function priceWarnings(prices: readonly CostSpec[], catalogue: PriceCatalogue): Finding[] {
  const spec = priceTogether(prices);
  if (!spec) return [];
  if (typeof spec === 'string') return [warning(prices.map(({ label }) => label).join(', '), spec)];
  const labels = prices.flatMap(({ label, components }) => components.map(() => label));
  return priceParts(spec, catalogue).parts.flatMap(({ item, problem }, at) =>
    [...(problem ? [problem.message] : []), ...(item?.warnings ?? [])].map((words) => warning(labels[at] ?? '', words)),
  );
}

const warning = (level: string, words: string): Finding => ({
  code: 'price-doubtful',
  severity: 'warn',
  message: `Price of “${level}”: ${words}`,
  next: 'Correct the price: without it, cost per operation would be wrong.',
});

function dataWorks(
  context: PlannedContext,
  experiment: Experiment,
  { cells, trials }: ResolvedPlan,
  workload: Workload,
): DataWork[] {
  const firstGroup = cells.find(({ index }) => index === trials[0]?.cell)?.data ?? 0;
  if (preparesInTrial(experiment.steps)) return [];
  const works: DataWork[] = [];
  const there = new Map<string, boolean>();
  const groups = [...new Set([firstGroup, ...cells.map(({ data = 0 }) => data)])];
  const had = new Set<string>();
  for (const group of groups) {
    const own = cells.filter(({ data = 0 }) => data === group);
    const wanted = stepsOf(own).flatMap((step) => wantedBy(context, experiment, step, workload, there) ?? []);
    const trialsUsingUp = wanted.filter(({ eachTrial }) => eachTrial).length * experiment.measure.repeats;
    const first = group === firstGroup;
    for (const { title, kind, bytes, eachTrial, parts, there: isThere } of distinct(wanted)) {
      // Groups that differ only in later changes to the data share it.
      const isKept = experiment.workload.data !== 'recreate' && !eachTrial && parts.every((part) => had.has(part));
      for (const part of parts) had.add(part);
      if (isKept) continue;
      const again = (eachTrial ? trialsUsingUp - 1 : 0) + (first ? 0 : 1);
      works.push({ title, kind, ...(bytes !== undefined && { bytes }), there: isThere, first, again });
    }
  }
  if (works.length === 0 && isPreparedUnseen(context, experiment, stepsOf(cells)[0], workload.tool))
    works.push({ title: 'data', kind: 'unseen', there: experiment.workload.data === 'keep', first: true, again: 0 });
  return works;
}

/** The largest first, without those that another one includes. */
function distinct(all: readonly Wanted[]): Wanted[] {
  const ordered = [...all].sort((a, b) => (b.bytes ?? 0) - (a.bytes ?? 0) || b.parts.length - a.parts.length);
  const had = new Set<string>();
  return ordered.filter(({ parts }) => {
    const isNew = parts.some((part) => !had.has(part));
    for (const part of parts) had.add(part);
    return isNew;
  });
}

function wantedBy(
  context: PlannedContext,
  experiment: Experiment,
  step: Step,
  workload: Workload,
  known: Map<string, boolean>,
): Wanted | undefined {
  const need = knownNeed(context, experiment, step);
  if (need) {
    if (need.selfMade) return undefined;
    const { title, kind, eachTrial = false, parts, place } = need;
    const bytes = need.bytes ?? (kind === 'files' ? parts.reduce((sum, { size }) => sum + size, 0) : undefined);
    if (bytes === undefined && parts.every(({ size }) => size === 0)) return undefined;
    const there = known.get(need.key) ?? isThere(context, experiment, need);
    known.set(need.key, there);
    const at = `${kindOf(need).placeKey(context.store, place)} ${need.directory ?? ''}`;
    return { title, kind, bytes, eachTrial, parts: parts.map(({ name }) => `${at} ${name}`), there };
  }
  // The target has not been chosen, so it is unknown which data exists.
  const data = dataOf(step, workload);
  if (!data || (data.bytes === undefined && data.tables.every(({ rows }) => rows === 0))) return undefined;
  const { title, bytes, eachTrial = false, tables } = data;
  return { title, kind: 'tables', bytes, eachTrial, parts: tables.map(({ name }) => name), there: false };
}

/** Data that a cell needs. Also undefined for a document with an unknown target or host, which is reported elsewhere. */
function knownNeed(context: PlannedContext, experiment: Experiment, step: Step): Need | undefined {
  try {
    return needOf(context, experiment, step);
  } catch (error) {
    if (error instanceof KneepointError && error.code === 'not-found') return undefined;
    throw error;
  }
}

/** According to the library, without asking hosts or servers. */
function isThere({ store }: Pick<PlannedContext, 'store'>, { workload }: Experiment, need: Need): boolean {
  if (workload.data === 'recreate') return false;
  if (workload.data === 'keep') return true;
  const kind = kindOf(need);
  return setsIn(store, need).some(
    (set) =>
      isWhole(set) && set.tool === workload.tool && set.shape === need.shape && covers(kind, set.parts, need.parts),
  );
}

/** Whether data is made that cannot be checked. Conflicting options are reported when the cells are planned. */
function isPreparedUnseen(
  context: PlannedContext,
  experiment: Experiment,
  step: Step | undefined,
  tool: Tool,
): boolean {
  if (!step) return false;
  try {
    const { seed } = experiment.measure;
    const connection = shownConnection(context, experiment, step.target);
    return commandsOf(context, tool, step, { seed, connection }).prepare !== undefined;
  } catch (error) {
    if (error instanceof KneepointError && error.code === 'experiment-invalid') return false;
    throw error;
  }
}
