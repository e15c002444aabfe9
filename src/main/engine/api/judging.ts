import { ComparedRuns, seriesDifferences } from '../../../shared/analysis/index.ts';
import type { RunJudgement, SeriesDifference } from '../../../shared/model/analysis.ts';
import type { CallContext } from '../../../shared/rpc/define.ts';
import { cooperatively, yieldTurn } from '../figures/index.ts';
import { JUDGEMENT_VERSION, judging, readEvidence, storedJudgement } from '../judging/index.ts';
import type { RunRow } from '../store/store.ts';
import type { JudgedRun } from '../watching/index.ts';
import { factsFor, type Known } from './evidence-facts.ts';
import { rulesOf } from './monitors.ts';

/** The bottleneck of a run: stored, else calculated now. Undefined if the run has not ended, or nothing was monitored. */
const judgementOfRun = async (
  known: Known,
  run: RunRow,
  warmup: number,
  signal?: AbortSignal,
): Promise<RunJudgement | undefined> =>
  storedJudgement(known.store, run, warmup) ??
  (await cooperatively(judging(known.store, run, { facts: factsFor(known, run), rulesOf, warmup }), signal))?.judgement;

/** Only runs that have a judgement. Without `warmup`, each run uses its own. */
export async function judgementsOf(
  known: Known,
  runs: readonly RunRow[],
  warmup?: number,
  { signal, progress }: Partial<CallContext> = {},
): Promise<(RunJudgement & { runId: number })[]> {
  const found: (RunJudgement & { runId: number })[] = [];
  for (const [index, run] of runs.entries()) {
    await yieldTurn(signal);
    await progress?.({ what: 'Finding bottlenecks', unit: 'run', done: index + 1, of: runs.length });
    const judgement = await judgementOfRun(known, run, warmup ?? run.warmup, signal);
    if (judgement) found.push({ runId: run.id, ...judgement });
  }
  return found;
}

/** Judges a run once all its monitoring data has arrived. */
export async function judgeRun(known: Known, run: RunRow, signal?: AbortSignal): Promise<JudgedRun> {
  const facts = factsFor(known, run);
  const judged = await cooperatively(judging(known.store, run, { facts, rulesOf }), signal);
  return {
    version: JUDGEMENT_VERSION,
    findings: judged?.findings ?? [],
    ...(judged && { judgement: judged.judgement }),
    // A price may have changed meanwhile.
    isStill: () => JSON.stringify(factsFor(known, run)) === JSON.stringify(facts),
  };
}

/** The largest differences between the series of two groups of runs. Reads one run after the other, as all their values would not fit into memory. */
export async function differencesBetween(
  known: Known,
  one: readonly RunRow[],
  other: readonly RunRow[],
  warmup?: number,
  { signal, progress }: Partial<CallContext> = {},
): Promise<SeriesDifference[]> {
  let done = 0;
  const side = async (runs: readonly RunRow[]): Promise<ComparedRuns> => {
    const compared = new ComparedRuns();
    for (const run of runs) {
      await yieldTurn(signal);
      done += 1;
      const of = one.length + other.length;
      await progress?.({ what: 'Comparing series of hosts and servers', unit: 'run', done, of });
      const request = { facts: factsFor(known, run), rulesOf, warmup: warmup ?? run.warmup };
      const evidence = await cooperatively(readEvidence(known.store, run, request), signal);
      if (evidence) compared.add(evidence);
    }
    return compared;
  };
  return seriesDifferences(await side(one), await side(other));
}
