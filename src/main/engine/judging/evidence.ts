import {
  windowOf as measuredWindow,
  type RunEvidence,
  type WatchedHost,
  type WatchedSeries,
  type WatchedServer,
} from '../../../shared/analysis/index.ts';
import { eventRate } from '../../../shared/metrics/index.ts';
import { momentOf } from '../../../shared/monitoring/index.ts';
import { generatorParts, wholeSeries } from '../figures/index.ts';
import { type RulesOf, readSeries, readSource, segmentsIn, windowOf } from '../monitored/index.ts';
import type { RunRow, Source, Store } from '../store/store.ts';
import { type EvidenceFacts, inThisCell } from './evidence-facts.ts';
import { hostOf, isJudged } from './host-evidence.ts';

/** Evidence from the tool of a run, without any host or server. */
function toolEvidenceOf(store: Store, run: RunRow, facts: EvidenceFacts, warmup = run.warmup): RunEvidence | undefined {
  const window = windowOf(store, run);
  if (!window) return undefined;
  const cut = { ...window, from: momentOf(window, warmup) };
  const metrics = store.samples.metrics(run.id);
  const rateMetric = eventRate(metrics);
  const rate = rateMetric === undefined ? undefined : wholeSeries(store, run, rateMetric).whole;
  const parts = rateMetric === undefined ? undefined : generatorParts(store, run, rateMetric);
  const latencyMetric = metrics.find((id) => id === 'latency_avg_ms');
  const latency = latencyMetric === undefined ? undefined : wholeSeries(store, run, latencyMetric).whole;
  return {
    window: measuredWindow(cut),
    zero: window.zero,
    ...(window.errorMs !== undefined && { clockErrorMs: window.errorMs }),
    ...(rate && rateMetric !== undefined && { rate: { ...rate, metric: rateMetric } }),
    ...(latency && { latency }),
    ...(run.summary?.latency_avg_ms !== undefined && { meanLatencyMs: run.summary.latency_avg_ms }),
    ...(facts.wanted !== undefined && { wanted: facts.wanted }),
    ...facts.io,
    ...(facts.pauses && { pauses: true as const }),
    load: facts.load.map((part, generator) => {
      const own = parts?.get(generator);
      return { ...part, ...(own && { rate: own }) };
    }),
    ...(facts.met && { met: facts.met }),
    ...(facts.onItsOwnHost && { onItsOwnHost: true as const }),
    hosts: [],
    servers: [],
  };
}

export interface EvidenceRequest {
  facts: EvidenceFacts;
  rulesOf: RulesOf;
  /** Seconds that are cut off at the beginning; absent: the warm-up of the run. */
  warmup?: number;
}

/**
 * All evidence of one run, on its own seconds. Undefined if it never ran. Reads hosts and servers step by step, which takes seconds for a long run;
 * holds nothing open between steps. `begin` gets the evidence from the tool, and returns a function that is called with every series, second by
 * second; for a run of more than half an hour the evidence has only means of stretches.
 */
export function* readEvidence(
  store: Store,
  run: RunRow,
  { facts, rulesOf, warmup = run.warmup }: EvidenceRequest,
  begin: (tool: RunEvidence) => (source: string, series: WatchedSeries) => void = () => () => undefined,
): Generator<void, RunEvidence | undefined> {
  const window = windowOf(store, run);
  const tool = toolEvidenceOf(store, run, facts, warmup);
  if (!window || !tool) return undefined;
  yield;
  const seen = begin(tool);
  yield;
  const cut = { ...window, from: momentOf(window, warmup) };
  const reader = { seen, segments: segmentsIn(cut) };
  const sources = store.sources.ofSession(run.sessionId);
  const of = (kind: Source['kind']): Source[] => sources.filter((source) => source.kind === kind);
  const [hosts, servers]: [WatchedHost[], WatchedServer[]] = [[], []];
  for (const source of of('host')) {
    const known = yield* readSource(store, source, cut, rulesOf, { ...reader, isWanted: isJudged });
    hosts.push(hostOf(inThisCell(source, facts, of('server')), known, cut, run, facts));
  }
  for (const source of cellFindings(store, of('server'), facts, rulesOf))
    servers.push(serverOf(source, yield* readSource(store, source, cut, rulesOf, reader), facts));
  return { ...tool, hosts, servers };
}

/**
 * Excludes the targets of other cells: they are idle, and their few connections do not belong to this run. A pool is kept with the servers that may
 * be behind it.
 */
function cellFindings(
  store: Store,
  servers: readonly Source[],
  { target, proxy, targets = [] }: EvidenceFacts,
  rulesOf: RulesOf,
): Source[] {
  const isOwn = ({ name }: Source): boolean => name === target || name === proxy;
  const own = servers.filter(isOwn);
  const others = servers.filter((server) => !isOwn(server) && targets.some((other) => other.name === server.name));
  if (own.length === 0 || others.length === 0) return [...servers];
  const isPool = own.some((server) =>
    readSeries(store, server, rulesOf).some(({ series }) => series.means === 'pool-waiters'),
  );
  return servers.filter((server) => isPool || !others.includes(server));
}

function serverOf(
  source: Source,
  { series, gaps, damaged = [] }: Pick<WatchedServer, 'series' | 'gaps' | 'damaged'>,
  { targets = [] }: EvidenceFacts,
): WatchedServer {
  const host = source.about?.place;
  return {
    ...targets.find(({ name }) => name === source.name),
    name: source.name,
    series,
    ...(gaps && { gaps }),
    ...(damaged.length > 0 && { damaged }),
    ...(host !== undefined && { host }),
    ...(source.problem !== undefined && { problem: source.problem }),
  };
}
