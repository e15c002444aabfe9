import type { Finding } from '../../../shared/model/finding.ts';
import { actToolOf, allStepsOf } from '../plans/index.ts';
import { conditionOf } from '../trial/index.ts';
import { blocking } from './check.ts';
import type { PreflightContext, PreflightState } from './state.ts';

/** Whether what waits look at can be seen: a name that the server does not have would be waited for to no end. Changes nothing. */
export async function lookAtActs(
  context: PreflightContext,
  { cells }: Pick<PreflightState, 'cells'>,
  signal: AbortSignal,
): Promise<Finding[]> {
  const waits = new Map(
    allStepsOf(cells).flatMap((step) => {
      const wait = actToolOf(step)?.waits?.(step.options);
      return wait ? [[JSON.stringify([wait.until, step.target, step.generators]), { step, wait }] as const] : [];
    }),
  );
  const findings = await Promise.all(
    [...waits.values()].map(({ step, wait: { until } }) =>
      Promise.resolve()
        .then(() => conditionOf(context, step, until, { signal }).look())
        .then(
          () => [],
          (error: unknown) => [blocking(error)],
        ),
    ),
  );
  return [...new Map(findings.flat().map((finding) => [finding.message, finding])).values()];
}
