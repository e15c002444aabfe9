import { type RunEvidence, seriesDifferences } from '../../../shared/analysis/index.ts';
import type { RunJudgement, SeriesDifference } from '../../../shared/model/analysis.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import { effectsOf, partOf } from '../plans/index.ts';
import { type EvidenceFacts, evidenceOf, judgementOf, storedJudgement } from '../results/index.ts';
import type { RunRow, Store } from '../store/store.ts';
import { targetByKind } from '../targets/index.ts';
import { toolById } from '../tools/index.ts';
import { rulesOf } from './monitors.ts';

/** What bounds a run: as it is stored, else worked out now. Undefined: it has not ended, or nothing was watched. */
export const judgementOfRun = (store: Store, run: RunRow, warmup = run.warmup): RunJudgement | undefined =>
  storedJudgement(store, run, warmup) ?? judgementOf(store, run, factsFor(store, run), rulesOf, warmup)?.judgement;

/** Works it out and stores it, when all that was watched in the run has come; gives what it makes of it as findings. */
export function judgeRun(store: Store, run: RunRow): Finding[] {
  const judged = judgementOf(store, run, factsFor(store, run), rulesOf);
  if (!judged) return [];
  store.judgements.set(run.id, judged.judgement);
  return judged.findings;
}

/** What differs most between the series of two groups of runs. */
export function differencesBetween(
  store: Store,
  one: readonly RunRow[],
  other: readonly RunRow[],
  warmup?: number,
): SeriesDifference[] {
  const evidence = (runs: readonly RunRow[]): RunEvidence[] =>
    runs.flatMap((run) => evidenceOf(store, run, factsFor(store, run), rulesOf, warmup ?? run.warmup) ?? []);
  return seriesDifferences(evidence(one), evidence(other));
}

function factsFor(store: Store, run: RunRow): EvidenceFacts {
  const { hosts, experiment } = store.sessions.snapshot(run.sessionId);
  const tool = toolById(experiment.workload.tool);
  if (!tool) return { hosts: hosts ?? [], load: [] };
  try {
    const { options, generators, target } = effectsOf(experiment, run, tool);
    const needs = tool.needs(options);
    const onItsOwnHost = target === undefined && needs.some((kind) => targetByKind(kind).withoutTarget !== undefined);
    const load = generators.map((host, index) => {
      const own = partOf(tool, options, { index, count: generators.length });
      const threads = tool.load?.threads?.(own);
      const connections = tool.load?.connections?.(own) ?? tool.load?.workers?.count(own);
      return { host, ...(threads !== undefined && { threads }), ...(connections !== undefined && { connections }) };
    });
    return { hosts: hosts ?? [], load, ...(target !== undefined && { target }), ...(onItsOwnHost && { onItsOwnHost }) };
  } catch {
    // A session of another version can have options that this one does not know.
    return { hosts: hosts ?? [], load: [] };
  }
}
