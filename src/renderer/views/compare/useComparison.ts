import { useCall } from '../../client/index.ts';
import { isOneSession, type Question } from './question.ts';

/** The answer to what is asked; `chosen` is false while something is still to be chosen. */
export function useComparison(question: Question) {
  const { baseline, other, against, metric, margin, warmup } = question;
  const [baselineId = 0, ...baselineMore] = baseline;
  const [otherId = 0, ...otherMore] = other;
  const one = isOneSession(question);
  const asked = { margin, ...(metric ? { metric } : {}), ...(warmup === undefined ? {} : { warmup }) };
  const levelChosen = against.factor !== undefined && against.level !== undefined;
  const apart = baseline.length > 0 && other.length > 0 && !baseline.some((id) => other.includes(id));
  const ofSessions = useCall(
    'results.compare',
    { baselineId, baselineMore, otherId, otherMore, ...asked },
    { enabled: apart, placeholderData: (before) => before },
  );
  const ofLevels = useCall(
    'results.compareLevels',
    { sessionId: baselineId, factor: against.factor ?? '', level: against.level ?? '', ...asked },
    { enabled: one && levelChosen, placeholderData: (before) => before },
  );
  const { data, error, isPending } = one ? ofLevels : ofSessions;
  return { data, error, isPending, chosen: one ? levelChosen : apart };
}
