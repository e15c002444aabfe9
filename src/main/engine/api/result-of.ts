import type { Experiment } from '../../../shared/model/experiment.ts';
import type { SessionResult } from '../../../shared/model/result.ts';
import { sessionResult } from '../results/index.ts';
import { loadKind, toolById } from '../tools/index.ts';
import type { Tool } from '../tools/tool.ts';
import type { ApiContext } from './context.ts';
import { requireSession } from './require-session.ts';

/** A session's figures for one metric, its tool's primary one unless named. */
export function resultOf(context: ApiContext, sessionId: number, metric?: string, warmup?: number): SessionResult {
  const { experiment, plan, primaryMetric } = context.store.sessions.snapshot(requireSession(context, sessionId).id);
  const tool = toolById(experiment.workload.tool);
  return sessionResult(
    context.store,
    { experiment, plan },
    { primary: primaryMetric, failures: tool?.metrics.failures ?? [], ...(tool && loadsOf(experiment, tool)) },
    {
      sessionId,
      metric: metric ?? primaryMetric,
      ...(warmup !== undefined && { warmup }),
    },
  );
}

/** Which factors of a document raise the load, and the rate at which it is held where none of them varies that. */
function loadsOf({ factors, workload }: Experiment, tool: Tool) {
  const loads = factors.flatMap((factor) => {
    const load = loadKind(tool, factor.option ?? factor.name);
    return load ? [[factor.name, load] as const] : [];
  });
  const varied = loads.some(([, load]) => load === 'rate');
  const [held = 0] = Object.entries(workload.options).flatMap(([name, value]) =>
    loadKind(tool, name) === 'rate' && Number(value) > 0 ? [Number(value)] : [],
  );
  return { loads: Object.fromEntries(loads), ...(held > 0 && !varied && { heldRate: held }) };
}
