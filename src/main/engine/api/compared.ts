import type { KeptFact } from '../../../shared/captures/index.ts';
import { isDerived } from '../../../shared/measures/index.ts';
import { isRecovery } from '../../../shared/metrics/index.ts';
import type { OperationCost } from '../../../shared/model/analysis.ts';
import type { Levels } from '../../../shared/model/experiment.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { isCounted } from '../../../shared/model/repeats.ts';
import type { CellResult, StepResult } from '../../../shared/model/result.ts';
import type { SessionDetail } from '../../../shared/model/session.ts';
import { type TargetFacts, targetsOf } from '../../../shared/model/session-snapshot.ts';
import type { ComparedSession } from '../comparing/index.ts';
import { keptFacts } from '../figures/index.ts';
import { durabilityIn, type Step, stepsByLevels } from '../plans/index.ts';
import { toolById } from '../tools/index.ts';
import type { Tool } from '../tools/tool.ts';
import { type ApiContext, requireSession, requireStep } from './context.ts';
import { presentDetail } from './present.ts';
import { type AskedResult, resultOf } from './result-of.ts';

/** A session as one side of a comparison, with its tool's knowledge of the workload. */
export function comparedSession(
  context: ApiContext,
  id: number,
  asked: AskedResult,
  result: StepResult = resultOf(context, id, asked),
): ComparedSession {
  const row = requireSession(context, id);
  const { place, tool: toolId } = requireStep(row, asked.step);
  const tool = toolById(toolId);
  const detail = presentDetail(context, row);
  if (result.metric === null || (tool?.watchesOnly && !isDerived(result.metric) && !isRecovery(result.metric)))
    throw notComparable(id);
  const known = stepsByLevels(context.store.sessions.snapshot(id), toolById);
  const costs = (cell: CellResult): OperationCost[] => costsOf(context, cell);
  const runs = context.store.runs.ofSession(id).filter((run) => run.step === place && isCounted(run));
  const facts = keptFacts(context.store, runs);
  const factsOf = (cell: CellResult): KeptFact[] =>
    keptFacts(
      context.store,
      runs.filter(({ id: run }) => cell.runs.some(({ runId }) => runId === run)),
    );
  return {
    detail,
    result,
    costs,
    facts,
    factsOf,
    ...(tool && knownOf(detail, tool, (levels) => known(levels, place)?.step)),
  };
}

const notComparable = (session: number): KneepointError =>
  new KneepointError({
    code: 'conflict',
    message: `Session ${session} generated no load, so it has no figures to compare.`,
    session,
    next: `For its hosts and servers: kneepoint monitors ${session}, or the tab Hosts of its results.`,
  });

/** Mean over the judged runs of a cell. */
const costsOf = ({ store }: ApiContext, { runs }: CellResult): OperationCost[] =>
  meanCosts(runs.flatMap(({ runId }) => store.judgements.get(runId)?.operations ?? []));

/** Averages each figure; several processes of a host have a figure each. */
export function meanCosts(all: readonly OperationCost[]): OperationCost[] {
  const groups = Map.groupBy(all, ({ id, label, source = '' }) => [id, label, source].join('\n'));
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    return first ? [{ ...first, value: same.reduce((sum, { value }) => sum + value, 0) / same.length }] : [];
  });
}

/** Documents of earlier versions may have options that the tool does not accept any more: then nothing is known. */
function knownOf(
  detail: SessionDetail,
  tool: Tool,
  known: (levels: Levels) => Step | undefined,
): Pick<ComparedSession, 'workload' | 'durability' | 'target' | 'queueDepth'> {
  const { experiment } = detail;
  const targets = targetsOf(detail);
  const target = (levels: Levels): TargetFacts | undefined => {
    const name = known(levels)?.target;
    return targets.find((each) => each.name === name);
  };
  const durability = (levels: Levels) => {
    const [own, step] = [target(levels), known(levels)];
    return own && step && durabilityIn(tool, step, own);
  };
  const queueDepth = (levels: Levels): number | undefined => {
    const effects = known(levels);
    return effects && tool.load?.io?.(effects.options)?.queueDepth;
  };
  const options = known({})?.options;
  if (!options) return { durability, target, queueDepth };
  const accesses = tool
    .accesses?.(options)
    .map((kind) => kind.words)
    .join('; ');
  const kind = targets[0]?.kind;
  const data = kind === undefined ? undefined : tool.data?.(options, kind, experiment.where.generators.length)?.title;
  return {
    durability,
    target,
    queueDepth,
    workload: {
      options: new Map(
        Object.entries(options).map(([name, value]) => [name, { title: titleOf(tool, name), value: words(value) }]),
      ),
      ...(data !== undefined && { data }),
      ...(accesses && { accesses }),
    },
  };
}

const titleOf = (tool: Tool, name: string): string => {
  const title = tool.options.shape[name]?.meta()?.title;
  return typeof title === 'string' ? title : name;
};

const words = (value: unknown): string =>
  typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value ?? '') || 'empty';
