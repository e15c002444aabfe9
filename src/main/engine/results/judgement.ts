import { blackBox, boundOf, cpuUse, perOperation } from '../../../shared/analysis/index.ts';
import { runFindings } from '../../../shared/checks/index.ts';
import type { RunJudgement } from '../../../shared/model/analysis.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import { ENDED_RUN } from '../../../shared/model/session.ts';
import { clockOffset } from '../../../shared/monitoring/index.ts';
import type { RunRow, Store } from '../store/store.ts';
import { eventEffects } from './event-effects.ts';
import { type EvidenceFacts, evidenceOf } from './evidence.ts';
import type { RulesOf } from './monitored.ts';

/** Rules by which runs are judged; one more with each change that could judge otherwise. Runs judged by earlier ones are judged again. */
export const JUDGEMENT_VERSION = 7;

/**
 * What bounds a run, what an operation took in it and what changed around its dips, worked out from all that was watched; and what that says
 * against taking the run as it is. Undefined: it has not ended, or is of a version that watched nothing.
 */
export function judgementOf(
  store: Store,
  run: RunRow,
  facts: EvidenceFacts,
  rulesOf: RulesOf,
  warmup = run.warmup,
): { judgement: RunJudgement; findings: Finding[] } | undefined {
  if (!ENDED_RUN.includes(run.state)) return undefined;
  if (!wasWatched(store, run)) return undefined;
  const evidence = evidenceOf(store, run, facts, rulesOf, warmup);
  if (!evidence) return undefined;
  // An earlier version watched nothing, and its documents had nothing to switch off.
  if (evidence.hosts.length === 0 && evidence.servers.length === 0 && !facts.switchedOff) return undefined;
  const bound = boundOf(evidence);
  return {
    judgement: {
      version: JUDGEMENT_VERSION,
      warmup,
      bound,
      operations: perOperation(evidence),
      cpu: cpuUse(evidence),
      ...(evidence.rate && { blackBox: blackBox(evidence) }),
    },
    findings: [...runFindings(evidence, bound), ...eventEffects(store, run, evidence, rulesOf, facts.target)],
  };
}

/** A session of an earlier version that goes on now is watched from now on: of its first runs nothing is known, and nothing is missing. */
function wasWatched(store: Store, run: RunRow): boolean {
  const firsts = store.sources.ofSession(run.sessionId).flatMap(({ id }) => {
    const { from } = store.monitored.extent(id);
    return from === undefined ? [] : from * 1000 + clockOffset(store.sources.clocks(id), from).offsetMs;
  });
  return firsts.length === 0 || run.endedAt === null || run.endedAt >= Math.min(...firsts);
}

/** The one that is stored, where it was made by these rules and for this cut. */
export function storedJudgement(store: Store, run: RunRow, warmup = run.warmup): RunJudgement | undefined {
  const stored = store.judgements.get(run.id);
  return stored?.version === JUDGEMENT_VERSION && stored.warmup === warmup ? stored : undefined;
}
