import { type RunEvidence, seriesDifferences } from '../../../shared/analysis/index.ts';
import type { RunJudgement, SeriesDifference } from '../../../shared/model/analysis.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import { evidenceOf, judgementOf, storedJudgement } from '../results/index.ts';
import type { RunRow } from '../store/store.ts';
import { factsFor, type Known } from './evidence-facts.ts';
import { rulesOf } from './monitors.ts';

/** What bounds a run: as it is stored, else worked out now. Undefined: it has not ended, or nothing was watched. */
const judgementOfRun = (known: Known, run: RunRow, warmup = run.warmup): RunJudgement | undefined =>
  storedJudgement(known.store, run, warmup) ??
  judgementOf(known.store, run, factsFor(known, run), rulesOf, warmup)?.judgement;

/** Of those of these runs that have one; `warmup` absent: each after its own. */
export const judgementsOf = (
  known: Known,
  runs: readonly RunRow[],
  warmup?: number,
): (RunJudgement & { runId: number })[] =>
  runs.flatMap((run) => {
    const judgement = judgementOfRun(known, run, warmup);
    return judgement ? [{ runId: run.id, ...judgement }] : [];
  });

/** Works it out and stores it, when all that was watched in the run has come; gives what it makes of it as findings. */
export function judgeRun(known: Known, run: RunRow): Finding[] {
  const judged = judgementOf(known.store, run, factsFor(known, run), rulesOf);
  if (!judged) return [];
  known.store.judgements.set(run.id, judged.judgement);
  return judged.findings;
}

/** What differs most between the series of two groups of runs. */
export function differencesBetween(
  known: Known,
  one: readonly RunRow[],
  other: readonly RunRow[],
  warmup?: number,
): SeriesDifference[] {
  const evidence = (runs: readonly RunRow[]): RunEvidence[] =>
    runs.flatMap((run) => evidenceOf(known.store, run, factsFor(known, run), rulesOf, warmup ?? run.warmup) ?? []);
  return seriesDifferences(evidence(one), evidence(other));
}
