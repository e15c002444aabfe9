import { BlackBoxReader, boundOf, cpuUse, perOperation } from '../../../shared/analysis/index.ts';
import { runFindings } from '../../../shared/checks/index.ts';
import type { CellBound, RunJudgement } from '../../../shared/model/analysis.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import { ENDED_RUN } from '../../../shared/model/session.ts';
import { clockOffset } from '../../../shared/monitoring/index.ts';
import { endsByItself } from '../monitored/index.ts';
import type { RunBound, RunRow, Store } from '../store/store.ts';
import { type EvidenceRequest, readEvidence } from './evidence.ts';
import { eventEffects } from './moments.ts';

/**
 * Version of the rules by which runs are judged, raised with each change that could judge otherwise. Runs judged by earlier ones are judged again.
 */
export const JUDGEMENT_VERSION = 20;

/**
 * Judges a run from all its monitoring data: bottleneck, cost per operation and changes around its dips; and findings against its figures. Undefined
 * if it has not ended, or if an earlier version monitored nothing. Works step by step, as a long run takes seconds.
 */
export function* judging(
  store: Store,
  run: RunRow,
  { facts, rulesOf, warmup = run.warmup }: EvidenceRequest,
): Generator<void, Judged | undefined> {
  if (!ENDED_RUN.includes(run.state)) return undefined;
  const isWatched = store.sources.ofSession(run.sessionId).some(({ kind }) => kind === 'host' || kind === 'server');
  // An earlier version monitored nothing, and its documents had nothing to turn off.
  if (!(isWatched || facts.switchedOff) || !wasWatched(store, run) || isTooShort(store, run)) return undefined;
  let box: BlackBoxReader | undefined;
  const evidence = yield* readEvidence(store, run, { facts, rulesOf, warmup }, (tool) => {
    const reader = new BlackBoxReader(tool);
    box = reader;
    return (source, series) => reader.add(source, series);
  });
  if (!evidence) return undefined;
  if (evidence.hosts.length === 0 && evidence.servers.length === 0 && !facts.switchedOff) return undefined;
  const bound = boundOf(evidence);
  yield;
  const operations = perOperation(evidence);
  yield;
  const findings = runFindings(evidence, bound);
  yield;
  const cpu = cpuUse(evidence);
  const more = evidence.rate && box && { blackBox: box.result() };
  return {
    judgement: { version: JUDGEMENT_VERSION, warmup, bound, operations, cpu, ...more },
    findings: [...findings, ...eventEffects(store, run, evidence, rulesOf, facts.target)],
  };
}

interface Judged {
  judgement: RunJudgement;
  findings: Finding[];
}

/** Hosts are read once a second: a shorter wait or command has no series to judge. */
const LEAST_MS = 3000;
const isTooShort = (store: Store, run: RunRow): boolean =>
  endsByItself(store, run) && (run.endedAt ?? 0) - (run.startedAt ?? 0) < LEAST_MS;

/** A session of an earlier version that continues now is monitored from now on: its first runs have no data, and none is missing. */
function wasWatched(store: Store, run: RunRow): boolean {
  const firsts = store.sources.ofSession(run.sessionId).flatMap(({ id }) => {
    const { from } = store.monitored.extent(id);
    return from === undefined ? [] : from * 1000 + clockOffset(store.sources.clocks(id), from).offsetMs;
  });
  return firsts.length === 0 || run.endedAt === null || run.endedAt >= Math.min(...firsts);
}

/** The stored judgement, if it was made by these rules and for this cut. */
export function storedJudgement(store: Store, run: RunRow, warmup = run.warmup): RunJudgement | undefined {
  const stored = store.judgements.get(run.id);
  return stored?.version === JUDGEMENT_VERSION && stored.warmup === warmup ? stored : undefined;
}

/** The bottleneck of a cell: that of most of its judged runs, if it applies to more than half of them. */
export function boundOfCell(judged: ReadonlyMap<number, RunBound>, runIds: readonly number[]): CellBound | undefined {
  const known = runIds.flatMap((runId) => {
    const bound = judged.get(runId);
    return bound ? [{ runId, ...bound }] : [];
  });
  const counts = Map.groupBy(known, ({ verdict }) => verdict);
  const [most] = [...counts.values()].sort((one, other) => other.length - one.length);
  const [first] = most ?? [];
  if (!most || !first || 2 * most.length <= known.length) return undefined;
  return { ...first, runs: most.length, of: known.length };
}
